package like

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Every filter says what was read, and its own sizes are sizes that it can have.
func TestTable(t *testing.T) {
	var names []string
	for _, f := range All() {
		for _, text := range []string{f.Name, f.Version, f.Source, f.Hash, f.Positions, f.Sizing, f.Assumes, f.Finding} {
			if text == "" || strings.HasSuffix(text, ".") {
				t.Errorf("%s: a text is missing or ends with a point: %q", f.Name, text)
			}
		}
		if !slices.Contains([]Law{Exact, Enclosed, Simulated}, f.Law) || (f.twin != nil && f.rate == nil) != (f.Law == Simulated) || (f.Unproven != "") != (f.Law == Simulated) {
			t.Errorf("%s: law", f.Name)
		}
		names = append(names, f.Name)
		if g, err := Find(f.Name); err != nil || g == f || g.Name != f.Name || g.Finding != f.Finding {
			t.Errorf("Find(%s) = %v, %v", f.Name, g, err)
		}
		for _, n := range []uint64{1, 7, 100, 1000, 12345, 1e6, 1e9} {
			for _, rate := range []float64{0.5, 0.1, 0.03, 0.01, 1e-3, 1e-6} {
				m, k, ok := f.Own(n, rate)
				if !ok {
					continue
				}
				if _, err := f.Geometry(m, k); err != nil {
					t.Errorf("%s for n=%d p=%g: %v", f.Name, n, rate, err)
				}
			}
		}
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(table) {
		t.Error("two filters have one name")
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{second(Find("parkuet")), "such as parquet,"},
		{second(Find("Bip-37")), "such as bip37,"},
		{second(Find("")), "such as "},
		{second(parquet.Geometry(255, 8)), "m must be a multiple of 256"},
		{second(arrowCPP.Geometry(768, 8)), "m must be a power of two from 256 to 1073741824 for arrow-cpp"},
		{second(parquet.Geometry(256, 7)), "k must be 8 for parquet"},
		{second(bip37.Geometry(8, 0)), "k must be between 1 and 50 for bip37"},
		{second(bip37.Geometry(288008, 1)), "m must be a multiple of 8 from 8 to 288000"},
		{second(ethereum.Geometry(2047, 3)), "m must be 2048"},
		{second(parquet.LeastBits(100, big.NewRat(1, 100), 7, 53)), "k must be 8"},
		{second(parquet.MostItems(255, big.NewRat(1, 100), 0, 53)), "m must be a multiple"},
		{second(parquet.BestK(255, 0, 9, 53)), "m must be a multiple"},
		{second(pybloomLive.Rate(70, 7, 10, 0)), "prec must be between 1"},
		{second(pybloomLive.Rate(70, 7, 10, 1<<31)), "prec must be between 1"},
	} {
		var p *bloomproof.ParamError
		if !errors.As(c.err, &p) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %q", c.err, c.want)
		}
	}
	if _, err := bip37.LeastBits(100_000, big.NewRat(1, 100), 0, 53); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("%v, want ErrRange", err)
	}
}

func second[T any](_ T, err error) error { return err }

// The examples and the table of the specification of Parquet.
func TestParquetSpecification(t *testing.T) {
	for _, c := range []struct {
		n    uint64
		rate float64
		half float64 // of a unit in the last place printed
	}{{26_214, 0.0126, 0.00005}, {52_428, 0.18, 0.005}, {13_107, 0.0004, 0.00005}} {
		e, err := parquet.Rate(1024*256, 0, c.n, 53)
		if err != nil || math.Abs(e.Proven.Float64()-c.rate) > c.half {
			t.Errorf("n=%d: %v, %v, want %g", c.n, e, err, c.rate)
		}
	}
	for _, c := range []struct {
		rate string
		bits float64 // a key
		half float64
	}{{"0.1", 6.0, 0.05}, {"0.01", 10.5, 0.05}, {"0.001", 16.9, 0.05}, {"0.0001", 26.4, 0.06}, {"0.00001", 41, 0.5}} {
		p, _ := new(big.Rat).SetString(c.rate)
		s, err := parquet.LeastBits(1_000_000, p, 0, 53)
		if err != nil || math.Abs(float64(s.M)/1e6-c.bits) > c.half {
			t.Errorf("rate %s: %v bits a key, %v, want %g", c.rate, float64(s.M)/1e6, err, c.bits)
		}
	}
}

