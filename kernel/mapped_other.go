//go:build !unix

package kernel

import "os"

// mapWords attaches words by reading them, because this system has no mmap.
func mapWords(file *os.File, info os.FileInfo, m uint64) (attachment, error) {
	return readWords(file, info, m)
}
