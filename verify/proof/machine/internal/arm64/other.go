//go:build !linux || !arm64

package arm64

import "errors"

// Runs reports whether this program can test instructions on its processor.
const Runs = false

// Compare always returns an error, because this program does not run on an arm64 processor under Linux.
func Compare(Instruction, int, uint64) error {
	return errors.New("instructions are compared on Linux for arm64")
}
