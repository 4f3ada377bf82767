package verify

import (
	"fmt"
	"math/bits"
	"math/rand"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/leanovate/gopter"
)

// The function "generator" returns a gopter generator of values. The function "draw" makes one random value. To shrink
// a failing value, the generator tries the results of the function "smaller", the smallest first. Invalid values are
// skipped. The method Map of gopter is not used, because it loses the shrinker when the type changes.
func generator[T any](draw func(*rand.Rand) T, smaller func(T) []T, valid func(T) error) gopter.Gen {
	shrinker := func(v any) gopter.Shrink {
		candidates := smaller(v.(T))
		return func() (any, bool) {
			for len(candidates) > 0 {
				c := candidates[0]
				candidates = candidates[1:]
				if valid(c) == nil {
					return c, true
				}
			}
			return nil, false
		}
	}
	return func(p *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(draw(p.Rng), shrinker)
	}
}

// drawSize returns a number in [lo, hi]. Sometimes the number is lo or hi. Otherwise its binary exponent is drawn
// first. The lower bits of some of these numbers are random. The other numbers differ by at most 1 from a power of two
// or from a multiple of 64.
func drawSize(r *rand.Rand, lo, hi uint64) uint64 {
	switch r.Intn(40) {
	case 0:
		return lo
	case 1:
		return hi
	}
	first, last := bits.Len64(lo), bits.Len64(hi)
	for range 64 {
		var v uint64
		if e := first + r.Intn(last-first+1); e > 0 {
			v = 1 << (e - 1)
		}
		near := uint64(r.Intn(3)) - 1 // near is -1, 0 or 1
		switch r.Intn(3) {
		case 0:
			if v > 0 {
				v += r.Uint64() % v
			}
		case 1:
			v += near
		case 2:
			if v > 0 {
				v += r.Uint64() % v
			}
			v = v&^63 + near
		}
		if lo <= v && v <= hi {
			return v
		}
	}
	// The loop has drawn 64 random numbers, and none of them was in [lo, hi]. So this interval is narrow, almost
	// certainly. A uniformly distributed number of the interval is good enough.
	return lo + r.Uint64()%max(hi-lo+1, 1)
}

// smallerSizes returns numbers in [lo, v), the smallest first.
func smallerSizes(v, lo uint64) []uint64 {
	var out []uint64
	for gap := v - lo; v > lo && gap > 0; gap /= 2 {
		out = append(out, v-gap)
	}
	return out
}

// GenSize generates counts from lo to hi, for example of items, bits or messages. Some of the numbers are lo or hi.
// Others differ by at most 1 from a power of two or from a multiple of 64. In the remaining numbers, the binary
// exponent is uniformly distributed. The generator shrinks towards lo. GenSize panics unless lo <= hi. Only a mistake
// in the test can cause this panic.
func GenSize(lo, hi uint64) gopter.Gen {
	if lo > hi {
		panic(fmt.Sprintf("verify.GenSize: lo %d above hi %d", lo, hi))
	}
	return generator(
		func(r *rand.Rand) uint64 { return drawSize(r, lo, hi) },
		func(v uint64) []uint64 { return smallerSizes(v, lo) },
		func(uint64) error { return nil },
	)
}

// The map "enumerations" has one list for each enumeration type of package bloomproof. The list has the values of the
// type in their order.
var enumerations = []any{
	[]bloomproof.Arrivals{
		bloomproof.ArrivalPopularity, bloomproof.ArrivalUniform, bloomproof.ArrivalLast, bloomproof.ArrivalFirst,
	},
	[]bloomproof.Bound{
		bloomproof.BoundBloom, bloomproof.BoundExponential, bloomproof.BoundTaylor, bloomproof.BoundLower, bloomproof.BoundLowerSimple,
		bloomproof.BoundLowerClassic, bloomproof.BoundUpper, bloomproof.BoundPartitioned, bloomproof.BoundBose,
	},
	allHashings(),
	[]bloomproof.Increment{bloomproof.Distinct, bloomproof.Literal},
}

// GenEnum generates every value of an enumeration type of package bloomproof. An example of a call is
// GenEnum[bloomproof.Increment](). If a value fails a test, shrinking tries simpler values. The first value of the type
// counts as the simplest. For the type bloomproof.Hashing, GenEnum leaves out each hashing that package kernel does not
// support.
func GenEnum[E bloomproof.Arrivals | bloomproof.Bound | bloomproof.Hashing | bloomproof.Increment]() gopter.Gen {
	var all []E
	for _, values := range enumerations {
		if of, ok := values.([]E); ok {
			all = of
		}
	}
	return generator(
		func(r *rand.Rand) E { return all[r.Intn(len(all))] },
		func(v E) []E { return all[:slices.Index(all, v)] },
		func(E) error { return nil },
	)
}

// The type "limits" restricts what GenGeometry generates. It has the largest m, the largest k and the permitted
// hashings.
type limits struct {
	maxM     uint64
	maxK     int
	hashings []bloomproof.Hashing
}

// The method "check" returns a ParamError if g is invalid or beyond the limits.
func (o limits) check(g bloomproof.Geometry) error {
	if err := g.Validate(); err != nil {
		return err
	}
	if g.M > o.maxM {
		return &bloomproof.ParamError{Param: "m", Value: g.M, Want: fmt.Sprintf("at most %d", o.maxM)}
	}
	if g.K > o.maxK {
		return &bloomproof.ParamError{Param: "k", Value: g.K, Want: fmt.Sprintf("at most %d", o.maxK)}
	}
	for _, h := range o.hashings {
		if h == g.Hashing {
			return nil
		}
	}
	return &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: fmt.Sprintf("one of %v", o.hashings)}
}

