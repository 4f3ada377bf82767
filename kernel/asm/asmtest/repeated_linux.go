//go:build linux && (amd64 || arm64)

package asmtest

import (
	"os"
	"syscall"
	"unsafe"
)

// newRepeated returns an arena with n words that are equal to v. The arena takes only 2 MiB of memory, which is mapped
// to many addresses. The result "ok" is false if this host has no room for a file of 2 MiB.
func newRepeated(n int, v uint64) (a arena, ok bool) {
	const some = 1 << 18
	f, err := os.CreateTemp("", "asmtest")
	if err != nil {
		return a, false
	}
	defer f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return a, false
	}
	if _, err := f.Write(bytesOf(fill(some, v))); err != nil {
		return a, false
	}
	size := (n + some - 1) / some * some * 8
	m, err := syscall.Mmap(-1, 0, size, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return a, false
	}
	a = arena{words: unsafe.Slice((*uint64)(unsafe.Pointer(&m[0])), n), free: func() { _ = syscall.Munmap(m) }}
	for at := 0; at < size; at += 8 * some {
		_, _, e := syscall.Syscall6(syscall.SYS_MMAP, uintptr(unsafe.Pointer(&m[at])), 8*some,
			syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_FIXED, f.Fd(), 0)
		if e != 0 {
			a.free()
			return arena{}, false
		}
	}
	return a, true
}
