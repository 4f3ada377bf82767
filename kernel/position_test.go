package kernel_test

import (
	"flag"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
)

var update = flag.Bool("kernel.update", false, "write the golden files of testdata that do not exist yet")

const golden = 0x9e3779b97f4a7c15

// unmix is the inverse of mix, which is a bijection: both multipliers are odd, and a
// shift xored in is undone by repeating it.
func unmix(z uint64) uint64 {
	inverse := func(a uint64) uint64 {
		x := a // right modulo 8; each step doubles the bits that are right
		for range 5 {
			x *= 2 - a*x
		}
		return x
	}
	z ^= z>>31 ^ z>>62
	z *= inverse(0x94d049bb133111eb)
	z ^= z>>27 ^ z>>54
	z *= inverse(0xbf58476d1ce4e5b9)
	return z ^ z>>30 ^ z>>60
}

// hashOf returns a hash of increment gamma (odd) whose first word is x < 2^52.
func hashOf(x, gamma uint64) kernel.Hash { return kernel.Hash{H0: unmix(x<<12) - gamma, H1: gamma} }

func positions(t testing.TB, g bloomproof.Geometry, h kernel.Hash) []uint64 {
	t.Helper()
	pos, err := kernel.AppendPositions(nil, g, h)
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

// somewhere returns a number from 1 to most, its size in bits drawn first.
func somewhere(r *rand.Rand, most uint64) uint64 {
	b := r.IntN(bits.Len64(most)) + 1
	x := r.Uint64()>>(64-b) | 1<<(b-1)
	if r.IntN(3) == 0 { // next to a power of two
		x = 1<<(b-1) + uint64(r.IntN(3)) - 1
	}
	return min(max(x, 1), most)
}

// someGeometry returns a valid geometry for the hashing.
func someGeometry(r *rand.Rand, h bloomproof.Hashing) bloomproof.Geometry {
	m, k := somewhere(r, kernel.MaxM), somewhere(r, bloomproof.MaxK)
	switch h {
	case bloomproof.Classic:
		k = min(k, m)
		if r.IntN(3) == 0 {
			m = k + uint64(r.IntN(3)) // where draws repeat
		}
	case bloomproof.Partitioned:
		m = max(1, m/k) * k
	}
	return bloomproof.Geometry{M: m, K: int(k), Hashing: h}
}

// worst are hashes that no hash function gives but a caller may.
var worst = []kernel.Hash{
	{}, {H1: 1}, {H1: 2}, {H0: 1}, {H0: ^uint64(0), H1: ^uint64(0)}, {H0: 1 << 63, H1: 1 << 63}, {H1: ^uint64(0) - 1}, {H0: golden, H1: golden},
}

func someHash(r *rand.Rand) kernel.Hash {
	if r.IntN(8) == 0 {
		return worst[r.IntN(len(worst))]
	}
	return kernel.Hash{H0: r.Uint64(), H1: r.Uint64()}
}

var hashings = []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned}

// The law: positions are those of the specification as package model reads it, in
// range, distinct for Classic, and the j-th in slice j for Partitioned.
func TestPositionsFollowTheSpecification(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*seedFlag), 1))
	t.Logf("seed %d", *seedFlag)
	tests := longtest.More(40, 300)
	for _, h := range hashings {
		var cases []bloomproof.Geometry
		for range tests {
			cases = append(cases, someGeometry(r, h))
		}
		cases = append(cases,
			bloomproof.Geometry{M: 1, K: 1, Hashing: h},
			bloomproof.Geometry{M: 4096, K: 4096, Hashing: h},
			bloomproof.Geometry{M: 4096, K: 64, Hashing: h},
			bloomproof.Geometry{M: 1 << 48, K: 4096, Hashing: h})
		for _, g := range cases {
			hash := someHash(r)
			got, want := positions(t, g, hash), model.Positions(g, hash)
			if !slices.Equal(got, want) {
				t.Fatalf("%v %#x: %v, want %v", g, hash, got, want)
			}
			checkPositions(t, g, hash, got)
		}
	}
}

func checkPositions(t *testing.T, g bloomproof.Geometry, h kernel.Hash, pos []uint64) {
	t.Helper()
	if len(pos) != g.K {
		t.Fatalf("%v %#x: %d positions", g, h, len(pos))
	}
	seen := map[uint64]bool{}
	for j, p := range pos {
		if p >= g.M {
			t.Fatalf("%v %#x: position %d is %d", g, h, j, p)
		}
		if g.Hashing == bloomproof.Partitioned && p/(g.M/uint64(g.K)) != uint64(j) {
			t.Fatalf("%v %#x: position %d, %d, is not in its slice", g, h, j, p)
		}
		seen[p] = true
	}
	if g.Hashing == bloomproof.Classic && len(seen) != g.K {
		t.Fatalf("%v %#x: %d distinct positions", g, h, len(seen))
	}
}

