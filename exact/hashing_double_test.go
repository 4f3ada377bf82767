package exact

import (
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

var doubleHashings = []bloomproof.Hashing{bloomproof.Double, bloomproof.DoubleZero, bloomproof.DoubleOdd}

func doubleOf(h bloomproof.Hashing) doubleHashing {
	return rateHashings[h].(doubleLaw).draws.(doubleHashing)
}

// doubleMasks returns the set bits of every start and step.
func doubleMasks(g bloomproof.Geometry) (masks []uint32) {
	if g.Hashing == bloomproof.DoublePartitioned {
		s := g.M / uint64(g.K)
		for pair := range s * s {
			mask := uint32(0)
			for i := range uint64(g.K) {
				mask |= 1 << (i*s + (pair/s+i*(pair%s))%s)
			}
			masks = append(masks, mask)
		}
		return masks
	}
	if g.Hashing == bloomproof.Triple {
		for outcome := range g.M * g.M * g.M {
			a, b, c, mask := outcome%g.M, outcome/g.M%g.M, outcome/g.M/g.M, uint32(0)
			for i := range uint64(g.K) {
				mask |= 1 << ((a + i*b + i*(i-1)/2*c) % g.M)
			}
			masks = append(masks, mask)
		}
		return masks
	}
	for a := range g.M {
		for b := range g.M {
			if b == 0 && g.Hashing == bloomproof.Double || b&1 == 0 && g.Hashing == bloomproof.DoubleOdd {
				continue
			}
			mask := uint32(0)
			for i := range uint64(g.K) {
				cubic := uint64(0)
				if g.Hashing == bloomproof.EnhancedDouble {
					cubic = (i*i*i - i) / 6
				}
				mask |= 1 << ((a + i*b + cubic) % g.M)
			}
			masks = append(masks, mask)
		}
	}
	return masks
}

// TestDoubleIsEnumerated compares the rate and its complement with all outcomes of n insertions
// and a query.
func TestDoubleIsEnumerated(t *testing.T) {
	most := uint64(longtest.More(8, 14))
	cases := 0
	for _, h := range append(doubleHashings, bloomproof.DoublePartitioned, bloomproof.EnhancedDouble, bloomproof.Triple) {
		for m := uint64(1); m <= most; m++ {
			if h == bloomproof.Triple && m > most-2 { // m^3 outcomes
				break
			}
			for k := 1; k <= min(int(m)+2, 8); k++ {
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				if g.Validate() != nil {
					continue
				}
				masks := doubleMasks(g)
				type weighted struct {
					mask uint32
					w    int64
				}
				var weights []weighted
				slices.Sort(masks)
				for i, mask := range masks {
					if i == 0 || mask != masks[i-1] {
						weights = append(weights, weighted{mask: mask})
					}
					weights[len(weights)-1].w++
				}
				states := make([]int64, 1<<m) // the outcomes that lead to each state
				states[0] = 1
				for n := uint64(0); n <= 4; n++ {
					sum, term := new(big.Int), new(big.Int)
					for state, count := range states {
						if count == 0 {
							continue
						}
						hits := int64(0)
						for _, x := range weights {
							if x.mask&^uint32(state) == 0 {
								hits += x.w
							}
						}
						sum.Add(sum, term.Mul(big.NewInt(count), big.NewInt(hits)))
					}
					rate := new(big.Rat).SetFrac(sum, term.Exp(big.NewInt(int64(len(masks))), big.NewInt(int64(n+1)), nil))
					checkDouble(t, g, n, rate)
					cases++
					next := make([]int64, 1<<m)
					for state, count := range states {
						if count == 0 {
							continue
						}
						for _, x := range weights {
							next[uint32(state)|x.mask] += count * x.w
						}
					}
					states = next
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

// checkDouble compares all numbers of a rate with the true one.
func checkDouble(t *testing.T, g bloomproof.Geometry, n uint64, rate *big.Rat) {
	t.Helper()
	one := big.NewRat(1, 1)
	if got := rationalOf(g, n); got.Cmp(rate) != 0 {
		t.Fatalf("the rational rate of %v, n=%d is %v; enumeration gives %v", g, n, got, rate)
	}
	e, _, err := FPR(g, n, 80, Auto)
	if err != nil || !e.Contains(rate) || e.Sign() != rate.Sign() {
		t.Fatalf("FPR(%v, n=%d) = %v, %v; enumeration gives %v", g, n, e, err, rate)
	}
	c, err := Complement(g, n, 80)
	if rest := new(big.Rat).Sub(one, rate); err != nil || !c.Contains(rest) || c.Sign() != rest.Sign() {
		t.Fatalf("Complement(%v, n=%d) = %v, %v; enumeration gives %v", g, n, c, err, rest)
	}
	counted, err := CorrectRate(g, n+1, bloomproof.Distinct, 80)
	if rest := new(big.Rat).Sub(one, rate); err != nil || !counted.Contains(rest) {
		t.Fatalf("CorrectRate(%v, n=%d) = %v, %v; enumeration gives %v", g, n+1, counted, err, rest)
	}
	h, ok := rateHashings[g.Hashing].(doubleLaw)
	if !ok {
		h = rateHashings[g.Hashing].(pairedLaw).doubleLaw
	}
	if n == 0 || h.full(g) {
		if (rate.Cmp(one) == 0) != (n > 0) {
			t.Fatalf("%v is full, n=%d; enumeration gives %v", g, n, rate)
		}
		return
	}
	if rate.Cmp(one) == 0 {
		t.Fatalf("%v is not full; enumeration gives 1", g)
	}
	if e, err := h.enclose(g, n, 80, routeDifference); err != nil || !e.Contains(rate) || e.RelBits() < 80 {
		t.Fatalf("the sum for %v, n=%d: %v, %v; enumeration gives %v", g, n, e, err, rate)
	}
	if e, err := h.sum(g, n, 80, h.cancels(g, n), 1); err != nil || !e.Contains(new(big.Rat).Sub(one, rate)) {
		t.Fatalf("the sum of the complement for %v, n=%d: %v, %v; enumeration gives %v", g, n, e, err, rate)
	}
}

// TestDoubleKinds compares the terms with those of every step of a query and of an item.
func TestDoubleKinds(t *testing.T) {
	ms := []uint64{2, 3, 4, 8, 9, 12, 16, 25, 27, 32, 36, 49, 54, 60, 64, 72, 81, 90, 96, 97, 101, 105, 108, 125, 128}
	most := longtest.More(3, 5)
	if longtest.More(0, 1) > 0 {
		ms = append(ms, 144, 162, 180, 210, 243, 250, 256)
	}
	for _, h := range doubleHashings {
		for _, m := range ms {
			for k := 2; k <= most; k++ {
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				if g.Validate() != nil || !longtest.Enabled() && m > 81 && k > 2 {
					continue
				}
				got, err := doubleOf(h).terms(g)
				if err != nil {
					t.Fatal(err)
				}
				type key struct {
					size   int
					missed uint64
				}
				want := map[key]int64{}
				for query := range m {
					if !doubleOf(h).steps.has(query) {
						continue
					}
					d := m / gcd(m, query)
					for set := range 1 << min(uint64(k), d) {
						want[key{bits.OnesCount(uint(set)), allMissed(g, query, set)}]++
					}
				}
				if len(got) != len(want) {
					t.Fatalf("%v: %d terms, with all steps %d", g, len(got), len(want))
				}
				for _, x := range got {
					if w := want[key{x.size, x.missed.Uint64()}]; x.weight.Cmp(big.NewInt(w)) != 0 {
						t.Fatalf("%v: a term of %d positions, missed in %v ways, has the weight %v, with all steps %d", g, x.size, x.missed, x.weight, w)
					}
				}
			}
		}
	}
}

// allMissed counts the starts and steps that miss the positions of a set.
func allMissed(g bloomproof.Geometry, query uint64, set int) (n uint64) {
	hit := make([]uint64, g.M) // the step + 1 that hit from a start
	for b := range g.M {
		if !doubleOf(g.Hashing).steps.has(b) {
			continue
		}
		n += g.M
		for j := range uint64(g.K) {
			if set>>j&1 == 0 {
				continue
			}
			for i := range uint64(g.K) {
				if a := (j*query + (g.M-b)*i) % g.M; hit[a] != b+1 {
					hit[a] = b + 1
					n--
				}
			}
		}
	}
	return n
}
