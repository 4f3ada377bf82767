//go:build unix

package kernel

import "syscall"

// canAllocate reports whether the operating system would grant n more bytes of memory now.
func canAllocate(n uint64) bool {
	b, err := syscall.Mmap(-1, 0, int(n), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return false
	}
	return syscall.Munmap(b) == nil
}
