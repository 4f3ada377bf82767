package like

import (
	"math/big"
)

// multiplied is the law of words h, ch, c^2 h, ... of w bits, h odd and otherwise uniform, where word i chooses one of
// m/8 bytes by multiply-shift, and bits 3 to 5 of word i+1 choose the bit of that byte.
//
// The bits depend on h mod 64, which is one of 32 odd numbers r. With v = word i and d = j-i, word j is c^d v. The bits
// of two positions are given ones for at most most(d) of the r. For one r, the numbers (v, c^d v) of
// which word i and word j are in given intervals of W = ceil(2^w/(m/8)) numbers are points of a shifted lattice with the
// basis (64, 64 c^d), (0, 2^w), whose determinant is D = 64 2^w, in a square of side W. Let (x,y) be the shortest vector of
// the basis that reduction finds. The points are on lines of this direction, which the numbers (x v' - y v)/D tell apart
// that differ by integers: at most (|x|+|y|)W/D + 1 lines. One with a length of l in units of (x,y) has l+1 points at most. The
// length is a concave function on its range with the integral W^2/D, so its sum over lines is at most that and its
// maximum, at most W/max(|x|,|y|). Together
//
//	points <= W^2/D + W/max(|x|,|y|) + (|x|+|y|)W/D + 1.
func multiplied(w uint, c, m uint64) pairs {
	all, bytes := new(big.Int).Lsh(big.NewInt(1), w), integer(m/8)
	odd := new(big.Int).Rsh(all, 1)
	sixtyFour := big.NewInt(64)
	fewest := new(big.Int).Div(new(big.Int).Div(all, bytes), sixtyFour) // of an interval and one r
	side := ceil(all, bytes)
	times := func(x *big.Int, y int64) *big.Rat {
		return new(big.Rat).SetFrac(new(big.Int).Mul(x, big.NewInt(y)), odd)
	}
	return pairs{
		lo: times(fewest, 4), hi: times(ceil(side, sixtyFour), 4), // of the 32 numbers r, 4 choose a given bit
		level: func(i, j int) uint64 { return apart(i, j) },
		joint: func(d uint64) *big.Rat {
			factor := uint64(1)
			for range d {
				factor *= c
			}
			most, counts := int64(0), map[[2]uint64]int64{}
			for r := uint64(1); r < 64; r += 2 {
				both := [2]uint64{r >> 3 & 7, factor * r >> 3 & 7}
				counts[both]++
				most = max(most, counts[both])
			}
			det := new(big.Int).Mul(all, sixtyFour)
			first := new(big.Int).Mod(integer(factor), all)
			x, y := reduce([2]*big.Int{sixtyFour, first.Mod(first.Mul(first, sixtyFour), det)}, [2]*big.Int{new(big.Int), all})
			longer, both := x, new(big.Int).Add(x, y)
			if y.Cmp(x) > 0 {
				longer = y
			}
			square := new(big.Int).Mul(side, side)
			points := new(big.Rat).SetFrac(square.Add(square, both.Mul(both, side)), det)
			points.Add(points, new(big.Rat).SetFrac(side, longer))
			points.Add(points, big.NewRat(1, 1))
			return points.Mul(points, times(big.NewInt(1), most))
		},
	}
}

// reduce returns the magnitudes of the coordinates of a short vector of the lattice with the basis a, b, by the
// reduction of Lagrange and Gauss. It is one of a basis, whatever it is.
func reduce(a, b [2]*big.Int) (x, y *big.Int) {
	dot := func(a, b [2]*big.Int) *big.Int {
		sum := new(big.Int).Mul(a[0], b[0])
		return sum.Add(sum, new(big.Int).Mul(a[1], b[1]))
	}
	for {
		if dot(a, a).Cmp(dot(b, b)) > 0 {
			a, b = b, a
		}
		// The nearest integer to ab/aa.
		q, aa := dot(a, b), dot(a, a)
		q.Lsh(q, 1)
		q.Div(q.Add(q, aa), aa.Lsh(aa, 1))
		if q.Sign() == 0 {
			return new(big.Int).Abs(a[0]), new(big.Int).Abs(a[1])
		}
		var next [2]*big.Int
		for i := range next {
			next[i] = new(big.Int).Sub(b[i], new(big.Int).Mul(q, a[i]))
		}
		b = next
	}
}
