package recycling

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// naiveSums calls visit with f_w, f_o and f_a at n = 1, 2, ..., term by term at 600 bits.
func naiveSums(m uint64, k, most int, visit func(n uint64, f [3]*big.Float)) {
	num := func(x float64) *big.Float { return new(big.Float).SetPrec(600).SetFloat64(x) }
	miss := num(1) // (1-1/m)^(kn)
	one := num(0).Quo(num(float64(m-1)), new(big.Float).SetPrec(600).SetUint64(m))
	oracle, inverse := num(0), num(0)
	last := num(0) // f_n, (1) at n-1
	for n := 1; n <= most; n++ {
		oracle.Add(oracle, last)
		if inverse != nil {
			if left := num(0).Sub(num(1), last); left.Sign() > 0 {
				inverse.Add(inverse, num(0).Quo(num(1), left))
			} else {
				inverse = nil // infinite from here on
			}
		}
		worst := num(1)
		for range k {
			miss.Mul(miss, one)
		}
		for range k {
			worst.Mul(worst, num(0).Sub(num(1), miss))
		}
		average := num(1)
		if inverse != nil {
			average.Sub(average, num(0).Quo(num(float64(n)), inverse))
		}
		last = worst
		visit(uint64(n), [3]*big.Float{worst, num(0).Quo(oracle, num(float64(n))), average})
	}
}

// naives are in the order of what naiveSums visits.
var naives = [3]Naive{naiveWorst, naiveOracle, naiveAverage}

// NaiveRate is the sum of the terms within its bound, by both ways of summing.
func TestNaiveRate(t *testing.T) {
	worst, summed, integrated := 0.0, 0, 0
	for _, c := range []struct {
		m    uint64
		k, n int
	}{
		{1, 1, 5}, {1, 3, 5}, {2, 1, 60}, {2, 5, 900}, {3, 2, 40}, {64, 10, 30}, {100, 1, 3000}, {500, 7, 2000}, {1000, 1, 30000},
		{1000, 7, 3000}, {4096, 2, 9000}, {1 << 14, 64, 5000}, {1 << 20, 20, 4000}, {1 << 16, 7, 20000}, {1 << 30, 3, 3000}, {1<<64 - 1, 2, 500},
	} {
		if !longtest.Enabled() && c.n > 2000 && c.m != 1000 || !longtest.Enabled() && c.n > 9000 {
			continue
		}
		naiveSums(c.m, c.k, c.n, func(n uint64, f [3]*big.Float) {
			if n > 500 && n%197 != 0 && n != uint64(c.n) {
				return
			}
			for i, v := range naives {
				got, err := NaiveRate(bloomproof.Geometry{M: c.m, K: c.k}, n, v)
				if err != nil {
					t.Fatal(err)
				}
				want, _ := f[i].Float64()
				if want < 1e-290 {
					if got > 1e-280 {
						t.Errorf("%v(%d, %d, %d) = %v, want %v", v, c.m, n, c.k, got, want)
					}
					continue
				}
				bound := (100 + (30+8*math.Log(float64(c.k)))*math.Abs(math.Log(want))) * 0x1p-53
				e := math.Abs(got-want) / want
				worst = max(worst, e/bound)
				if !(e <= bound) {
					t.Errorf("%v(%d, %d, %d) = %v, want %v, error %.3g of the bound", v, c.m, n, c.k, got, want, e/bound)
				}
				if n > 40*uint64(c.k)+100 && 64*c.k < int(c.m>>1) {
					integrated++
				} else {
					summed++
				}
			}
		})
	}
	t.Logf("worst error %.2f of the bound; %d sums, %d integrals", worst, summed, integrated)
	if summed < 1000 || integrated < 100 {
		t.Errorf("%d sums and %d integrals were tried", summed, integrated)
	}
}

