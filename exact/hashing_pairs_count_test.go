package exact

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// A pairCount holds numbers that the comment of pairedLaw defines. They are counted, one query and one item after the
// other. All queries have the start 0.
type pairCount struct {
	m, k, d int
	offsets [][]int // the positions of an item with the start 0, for each vector V
}

func newPairCount(g bloomproof.Geometry) pairCount {
	c := pairCount{m: int(g.M), k: g.K, d: 1}
	if g.Hashing == bloomproof.Triple {
		c.d = 2
	}
	for v := range int(math.Pow(float64(c.m), float64(c.d))) {
		positions := make([]int, c.k)
		for i := range positions {
			positions[i] = i * (v % c.m)
			if c.d == 1 {
				positions[i] += (i*i*i - i) / 6
			} else {
				positions[i] += i * (i - 1) / 2 * (v / c.m)
			}
			positions[i] %= c.m
		}
		c.offsets = append(c.offsets, positions)
	}
	return c
}

// The method "equal" returns the number of pairs and of triples of equal positions, over all vectors V. It also returns
// the number of queries with r different positions, for each r below k.
func (c pairCount) equal() (pairs, triples int, queries map[int]int) {
	queries = map[int]int{}
	for _, p := range c.offsets {
		times := map[int]int{}
		for _, x := range p {
			times[x]++
		}
		for _, n := range times {
			pairs += n * (n - 1) / 2
			triples += n * (n - 1) * (n - 2) / 6
		}
		if len(times) < c.k {
			queries[len(times)]++
		}
	}
	return pairs, triples, queries
}

// The method "triples" counts triples of matches with three different i, over all queries and items. It returns the
// number of those with three different j, and the number of those with two equal j. The first number leaves out the
// triples by which the copy of a query matches it at each i = j.
func (c pairCount) triples() (different, mixed int) {
	for _, query := range c.offsets {
		for _, item := range c.offsets {
			matches := make([][][2]int, c.m) // for each start of the item
			for i, p := range item {
				for j, q := range query {
					start := (q - p + c.m) % c.m
					matches[start] = append(matches[start], [2]int{i, j})
				}
			}
			for _, all := range matches {
				for a, x := range all {
					for b, y := range all[:a] {
						for _, z := range all[:b] {
							if x[0] == y[0] || y[0] == z[0] || x[0] == z[0] {
								continue
							}
							switch {
							case x[1] != y[1] && y[1] != z[1] && x[1] != z[1]:
								different++
							case x[1] != y[1] || y[1] != z[1]:
								mixed++
							}
						}
					}
				}
			}
		}
	}
	return different - len(c.offsets)*c.k*(c.k-1)*(c.k-2)/6, mixed
}

// The method "both" returns one number for each difference of two positions of a query. It is the number of items that
// match at these two positions, with two different i.
func (c pairCount) both() (items []float64) {
	items = make([]float64, c.m)
	for _, p := range c.offsets {
		for i, x := range p {
			for i2, y := range p {
				if i != i2 {
					items[(y-x+c.m)%c.m]++
				}
			}
		}
	}
	return items
}

// The method "most" returns the sum of g m^(d-1) over all i != i'. This is the number of vectors V with (L_i' - L_i) V =
// 0, added up over all i != i'.
func (c pairCount) most() (items float64) {
	for v := range c.offsets {
		for i := range c.k {
			for i2 := range c.k {
				x := (i2 - i) * (v % c.m)
				if c.d == 2 {
					x += (i2*(i2-1) - i*(i-1)) / 2 * (v / c.m)
				}
				if i != i2 && x%c.m == 0 {
					items++
				}
			}
		}
	}
	return items
}

// pairGeometries are small filters for which all queries and items are counted.
func pairGeometries() (all []bloomproof.Geometry) {
	for _, k := range []int{1, 2, 3, 4, 6} {
		for _, m := range []uint64{8, 9, 12, 23, 24, 53} {
			all = append(all, bloomproof.Geometry{M: m, K: k, Hashing: bloomproof.EnhancedDouble})
		}
		for _, m := range []uint64{4, 6, 7, 9} {
			all = append(all, bloomproof.Geometry{M: m, K: k, Hashing: bloomproof.Triple})
		}
	}
	// With the first, three positions can be equal. With the second, all coefficients of two equations can be multiples
	// of 3.
	return append(all, bloomproof.Geometry{M: 7, K: 6, Hashing: bloomproof.EnhancedDouble}, bloomproof.Geometry{M: 9, K: 7, Hashing: bloomproof.Triple})
}

func newPairBounds(g bloomproof.Geometry, n uint64) *pairBounds {
	draws := enhancedDouble
	if g.Hashing == bloomproof.Triple {
		draws = triple
	}
	p := &pairBounds{linearDraws: draws, g: g, n: n, k: g.K, cancels: 64}
	p.outcomes, p.queries = draws.outcomes(g), draws.queries(g)
	return p
}

