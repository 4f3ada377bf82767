package kernel_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/sequential"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

const logPrec = 300

// atanh returns the series t + t^3/3 + ... for |t| <= 1/3.
func atanh(t *big.Float) *big.Float {
	square := new(big.Float).Mul(t, t)
	power := new(big.Float).Set(t)
	sum := new(big.Float).Set(t)
	for j := int64(3); power.Sign() != 0; j += 2 {
		power.Mul(power, square)
		term := new(big.Float).Quo(power, new(big.Float).SetPrec(logPrec).SetInt64(j))
		if term.MantExp(nil) < sum.MantExp(nil)-logPrec {
			break
		}
		sum.Add(sum, term)
	}
	return sum
}

// logRatio returns ln(num/den) to about 2^-290 relative, by 2 atanh((y-1)/(y+1)) of
// the exact rational y in [1/2, 1) and the same for ln 2.
func logRatio(num, den uint64) *big.Float {
	e := 0
	for n := num; n <= den/2; n *= 2 {
		e++
	}
	float := func(x *big.Int) *big.Float { return new(big.Float).SetPrec(logPrec).SetInt(x) }
	n := new(big.Int).Lsh(new(big.Int).SetUint64(num), uint(e))
	d := new(big.Int).SetUint64(den)
	t := new(big.Float).Quo(float(new(big.Int).Sub(n, d)), float(new(big.Int).Add(n, d)))
	out := new(big.Float).Mul(new(big.Float).SetPrec(logPrec).SetInt64(2), atanh(t))
	shift := new(big.Float).Mul(ln2(), new(big.Float).SetPrec(logPrec).SetInt64(int64(e)))
	return out.Sub(out, shift)
}

// ln2 is ln 2, which is 2 atanh(1/3).
var ln2 = sync.OnceValue(func() *big.Float {
	third := new(big.Float).Quo(new(big.Float).SetPrec(logPrec).SetInt64(1), new(big.Float).SetPrec(logPrec).SetInt64(3))
	return new(big.Float).Mul(new(big.Float).SetPrec(logPrec).SetInt64(2), atanh(third))
})

func TestLogRatioOfTheTest(t *testing.T) {
	for _, c := range [][2]uint64{{1, 2}, {1, 3}, {99, 100}, {1, 1 << 48}, {1<<48 - 1, 1 << 48}, {2, 3}, {5, 1000}} {
		got, _ := logRatio(c[0], c[1]).Float64()
		want := math.Log1p(-float64(c[1]-c[0]) / float64(c[1]))
		if c[0] < c[1]/2 {
			want = math.Log(float64(c[0]) / float64(c[1]))
		}
		if math.Abs(got/want-1) > 1e-15 {
			t.Errorf("ln(%d/%d) = %v, want %v", c[0], c[1], got, want)
		}
	}
}

// around returns the numbers from 1 to m-1 at which a formula in b of m has its hard
// places: the ends and the middle.
func around(m uint64) (bs []uint64) {
	for _, b := range []uint64{1, 2, 3, m / 1000, m / 3, m/2 - 1, m / 2, m/2 + 1, m - m/1000, m - 3, m - 2, m - 1} {
		if b >= 1 && b < m {
			bs = append(bs, b)
		}
	}
	return bs
}

var estimateM = []uint64{2, 3, 5, 64, 1000, 65537, 1<<31 - 1, 1<<40 - 87, 1<<48 - 59, 1<<48 - 1, 1 << 48}

// Items is within 2^-49 of the formula, at m up to 2^48 and from one bit to all but
// one.
func TestItemsFormula(t *testing.T) {
	worst := 0.0
	for _, m := range estimateM {
		for _, k := range []int{1, 2, 3, 7, 64, 1000, 4096} {
			for _, h := range hashings {
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				if g.Validate() != nil || h != bloomproof.Standard && uint64(k) == m {
					continue
				}
				per := logRatio(m-uint64(k)%m, m) // ln(1-k/m)
				if h == bloomproof.Standard {
					per = new(big.Float).Mul(logRatio(m-1, m), new(big.Float).SetPrec(logPrec).SetInt64(int64(k)))
				}
				for _, b := range around(m) {
					want := new(big.Float).Quo(logRatio(m-b, m), per)
					got, bounded := kernel.ItemsFrom(g, b)
					if !bounded {
						t.Fatalf("%v, %d bits: unbounded", g, b)
					}
					off := new(big.Float).SetPrec(logPrec).SetFloat64(got)
					off.Quo(off.Sub(off, want), want)
					e, _ := off.Float64()
					worst = max(worst, math.Abs(e))
					if math.Abs(e) > 0x1p-49 {
						t.Errorf("%v, %d bits: %v, off by %g", g, b, got, e)
					}
				}
				if n, bounded := kernel.ItemsFrom(g, 0); n != 0 || !bounded {
					t.Errorf("%v, empty: %v, %t", g, n, bounded)
				}
				if n, bounded := kernel.ItemsFrom(g, m); n != 0 || bounded {
					t.Errorf("%v, full: %v, %t", g, n, bounded)
				}
			}
		}
	}
	t.Logf("largest relative error %.3g, bound %.3g", worst, 0x1p-49)
}

