//go:build !unix

package kernel

import "os"

// mapWords reads the words of the m bits from the file into memory, because this operating system has no mmap.
func mapWords(file *os.File, info os.FileInfo, m uint64) (attachment, error) {
	return readWords(file, info, m)
}