// TestPairsCounted compares the numbers of equal positions and of triples of matches with counts of them.
func TestPairsCounted(t *testing.T) {
	for _, g := range pairGeometries() {
		p, c := newPairBounds(g, 1), newPairCount(g)
		pairs, triples, queries := c.equal()
		// With triple hashing the equations have the right side 0. So they always have a solution. With enhanced double
		// hashing they may have none. If m is a large prime, the code finds this out. For equal positions there is one
		// unknown word, and every prime m >= k is large enough.
		prime := integerIsPrime(g.M)
		tight := g.Hashing == bloomproof.Triple || prime && g.M > 2*uint64((g.K-1)*(g.K-1))
		gotPairs, gotTriples := p.own()
		if gotPairs.Cmp(big.NewInt(int64(pairs))) != 0 {
			t.Errorf("%v: %v pairs of equal positions, want %d", g, gotPairs, pairs)
		}
		if order := gotTriples.Cmp(big.NewInt(int64(triples))); order < 0 || (tight || prime && g.M >= uint64(g.K)) && order > 0 {
			t.Errorf("%v: %v triples of equal positions, counted are %d", g, gotTriples, triples)
		}
		gotQueries, exact := p.repeats()
		if want := g.Hashing != bloomproof.Triple || prime && g.M > 2*uint64(g.K); exact != want {
			t.Errorf("%v: repeats are exact: %t, want %t", g, exact, want)
		}
		for r := range g.K {
			got := new(big.Int)
			if gotQueries[r] != nil {
				got = gotQueries[r]
			}
			if exact && got.Cmp(big.NewInt(int64(queries[r]))) != 0 {
				t.Errorf("%v: %v queries with %d different positions, want %d", g, got, r, queries[r])
			}
		}
		different, mixed := c.triples()
		gotDifferent, gotMixed := p.triples()
		for i, x := range []*big.Int{gotDifferent, gotMixed} {
			want := int64([]int{different, mixed}[i])
			if order := p.scaled(x, 2*p.d-2).Cmp(big.NewInt(want)); order < 0 || tight && order > 0 {
				t.Errorf("%v: %v triples of matches of kind %d, counted are %d", g, p.scaled(x, 2*p.d-2), i, want)
			}
		}
	}
	sum := new(big.Int)
	count128{sum}.add(3, 5)
	count128{sum}.add(0, 7)
	count128{sum}.add(1, 0)
	if want := new(big.Int).Lsh(big.NewInt(4), 64); sum.Cmp(want.Add(want, big.NewInt(12))) != 0 {
		t.Errorf("the sum of 3 2^64 + 5, 7 and 2^64 is %v", sum)
	}
}

func integerIsPrime(m uint64) bool { return new(big.Int).SetUint64(m).ProbablyPrime(0) }

// hitAll returns the probability that n items hit all r positions. The argument "hit" is the probability that an
// item hits one of j given positions.
func hitAll(r int, n uint64, hit func(j int) float64) (rate float64) {
	for j := range r + 1 {
		x := math.Pow(1-hit(j), float64(n)) * float64(choose(r, j))
		if j%2 == 1 {
			x = -x
		}
		rate += x
	}
	return rate
}

func choose(n, k int) int64 { return new(big.Int).Binomial(int64(n), int64(k)).Int64() }

// The method "rate" returns the rate of the reference for a query. The argument "both" is the result of the method
// "both". The argument "hit" is the number N of outcomes that hit a given position.
func (c pairCount) rate(query []int, n uint64, both []float64, hit, outcomes float64) (rate float64) {
	for set := range 1 << c.k {
		size, items := 0, 0.0
		for j, q := range query {
			if set>>j&1 == 0 {
				continue
			}
			size++
			for j2, q2 := range query[:j] {
				if set>>j2&1 == 1 {
					items -= both[(q2-q+c.m)%c.m]
				}
			}
		}
		items += float64(size)*hit + float64((size-1)*(size-2)/2)
		if size == 0 {
			items = 0
		}
		x := math.Pow(1-items/outcomes, float64(n))
		if size%2 == 1 {
			x = -x
		}
		rate += x
	}
	return rate
}