// Rate is within 2k 2^-53 of the exact ratio while that is above 1e-300.
func TestRateFormula(t *testing.T) {
	worst := 0.0
	tiny := new(big.Int).Exp(big.NewInt(10), big.NewInt(300), nil)
	ks := []int{1, 2, 3, 5, 7, 40, 64, 1000, 4096}
	if testing.Short() {
		ks = []int{1, 2, 7, 300}
	}
	for i, m := range estimateM {
		for _, k := range ks {
			for _, h := range hashings {
				if !longtest.Enabled() && k > 64 && i%3 != int(h) {
					continue // the oracle takes the most of the time
				}
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				if g.Validate() != nil {
					continue
				}
				for _, b := range append(around(m), 0, m) {
					var nums, dens, slices []uint64
					for j := range uint64(k) {
						switch h {
						case bloomproof.Standard:
							nums, dens = append(nums, b), append(dens, m)
						case bloomproof.Classic:
							nums, dens = append(nums, b-min(b, j)), append(dens, m-j)
						case bloomproof.Partitioned:
							size := m / uint64(k)
							in := min(size, b/uint64(k)+j%2)
							slices = append(slices, in)
							nums, dens = append(nums, in), append(dens, size)
						}
					}
					num, den := product(nums), product(dens)
					got := kernel.RateFrom(g, b, slices)
					if got < 0 || got > 1 || math.IsNaN(got) || num.Sign() == 0 && got != 0 {
						t.Fatalf("%v, %d bits: %v", g, b, got)
					}
					if new(big.Int).Mul(num, tiny).Cmp(den) < 0 {
						continue
					}
					// got = mant 2^-shift, exactly; got/(num/den) - 1 in exact integers.
					frac, exp := math.Frexp(got)
					mant, shift := big.NewInt(int64(frac*(1<<53))), uint(53-exp)
					num.Lsh(num, shift)
					off := mant.Mul(mant, den)
					off.Sub(off, num)
					e, _ := new(big.Float).Quo(new(big.Float).SetInt(off), new(big.Float).SetInt(num)).Float64()
					bound := 2 * float64(k) * 0x1p-53
					worst = max(worst, math.Abs(e)/bound)
					if math.Abs(e) > bound {
						t.Errorf("%v, %d bits: %v, off by %g", g, b, got, e)
					}
				}
			}
		}
	}
	t.Logf("largest error in units of the bound: %.3f", worst)
}

// product returns the product of the factors. It multiplies numbers of about one size, which is far faster for
// thousands of factors.
func product(factors []uint64) *big.Int {
	if n := len(factors); n > 1 {
		p := product(factors[:n/2])
		return p.Mul(p, product(factors[n/2:]))
	}
	return new(big.Int).SetUint64(factors[0])
}

// bitsLaw returns the probabilities of 0, 1, ..., m set bits after n keys.
func bitsLaw(g bloomproof.Geometry, n int) []float64 {
	m := int(g.M)
	law := make([]float64, m+1)
	law[0] = 1
	switch g.Hashing {
	case bloomproof.Standard:
		throw(law, m, n*g.K)
	case bloomproof.Classic:
		for range n {
			next := make([]float64, m+1)
			for b, p := range law {
				for j := 0; j <= g.K && b+j <= m; j++ { // j of the k positions are new
					next[b+j] += p * choose(m-b, j) * choose(b, g.K-j) / choose(m, g.K)
				}
			}
			law = next
		}
	case bloomproof.Partitioned:
		size := m / g.K
		slice := make([]float64, size+1)
		slice[0] = 1
		throw(slice, size, n)
		for range g.K {
			next := make([]float64, m+1)
			for b, p := range law {
				for j := 0; p > 0 && j <= size; j++ {
					next[b+j] += p * slice[j]
				}
			}
			law = next
		}
	}
	return law
}

// throw advances the law of the occupied ones of m urns by that many balls.
func throw(law []float64, m, balls int) {
	for range balls {
		for b := m; b > 0; b-- {
			law[b] = law[b]*float64(b)/float64(m) + law[b-1]*float64(m-b+1)/float64(m)
		}
		law[0] = 0
	}
}