// GenGeometry generates valid geometries with at most maxM bits, with at most maxK positions, and with one of the given
// hashings. If maxM is 0, the limit is 2^64-1 bits. If maxK is 0, the limit is bloomproof.MaxK positions. An empty list
// of hashings means all hashings. The numbers m and k are drawn in the same way in which GenSize draws a number. With
// partitioned hashing, m/k is drawn instead of m. The number m can also be close to a multiple of k. With classic
// hashing, k is sometimes equal to m or close to m. With standard hashing, k may be above m. GenGeometry shrinks
// towards m = k = 1 and the first permitted hashing. It panics with a *bloomproof.ParamError for a hashing that it
// cannot generate.
func GenGeometry(maxM uint64, maxK int, hashings ...bloomproof.Hashing) gopter.Gen {
	o := limited(maxM, maxK, hashings)
	return generator(o.draw, o.smaller, o.check)
}

func limited(maxM uint64, maxK int, permitted []bloomproof.Hashing) limits {
	o := limits{maxM, maxK, permitted}
	if o.maxM == 0 {
		o.maxM = 1<<64 - 1
	}
	if o.maxK <= 0 || o.maxK > bloomproof.MaxK {
		o.maxK = bloomproof.MaxK
	}
	if len(o.hashings) == 0 {
		o.hashings = allHashings()
	}
	for _, h := range o.hashings {
		if _, ok := hashings[h]; !ok {
			panic(&bloomproof.ParamError{Param: "hashing", Value: h, Want: fmt.Sprintf("one of %v in a generator", allHashings())})
		}
	}
	return o
}

func (o limits) draw(r *rand.Rand) bloomproof.Geometry {
	g := bloomproof.Geometry{Hashing: o.hashings[r.Intn(len(o.hashings))]}
	h := hashings[g.Hashing]
	most := uint64(o.maxK)
	if !h.manyPositions {
		most = min(most, o.maxM)
	}
	g.K = int(drawSize(r, 1, most))
	k := uint64(g.K)
	if h.slices {
		g.M = k * drawSize(r, 1, o.maxM/k)
		return g
	}
	g.M = drawSize(r, 1, o.maxM)
	if near := g.M - g.M%k + uint64(r.Intn(3)) - 1; r.Intn(4) == 0 && near >= 1 && near <= o.maxM {
		g.M = near // a neighbour of a multiple of k
	}
	if !h.manyPositions && k > g.M {
		g.M = min(k+uint64(r.Intn(3)), o.maxM) // k at or just below m
	}
	return g
}

func (o limits) smaller(g bloomproof.Geometry) []bloomproof.Geometry {
	var out []bloomproof.Geometry
	for _, h := range o.hashings {
		if h == g.Hashing {
			break
		}
		out = append(out, bloomproof.Geometry{M: g.M, K: g.K, Hashing: h})
	}
	unit := uint64(1) // m stays a multiple of unit
	if hashings[g.Hashing].slices {
		unit = uint64(g.K)
	}
	for _, parts := range smallerSizes(g.M/unit, 1) {
		out = append(out, bloomproof.Geometry{M: parts * unit, K: g.K, Hashing: g.Hashing})
	}
	for _, k := range smallerSizes(uint64(g.K), 1) {
		c := bloomproof.Geometry{M: g.M, K: int(k), Hashing: g.Hashing}
		if hashings[g.Hashing].slices {
			c.M = g.M / unit * k
		}
		out = append(out, c)
	}
	return out
}

// GenLayer generates valid layers of a growing filter. A layer consists of a geometry and the number sigma. At most
// sigma bits of the layer are set. The geometry is one that GenGeometry can generate, and has k <= m. Sometimes sigma
// is the least or the largest number in its range. Otherwise its binary exponent is random. GenLayer shrinks towards a
// layer in which m, k and sigma are 1. It panics for the same hashings as GenGeometry.
func GenLayer(maxM uint64, maxK int, hashings ...bloomproof.Hashing) gopter.Gen {
	o := limited(maxM, maxK, hashings)
	return generator(
		func(r *rand.Rand) bloomproof.Layer {
			g := o.draw(r)
			for uint64(g.K) > g.M {
				g = o.draw(r)
			}
			return bloomproof.Layer{Geometry: g, Sigma: drawSize(r, uint64(g.K), g.M)}
		},
		func(l bloomproof.Layer) []bloomproof.Layer {
			var out []bloomproof.Layer
			for _, g := range o.smaller(l.Geometry) {
				if uint64(g.K) <= g.M {
					out = append(out, bloomproof.Layer{Geometry: g, Sigma: max(uint64(g.K), min(g.M, l.Sigma))})
				}
			}
			for _, sigma := range smallerSizes(l.Sigma, uint64(l.K)) {
				out = append(out, bloomproof.Layer{Geometry: l.Geometry, Sigma: sigma})
			}
			return out
		},
		func(l bloomproof.Layer) error {
			if err := o.check(l.Geometry); err != nil {
				return err
			}
			return l.Validate()
		},
	)
}
