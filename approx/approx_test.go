package approx

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/ref"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// function is one function of this package under its name.
type function struct {
	name string
	f    func(m, n uint64, k int) (float64, error)
	most float64 // no value exceeds it
}

var functions = []function{
	{"bloom", by(bloomproof.BoundBloom), 1}, {"exponential", by(bloomproof.BoundExponential), 1}, {"taylor", by(bloomproof.BoundTaylor), 1 << 24},
	{"lower", by(bloomproof.BoundLower), 1}, {"lower_simple", by(bloomproof.BoundLowerSimple), 1}, {"lower_classic", by(bloomproof.BoundLowerClassic), 1},
	{"upper", by(bloomproof.BoundUpper), 1}, {"partitioned", by(bloomproof.BoundPartitioned), 1}, {"bose_upper", by(bloomproof.BoundBose), 2},
	{"EntropyPerBit", func(m, n uint64, k int) (float64, error) {
		return EntropyPerBit(bloomproof.Geometry{M: m, K: k}, n)
	}, 1},
}

// by returns Bound of a kind, by the first hashing of which it says something. Where there is no
// such filter because k is above m, it is undefined as for the others.
func by(kind bloomproof.Bound) func(m, n uint64, k int) (float64, error) {
	return func(m, n uint64, k int) (float64, error) {
		g := bloomproof.Geometry{M: m, K: k}
		if kind == bloomproof.BoundLowerClassic {
			if g.Validate() == nil && uint64(k) > m {
				return 0, bloomproof.ErrUndefined
			}
			g.Hashing = bloomproof.Classic
		}
		return Bound(kind, g, n)
	}
}

// Arguments outside the domain are refused by name.
func TestParamErrors(t *testing.T) {
	for _, fn := range functions {
		for _, bad := range []struct {
			param string
			m     uint64
			k     int
		}{{"m", 0, 1}, {"k", 8, 0}, {"k", 8, -1}, {"k", 1 << 20, 4097}, {"k", 8, math.MaxInt32}} {
			_, err := fn.f(bad.m, 1, bad.k)
			var p *bloomproof.ParamError
			if !errors.As(err, &p) || p.Param != bad.param {
				t.Errorf("%s(m=%d, k=%d): %v, want a ParamError of %s", fn.name, bad.m, bad.k, err, bad.param)
			}
		}
	}
}

// Where a bound does not exist it is refused with ErrUndefined.
func TestUndefined(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(m, n uint64, k int) (float64, error)
		m, n uint64
		k    int
	}{
		{"upper, k > m", upper, 7, 1, 8},
		{"lower, k > m", lower, 7, 1, 8},
		{"lower_simple, k > m", lowerSimple, 7, 1, 8},
		{"lower_classic, k > m", lowerClassic, 7, 1, 8},
		{"lower_simple, mu < k-1", lowerSimple, 100, 1, 20},
		{"partitioned, k does not divide m", partitioned, 64, 1, 7},
		{"bose_upper, empty", bose, 1 << 20, 0, 1},
		{"bose_upper, condition (6)", bose, 64, 4, 10},
	} {
		if v, err := c.f(c.m, c.n, c.k); !errors.Is(err, bloomproof.ErrUndefined) {
			t.Errorf("%s: %g, %v, want bloomproof.ErrUndefined", c.name, v, err)
		}
	}
}

// For all valid arguments a value is a number of its range, or undefined.
func TestNeverNaN(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	ends := []uint64{0, 1, 2, 3, 1 << 32, 1 << 53, 1<<63 - 25, 1<<64 - 1}
	word := func() uint64 {
		if r.IntN(3) == 0 {
			return ends[r.IntN(len(ends))]
		}
		return r.Uint64() >> r.IntN(64)
	}
	cases := 4000
	if !longtest.Enabled() {
		cases = 800
	}
	for range cases {
		m, n, k := max(1, word()), word(), 1+r.IntN(1<<(1+r.IntN(12)))
		switch r.IntN(4) {
		case 0:
			m = uint64(k + r.IntN(3))
		case 1:
			n = uint64(math.Min(0x1p63, float64(m)/float64(k)*math.Exp(10*r.Float64()-5)))
		}
		for _, fn := range functions {
			v, err := fn.f(m, n, k)
			if err != nil {
				if !errors.Is(err, bloomproof.ErrUndefined) {
					t.Fatalf("%s(%d, %d, %d): %v", fn.name, m, n, k, err)
				}
				continue
			}
			if !(v >= 0 && v <= fn.most*(1+0x1p-40)) {
				t.Fatalf("%s(%d, %d, %d) = %v, outside [0, %v]", fn.name, m, n, k, v, fn.most)
			}
		}
	}
}

