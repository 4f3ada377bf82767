package fuzz

import (
	"encoding"
	"errors"
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// named is a type whose values have names.
type named interface {
	fmt.Stringer
	encoding.TextUnmarshaler
}

// texts are all of them, at a value that no name stands for.
func texts() []named {
	const none = 99
	h, i := bloomproof.Hashing(none), bloomproof.Increment(none)
	return []named{&h, &i}
}

// FuzzText reads a text as each type whose values have names: it is refused by a
// ParamError and changes nothing, or it is the name of the value that it gives.
func FuzzText(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range texts() {
			before := v.String()
			err := v.UnmarshalText([]byte(text))
			var bad *bloomproof.ParamError
			switch after := v.String(); {
			case err != nil && !errors.As(err, &bad):
				t.Errorf("%T of %q: %v", v, text, err)
			case err != nil && after != before:
				t.Errorf("%T of %q is refused and gives %s", v, text, after)
			case err == nil && after != text:
				t.Errorf("%T of %q gives %s", v, text, after)
			}
		}
	})
}