func choose(n, k int) float64 {
	if k < 0 || k > n {
		return 0
	}
	x := 1.0
	for i := range k {
		x *= float64(n-i) / float64(k-i)
	}
	return x
}

// itemsMoments returns the exact mean and variance of Items after n keys, and its
// largest value that has a chance; a full filter must have none.
func itemsMoments(t *testing.T, g bloomproof.Geometry, n int) (mean, variance, most float64) {
	square := 0.0
	for b, p := range bitsLaw(g, n) {
		if p < 1e-40 {
			continue
		}
		x, bounded := kernel.ItemsFrom(g, uint64(b))
		if !bounded {
			t.Fatalf("%v: %d keys fill it with probability %g", g, n, p)
		}
		mean += p * x
		square += p * x * x
		most = max(most, x)
	}
	return mean, square - mean*mean, most
}

// The estimates of real filters have the mean that follows from the exact law of
// their set bits, by a sequential test with a false-alarm probability of 1e-6 in each
// case; and the same samples show that there are not 3 % more keys.
func TestItemsOfRealFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*seedFlag), 5))
	t.Logf("seed %d", *seedFlag)
	for _, g := range []bloomproof.Geometry{
		{M: 256, K: 2}, {M: 257, K: 3, Hashing: bloomproof.Classic}, {M: 256, K: 4, Hashing: bloomproof.Partitioned},
	} {
		const n = 33
		mean, variance, most := itemsMoments(t, g, n)
		wrongMean, wrongVariance, wrongMost := itemsMoments(t, g, n+1)
		scale := max(most, wrongMost)
		test := meanTest(t, mean/scale, variance/scale/scale)
		wrong := meanTest(t, wrongMean/scale, wrongVariance/scale/scale)
		f := mustNew(t, g, kernel.Options{})
		for test.Verdict() == sequential.Open || wrong.Verdict() == sequential.Open {
			f.Clear()
			for range n {
				f.AddHash(kernel.Hash{H0: r.Uint64(), H1: r.Uint64()})
			}
			x, _ := f.Items()
			test.Add(x / scale)
			wrong.Add(x / scale)
		}
		t.Logf("%v: %d keys, mean estimate %.4f; %v", g, n, mean, test)
		if test.Verdict() != sequential.Kept {
			t.Errorf("%v: %v", g, test)
		}
		if wrong.Verdict() != sequential.Below {
			t.Errorf("%v: one key more is not noticed: %v", g, wrong)
		}
	}
}

func meanTest(t *testing.T, mean, variance float64) *sequential.MeanTest {
	t.Helper()
	last := uint64(20_000)
	if testing.Short() {
		last = 5_000
	}
	test, err := sequential.NewMeanTest(sequential.Law{Mean: mean, Variance: variance}, 1e-6, 100, last)
	if err != nil {
		t.Fatal(err)
	}
	return test
}

// The estimate of an intersection is a sum of three estimates, so its mean is the sum
// of theirs. Its variance is at most 3 times the sum of theirs (Cauchy-Schwarz).
func TestIntersectionItemsOfRealFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*seedFlag), 6))
	for _, h := range hashings {
		for _, both := range []int{0, 12} {
			g := bloomproof.Geometry{M: 255, K: 3, Hashing: h}
			const onlyA, onlyB = 14, 9
			t.Run(fmt.Sprintf("%v/common=%d", g, both), func(t *testing.T) {
				ma, va, _ := itemsMoments(t, g, onlyA+both)
				mb, vb, _ := itemsMoments(t, g, onlyB+both)
				mu, vu, most := itemsMoments(t, g, onlyA+onlyB+both)
				// a, b <= union <= most, so the estimate is between -most and most.
				place := func(x float64) float64 { return (x + most) / (2 * most) }
				test := meanTest(t, place(ma+mb-mu), 3*(va+vb+vu)/(4*most*most))
				a, b := mustNew(t, g, kernel.Options{}), mustNew(t, g, kernel.Options{})
				for test.Verdict() == sequential.Open {
					a.Clear()
					b.Clear()
					for i := range onlyA + onlyB + both {
						hash := kernel.Hash{H0: r.Uint64(), H1: r.Uint64()}
						if i < onlyA+both {
							a.AddHash(hash)
						}
						if i >= onlyA {
							b.AddHash(hash)
						}
					}
					x, bounded, err := a.IntersectionItems(b)
					if err != nil || !bounded {
						t.Fatalf("%v, %t, %v", x, bounded, err)
					}
					test.Add(place(x))
				}
				t.Logf("mean estimate %.4f; %v", ma+mb-mu, test)
				if test.Verdict() != sequential.Kept {
					t.Error(test)
				}
			})
		}
	}
}
