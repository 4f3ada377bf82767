package fnr

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// same fails unless two numbers agree to sameDigits.
func same(t *testing.T, what any, name string, got, want float64) {
	t.Helper()
	if got != want && !(math.Abs(got/want-1) <= sameDigits) {
		t.Errorf("%+v: %s is %.15g, computed again %.15g", what, name, got, want)
	}
}

// TestExaggeratedSmallSum compares the bounds of the type smallSum with the formulas in exact_small_error.go. The errors
// and the rest of the filling are drawn, so that each of them shows.
func TestExaggeratedSmallSum(t *testing.T) {
	l, s := ledger{}, newSources(t, 18)
	const slack = 1e-9
	for i := range longtest.More(12, 4*12) {
		p := []bloomproof.Popularity{bloomproof.Zipf(1, 14), bloomproof.Uniform(40), bloomproof.Zipf(1, 3000), bloomproof.Weights([]float64{9, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})}[i%4]
		w := lastOf(p, []float64{1, 0.8}[i/4%2])
		r := fresh([]uint64{4, 8}[s.IntN(2)])
		if s.IntN(4) == 0 {
			r = bloomproof.Recycling{Messages: 5, FreshPositions: true}
		}
		c, fill, _ := s.system(t, bloomproof.Geometry{M: 30, K: 2}, r, w)
		law, err := newPoisson(w)
		if err != nil {
			t.Fatal(err)
		}
		rows := fill.rows
		if w.Repeat == 1 && p.D < uint64(len(rows)) {
			rows = rows[:p.D]
		}
		wave := newSmallWave(p, law)
		x := newSmallSum(c, wave, rows, fill)
		rest := fill.rest
		if len(rows) < len(fill.rows) {
			rest = 0
		}
		what := []any{p, w.Repeat, r}
		same(t, what, "rest", x.rest, rest)
		off := l.sum("slack", term{"roundings", slack}, term{"rows", 2 * fill.err})
		same(t, what, "slack", x.slack, off)
		same(t, what, "signs", x.signs, 3*4)
		fewest := r.Sigma / 2 // so many messages always fit
		if r.Messages > 0 {
			fewest = r.Messages - 1
		}
		most, ended := 0.0, float64(len(rows))*4*0x1p-74
		var short []float64
		for j, row := range rows {
			most = max(most, row.lucky)
			y := 0.0
			if uint64(j) > fewest {
				y = min(1, (1+off)*ended)
			}
			short = append(short, y)
			same(t, what, "short", x.short[j], y)
			ended += row.ends
		}
		same(t, what, "the largest h", x.most, most)
		same(t, what, "the last short", x.short[len(rows)], 1)
		largest := func(z float64, of func(j int) float64, n int) float64 {
			y := math.Inf(-1)
			for j := range n {
				if v := of(j); v > 0 {
					y = max(y, math.Log(v)-float64(j)*math.Log(z)+off)
				}
			}
			return y
		}
		short = append(short, 1)
		for _, list := range [][]tilt{x.perhaps, x.less} {
			for _, at := range list {
				same(t, what, "short of z", at.short, largest(at.z, func(j int) float64 { return short[j] }, len(short)))
				same(t, what, "lucky of z", at.lucky, largest(at.z, func(j int) float64 { return rows[j].lucky }, len(rows)))
				same(t, what, "fits of z", at.fits, largest(at.z, func(j int) float64 { return rows[j].fits }, len(rows)))
			}
		}
		if !(x.perhaps[0].z < 1.01 && x.perhaps[32].z > 50) || !(x.less[0].z < 0.16 && x.less[47].z > 0.999) {
			t.Errorf("%v: z goes from %v to %v and from %v to %v", what, x.perhaps[0].z, x.perhaps[32].z, x.less[0].z, x.less[47].z)
		}
		// The messages, without the one at the last rank.
		messages := float64(p.D)
		if w.Repeat < 1 {
			messages--
		}
		for _, at := range []float64{0.5, 3, 11, 40} {
			mean := law.fresh * at
			for _, class := range law.all {
				mean -= class.n * math.Expm1(-class.q*at)
			}
			want := 1.0
			for _, z := range x.less {
				want = min(want, math.Exp(z.fits-(1-z.z)*(1-slack)*mean+slack))
			}
			same(t, what, "later", x.later(at), l.sum("later", term{"Markov", want}, term{"rest", rest}))
			for _, n := range []int{2, 12, 14, 16, 60} {
				want, mean := 1.0, (1+slack)*mean
				switch z := float64(n) / mean; {
				case w.Repeat == 1 && messages < float64(n)-1:
					want = 0
				case z > 1:
					want = min(1, math.Exp((1+slack)*(z-1)*mean)*math.Pow(z, 1-float64(n)))
				}
				if got := x.beyond(n, at); !(math.Abs(got-want) <= 1e-9*want) {
					t.Errorf("%v: P[N(%v) >= %d] <= %.12g, computed again %.12g", what, at, n, got, want)
				}
			}
			same(t, what, "slopes", law.slopes(at), (1+slack)/at*slopesAgain(law, at))
		}
		v, g, never := x.remaining()
		wantV, wantG, least := remainingAgain(x, rows, messages)
		same(t, what, "the remaining arrivals", v, (1+off)*wantV)
		same(t, what, "the remaining hits", g, (1+off)*wantG)
		if rest == 0 {
			least = 1
		}
		same(t, what, "the rest of the cycle", never, (1+slack)*rest/least)
	}
	l.check(t)
}