// NaiveMessages finds what a search over all n and k finds, and says whether it is certain.
func TestNaiveMessagesBruteForce(t *testing.T) {
	const mostK = 24
	targets := longtest.More([]float64{1e-4, 0.1, 0.5}, []float64{1e-4, 0.01, 0.1, 0.3, 0.5, 0.9})
	sizes := []uint64{1, 2, 3, 5, 17, 40}
	sizes = sizes[:longtest.More(3, 6)]
	for _, m := range sizes {
		most := map[string]approx.Optimum{}
		name := func(v int, twoPhase bool, p float64) string {
			return fmt.Sprintf("%v, two phases %t, p = %v", naives[v], twoPhase, p)
		}
		for k := 1; k <= mostK; k++ {
			naiveSums(m, k, int(12*m)+12, func(n uint64, f [3]*big.Float) {
				w, _ := f[0].Float64()
				for v := range f {
					one, _ := f[v].Float64()
					for phases, x := range []float64{one, 1 - (1-one)*(1-w)} {
						for _, p := range targets {
							if at := name(v, phases == 1, p); x <= p && n > most[at].N {
								most[at] = approx.Optimum{N: n, Geometry: bloomproof.Geometry{K: k}}
							}
						}
					}
				}
			})
		}
		uncertain := 0
		for v := range 3 {
			for _, twoPhase := range []bool{false, true} {
				for _, p := range targets {
					got, err := NaiveMessages(bloomproof.Geometry{M: m}, naives[v], twoPhase, p)
					if err != nil {
						t.Fatal(err)
					}
					want := most[name(v, twoPhase, p)]
					want.Geometry.K = max(want.Geometry.K, 1)
					if !got.Certain {
						uncertain++
					} else if got.N != want.N || got.Geometry.K != want.Geometry.K {
						t.Errorf("m = %d, %s: %+v, want n = %d, k = %d", m, name(v, twoPhase, p), got, want.N, want.Geometry.K)
					}
				}
			}
		}
		all := 6 * len(targets)
		t.Logf("m = %d: %d of %d uncertain", m, uncertain, all)
		if uncertain > all*2/9 {
			t.Errorf("m = %d: %d of %d uncertain", m, uncertain, all)
		}
	}
}

// The bounds that exclude k are not below the numbers of messages of these k. Near the best k they exclude all but a
// few k, for rates near 1 too.
func TestNaiveMessagesExcludes(t *testing.T) {
	targets := []float64{1e-9, 0.01, 0.1, 0.5, 0.6, 0.99, 0.999999, 1 - 0x1p-30}
	for _, m := range longtest.More([]uint64{3, 50, 1e6}, []uint64{2, 3, 10, 50, 1000, 1e6, 1277160131564876}) {
		for _, v := range naives {
			for _, twoPhase := range []bool{false, true} {
				for _, p := range targets {
					best, err := NaiveMessages(bloomproof.Geometry{M: m}, v, twoPhase, p)
					if errors.Is(err, bloomproof.ErrRange) && m > 1e15 && p > 0.99 {
						continue
					}
					if err != nil {
						t.Fatalf("NaiveMessages(%d, %v, %t, %v): %v", m, v, twoPhase, p, err)
					}
					left := 0
					for k := 1; k <= longtest.More(300, bloomproof.MaxK); k++ {
						if (naive{m, k}).atMost(v, twoPhase, p) >= float64(best.N) {
							left++
						}
					}
					if best.N >= 10 && m >= 50 && left > 100 {
						t.Errorf("NaiveMessages(%d, %v, %t, %v) = %+v: %d k are not excluded", m, v, twoPhase, p, best, left)
					}
					if m > 1000 {
						continue
					}
					for _, k := range []int{1, 2, 3, 5, 8, 20, 100}[:longtest.More(5, 7)] {
						if o, err := (naive{m, k}).most(v, twoPhase, p); err != nil || o.N > best.N || float64(o.N) > (naive{m, k}).atMost(v, twoPhase, p) {
							t.Errorf("m=%d, %v, two phases %t, p=%v: k=%d has %+v, %v, the bound is %v, the best %+v",
								m, v, twoPhase, p, k, o, err, (naive{m, k}).atMost(v, twoPhase, p), best)
						}
					}
				}
			}
		}
	}
}

