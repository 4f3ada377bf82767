package kernel

import (
	"syscall"
	"unsafe"
)

// hugeFrom is the size in bytes of the smallest array for which huge pages are requested.
const hugeFrom = 8 << 20

// makeWords returns n zeroed words. If they take at least hugeFrom bytes, they begin at a multiple of hugeBytes, and
// Linux is asked to back them with huge pages. A look-up then seldom waits for an address translation, and the first
// touch of the memory costs a quarter of what it costs with small pages. (Up to about 8 MiB the TLBs cover all pages of
// 4 KiB, and look-ups gain nothing.)
//
// The memory belongs to the Go heap, like that of any slice. If the memory was in use before, the runtime has zeroed
// it, and it therefore has small pages. makeWords returns these pages to the system, which then supplies zeroed huge
// pages.
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
