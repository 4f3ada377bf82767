package exact

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// bruteEntropy returns the entropy of the array, in float64, the mean length of its
// enumerative code (the number of set bits of each slice, then the array's number among
// those with so many), and how many arrays can occur, by walking through all outcomes of n
// insertions.
func bruteEntropy(g bloomproof.Geometry, n int) (entropy, length float64, arrays int) {
	masks := outcomes.Masks(g)
	states := map[uint32]float64{0: 1}
	for range n {
		next := map[uint32]float64{}
		for state, p := range states {
			for _, mask := range masks {
				next[state|mask] += p / float64(len(masks))
			}
		}
		states = next
	}
	slices, size := 1, int(g.M)
	if g.Hashing == bloomproof.Partitioned {
		slices, size = g.K, int(g.M)/g.K
	}
	for state, p := range states {
		entropy -= p * math.Log2(p)
		for i := range slices {
			ones := bits.OnesCount32(state >> (i * size) & (1<<size - 1))
			ways := new(big.Int).Binomial(int64(size), int64(ones))
			length += p * float64(bits.Len(uint(size))+ways.Sub(ways, integer.One).BitLen())
		}
	}
	return entropy, length, len(states)
}

// TestArrayEntropyBrute compares with the entropy of all outcomes of hashing.
func TestArrayEntropyBrute(t *testing.T) {
	outcomes.EachShape(9, func(g bloomproof.Geometry) {
		if math.Pow(float64(g.M), float64(g.K)) > 1000 {
			return
		}
		for n := range 4 {
			want, length, arrays := bruteEntropy(g, n)
			e, err := ArrayEntropy(g, uint64(n), 70)
			if err != nil || math.Abs(e.Float64()-want) > 1e-11 || want > 0 && e.RelBits() < 70 || arrays == 1 && e.Sign() != 0 {
				t.Fatalf("ArrayEntropy(%v, n=%d) = %v, %v; all outcomes give %v", g, n, e, err, want)
			}
			if n > 0 && e.Float64() > length*(1+1e-12) {
				t.Fatalf("ArrayEntropy(%v, n=%d) = %v is above the length %v of a code", g, n, e, length)
			}
		}
	})
}

// TestFanTheorem1 refutes Fan's Theorem 1: less entropy than bits, and yet more arrays than
// a bit less can tell apart.
func TestFanTheorem1(t *testing.T) {
	g := bloomproof.Geometry{M: 2, K: 1}
	_, _, arrays := bruteEntropy(g, 2)
	e, err := ArrayEntropy(g, 2, 60)
	if order, decided := e.Cmp(exactly(big.NewRat(3, 2), 60)); err != nil || arrays != 3 || decided && order != 0 {
		t.Errorf("m = 2, k = 1, n = 2: entropy %v, %v, %d arrays; want 3/2 and 3", e, err, arrays)
	}
	// Up to nk = (m-1)/2 a shorter array would do.
	outcomes.EachShape(9, func(g bloomproof.Geometry) {
		for n := 1; 2*n*g.K <= int(g.M)-1 && g.K <= 3; n++ {
			if _, _, arrays := bruteEntropy(g, n); arrays > 1<<(g.M-1) {
				t.Errorf("%v n=%d has %d arrays", g, n, arrays)
			}
		}
	})
}

// TestArrayEntropyRoutes compares the entropy with what bounds it.
func TestArrayEntropyRoutes(t *testing.T) {
	for _, c := range []struct {
		g bloomproof.Geometry
		n uint64
	}{
		{bloomproof.Geometry{M: 20_000, K: 7}, 2000},
		{bloomproof.Geometry{M: 10_000, K: 7, Hashing: bloomproof.Classic}, 1000},
		{bloomproof.Geometry{M: 35_000, K: 7, Hashing: bloomproof.Partitioned}, 5000},
		{bloomproof.Geometry{M: 2000, K: 3}, 2000},
		{bloomproof.Geometry{M: 1 << 60, K: 10}, 5},
	} {
		if c.g.M < 1<<60 && !longtest.Enabled() { // the same fill
			c.g.M, c.n = c.g.M/10, c.n/10
		}
		e, err := ArrayEntropy(c.g, c.n, 60)
		if err != nil || e.RelBits() < 60 {
			t.Errorf("ArrayEntropy(%v, n=%d) = %v, %v", c.g, c.n, e, err)
			continue
		}
		// Fan's m times (11) is above.
		if c.g.Hashing == bloomproof.Standard {
			one, err := EntropyPerBit(c.g, c.n, 80)
			if err != nil {
				t.Fatal(err)
			}
			top := one.interval().Mul(one.interval(), interval.New(80).SetUint64(c.g.M))
			if order, decided := e.Cmp(around(top)); decided && order > 0 {
				t.Errorf("ArrayEntropy(%v, n=%d) = %v is above m bits' own %v", c.g, c.n, e, around(top))
			}
		}
	}
}

// TestArrayEntropyOne finds log2 C(m,k) at n = 1, and the limits.
func TestArrayEntropyOne(t *testing.T) {
	for _, k := range []int{1, 2, 7, 50, 99} {
		g := bloomproof.Geometry{M: 100, K: k, Hashing: bloomproof.Classic}
		x, err := ArrayEntropy(g, 1, 100)
		if want := log2Choose(100, uint64(k), 200); err != nil || !x.Overlaps(around(want)) {
			t.Errorf("ArrayEntropy(%v, 1) = %v, %v, want log2 C(100,%d) = %v", g, x, err, k, around(want))
		}
	}
	var p *bloomproof.ParamError
	g := bloomproof.Geometry{M: 1 << 40, K: 7}
	if _, err := ArrayEntropy(g, 1<<36, 60); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Errorf("ArrayEntropy of 2^40 bits: %v", err)
	}
	for _, prec := range []uint{0, 1025} {
		if _, err := ArrayEntropy(g, 1, prec); !errors.As(err, &p) {
			t.Errorf("ArrayEntropy to %d bits: %v", prec, err)
		}
	}
}

func BenchmarkArrayEntropy(b *testing.B) {
	for b.Loop() {
		if _, err := ArrayEntropy(bloomproof.Geometry{M: 100_000, K: 7}, 10_000, 60); err != nil {
			b.Fatal(err)
		}
	}
}
