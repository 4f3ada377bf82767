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

// littleEndian is true if the host stores words in the byte order of a snapshot.
var littleEndian = func() bool {
	x := uint16(1)
	return *(*byte)(unsafe.Pointer(&x)) == 1
}()

// mapWords maps the file into memory, read-only and shared. It returns an attachment, which has the words that hold the
// m bits. The file stays open, because Err examines it.
func mapWords(file *os.File, info os.FileInfo, m uint64) (attachment, error) {
	if !littleEndian {
		return readWords(file, info, m)
	}
	n := wordsFor(m)
	size := headerSize + 8*n
	if size > math.MaxInt {
		return attachment{}, &bloomproof.ParamError{Param: "m", Value: m, Want: "within the address space of this host"}
	}
	b, err := syscall.Mmap(int(file.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return attachment{}, &fs.PathError{Op: "mmap", Path: file.Name(), Err: err}
	}
	return attachment{
		words: unsafe.Slice((*uint64)(unsafe.Pointer(&b[headerSize])), n), // aligned, because a mapping begins at a page
		release: func() error {
			_ = file.Close() // the file was opened for reading only
			return os.NewSyscallError("munmap", syscall.Munmap(b))
		},
		mapping: b, file: file, before: info,
	}, nil
}