func slopesAgain(s *poisson, at float64) float64 {
	sum := s.fresh + s.last + 0x1p-58
	for _, c := range s.all {
		sum += c.n * c.q * math.Exp(-c.q*at/2)
	}
	return sum
}

// The function remainingAgain follows the states of a cycle backwards, as the second part of the comment in
// exact_small_error.go says. For a state of j messages it takes the units of the most popular messages away.
func remainingAgain(x *smallSum, rows []filled, messages float64) (v, g, least float64) {
	rate := func(j int) float64 {
		left, sum := float64(j), x.s.fresh
		for _, u := range x.units {
			taken := min(left, u.n)
			left -= taken
			if taken == 0 {
				sum += u.weight
			} else {
				sum += min((u.n-taken)*u.least, u.weight)
			}
		}
		return (1 - 1e-9) * sum
	}
	if least = x.s.fresh; least == 0 {
		least = x.units[len(x.units)-1].least
	}
	timeV, timeG, most := 0.0, 0.0, 0.0
	for j := len(rows) - 1; j >= 0; j-- {
		if rows[j].fits == 0 {
			continue
		}
		share := 0.0
		if j+1 < len(rows) {
			share = min(1, rows[j+1].fits/rows[j].fits*(1+x.slack))
		}
		most = max(most, rows[j].lucky)
		timeV = 1/rate(j) + share*timeV
		timeG = most/rows[j].fits/rate(j) + share*timeG
		v, g = max(v, timeV), max(g, timeG)
	}
	return v, g, least
}

