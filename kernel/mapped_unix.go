//go:build unix

package kernel

import (
	"io/fs"
	"math"
	"os"
	"syscall"
	"unsafe"

	"github.com/bloomproof/bloomproof"
)

// littleEndian reports whether the host stores words in the byte order of a snapshot.
var littleEndian = func() bool {
	x := uint16(1)
	return *(*byte)(unsafe.Pointer(&x)) == 1
}()

// mapWords attaches words by mapping the file, read-only and shared.
func mapWords(file *os.File, m uint64) ([]uint64, func() error, error) {
	if !littleEndian {
		return readWords(file, m)
	}
	n := wordsFor(m)
	size := headerSize + 8*n
	if size > math.MaxInt {
		return nil, nil, &bloomproof.ParamError{Param: "m", Value: m, Want: "within the address space of this host"}
	}
	b, err := syscall.Mmap(int(file.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, &fs.PathError{Op: "mmap", Path: file.Name(), Err: err}
	}
	// A mapping begins at a page, so the words are aligned.
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&b[headerSize])), n)
	return words, func() error { return os.NewSyscallError("munmap", syscall.Munmap(b)) }, nil
}