// For p near 1 nearly all of the n messages have the rate 1, and the estimate "oracle" gives n = S/(1-p). Here S is the
// sum of 1-f_i over all i.
func TestNaiveMessagesNearOne(t *testing.T) {
	for _, k := range []int{100, 500, 1076} {
		const m, p = 681237, 1 - 0x1p-30
		missing := 0.0
		for i := 0; ; i++ {
			miss := -math.Expm1(float64(k) * math.Log1p(-math.Exp(float64(i*k)*math.Log1p(-1.0/m))))
			missing += miss
			if miss < 1e-12 {
				break
			}
		}
		if got, err := NaiveMessages(bloomproof.Geometry{M: m, K: k}, naiveOracle, false, p); err != nil || math.Abs(float64(got.N)*(1-p)/missing-1) > 1e-5 {
			t.Errorf("k=%d: %+v, %v, want about %v messages", k, got, err, missing/(1-p))
		}
	}
}

// Rates near the smallest float64: nearly all terms of a sum, or all of them, are 0. The best k is then found as for
// larger p.
func TestNaiveMessagesTiny(t *testing.T) {
	for _, v := range naives {
		for _, p := range []float64{5e-324, 1e-310}[:longtest.More(1, 2)] {
			got, err := NaiveMessages(bloomproof.Geometry{M: 4534019689463}, v, false, p)
			if err != nil {
				t.Fatal(err)
			}
			if rate, err := NaiveRate(got.Geometry, got.N, v); err != nil || rate > p || got.N < 2.9e9 || got.N > 3.2e9 {
				t.Errorf("NaiveMessages(%s, %v) = %+v, its rate is %v, %v", v, p, got, rate, err)
			}
		}
	}
}

// Two targets that the rates meet exactly: (1) of m = 2, k = 1 is 1/2 at n = 1 and 3/4 at
// n = 2. Neither side can be told in float64.
func TestNaiveMessagesTie(t *testing.T) {
	for _, p := range []float64{0.5, 0.75} {
		if got, err := NaiveMessages(bloomproof.Geometry{M: 2, K: 1}, naiveWorst, false, p); err != nil || got.Certain {
			t.Errorf("NaiveMessages(worst, 2, 1, %v) = %+v, %v, which cannot be certain", p, got, err)
		}
	}
}

func TestNaiveErrors(t *testing.T) {
	var param *bloomproof.ParamError
	for name, err := range map[string]error{
		"m": second(NaiveRate(bloomproof.Geometry{K: 1}, 1, naiveWorst)), "k": second(NaiveRate(bloomproof.Geometry{M: 1}, 1, naiveOracle)), "n": second(NaiveRate(bloomproof.Geometry{M: 1, K: 1}, 0, naiveAverage)), "naive": second(NaiveRate(bloomproof.Geometry{M: 1, K: 1}, 1, "none")),
		"p":       second(NaiveMessages(bloomproof.Geometry{M: 1, K: 1}, naiveWorst, false, 1)),
		"hashing": second(NaiveRate(bloomproof.Geometry{M: 8, K: 1, Hashing: bloomproof.Classic}, 1, naiveWorst)),
		"block":   second(NaiveRate(bloomproof.Geometry{M: 16, K: 1, Block: 8}, 1, naiveWorst)),
	} {
		if !errors.As(err, &param) || param.Param != name {
			t.Errorf("%v, want one of %s", err, name)
		}
	}
	if _, err := NaiveMessages(bloomproof.Geometry{M: 1<<64 - 1, K: 1}, naiveWorst, false, 0.9); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("%v, want ErrRange", err)
	}
}

func second[T any](_ T, err error) error { return err }
