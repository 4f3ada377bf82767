package fuzz

import (
	"errors"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// FuzzText reads a text as a hashing: a wrong text is refused with a ParamError and changes
// nothing, and an accepted text is the name of the value that it gives.
func FuzzText(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		v := bloomproof.Hashing(99) // without a name
		before := v.String()
		err := v.UnmarshalText([]byte(text))
		var bad *bloomproof.ParamError
		switch after := v.String(); {
		case err != nil && !errors.As(err, &bad):
			t.Errorf("%q: %v", text, err)
		case err != nil && after != before:
			t.Errorf("%q is refused and gives %s", text, after)
		case err == nil && after != text:
			t.Errorf("%q gives %s", text, after)
		}
	})
}
