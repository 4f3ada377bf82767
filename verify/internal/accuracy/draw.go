package accuracy

import (
	"math"
	"math/rand/v2"
)

// Draw returns the i-th point for a seed. The logarithms of sizes are uniformly distributed. The kinds of points take
// turns, so all difficult regions get the same number of points. In half of the points, m is made a multiple of k.
func Draw(seed, i uint64) Point {
	p := draw(seed, i)
	if k := uint64(p.K); i/10%2 == 1 {
		p.M = max(1, p.M/k) * k
	}
	return p
}

func draw(seed, i uint64) Point {
	r := rand.New(rand.NewPCG(seed, i))
	exp := func(lo, hi float64) float64 { return math.Exp(lo + (hi-lo)*r.Float64()) }
	k := int(exp(0, math.Log(65)))
	if r.IntN(1000) == 0 {
		k = 65 + int(exp(0, math.Log(300))) // expensive for exact
	}
	kf := float64(k)
	m := 1 + r.Uint64()>>r.IntN(64)
	load := exp(-8, 3) // kn/m, the positions per bit
	items := func() uint64 {
		return uint64(min(math.Round(load*float64(m)/kf), 0x1p63))
	}
	switch i % 10 {
	case 0: // anything
		return Point{m, r.Uint64() >> r.IntN(64), k}
	case 1: // rates of all orders down to 1e-300
		m = 1<<20 + r.Uint64()>>r.IntN(44)
		load = math.Exp(-690 * r.Float64() / kf)
	case 2: // rates within 1e-16 of 1, and much nearer
		load = math.Log(kf) + 40*r.Float64()
		switch r.IntN(8) {
		case 0:
			load += 700 * r.Float64()
		case 1, 2: // the distance from 1 is about 2^-1022, or subnormal
			load = underflow(r, kf)
		}
	case 3: // small filters, k > m, few items
		return Point{1 + r.Uint64N(1<<(1+r.IntN(9))), r.Uint64N(1 << (1 + r.IntN(7))), k}
	case 4: // counts next to powers of two, 2^63 and 2^64 among them
		m = 1<<(1+r.IntN(63)) + r.Uint64N(5) - 2
		if r.IntN(3) == 0 {
			m = math.MaxUint64 - r.Uint64N(4)
		}
		m = max(m, 1)
	case 5: // near the optimum
		load = math.Ln2 * (0.7 + 0.6*r.Float64())
	case 6: // where approx changes its algorithm for the rates: kq = 1/2, and 24 for classic
		load = math.Log(2*kf) * (1 + 0.02*r.NormFloat64())
		if r.IntN(2) == 0 {
			load = -math.Log(math.Tanh(12/kf)) * (1 + 0.02*r.NormFloat64())
		}
	case 7: // near m = 2k and m = k, few items
		m = uint64(max(1, k*(1+r.IntN(2))+r.IntN(5)-2))
		return Point{m, r.Uint64N(12), k}
	case 8: // one to three items, so that little is averaged
		return Point{m, r.Uint64N(4), k}
	}
	return Point{m, items(), k}
}

// The function "underflow" returns the number kn/m of positions per bit for a large filter. Let f be the rate of this
// filter. Then 1-f is near the smallest numbers of float64. It is about k e^(-kn/m). The smallest normal float64 is
// e^-708.4. The smallest positive float64 is e^-744.4.
func underflow(r *rand.Rand, k float64) float64 { return math.Log(k) + 702 + 45*r.Float64() }
