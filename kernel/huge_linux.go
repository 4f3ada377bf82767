package kernel

import (
	"syscall"
	"unsafe"
)

// Huge pages are requested for arrays of at least hugeFrom bytes.
const hugeFrom = 8 << 20

// makeWords returns n words, which are zero. Suppose that they take at least hugeFrom bytes. Then they begin at a
// multiple of hugeBytes, and Linux is asked to use huge pages for them. A look-up then seldom waits for an address
// translation. With huge pages, the first access to the memory costs a quarter of what it costs with small pages. For
// arrays of up to about 8 MiB, huge pages would not make look-ups faster. The reason is that the CPU's translation
// buffers have room for all the 4 KiB pages of such an array.
//
// The memory belongs to the Go heap, like the memory of any slice. The runtime may reuse memory that was used before.
// Such memory has been set to zero, and so the system has already given it small pages. The function makeWords returns
// these pages to the system. The system then supplies huge pages that are all zeros.
func makeWords(n int) []uint64 {
	if n < hugeFrom/8 {
		return make([]uint64, n)
	}
	words := make([]uint64, n+hugeBytes/8)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(words))) % hugeBytes / 8)
	words = words[skip : skip+n : skip+n]
	whole := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n*8/hugeBytes*hugeBytes)
	if syscall.Madvise(whole, syscall.MADV_HUGEPAGE) == nil {
		// If this call fails, the pages keep their contents, which are zeros.
		_ = syscall.Madvise(whole, syscall.MADV_DONTNEED)
	}
	return words
}