// The sizes found keep the rate, and the next smaller one that the library can have does not.
func TestSizes(t *testing.T) {
	for _, f := range []*Filter{parquet, arrowCPP, bip37} {
		for _, n := range []uint64{1, 20, 1000} {
			for _, p := range []*big.Rat{big.NewRat(1, 3), big.NewRat(1, 100), big.NewRat(1, 100_000)} {
				s, err := f.LeastBits(n, p, 0, 53)
				if err != nil {
					t.Fatalf("%s n=%d p=%v: %v", f.Name, n, p, err)
				}
				if !atMost(s.Rate, p) {
					t.Errorf("%s n=%d p=%v: rate %v", f.Name, n, p, s.Rate)
				}
				less := s.M - f.bits.step
				if f.bits.power {
					less = s.M / 2
				}
				if less >= f.bits.lo {
					if w, err := f.BestK(less, 0, n, 53); err != nil || atMost(w.Rate, p) {
						t.Errorf("%s n=%d p=%v: m=%d is enough, %v", f.Name, n, p, less, err)
					}
				}
				most, err := f.MostItems(s.M, p, s.K, 53)
				if err != nil || most.N < n || !atMost(most.Rate, p) {
					t.Errorf("%s m=%d p=%v: n=%d, %v", f.Name, s.M, p, most.N, err)
				}
				if more, err := f.Rate(s.M, s.K, most.N+1, 53); err != nil || atMost(more, p) {
					t.Errorf("%s m=%d p=%v: n=%d is no more than enough, %v", f.Name, s.M, p, most.N+1, err)
				}
			}
		}
	}
}

// contains reports whether x is within e.
func contains(e exact.Enclosure, x *big.Rat) bool {
	lo, _ := e.Lo().Rat(nil)
	hi, _ := e.Hi().Rat(nil)
	return lo.Cmp(x) <= 0 && x.Cmp(hi) <= 0
}

// covered counts, of all sequences of n+1 keys, those in which the positions of the last are all
// positions of others. A key is one of so many values, with its positions.
func covered(positions [][]uint64, n int) *big.Rat {
	hits, all := int64(0), int64(1)
	for range n + 1 {
		all *= int64(len(positions))
	}
	masks := make([]uint64, len(positions))
	for i, pos := range positions {
		for _, p := range pos {
			masks[i] |= 1 << p
		}
	}
	var add func(set uint64, left int)
	add = func(set uint64, left int) {
		for _, mask := range masks {
			switch {
			case left > 0:
				add(set|mask, left-1)
			case mask&^set == 0:
				hits++
			}
		}
	}
	add(0, n)
	return big.NewRat(hits, all)
}

// A key has k hashes of h bits, reduced modulo m: all of them.
func TestReduced(t *testing.T) {
	narrow := 0
	for _, c := range []struct{ h, m, k, n int }{
		{3, 3, 1, 2}, {3, 5, 1, 3}, {3, 7, 2, 1}, {3, 5, 2, 2}, {2, 3, 2, 3}, {3, 8, 2, 2}, {3, 6, 2, 2}, {2, 3, 3, 2}, {2, 2, 3, 2}, {2, 1, 3, 1}, {5, 3, 1, 3}, {4, 7, 1, 4}, {5, 19, 1, 2},
	} {
		var keys [][]uint64
		for x := range 1 << (c.h * c.k) {
			var pos []uint64
			for i := range c.k {
				pos = append(pos, uint64(x>>(i*c.h)&(1<<c.h-1)%c.m))
			}
			keys = append(keys, pos)
		}
		want := covered(keys, c.n)
		e, err := reduced(uint(c.h))(bloomproof.Geometry{M: uint64(c.m), K: c.k}, uint64(c.n), 60)
		if err != nil || !contains(e, want) {
			t.Errorf("%+v: %v, %v, want %v", c, e, err, want.FloatString(9))
		}
		if e.RelBits() > 50 {
			narrow++
		}
	}
	if narrow != 3 { // m = 8, 2 and 1 divide 2^h
		t.Errorf("%d enclosures are narrow", narrow)
	}
}

