package like

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// A twin with independent positions has the exact rate.
func TestSimulateIndependent(t *testing.T) {
	independent := each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		for range k {
			dst = append(dst, rng.Uint64N(m))
		}
		return dst
	})
	inLine := each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		start := rng.Uint64N(m/512) * 512
		for range k {
			dst = append(dst, start+rng.Uint64N(512))
		}
		return dst
	})
	most := uint64(longtest.More(1_000_000, mostPositions))
	var sum, n float64
	for _, c := range []struct {
		g    bloomproof.Geometry
		n    uint64
		twin twin
	}{
		{bloomproof.Geometry{M: 64, K: 4}, 8, independent},
		{bloomproof.Geometry{M: 100, K: 1}, 1, independent},
		{bloomproof.Geometry{M: 1000, K: 7}, 100, independent},
		{bloomproof.Geometry{M: 50, K: 3}, 1000, independent}, // all bits set
		{bloomproof.Geometry{M: 512, K: 6, Block: 512}, 40, inLine},
		{bloomproof.Geometry{M: 5120, K: 6, Block: 512}, 400, inLine},
	} {
		e, err := simulate(c.g, c.n, c.twin, most)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := exact.FPR(c.g, c.n, 60, exact.Auto)
		if err != nil {
			t.Fatal(err)
		}
		lo, hi := e.Low, e.High
		// The half width is 2.6 standard errors or a little more.
		z := (want.Float64() - (lo+hi)/2) / ((hi - lo) / 2) * 2.6
		if math.Abs(z) > 4 {
			t.Errorf("%v n=%d: %v, want %v", c.g, c.n, e, want)
		}
		sum, n = sum+z*z, n+1
		if again, _ := simulate(c.g, c.n, c.twin, most); fmt.Sprint(again) != fmt.Sprint(e) {
			t.Errorf("%v n=%d: another result the second time", c.g, c.n)
		}
	}
	t.Logf("mean of z^2 %.2f", sum/n)
}

func TestSimulateRefuses(t *testing.T) {
	for _, c := range []struct {
		m uint64
		k int
		n uint64
	}{{1 << 31, 5, 10}, {64000, 10, 1 << 40}, {64000, 10, 10}} {
		if _, err := holiman.Rate(c.m, c.k, c.n, 53); !errors.Is(err, bloomproof.ErrTooCostly) {
			t.Errorf("%v: %v, want ErrTooCostly", c, err)
		}
	}
	if e, err := guava.Rate(64, 255, 1e6, 53); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Errorf("%v, %v, want ErrTooCostly", e, err)
	}
	if e, err := holiman.Rate(640, 3, 0, 53); err != nil || e.Simulated.High != 0 {
		t.Errorf("no keys: %v, %v", e, err)
	}
}

