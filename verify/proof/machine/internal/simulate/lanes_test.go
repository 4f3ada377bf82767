package simulate

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// TestLanes asserts that the operations on lanes that are in the twin of a ring of vectors have the values that their
// description says, for every mask of 8 lanes.
func TestLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 8))
	p := term.NewPool()
	value := func(text string) uint64 {
		e, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		v := scope{Pool: p, names: func(string) *term.Term { return nil }}.word(e)
		if v.Op != term.Const {
			t.Fatalf("%s has no value", text)
		}
		return v.Value
	}
	for mask := range 256 {
		var c, a, b []uint64
		var some, list string
		for l := range 8 {
			c, a, b = append(c, uint64(mask>>l&1)), append(a, r.Uint64()), append(b, r.Uint64())
		}
		for _, v := range slices.Concat(c, a, b) {
			list += fmt.Sprintf(", %d", v)
		}
		for _, v := range c {
			some += fmt.Sprintf(", %d", v)
		}
		if got, want := value("count("+some[2:]+")"), bits.OnesCount(uint(mask)); got != uint64(want) {
			t.Errorf("count of %08b: %d", mask, got)
		}
		packed, spread, at := slices.Clone(b), slices.Clone(b), 0
		for l := range 8 {
			if c[l] == 1 {
				packed[at], spread[l] = a[l], a[at]
				at++
			}
		}
		for l := range 8 {
			if got := value(fmt.Sprintf("pack(%d%s)", l, list)); got != packed[l] {
				t.Errorf("lane %d of pack, mask %08b: %d, want %d", l, mask, got, packed[l])
			}
			if got := value(fmt.Sprintf("spread(%d%s)", l, list)); got != spread[l] {
				t.Errorf("lane %d of spread, mask %08b: %d, want %d", l, mask, got, spread[l])
			}
		}
	}
	for d := range 16 {
		for n := range 8 {
			want := uint64(0)
			if d < 2*n {
				want = 1
			}
			if got := value(fmt.Sprintf("below(%d, %d)", d, n)); got != want {
				t.Errorf("below(%d, %d): %d", d, n, got)
			}
		}
	}
	for range 100 {
		x, n := r.Uint64(), r.Uint64()
		if got := value(fmt.Sprintf("bit(%d, %d)", x, n)); got != x>>(n&63)&1 {
			t.Errorf("bit(%d, %d): %d", x, n, got)
		}
		if got, want := value(fmt.Sprintf("mixed(%d)", x)), value(fmt.Sprintf("mix(%d)", x)); got != want {
			t.Errorf("mixed(%d): %d, want %d", x, got, want)
		}
	}
}