// The positions in a block are a function of h bits, and w others choose the block: all functions, all keys.
func TestSharing(t *testing.T) {
	for _, c := range []struct{ w, blocks, word, k, h, n int }{
		{0, 1, 2, 2, 1, 1}, {1, 2, 2, 2, 1, 2}, {1, 2, 2, 2, 1, 3}, {2, 3, 2, 1, 1, 3}, {0, 1, 3, 1, 2, 2}, {0, 1, 2, 1, 2, 4},
		{1, 2, 2, 1, 2, 2}, {0, 1, 2, 1, 3, 2}, {3, 5, 3, 1, 2, 2}, {2, 3, 3, 1, 2, 1}, {1, 3, 2, 1, 2, 2},
	} {
		choices := 1 // of the positions of a block
		for range c.k {
			choices *= c.word
		}
		functions := 1
		for range 1 << c.h {
			functions *= choices
		}
		want := new(big.Rat)
		for f := range functions {
			var keys [][]uint64
			for x := range 1 << c.w {
				block := x * c.blocks >> c.w
				of := f
				for range 1 << c.h {
					var pos []uint64
					for i, x := 0, of%choices; i < c.k; i, x = i+1, x/c.word {
						pos = append(pos, uint64((block*c.k+i)*c.word+x%c.word))
					}
					keys, of = append(keys, pos), of/choices
				}
			}
			want.Add(want, covered(keys, c.n))
		}
		want.Quo(want, big.NewRat(int64(functions), 1))
		g := bloomproof.Geometry{M: uint64(c.blocks * c.k * c.word), K: c.k, Block: uint64(c.k * c.word), Hashing: bloomproof.Partitioned}
		e, err := sharing(uint(c.w), uint(c.h))(g, uint64(c.n), 60)
		if err != nil || !contains(e, want) {
			t.Errorf("%+v: %v, %v, want %v", c, e, err, want.FloatString(9))
		}
		if independent, _, _ := exact.FPR(g, uint64(c.n), 60, exact.Auto); independent.Contains(want) {
			t.Errorf("%+v: the rate is that of independent positions", c)
		}
	}
}

// The sum with signs is what the one over the numbers of keys in the block is.
func TestFilled(t *testing.T) {
	for _, c := range []struct{ blocks, n, more int64 }{{1, 0, 2}, {1, 7, 2}, {3, 0, 2}, {3, 38, 2}, {50, 198, 2}, {1, 1, 0}, {3, 1, 0}, {3, 40, 0}} {
		g := bloomproof.Geometry{K: 8, Block: 256}
		want, chance := 0.0, 1/float64(c.blocks)
		for i := range c.n + 1 { // Bin(n, 1/B)
			choose, _ := new(big.Float).SetInt(new(big.Int).Binomial(c.n, i)).Float64()
			want += choose * math.Pow(chance, float64(i)) * math.Pow(1-chance, float64(c.n-i)) * math.Pow(-math.Expm1(float64(i+c.more)*math.Log(31./32)), 8)
		}
		got, _ := filled(g, uint64(c.n), int(c.more), big.NewRat(1, c.blocks), 60).Float64()
		if math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%+v: %g, want %g", c, got, want)
		}
	}
}

// Where the bounds of a rate are far apart, the size that follows from them says so.
func TestSizesSayThatBoundsAreFarApart(t *testing.T) {
	for million, want := range map[int64]bool{1: false, 1000: true} {
		k := longtest.More(8, 0) // 0 tries several k
		s, err := cassandra.LeastBits(1_000_000, big.NewRat(1, 1_000_000*million), k, 53)
		if err != nil || strings.Contains(s.Assumes, farApart) != want {
			t.Errorf("a rate of 1e-6/%d: %q, %v", million, s.Assumes, err)
		}
	}
}

