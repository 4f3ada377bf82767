//go:build !unix

package kernel

import "os"

// mapWords attaches words by reading them, because this system has no mmap.
func mapWords(file *os.File, m uint64) ([]uint64, func() error, error) { return readWords(file, m) }
