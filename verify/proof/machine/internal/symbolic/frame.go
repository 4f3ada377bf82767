package symbolic

import (
	"fmt"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
)

// The functions that this package proves have no stack frame. So nothing here says what a frame may contain, or whether
// the stack has room for it. The function "frameless" returns an error if a function has a check of the stack, or an
// instruction that may change the stack pointer.
func frameless(code []decode.Instruction) error {
	for _, in := range code {
		if in.Room != 0 {
			return fmt.Errorf("%#x: %s: a function with a check of the stack", in.Address, in.Text)
		}
		if in.Name == "push" || in.Name == "pop" || len(in.Args) > 0 && in.Args[0].Kind == decode.Register && in.Args[0].Reg == 4 {
			return fmt.Errorf("%#x: %s: the stack pointer is changed", in.Address, in.Text)
		}
	}
	return nil
}
