//go:build linux || darwin

package asmtest

import (
	"math/bits"
	"syscall"
	"unsafe"
)

// newArena returns an arena with at least n words. The arena takes whole pages, and has a forbidden page on each side.
// The operating system may refuse to map or protect pages. The arena then has no forbidden pages.
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

// newHollow returns an arena with at least n words, in which only the first and the last page exist. The arena has no
// words if this host has too few addresses.
func newHollow(n uint64) (a arena) {
	if bits.UintSize < 64 {
		return a
	}
	page := syscall.Getpagesize()
	size := (8*int(n) + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, size, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return a
	}
	const open = syscall.PROT_READ | syscall.PROT_WRITE
	if syscall.Mprotect(m[:page], open) != nil || syscall.Mprotect(m[size-page:], open) != nil {
		_ = syscall.Munmap(m)
		return a
	}
	return arena{words: unsafe.Slice((*uint64)(unsafe.Pointer(&m[0])), size/8)}
}
