package vec

import (
	"math"
	"math/big"
	"testing"
)

// prec is the precision of what the tests compare with: its errors do not matter.
const prec = 160

func number(v uint64) *big.Float {
	return new(big.Float).SetPrec(prec).SetInt(new(big.Int).SetUint64(v))
}

func product(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Mul(a, b) }

func sum(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Add(a, b) }

func ratio(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Quo(a, b) }

// tau returns tau(i, d) for d = 0..K, by (4) and (11) of the paper in whole numbers, of
// which only the quotient at the end is rounded.
func tau(x Message, i uint64) []*big.Float {
	t := []*big.Int{big.NewInt(1)}
	ways := big.NewInt(1)
	times := func(t *big.Int, m uint64, less uint64) *big.Int {
		if m < less {
			return new(big.Int)
		}
		return new(big.Int).Mul(t, new(big.Int).SetUint64(m-less))
	}
	for q := range x.K {
		taken := uint64(x.taken(q))
		next := make([]*big.Int, q+2)
		for d := range next {
			next[d] = new(big.Int)
			if d <= q {
				next[d] = times(t[d], i+uint64(d), taken)
			}
			if d > 0 {
				next[d].Add(next[d], times(t[d-1], x.M, i+uint64(d-1)))
			}
		}
		t = next
		ways = times(ways, x.M, taken)
	}
	var out []*big.Float
	for _, v := range t {
		out = append(out, ratio(new(big.Float).SetPrec(prec).SetInt(v), new(big.Float).SetPrec(prec).SetInt(ways)))
	}
	return out
}

// units returns how far got is from want, in u = 2^-53 relative to scale; an error up to
// floor is none.
func units(got float64, want, scale *big.Float, floor float64) float64 {
	if math.IsNaN(got) || math.IsInf(got, 0) {
		return math.Inf(1)
	}
	diff := new(big.Float).SetPrec(prec).Sub(new(big.Float).SetFloat64(got), want)
	diff.Abs(diff)
	if diff.Cmp(new(big.Float).SetFloat64(floor)) <= 0 {
		return 0
	}
	if scale.Sign() == 0 {
		return math.Inf(1)
	}
	u, _ := ratio(diff, new(big.Float).SetPrec(prec).Abs(scale)).Float64()
	return u * 0x1p53
}

// TestOracle asserts that tau counts what happens to every message there is.
func TestOracle(t *testing.T) {
	for m := uint64(1); m <= 4; m++ {
		for k := 1; k <= 4; k++ {
			for _, distinct := range []bool{false, true} {
				x := Message{m, k, distinct}
				if distinct && uint64(k) > m {
					continue
				}
				for i := uint64(0); i <= m; i++ {
					counts := make([]uint64, k+1)
					all := uint64(0)
					pos := make([]uint64, k)
					var try func(q int)
					try = func(q int) {
						if q < k {
							for pos[q] = 0; pos[q] < m; pos[q]++ {
								try(q + 1)
							}
							return
						}
						seen, fresh := uint64(0), 0
						for _, p := range pos {
							if seen>>p&1 != 0 {
								if distinct {
									return
								}
								continue
							}
							seen |= 1 << p
							if p >= i { // bits 0..i-1 are set
								fresh++
							}
						}
						all++
						counts[fresh]++
					}
					try(0)
					for d, p := range tau(x, i) {
						if want := ratio(number(counts[d]), number(all)); p.Cmp(want) != 0 {
							t.Errorf("%+v: tau(%d, %d) = %v, %v of %v messages", x, i, d, p, counts[d], all)
						}
					}
				}
			}
		}
	}
}