// TestExaggeratedWave compares the error of a value of the characteristic function with its formula (see the fifth part
// of the comment in exact_small_error.go).
func TestExaggeratedWave(t *testing.T) {
	l := ledger{}
	const u = fm.Unit
	for _, p := range []bloomproof.Popularity{bloomproof.Zipf(1, 14), bloomproof.Zipf(2, 3000), bloomproof.Uniform(40)} {
		for _, repeat := range []float64{1, 0.7, 1e-6} {
			law, err := newPoisson(lastOf(p, repeat))
			if err != nil {
				t.Fatal(err)
			}
			w := newSmallWave(p, law)
			for at := 1e-6; at < 1e7; at *= 7 {
				w.at(at)
				for x := 1e-4; x < math.Pi; x = min(x*3, x+0.3) {
					if w.skips(x) {
						break
					}
					e := (12*p.Alpha + 32) * u
					z := cmplx.Rect(1, x)
					dip, half := 1-math.Cos(x), 2*math.Sin(x/2)
					lt := law.fresh * at
					size, angle, mean, move := lt*dip, lt*math.Sin(x), lt, 0.0
					for i, n := range w.n {
						d := 1 + complex(w.come[i], 0)*(z-1)
						size -= n * math.Log(cmplx.Abs(d))
						angle += n * cmplx.Phase(d)
						mean += n * w.come[i]
						gone := w.stay[i] * -math.Log(w.stay[i])
						if w.stay[i] == 0 {
							gone = 0
						}
						move += n * gone
					}
					r := math.Exp(-size)
					last := 0.0
					if law.last > 0 {
						last = (5*e + 160*u) * r * math.Exp(lt*dip)
						b := complex(law.fresh, 0)*z + complex(law.last, 0)
						d := 1 + complex(law.last, 0)*(z-1)*(1-cmplx.Exp(-b*complex(at, 0)))/b
						if cmplx.Abs(b)*at < 1e-3 {
							continue // the quotient has too few digits here
						}
						r *= cmplx.Abs(d)
						size += math.Abs(math.Log(cmplx.Abs(d)))
						angle += math.Abs(cmplx.Phase(d))
					}
					near, far := 1.0, 0.0
					if dip > 1.5 {
						near, far = 6, e+200*u
					}
					got, _, off := w.value(x)
					if r < 1e-290 || math.Abs(dip-1.5) < 1e-9 {
						continue
					}
					want := l.sum("off", term{"last", last}, term{"far", far}, term{"popularity", r * e * half * 2 * near * move}, term{"arrivals", r * e * half * lt},
						term{"sizes", r * u * 54 * size}, term{"angles", r * u * 99 * angle}, term{"angle", r * u * 6 * near * x * mean}, term{"nodes", r * u * mean / 64}, term{"rounding", r * u * 16})
					if !(math.Abs(off/want-1) <= 1e-8 && math.Abs(got/r-1) <= 1e-8) {
						t.Errorf("%v, %v, t = %v, x = %v: the error is %.12g, computed again %.12g; the value %.12g, again %.12g", p, repeat, at, x, off, want, got, r)
					}
				}
			}
		}
	}
	l.check(t)
}

// TestExaggeratedSkips compares the condition for angles that are left out with the comments in exact_small_error.go. The
// limit is just above or just below the bound of the remaining values.
func TestExaggeratedSkips(t *testing.T) {
	s := newSources(t, 26)
	const slack = 1e-9
	for range longtest.More(1000, 10000) {
		w := &smallWave{}
		w.s, w.t = &poisson{fresh: []float64{0, s.between(1e-6, 1)}[s.IntN(2)]}, s.between(1e-3, 1e6)
		w.variance, w.mean = s.between(1e-3, 1e6), s.between(1e-3, 1e12)
		x := s.between(1e-6, math.Pi)
		dip := 1 - math.Cos(x)
		if x < 0.1 {
			dip = 2 * math.Pow(math.Sin(x/2), 2)
		}
		lt := w.s.fresh * w.t
		bound := math.Log1p(lt) - dip*w.variance + dip*slack*w.mean - lt*min(1, dip)
		size := math.Log1p(lt) + dip*w.variance + dip*slack*w.mean + lt*min(1, dip)
		for _, above := range []bool{true, false} {
			if w.faint = bound - 1e-10*size; above {
				w.faint = bound + 1e-10*size
			}
			if got := w.skips(x); got != above {
				t.Errorf("%+v, fresh %v, x = %v: values of e^%v are left out with the limit e^%v: %t", w, w.s.fresh, x, bound, w.faint, got)
			}
		}
	}
}