// A filter with more than 2^17 balls for each bit is full: every rate is within
// e^-2^17 of 1, and the entropy is as near 0.
func TestSaturated(t *testing.T) {
	for _, m := range []uint64{1, 2, 3, 1000, 1 << 40} {
		for _, k := range []int{1, 2, 500} {
			for _, n := range []uint64{m << 18, 1 << 60, 1<<64 - 1} {
				for _, fn := range functions {
					v, err := fn.f(m, n, k)
					if errors.Is(err, bloomproof.ErrUndefined) && (uint64(k) > m || m%uint64(k) != 0 || fn.name == "bose_upper") {
						continue
					}
					want := 1.0
					switch fn.name {
					case "EntropyPerBit":
						want = 0
					case "bose_upper":
						want = 1 + float64(k)*math.Sqrt(math.Log(float64(m))/float64(m))
					}
					if err != nil || math.Abs(v-want) > 1e-15*want {
						t.Errorf("%s(%d, %d, %d) = %v, %v, want %v", fn.name, m, n, k, v, err, want)
					}
				}
			}
		}
	}
}

// lower and taylor, the two that cancel as printed, agree with the printed formulas
// at 1200 bits, within the bounds of their comments.
func TestCancellingFormulas(t *testing.T) {
	const prec = 1200
	num := func(x uint64) *big.Float { return ref.Uint(prec, x) }
	r := rand.New(rand.NewPCG(1, 2))
	cases := 150
	if !longtest.Enabled() {
		cases = 30
	}
	for range cases {
		k := 2 + r.IntN(30)
		m := uint64(k) + r.Uint64()>>(1+r.IntN(63))
		n := 1 + uint64(float64(m)/float64(k)*math.Exp(6*r.Float64()-5))
		x := new(big.Int).Mul(new(big.Int).SetUint64(n), big.NewInt(int64(k)))
		lnK := math.Log(float64(k))
		miss := func(c uint64) *big.Float { return ref.Pow(ref.Quo(num(m-c), num(m)), x) }
		hold := func(name string, got float64, err error, want *big.Float, bound func(ln float64) float64) {
			v, _ := want.Float64()
			if v < 0x1p-1022 {
				return
			}
			if e, b := ref.ErrorInU(got, want), bound(math.Abs(math.Log(v))); err != nil || e > b {
				t.Errorf("%s(%d, %d, %d) = %v, %v, want %v: error %.3g u, bound %.3g u", name, m, n, k, got, err, v, e, b)
			}
		}

		sum, c := num(0), big.NewInt(1) // (64)
		for j := range uint64(k) + 1 {
			term := ref.Mul(new(big.Float).SetPrec(prec).SetInt(c), miss(j))
			if j%2 == 1 {
				term.Neg(term)
			}
			sum = ref.Add(sum, term)
			c.Mul(c, big.NewInt(int64(k)-int64(j))).Quo(c, big.NewInt(int64(j)+1))
		}
		got, err := lower(m, n, k)
		hold("lower", got, err, sum, func(ln float64) float64 { return 60 + 5*lnK + (50+12*lnK)*ln })

		q1, q2 := miss(1), miss(2) // (44), (45)
		mu := ref.Mul(num(m), ref.Sub(num(1), q1))
		v := ref.Sub(ref.Mul(num(m), ref.Sub(q1, q2)), ref.Mul(ref.Mul(num(m), num(m)), ref.Sub(ref.Mul(q1, q1), q2)))
		phi := func(e int) *big.Float { return ref.PowInt(ref.Quo(mu, num(m)), e) }
		second := ref.Quo(ref.Mul(num(uint64(k)*uint64(k-1)/2), phi(k-2)), ref.Mul(num(m), num(m)))
		lnBloom, _ := ref.Quo(num(1), phi(k)).Float64()
		got, err = taylor(m, n, k)
		hold("taylor", got, err, ref.Add(phi(k), ref.Mul(v, second)), func(float64) float64 {
			return 120 + 20*lnK + (20+8*lnK)*math.Log(lnBloom)
		})
	}
}

