//go:build linux || darwin

package asmtest

import (
	"syscall"
	"unsafe"
)

// newArena returns at least n words, a whole number of pages, with a forbidden page
// on each side; or unguarded words where the system refuses to map or protect them.
func newArena(n int) arena {
	page := syscall.Getpagesize()
	size := (8*max(n, 1) + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return plainArena(n)
	}
	if syscall.Mprotect(m[:page], syscall.PROT_NONE) != nil ||
		syscall.Mprotect(m[page+size:], syscall.PROT_NONE) != nil {
		_ = syscall.Munmap(m)
		return plainArena(n)
	}
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&m[page])), size/8)
	return arena{words: words, free: func() { _ = syscall.Munmap(m) }}
}
