package kernel

import (
	"syscall"
	"unsafe"
)

// hugeFrom is the least number of bytes for which huge pages are asked for.
const hugeFrom = 8 << 20

// makeWords returns n zeroed words. From hugeFrom bytes on they begin at a multiple of
// hugeBytes, and Linux is asked to back them with huge pages: a probe then seldom waits
// for the translation of its address, and the first touch of the memory costs a quarter.
// (Up to about 8 MiB the TLBs reach all pages of 4 KiB, and probes gain nothing.)
//
// The memory belongs to the Go heap, as any slice's does. The runtime has zeroed it, and
// if it was in use before that has given it small pages: these are handed back, so that
// it comes zeroed from the system again, in huge ones.
func makeWords(n int) []uint64 {
	if n < hugeFrom/8 {
		return make([]uint64, n)
	}
	words := make([]uint64, n+hugeBytes/8)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(words))) % hugeBytes / 8)
	words = words[skip : skip+n : skip+n]
	whole := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n*8/hugeBytes*hugeBytes)
	if syscall.Madvise(whole, syscall.MADV_HUGEPAGE) == nil {
		// A failure leaves the pages as they are, and zeroed.
		_ = syscall.Madvise(whole, syscall.MADV_DONTNEED)
	}
	return words
}