func TestAppendPositionsAppends(t *testing.T) {
	for _, h := range hashings {
		g := bloomproof.Geometry{M: 144, K: 72, Hashing: h}
		hash := kernel.Hash{H0: 5, H1: 6}
		dst, err := kernel.AppendPositions([]uint64{3, 4}, g, hash)
		if err != nil || !slices.Equal(dst, append([]uint64{3, 4}, positions(t, g, hash)...)) {
			t.Errorf("%v: %v, %v", g, dst, err)
		}
	}
}

// The fallback is met by ordinary hashes where k = m: there the model must agree, in
// the scan of small k and in the table of large k, and it must have been needed.
func TestPositionsFallback(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*seedFlag), 2))
	for _, c := range []struct {
		m      uint64
		k      int
		hashes int
	}{{64, 64, longtest.More(500, 1500)}, {65, 65, longtest.More(500, 1500)}, {300, 300, longtest.More(30, 100)}, {4096, 4096, longtest.More(3, 6)}, {4097, 4096, 6}} {
		g := bloomproof.Geometry{M: c.m, K: c.k, Hashing: bloomproof.Classic}
		needed := 0
		for range c.hashes {
			h := kernel.Hash{H0: r.Uint64(), H1: r.Uint64()}
			drawn := map[uint64]bool{}
			for _, p := range firstDraws(h, c.m, kernel.Draws(c.k)) {
				drawn[p] = true
			}
			if len(drawn) >= c.k {
				continue
			}
			needed++
			got, want := positions(t, g, h), model.Positions(g, h)
			if !slices.Equal(got, want) {
				t.Fatalf("%v %#x: %v, want %v", g, h, got, want)
			}
			checkPositions(t, g, h, got)
			if drawn[got[len(drawn)]] {
				t.Fatalf("%v %#x: position %d was drawn before the fallback", g, h, len(drawn))
			}
		}
		t.Logf("m=%d k=%d: %d of %d hashes need the fallback", c.m, c.k, needed, c.hashes)
		if needed == 0 {
			t.Errorf("m=%d k=%d: none of %d hashes needs the fallback", c.m, c.k, c.hashes)
		}
	}
}

// firstDraws returns the first n draws of h below m: the positions of standard hashing,
// which are those of classic hashing before repeats are dropped.
func firstDraws(h kernel.Hash, m uint64, n int) []uint64 {
	state, out := h.H0, []uint64(nil)
	for range n {
		state += h.H1 | 1
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		hi, _ := bits.Mul64((z^z>>31)&^0xfff, m)
		out = append(out, hi)
	}
	return out
}

// One step of the fallback leads from all c-subsets with all ranks to every (c+1)-
// subset equally often, so by induction it keeps a uniform subset uniform. The state
// is chosen so that the next word has the wanted rank.
func TestFallbackIsUniform(t *testing.T) {
	for m := uint64(1); m <= 8; m++ {
		for c := range int(m) {
			times := map[uint]int{}
			for set := range uint(1) << m {
				if bits.OnesCount(set) != c {
					continue
				}
				var taken []uint64
				for p := range m {
					if set>>p&1 != 0 {
						taken = append(taken, p)
					}
				}
				slices.Reverse(taken) // the order of dst does not matter
				free := m - uint64(c)
				for rank := range free {
					x := rank*(1<<52)/free + 1 // inside the words of this rank
					got := kernel.AppendByRank(slices.Clone(taken), m, c+1, unmix(x<<12)-golden, golden)
					p := got[c]
					if p >= m || set>>p&1 != 0 || !slices.Equal(got[:c], taken) {
						t.Fatalf("m=%d taken %v rank %d: %v", m, taken, rank, got)
					}
					if below := uint64(bits.OnesCount(^set & (1<<p - 1))); below != rank {
						t.Fatalf("m=%d taken %v rank %d: %d has rank %d", m, taken, rank, p, below)
					}
					times[set|1<<p]++
				}
			}
			var subsets big.Int
			if subsets.Binomial(int64(m), int64(c+1)); int64(len(times)) != subsets.Int64() {
				t.Errorf("m=%d: %d subsets of %d reached, want %v", m, len(times), c+1, &subsets)
			}
			for set, n := range times {
				if n != c+1 {
					t.Errorf("m=%d: subset %b reached %d times, want %d", m, set, n, c+1)
				}
			}
		}
	}
	// Two steps: the state and the increment are chosen so that both words have the
	// wanted ranks, which are counted among fewer positions the second time.
	for a := range uint64(6) {
		for b := range uint64(5) {
			s1, s2 := unmix((a*(1<<52)/6+1)<<12), unmix((b*(1<<52)/5+1)<<12)
			got := kernel.AppendByRank(nil, 6, 2, s1-(s2-s1), s2-s1)
			want := []uint64{a, b}
			if b >= a {
				want[1]++
			}
			if !slices.Equal(got, want) {
				t.Errorf("ranks %d, %d: %v, want %v", a, b, got, want)
			}
		}
	}
}