// The least size is never above the library's own where that keeps the rate, and small filters are not refused where
// fewer positions than the best number of independent ones can be computed.
func TestSizesAreAtMostTheLibrarysOwn(t *testing.T) {
	for _, f := range []*Filter{guava, redisBloom, bbloom, ristretto}[:longtest.More(2, 4)] {
		for n := uint64(1); n <= 5; n += 2 {
			for _, p := range []float64{0.3, 0.01} {
				exactly := new(big.Rat).SetFloat64(p)
				s, err := f.LeastBits(n, exactly, 0, 53)
				if err != nil {
					t.Errorf("%s n=%d p=%v: %v", f.Name, n, p, err)
					continue
				}
				m, k, ok := f.Own(n, p)
				own, err := f.Rate(m, k, n, 53)
				if !ok || err != nil {
					t.Fatalf("%s n=%d p=%v: %v", f.Name, n, p, err)
				}
				if !atMost(s.Rate, exactly) || atMost(own, exactly) && s.M > m {
					t.Errorf("%s n=%d p=%v: m=%d k=%d %v, its own m=%d k=%d %v", f.Name, n, p, s.M, s.K, s.Rate, m, k, own)
				}
			}
		}
	}
}

// Where simulations judge sizes, those of a derivation with independent positions keep the exact rate, and are near
// the best.
func TestSizesAreSimulated(t *testing.T) {
	independent := each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		for range k {
			dst = append(dst, rng.Uint64N(m))
		}
		return dst
	})
	f := &Filter{Name: "independent", Law: Simulated, bits: width{step: 8, lo: 8, hi: 1 << 20}, k: span{1, 30}, twin: independent}
	for _, n := range []uint64{3, 20, 100}[:longtest.More(1, 3)] {
		for _, p := range []*big.Rat{big.NewRat(1, 10), big.NewRat(1, 100)}[:longtest.More(1, 2)] {
			best, err := exact.LeastBits(bloomproof.Geometry{}, n, p, 53)
			if err != nil {
				t.Fatal(err)
			}
			s, err := f.LeastBits(n, p, 0, 53)
			if err != nil || s.Tried == 0 || s.M%8 != 0 {
				t.Fatalf("n=%d p=%v: %+v, %v", n, p, s, err)
			}
			keeps(t, s, p)
			if float64(s.M) > 1.03*float64(best.Geometry.M)+8 {
				t.Errorf("n=%d p=%v: m=%d, the least is %d", n, p, s.M, best.Geometry.M)
			}
			if s, err = f.MostItems(s.M, p, s.K, 53); err != nil || s.N+1+n/20 < n {
				t.Fatalf("n=%d p=%v: %+v, %v", n, p, s, err)
			}
			keeps(t, s, p)
		}
	}
}

// keeps demands that independent positions have a rate of at most p.
func keeps(t *testing.T, s Size, p *big.Rat) {
	t.Helper()
	e, _, err := exact.FPR(bloomproof.Geometry{M: s.M, K: s.K}, s.N, 53, exact.Auto)
	if err != nil {
		t.Fatal(err)
	}
	if hi, _ := e.Hi().Rat(nil); hi.Cmp(p) > 0 || s.Rate.Law != Simulated {
		t.Errorf("%+v has the rate %v, above %v", s, e, p)
	}
}

// A search ends, and refuses what no size keeps.
func TestSearchesEnd(t *testing.T) {
	one := each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 { // all positions are one
		x := rng.Uint64N(64)
		for range k {
			dst = append(dst, x)
		}
		return dst
	})
	f := &Filter{Name: "floor", Law: Simulated, bits: width{step: 8, lo: 64, hi: 4096}, k: span{1, 4}, twin: one}
	p := big.NewRat(1, 5)
	for hi, want := range map[uint64]error{80: bloomproof.ErrRange, 1 << 40: bloomproof.ErrTooCostly} {
		f.bits.hi = hi
		if s, err := f.LeastBits(20, p, 0, 53); !errors.Is(err, want) {
			t.Errorf("at most %d bits: %+v, %v", hi, s, err)
		}
	}
	f.bits.hi = 1 << 40
	for _, rate := range []*big.Rat{big.NewRat(1, 1000)}[:longtest.More(0, 1)] { // a floor, and proven bounds
		s, err := rocksdbLegacy.LeastBits(100, rate, 0, 53)
		if err != nil || s.K > 7 || s.Assumes != assumesFewer || s.Tried != 0 || !atMost(s.Rate, rate) {
			t.Errorf("%+v, %v", s, err)
		}
	}
	if s, err := f.MostItems(200, p, 0, 53); err != nil || s.N > 14 || s.N < 13 || s.Tried < 2 {
		t.Errorf("%+v, %v", s, err)
	}
}