// For all valid arguments the rate and its complement lie in [0, 1] and add up to 1,
// and the logarithm is that of the rate.
func TestRateRange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	ends := []uint64{0, 1, 2, 3, 1 << 32, 1 << 53, 1<<63 - 25, 1<<64 - 1}
	cases := 6000
	if !longtest.Enabled() {
		cases = 600
	}
	for i := range cases {
		g := bloomproof.Geometry{M: 1 + r.Uint64()>>(1+r.IntN(63)), K: 1 + r.IntN(1<<(1+r.IntN(8))), Hashing: bloomproof.Hashing(i % 3)}
		if r.IntN(4) == 0 {
			g.M = max(1, ends[r.IntN(len(ends))])
		}
		if i == 5 {
			g.K = 4096
		}
		switch g.Hashing {
		case bloomproof.Classic:
			g.M = max(g.M, uint64(g.K+r.IntN(3)))
		case bloomproof.Partitioned:
			g.M = max(1, g.M/uint64(g.K)) * uint64(g.K)
		}
		n := r.Uint64() >> r.IntN(64)
		switch r.IntN(3) {
		case 0:
			n = ends[r.IntN(len(ends))]
		case 1:
			n = uint64(math.Min(0x1p63, float64(g.M)/float64(g.K)*math.Exp(10*r.Float64()-5)))
		}
		f, err := FPR(g, n)
		miss, errMiss := Complement(g, n)
		ln, errLn := LogFPR(g, n)
		if err != nil || errMiss != nil || (errLn != nil) != (n == 0) {
			t.Fatalf("%v n=%d: %v, %v, %v", g, n, err, errMiss, errLn)
		}
		if !(f >= 0 && f <= 1 && miss >= 0 && miss <= 1 && math.Abs(f+miss-1) <= 0x1p-52) {
			t.Fatalf("%v n=%d: rate %v, complement %v", g, n, f, miss)
		}
		if n > 0 && (!(ln <= 0) || math.IsInf(ln, 0) || math.Abs(math.Exp(ln)-f) > 1e-12*f+0x1p-1074) {
			t.Fatalf("%v n=%d: rate %v, logarithm %v", g, n, f, ln)
		}
	}
}

// Invalid geometries are refused by name; an empty filter has no logarithm.
func TestRateErrors(t *testing.T) {
	for _, bad := range []struct {
		g     bloomproof.Geometry
		param string
	}{
		{bloomproof.Geometry{K: 1}, "m"},
		{bloomproof.Geometry{M: 8}, "k"},
		{bloomproof.Geometry{M: 8, K: 4097}, "k"},
		{bloomproof.Geometry{M: 8, K: 9, Hashing: bloomproof.Classic}, "k"},
		{bloomproof.Geometry{M: 8, K: 3, Hashing: bloomproof.Partitioned}, "k"},
		{bloomproof.Geometry{M: 8, K: 3, Hashing: 77}, "hashing"},
	} {
		_, err1 := FPR(bad.g, 1)
		_, err2 := Complement(bad.g, 1)
		_, err3 := LogFPR(bad.g, 1)
		for _, err := range []error{err1, err2, err3} {
			var p *bloomproof.ParamError
			if !errors.As(err, &p) || p.Param != bad.param {
				t.Errorf("%+v: %v, want a ParamError of %s", bad.g, err, bad.param)
			}
		}
	}
	if _, err := LogFPR(bloomproof.Geometry{M: 8, K: 1}, 0); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("the logarithm of 0: %v, want bloomproof.ErrUndefined", err)
	}
}

var sink float64

func BenchmarkFPR(b *testing.B) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		for _, c := range []struct {
			m, n uint64
			k    int
		}{
			{7 * 1428572, 1e6, 7},  // ten bits an item
			{1 << 40, 30e9, 32},    // half full
			{1 << 40, 2, 64},       // nearly empty
			{1 << 40, 3 << 34, 64}, // nearly full
			{1 << 14, 512, 64},     // small
			{64, 11, 4},            // small
			{512, 51, 7},
			{512, 22, 16},
			{4096, 405, 7},
			{4096, 44, 64},
			{1024, 14, 16}, // small, with a fill of 20 %
			{512, 4, 32},
			{12000, 84, 32},
			{128, 3, 32}, // half full and very small
			{1024, 22, 32},
			{4096, 89, 32},
			{512, 6, 64},
			{1024, 74, 32}, // small, with a fill of 90 %
			{4096, 147, 64},
			{1 << 20, 4, 64},         // few items
			{7 * 1428572, 43e5, 7},   // nearly full
			{1000, 430, 7},           // and small
			{1000, 7, 7},             // nearly empty and small
			{1e7, 14, 7},             // nearly empty
			{1 << 40, 1 << 27, 4096}, // many positions
			{1 << 20, 177, 4096},     // and fewer bits
		} {
			g := bloomproof.Geometry{M: c.m, K: c.k, Hashing: h}
			if g.Validate() != nil {
				continue
			}
			b.Run(fmt.Sprintf("hashing=%v/m=%d/k=%d/n=%d", h, c.m, c.k, c.n), func(b *testing.B) {
				for b.Loop() {
					sink, _ = FPR(g, c.n)
				}
			})
		}
	}
}

func BenchmarkFunctions(b *testing.B) {
	for _, fn := range functions {
		for _, c := range []struct {
			name string
			m, n uint64
			k    int
		}{
			{"m=10000000/k=7", 7 * 1428571, 1000000, 7},
			{"m=2^40/k=32", 1 << 40, 3e10, 32},
			{"m=2^40/k=4096", 1 << 40, 1 << 27, 4096},
		} {
			b.Run("f="+fn.name+"/"+c.name, func(b *testing.B) {
				for b.Loop() {
					sink, _ = fn.f(c.m, c.n, c.k)
				}
			})
		}
	}
}
