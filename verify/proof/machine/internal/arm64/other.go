//go:build !linux || !arm64

package arm64

import "errors"

// Runs reports whether instructions can be compared here.
const Runs = false

// Compare always returns an error.
func Compare(Instruction, int, uint64) error {
	return errors.New("instructions are compared on Linux for arm64")
}
