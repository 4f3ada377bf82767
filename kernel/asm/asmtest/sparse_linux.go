package asmtest

import (
	"math/bits"
	"syscall"
	"unsafe"
)

// newSparse returns an arena with n words that are 0, and with a forbidden page after them. Only pages that are written
// take memory. The result "ok" is false if this host has too few addresses.
func newSparse(n uint64) (a arena, ok bool) {
	if bits.UintSize < 64 {
		return a, false
	}
	page := syscall.Getpagesize()
	size := (8*int(n) + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, size+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return a, false
	}
	const noHugePages = 15 // MADV_NOHUGEPAGE; with huge pages a single bit would take 2 MiB
	_ = syscall.Madvise(m, noHugePages)
	if syscall.Mprotect(m[size:], syscall.PROT_NONE) != nil {
		_ = syscall.Munmap(m)
		return a, false
	}
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&m[size-8*int(n)])), n)
	return arena{words: words, free: func() { _ = syscall.Munmap(m) }}, true
}
