package kernel

import (
	"syscall"
	"unsafe"
)

// hugeFrom is the least number of bytes for which huge pages are asked for.
const hugeFrom = 8 << 20

// makeWords returns n zeroed words. From hugeFrom bytes on they begin at a multiple of hugeBytes, and Linux is asked to
// back them with huge pages. A look-up then seldom waits for an address translation, and the first touch of the memory
// costs a quarter. (Up to about 8 MiB the TLBs reach all pages of 4 KiB, and look-ups gain nothing.)
//
// The memory belongs to the Go heap, as any slice's does. If it was in use before, the runtime has zeroed it, and so
// given it small pages. makeWords hands these back to the system, so that the memory comes zeroed again, in huge pages.
func makeWords(n int) []uint64 {
	if n < hugeFrom/8 {
		return make([]uint64, n)
	}
	words := make([]uint64, n+hugeBytes/8)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(words))) % hugeBytes / 8)
	words = words[skip : skip+n : skip+n]
	whole := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n*8/hugeBytes*hugeBytes)
	if syscall.Madvise(whole, syscall.MADV_HUGEPAGE) == nil {
		// A failure leaves the pages as they are, which is zeroed.
		_ = syscall.Madvise(whole, syscall.MADV_DONTNEED)
	}
	return words
}
