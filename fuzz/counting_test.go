package fuzz

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/model"
)

// FuzzCounting decodes data into operations on a counting filter of any small geometry, width and
// rule, and on a second counting filter, and compares both with their models after each operation.
func FuzzCounting(f *testing.F) {
	f.Fuzz(func(t *testing.T, m uint16, k, hashing, scheme, width, increment uint8, data []byte) {
		g, most := small(m, k, hashing, data)
		c := model.Counters{Width: int(width), Increment: bloomproof.Increment(increment)}
		run, err := model.NewCountingRun(g, c, options(scheme))
		if err != nil {
			known := (width == 4 || width == 8 || width == 16 || width == 32) && c.Increment <= bloomproof.Literal
			if possible(g) && known {
				t.Fatalf("%v %v: %v", g, c, err)
			}
			return
		}
		if err := play(model.DecodeCounting(data), most, run); err != nil {
			t.Fatalf("%v %v: %v", g, c, err)
		}
	})
}
