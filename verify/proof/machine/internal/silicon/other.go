//go:build !linux || !amd64

package silicon

import (
	"errors"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
)

// Runs reports false: nothing is compared here.
func Runs(string) bool { return false }

// CPU returns "".
func CPU() string { return "" }

// Compare always returns an error.
func Compare(decode.Instruction, int, uint64) error {
	return errors.New("instructions are compared on Linux for amd64")
}
