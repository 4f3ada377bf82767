package like

import "math/big"

// The type "lattice" describes a lattice in the plane. Its basis consists of (step, step*factor) and (0, modulus).
type lattice struct{ step, factor, modulus *big.Int }

// Shift the lattice by any vector. Consider a rectangle whose sides have the lengths a and b. The method "points"
// returns bounds of the number of lattice points in it. Let D be the determinant of the lattice. Let (x,y) be a basis
// vector such that (x/a, y/b) is short. The function "reduce" finds such a vector. The points of the lattice lie on
// parallel lines with this direction. The points (u,v) of a line all have the same number (x*v - y*u)/D. The numbers of
// two lines differ by an integer. So at most L = (|x|*b + |y|*a)/D + 1 lines meet the rectangle. Let l be the length of
// the part of a line inside the rectangle. The unit of l is the length of the vector (x,y). This part has from l-1 to
// l+1 points. The length l is a function of the line's number. This function is concave where it is positive. The
// integral of l is a*b/D. Let X = min(a/|x|, b/|y|). The maximum of l is at most X. So the sum of l over the lines
// differs from the integral by at most X. Let P be the number of lattice points in the rectangle. Then P satisfies the
// following two inequalities.
//
//	ab/D - X - L <= P <= ab/D + X + L.
func (l lattice) points(a, b *big.Int) (lo, hi *big.Rat) {
	det := new(big.Int).Mul(l.step, l.modulus)
	first := new(big.Int).Mod(l.factor, l.modulus)
	first.Mul(first, l.step)
	times := func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }
	x, y := reduce([2]*big.Int{times(l.step, b), times(first, a)}, [2]*big.Int{new(big.Int), times(l.modulus, a)})
	x.Quo(x, b)
	y.Quo(y, a)
	longest := new(big.Rat)
	for i, side := range []*big.Int{a, b} {
		if step := []*big.Int{x, y}[i]; step.Sign() > 0 {
			if r := new(big.Rat).SetFrac(side, step); longest.Sign() == 0 || r.Cmp(longest) < 0 {
				longest = r
			}
		}
	}
	lines := new(big.Int).Mul(x, b)
	slack := new(big.Rat).SetFrac(lines.Add(lines, new(big.Int).Mul(y, a)), det)
	slack.Add(slack, longest).Add(slack, big.NewRat(1, 1))
	mean := new(big.Rat).SetFrac(new(big.Int).Mul(a, b), det)
	if lo = new(big.Rat).Sub(mean, slack); lo.Sign() < 0 {
		lo.SetInt64(0)
	}
	return lo, mean.Add(mean, slack)
}

// The lattice has the basis a, b. The function "reduce" finds a short vector of this lattice. It uses the algorithm of
// Lagrange and Gauss. It returns the absolute values of the vector's coordinates. The vector is part of a basis.
func reduce(a, b [2]*big.Int) (x, y *big.Int) {
	dot := func(a, b [2]*big.Int) *big.Int {
		sum := new(big.Int).Mul(a[0], b[0])
		return sum.Add(sum, new(big.Int).Mul(a[1], b[1]))
	}
	for {
		if dot(a, a).Cmp(dot(b, b)) > 0 {
			a, b = b, a
		}
		// The variable q becomes the integer nearest to dot(a,b)/dot(a,a).
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