// A position is reached by floor(2^52/m) or ceil(2^52/m) words. The words that reach
// i are those from ceil(i 2^52/m) to ceil((i+1) 2^52/m) - 1: shown at each boundary,
// through hashes that have these words first; reduce is monotone in x between them.
func TestPositionBias(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*seedFlag), 3))
	total := new(big.Int).Lsh(big.NewInt(1), 52)
	for _, m := range []uint64{
		1, 2, 3, 5, 7, 64, 257, 1000, 1024, 65535, 65537, 1e6 + 3, 1<<31 - 1, 1<<32 + 15, 1e12 + 39, 1<<40 - 87, 1<<47 + 1, 1<<48 - 59, 1<<48 - 1, 1 << 48,
	} {
		bm := new(big.Int).SetUint64(m)
		least := new(big.Int).Quo(total, bm).Uint64()
		most := new(big.Int).Quo(new(big.Int).Add(total, new(big.Int).Sub(bm, big.NewInt(1))), bm).Uint64()
		first := func(i uint64) uint64 { // ceil(i 2^52/m)
			z := new(big.Int).Mul(new(big.Int).SetUint64(i), total)
			z.Add(z, new(big.Int).Sub(bm, big.NewInt(1)))
			return z.Quo(z, bm).Uint64()
		}
		var at []uint64
		if m <= 1024 {
			for i := range m {
				at = append(at, i)
			}
		} else {
			at = []uint64{0, 1, m / 3, m / 2, m - 2, m - 1}
			for range 200 {
				at = append(at, r.Uint64N(m))
			}
		}
		g := bloomproof.Geometry{M: m, K: 1}
		for _, i := range at {
			lo, end := first(i), first(i+1)
			if n := end - lo; n != least && n != most {
				t.Fatalf("m=%d: position %d has %d words, not %d or %d", m, i, n, least, most)
			}
			for _, x := range []uint64{lo, end - 1} {
				if p := positions(t, g, hashOf(x, r.Uint64()|1))[0]; p != i || kernel.Reduce(x, m) != i {
					t.Fatalf("m=%d: word %d reaches %d, want %d", m, x, p, i)
				}
			}
		}
		// |P - 1/m| <= max(most/2^52 - 1/m, 1/m - least/2^52) < 2^-52.
		for _, n := range []uint64{least, most} {
			d := new(big.Rat).SetFrac(new(big.Int).SetUint64(n), total)
			d.Sub(d, new(big.Rat).SetFrac(big.NewInt(1), bm)).Abs(d)
			if d.Cmp(new(big.Rat).SetFrac(big.NewInt(1), total)) >= 0 {
				t.Errorf("m=%d: |P-1/m| = %v", m, d)
			}
		}
	}
}

func TestHashCycle(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*seedFlag), 4))
	for range 300 {
		h, c := someHash(r), somewhere(r, 1<<63)
		if got, want := h.Cycle(c), model.Cycle(h, c); got != want {
			t.Fatalf("%#x.Cycle(%d) = %#x, want %#x", h, c, got, want)
		}
		if h.Cycle(0) != h {
			t.Fatalf("%#x.Cycle(0) = %#x", h, h.Cycle(0))
		}
	}
	if got, want := worst[0].Cycle(^uint64(0)), model.Cycle(worst[0], ^uint64(0)); got != want {
		t.Errorf("cycle 2^64-1: %#x, want %#x", got, want)
	}
}

// SplitMix64 is known outside: the first outputs for the state 1234567 and the usual
// increment, as in Vigna's splitmix64.c. With m = 2^48 a position is the high 48 bits.
func TestStreamIsSplitMix64(t *testing.T) {
	outputs := []uint64{
		6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
	}
	g := bloomproof.Geometry{M: 1 << 48, K: len(outputs)}
	for j, p := range positions(t, g, kernel.Hash{H0: 1234567, H1: golden}) {
		if p != outputs[j]>>16 {
			t.Errorf("position %d is %d, want %d", j, p, outputs[j]>>16)
		}
	}
}

// No hash and no k make the derivation slow: the words that it draws are bounded by
// 9k+64, which equality with the model shows; here the worst ready-made hashes are run
// over the shapes that could spoil it.
func TestPositionsOfWorstHashes(t *testing.T) {
	for _, h := range []kernel.Hash{{}, {H1: 1}, {H0: ^uint64(0), H1: ^uint64(0)}} {
		for _, g := range []bloomproof.Geometry{
			{M: 1, K: 1, Hashing: bloomproof.Classic}, {M: 2, K: 2, Hashing: bloomproof.Classic},
			{M: 64, K: 64, Hashing: bloomproof.Classic}, {M: 65, K: 65, Hashing: bloomproof.Classic},
			{M: 4096, K: 4096, Hashing: bloomproof.Classic}, {M: 1 << 48, K: 4096, Hashing: bloomproof.Classic},
			{M: 4096, K: 4096}, {M: 4096, K: 4096, Hashing: bloomproof.Partitioned},
		} {
			got := positions(t, g, h)
			checkPositions(t, g, h, got)
			if !slices.Equal(got, model.Positions(g, h)) {
				t.Errorf("%v %#x differs from the model", g, h)
			}
		}
	}
}
