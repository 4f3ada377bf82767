package exact

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The integer bounds under the k-sums are looked at before anything is rounded to a
// result's precision: guard bits would hide a bound that is missing. Each test needs
// cases in which the lower bound alone is too small, or it would show nothing.

// units returns floor(x 2^scale) and whether that is exact, for x >= 0.
func units(x *big.Rat, scale uint) (floor *big.Int, exact bool) {
	num := new(big.Int).Lsh(x.Num(), scale)
	floor, rest := num.QuoRem(num, x.Denom(), new(big.Int))
	return floor, rest.Sign() == 0
}

// within reports whether v <= x 2^scale <= v + missed, and whether x is above v.
func within(x *big.Rat, scale uint, v, missed *big.Int) (ok, above bool) {
	floor, exact := units(x, scale)
	top := new(big.Int).Add(v, missed)
	switch c := floor.Cmp(v); {
	case c < 0:
		return false, false
	case c > 0 || !exact:
		above = true
	}
	c := floor.Cmp(top)
	return c < 0 || c == 0 && exact, above
}

func TestPowFixed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	missing, cases := 0, longtest.More(8000, 20000)
	for range cases {
		b := 1 + r.Uint64N(200)
		// Few words hide an error unless the scale ends with a word; more words take another path.
		a, n, scale := r.Uint64N(b+1), 1+r.Int64N(60), uint(64*r.IntN(10))
		if r.IntN(2) == 0 {
			scale = uint(r.IntN(640))
		}
		x := ratPow(new(big.Rat).SetFrac64(int64(a), int64(b)), int(n))
		v, missed := powFixed(a, b, big.NewInt(n), scale)
		ok, above := within(x, scale, v, missed)
		if !ok {
			t.Fatalf("(%d/%d)^%d at scale %d: [%v, +%v]", a, b, n, scale, v, missed)
		}
		if floor, _ := units(x, scale); floor.Cmp(v) > 0 && above {
			missing++
		}
	}
	if missing < cases/20 {
		t.Errorf("only %d cases miss a whole unit", missing)
	}
}

// TestAltSum takes weights and powers at either end of what they leave open.
func TestAltSum(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	whole := func() *big.Int { return big.NewInt(r.Int64N(1000)) }
	for range longtest.More(2500, 5000) {
		var s altSum
		least, most := new(big.Int), new(big.Int)
		for j := range 1 + r.IntN(6) {
			w, missW, q, missQ := whole(), whole(), whole(), whole()
			s.add(j, w, missW, q, missQ)
			low := new(big.Int).Mul(w, q)
			high := new(big.Int).Mul(new(big.Int).Add(w, missW), new(big.Int).Add(q, missQ))
			if j&1 == 1 {
				low, high = high.Neg(high), low.Neg(low)
			}
			least.Add(least, low)
			most.Add(most, high)
		}
		e := s.enclosure(200, 0)
		if !e.ContainsRat(new(big.Rat).SetInt(least)) || !e.ContainsRat(new(big.Rat).SetInt(most)) {
			t.Fatalf("[%v, %v] is not in [%v, %v]", least, most, e.Lo(), e.Hi())
		}
	}
}

// TestMomentWeights compares the shortened weights, which a recurrence gives, with the exact integers, which are
// differences.
func TestMomentWeights(t *testing.T) {
	missing := 0
	for _, m := range []uint64{2, 3, 7, 64, 100, 1000003, 1<<40 + 1, 1<<64 - 1} {
		for r := 1; r <= 24; r += longtest.More(2, 1) {
			exact, _ := differenceWeights(m, r)
			shift := uint(bits.Len64(m))
			for _, scale := range []uint{10, 40, 90, 64, 320} {
				short, missed := momentWeights(m, r, scale, shift)
				for j, w := range short {
					x := new(big.Rat).SetFrac(exact[j], new(big.Int).Lsh(integer.One, shift*uint(r)))
					ok, _ := within(x, scale, w, missed)
					if !ok {
						t.Fatalf("m=%d r=%d j=%d scale %d: [%v, +%v]", m, r, j, scale, w, missed)
					}
					if floor, _ := units(x, scale); floor.Cmp(w) > 0 {
						missing++
					}
				}
			}
		}
	}
	if missing < 100 {
		t.Errorf("only %d cases miss a whole unit", missing)
	}
}

// TestClassicPowers compares the running products with C(m-j,k)^n/C(m,k)^n.
func TestClassicPowers(t *testing.T) {
	missing := 0
	for m := uint64(2); m <= 30; m += 4 {
		for k := 1; k <= int(m); k += 3 {
			for _, n := range []int64{1, 2, 5, 13} {
				for _, scale := range []uint{3, 12, 40} {
					classicPowers(m, big.NewInt(n), k, k, scale, func(j int, q, missed *big.Int) {
						x := new(big.Rat).SetFrac(integer.Binomial(m-uint64(j), k), integer.Binomial(m, k))
						x = ratPow(x, int(n))
						ok, _ := within(x, scale, q, missed)
						if !ok {
							t.Fatalf("m=%d k=%d n=%d j=%d scale %d: [%v, +%v]", m, k, n, j, scale, q, missed)
						}
						if floor, _ := units(x, scale); floor.Cmp(q) > 0 {
							missing++
						}
					})
				}
			}
		}
	}
	if missing < 100 {
		t.Errorf("only %d cases miss a whole unit", missing)
	}
}
