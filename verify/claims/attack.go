package claims

import (
	"math"
	"math/bits"
	"math/rand"
	"slices"
)

// The attack draws points of a domain that a regular grid does not reach:
//   - the ends of the ranges, and the neighbours of these ends,
//   - values next to those of other variables (k = m, k > m),
//   - neighbours of powers of two and of powers of ten,
//   - values that are not round, spread evenly over the numbers or over their logarithms.
//
// If a law has a margin, a climb towards a smaller margin starts at each point. Before the climbs, each variable in
// turn goes through a dense grid while the other variables keep their values at the first visited point.

// mostRejected is the number of consecutive points outside the domain after which a draw gives up.
const mostRejected = 400

// draw returns a point of the domain. It returns nil if mostRejected points in a row are outside the domain.
func (s points) draw(rnd *rand.Rand) point {
	p := make(point, len(s.vars))
	for range mostRejected {
		if s.fill(rnd, p) && s.meets(p) {
			return p
		}
	}
	return nil
}

// below63 draws a code from 0 to n-1. It draws the same codes as Intn does on a system whose int has 64 bits.
func below63(rnd *rand.Rand, n int64) int64 {
	if n <= math.MaxInt32 {
		return int64(rnd.Int31n(int32(n)))
	}
	return rnd.Int63n(n)
}

// fill draws the variables in their order, because the range of a variable may depend on those before it.
func (s points) fill(rnd *rand.Rand, p point) bool {
	for i, v := range s.vars {
		hi := min(s.upper(i, p), v.far)
		if hi < v.from {
			return false
		}
		switch {
		case v.kind == oneOf && v.points[effortFull] != nil:
			p[i] = v.points[effortFull][rnd.Intn(len(v.points[effortFull]))]
		case v.kind == oneOf || v.kind == listing:
			p[i] = v.from + below63(rnd, hi-v.from+1)
		case v.kind == realNumber:
			p[i] = v.drawReal(rnd, hi)
		default:
			p[i] = s.drawNumber(rnd, i, p, hi)
		}
		if !v.has(p[i]) || p[i] > hi {
			return false
		}
	}
	return true
}

// drawNumber draws a whole number from the variable's least value to hi.
func (s points) drawNumber(rnd *rand.Rand, i int, p point, hi int64) int64 {
	lo := s.vars[i].from
	x := lo
	switch rnd.Intn(8) {
	case 0:
		x = lo + below63(rnd, 2)
	case 1:
		x = hi - below63(rnd, 2)
	case 2:
		if i > 0 { // a value next to that of an earlier variable
			x = p[rnd.Intn(i)] + below63(rnd, 3) - 1
		}
	case 3:
		x = 1<<rnd.Intn(max(1, bits.Len64(uint64(hi)))) + below63(rnd, 3) - 1
	case 4, 5:
		x = lo + below63(rnd, hi-lo+1)
	default:
		x = lo - 1 + int64(math.Exp(rnd.Float64()*math.Log(float64(hi-lo)+2)))
	}
	return min(max(x, lo), hi)
}

// drawReal draws a real number. The result lies between the least value that the attack reaches and hi.
func (v variable) drawReal(rnd *rand.Rand, hi int64) int64 {
	lo := v.from
	x := lo
	switch rnd.Intn(8) {
	case 0:
		x = [2]int64{lo, hi}[rnd.Intn(2)]
	case 1:
		x = codeOf(math.Pow(10, -float64(rnd.Intn(16))))
	case 2:
		x = codeOf(1 - math.Exp(-rnd.Float64()*36)) // as close to 1 as 2^-52
	case 3, 4:
		x = codeOf(realOf(lo) + rnd.Float64()*(realOf(hi)-realOf(lo)))
	default:
		x = lo + rnd.Int63n(hi-lo+1) // codes that are evenly spread have evenly spread logarithms
	}
	return min(max(x, lo), hi)
}

// lines returns points in which one variable goes through a grid of n values, spread evenly over the logarithms. The
// other variables keep their values at the first visited point.
func (s points) lines(n int) (all []point) {
	var base point
	if err := s.visit(effortQuick, func(p point) error {
		base = append(base, p...)
		return errFound
	}); err == nil {
		return nil
	}
	for i, v := range s.vars {
		hi := min(s.upper(i, base), v.far)
		if v.kind == oneOf || v.kind == listing || hi <= v.from {
			continue
		}
		for j := range n {
			p := slices.Clone(base)
			at := (float64(j) + 0.5) / float64(n)
			if v.kind == realNumber {
				p[i] = v.from + int64(at*float64(hi-v.from))
			} else {
				p[i] = v.from - 1 + int64(math.Exp(at*math.Log(float64(hi-v.from)+2)))
			}
			if (len(all) == 0 || !slices.Equal(p, all[len(all)-1])) && s.has(p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// near returns a neighbour of a point, or nil if the neighbour is outside the domain.
func (s points) near(rnd *rand.Rand, p point) point {
	q := slices.Clone(p)
	i := rnd.Intn(len(q))
	v := s.vars[i]
	hi := min(s.upper(i, q), v.far)
	if hi < v.from {
		return nil
	}
	switch v.kind {
	case oneOf, listing:
		q[i] = v.from + below63(rnd, hi-v.from+1)
	case realNumber:
		q[i] = codeOf(v.move(rnd, realOf(q[i])))
	default:
		step := [...]int64{1, 1, 2, 1 + q[i]/16, 1 + q[i]/4}[rnd.Intn(5)]
		q[i] += step * (1 - 2*below63(rnd, 2))
	}
	if q[i] < v.from || q[i] > hi || !s.has(q) {
		return nil
	}
	return q
}

// move changes a real number by a little or by a lot, or halves its distance to 1.
func (v variable) move(rnd *rand.Rand, x float64) float64 {
	factor := []float64{1 + 1.0/64, 1.25, 3}[rnd.Intn(3)]
	switch {
	case rnd.Intn(4) == 0 && x < 1:
		return 1 - (1-x)/2
	case rnd.Intn(2) == 0:
		return x * factor
	}
	return x / factor
}