// Positions are in the filter, k of them, in one block where there are blocks, and all bits are reached
// equally often.
func TestTwins(t *testing.T) {
	for _, f := range All() {
		if f.twin == nil {
			continue
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for _, want := range []uint64{1, 512, 1000, 5000} {
			m, ok := f.bits.up(want)
			if !ok || m > 1<<20 {
				continue
			}
			for _, k := range []int{1, 2, 7, 10} {
				counts := make([]float64, m)
				positions := f.twin(rng, m, k)
				keys := longtest.More(2, 100) * int(m)
				for range keys {
					pos := positions(nil)
					if len(pos) != k {
						t.Fatalf("%s m=%d k=%d: %d positions", f.Name, m, k, len(pos))
					}
					for _, p := range pos {
						if p >= m || f.ideal.Block != 0 && p/f.ideal.Block != pos[0]/f.ideal.Block {
							t.Fatalf("%s m=%d k=%d: positions %v", f.Name, m, k, pos)
						}
					}
					counts[pos[k-1]]++ // the positions of a key depend on each other
				}
				each, chi2 := float64(keys)/float64(m), 0.0
				for _, c := range counts {
					chi2 += (c - each) * (c - each) / each
				}
				if m > 1 && math.Abs(chi2-float64(m-1))/math.Sqrt(2*float64(m-1)) > 6 {
					t.Errorf("%s m=%d k=%d: the last position is not uniform, chi^2 = %.0f", f.Name, m, k, chi2)
				}
			}
		}
	}
}

// The third position of LevelDB is one of few words: with h = 2^17 a + b and d = 2^15 b + a,
// h + 2d = (2^16+1)(2a+b), where 2a+b < 196,606.
func TestThirdPositionOfLevelDB(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	positions := leveldb.twin(rng, 1<<32, 3)
	inverse := uint32(1) // of 2^16+1 modulo 2^32
	for range 5 {
		inverse *= 2 - (1<<16+1)*inverse
	}
	largest := uint32(0)
	for range 100_000 {
		largest = max(largest, uint32(positions(nil)[2])*inverse)
	}
	if largest >= 196_606 || largest < 196_000 {
		t.Errorf("(h+2d)/65537 up to %d", largest)
	}
}

// A slice of s bits and words of 16: all words.
func TestSliced(t *testing.T) {
	for _, s := range []uint64{1, 3, 1000, 26214, 32767} {
		for _, n := range []uint64{1, 100, 20000} {
			counts := make([]int, s)
			for word := range uint64(1 << 16) {
				counts[word%s]++
			}
			want := 0.0
			for _, c := range counts {
				p := float64(c) / (1 << 16)
				want -= p * math.Expm1(float64(n)*math.Log1p(-p))
			}
			if s == 1 {
				want = 1
			}
			for _, k := range []int{1, 3} {
				e, err := pybloomLive.Rate(s*uint64(k), k, n, 60)
				if x := e.Proven.Float64() / math.Pow(want, float64(k)); err != nil || math.Abs(x-1) > 1e-9 || e.Proven.RelBits() < 60 {
					t.Errorf("s=%d k=%d n=%d: %v, want %g^%d, %v", s, k, n, e, want, k, err)
				}
			}
		}
	}
	if e, err := pybloomLive.Rate(1<<40, 4, 1e9, 60); err != nil || e.Proven.RelBits() < 60 {
		t.Errorf("%v, %v", e, err)
	}
}

// Rules of libraries against values that were published or worked out from their formulas by hand.
func TestOwnRules(t *testing.T) {
	for _, f := range All() {
		if (f.own != nil) != (f.known != nil) {
			t.Errorf("%s: a rule without a value of it, or a value without a rule", f.Name)
		}
		for _, c := range f.known {
			if m, k, ok := f.Own(c.n, c.rate); m != c.m || k != c.k || ok != (c.m > 0) {
				t.Errorf("%s n=%d p=%g: m=%d k=%d, want %d, %d", f.Name, c.n, c.rate, m, k, c.m, c.k)
			}
		}
	}
	// Entries of the table of rates that Cassandra and ScyllaDB have.
	for _, c := range []struct {
		b, k int
		rate float64
	}{{2, 1, 0.393}, {2, 2, 0.4}, {8, 6, 0.0216}, {10, 5, 0.00943}, {15, 8, 0.000852}, {20, 10, 8.89e-05}, {20, 14, 6.71e-05}} {
		if got := cao(c.b, c.k); got != c.rate {
			t.Errorf("%d bits a key, k=%d: %g, want %g", c.b, c.k, got, c.rate)
		}
	}
}

// The proven bounds of a filter have the simulated rate of its derivation between them, where both are known: in small
// filters, where the bounds are wide or derivations differ most, and in ones that are large enough for narrow bounds.
func TestBoundsAreSimulated(t *testing.T) {
	sum, n := 0.0, 0
	for _, f := range All() {
		if f.rate == nil || f.twin == nil {
			continue
		}
		for _, c := range []struct {
			m uint64
			k int
			n uint64
		}{{64, 3, 15}, {192, 4, 35}, {960, 5, 130}, {1024, 5, 140}, {15040, 4, 2600}} {
			m, ok := f.bits.up(c.m)
			if !ok {
				continue
			}
			g, err := f.Geometry(m, c.k)
			if err != nil {
				t.Fatal(err)
			}
			keys := c.n * (m / c.m)
			e, err := f.rate(g, keys, 60)
			if err != nil {
				t.Fatal(err)
			}
			most := longtest.More[uint64](100_000, 20_000_000)
			if c.n > 1000 {
				most = max(most, 300_000) // simulate refuses fewer
			}
			x, err := simulate(g, keys, f.twin, most)
			if err != nil {
				if m == c.m {
					t.Fatal(err)
				}
				continue // too large
			}
			lo, _ := e.Lo().Float64()
			hi, _ := e.Hi().Float64()
			half := (x.High - x.Low) / 2 / 2.6 // a standard error
			nearest := max(lo, min(x.Mean, hi))
			z := (x.Mean - nearest) / half
			if math.Abs(z) > 4.5 {
				t.Errorf("%s m=%d k=%d n=%d: %v, simulated %v: z = %.1f", f.Name, m, c.k, keys, e, x, z)
			}
			sum, n = sum+z*z, n+1
		}
	}
	t.Logf("%d comparisons, mean of z^2 %.2f", n, sum/float64(n))
}