// TestPairsDerivedTwice computes the bounds again in float64, by the comment of pairedLaw. The numbers of pairs come
// from counts.
func TestPairsDerivedTwice(t *testing.T) {
	near := func(x *interval.Interval, want float64) bool { return math.Abs(x.Float64()-want) < 1e-9 }
	derived := map[bool]int{}
	for _, g := range []bloomproof.Geometry{
		{M: 60, K: 2, Hashing: bloomproof.EnhancedDouble}, {M: 61, K: 3, Hashing: bloomproof.EnhancedDouble}, {M: 96, K: 4, Hashing: bloomproof.EnhancedDouble},
		{M: 97, K: 5, Hashing: bloomproof.EnhancedDouble}, {M: 24, K: 3, Hashing: bloomproof.Triple}, {M: 23, K: 3, Hashing: bloomproof.Triple},
		{M: 36, K: 4, Hashing: bloomproof.Triple}, {M: 37, K: 4, Hashing: bloomproof.Triple},
	} {
		c := newPairCount(g)
		both := c.both()
		for _, n := range []uint64{2, g.M / 4, g.M} {
			p := newPairBounds(g, n)
			e, err := p.enclose(64)
			if errors.Is(err, bloomproof.ErrUndefined) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			pairs, _, queries := c.equal()
			_, triples := p.own()
			vectors := float64(len(c.offsets))
			outcomes := vectors * float64(c.m)
			low := float64(c.k)*vectors - float64(pairs)
			high := low + float64(triples.Int64())
			psi := c.most() / outcomes
			h := func(r int, hit float64) float64 {
				if uint64(r) > n {
					return 0
				}
				return hitAll(r, n, func(j int) float64 { return float64(j) * hit / outcomes })
			}
			phi := []float64{1}
			for r := 1; r <= c.k; r++ {
				most := 0.0
				for x := 2; x <= r; x++ {
					most = max(most, phi[r-x]/float64(choose(x, 2)))
				}
				phi = append(phi, min(1, h(r, high)+float64(n)*float64(choose(r, 2))*psi*most))
				if !near(p.phi[r], phi[r]) || !near(p.lowRates[r], h(r, low)) || !near(p.highRates[r], h(r, high)) {
					t.Errorf("%v n=%d r=%d: h %v to %v, Phi %v, want %v to %v, %v", g, n, r, p.lowRates[r], p.highRates[r], p.phi[r], h(r, low), h(r, high), phi[r])
				}
			}
			lo, hi, least, most := 0.0, 0.0, 2.0, -1.0
			for _, query := range c.offsets {
				atLow, atHigh := c.rate(query, n, both, low, outcomes), c.rate(query, n, both, high, outcomes)
				lo, hi = lo+atLow/vectors, hi+atHigh/vectors
				least, most = min(least, atLow), max(most, atHigh)
			}
			a, b, gotLeast, gotMost, err := p.reference("")
			if err != nil || !near(a, lo) || !near(b, hi) || !near(gotLeast, least) || !near(gotMost, most) {
				t.Errorf("%v n=%d: the reference has the rates %v to %v, from %v to %v, %v, want %v to %v, from %v to %v", g, n, a, b, gotLeast, gotMost, err, lo, hi, least, most)
				continue
			}
			different, mixed := p.triples()
			cube := math.Pow(float64(c.m), 3)
			gain := 0.0
			for x := 3; x <= c.k; x++ {
				gain = max(gain, phi[c.k-x]/float64(choose(x, 3)))
			}
			hi += float64(n) * float64(different.Int64()) / cube * gain
			lo -= float64(n) * float64(mixed.Int64()) / cube * phi[max(0, c.k-2)]
			_, exact := p.repeats()
			derived[exact]++
			excess := 0.0
			for r := 1; r < c.k; r++ {
				if exact {
					share := float64(queries[r]) / vectors
					hi += share * (phi[r] - least)
					lo += share * (h(r, low) - most)
					continue
				}
				fewest := 0 // pairs of equal positions, if each of r positions is that of about k/r draws
				for i := range c.k {
					fewest += i / r
				}
				excess = max(excess, (phi[r]-least)/float64(fewest))
			}
			if !exact {
				hi += excess * float64(pairs) / vectors
				lo += min(0, h(c.k, low)-most) * float64(pairs) / vectors
			}
			gotLo, _ := e.Lo().Float64()
			gotHi, _ := e.Hi().Float64()
			if math.Abs(gotLo-max(0, lo)) > 1e-9 || math.Abs(gotHi-hi) > 1e-9 || e.Lo().Sign() < 0 {
				t.Errorf("%v n=%d: the bounds are %v and %v, computed again %v and %v", g, n, gotLo, gotHi, lo, hi)
			}
		}
	}
	if derived[false] < 3 || derived[true] < 9 {
		t.Errorf("bounds with and without the numbers of repeats: %v", derived)
	}
}

// TestPairsRefuse asks for bounds that take too long or that do not exist.
func TestPairsRefuse(t *testing.T) {
	for _, c := range []struct {
		m    uint64
		k    int
		h    bloomproof.Hashing
		want error
	}{
		{1<<61 - 1, 21, bloomproof.EnhancedDouble, bloomproof.ErrTooCostly}, // too many positions
		{720720, 16, bloomproof.EnhancedDouble, bloomproof.ErrTooCostly},    // too many classes
		{232792560, 20, bloomproof.EnhancedDouble, bloomproof.ErrTooCostly}, // even the differences of two words are too many
		{7, 3, bloomproof.EnhancedDouble, bloomproof.ErrUndefined},          // more outcomes would hit the query than there are
		{24, 5, bloomproof.Triple, bloomproof.ErrUndefined},                 // fewer than 0 outcomes would hit only one position
	} {
		g := bloomproof.Geometry{M: c.m, K: c.k, Hashing: c.h}
		if e, _, err := FPR(g, 3, 24, routePairs); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, %v, want %v", g, e, err, c.want)
		}
	}
}
