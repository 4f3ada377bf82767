//go:build !linux || !amd64

package silicon

import (
	"errors"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
)

// Runs returns false, because no instruction can be tested on this platform.
func Runs(string) bool { return false }

// CPU returns "", because this program does not run on an amd64 processor under Linux.
func CPU() string { return "" }

// Compare needs an amd64 processor and Linux. In this build it always returns an error.
func Compare(decode.Instruction, int, uint64) error {
	return errors.New("instructions are compared on Linux for amd64")
}
