package fnr

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// dumbKernel returns tau(i,j), the probability that a message which finds i bits set leaves
// j, (4) and (11) of Dozier-FP.
func dumbKernel(g bloomproof.Geometry) [][]float64 {
	m := int(g.M)
	tau := make([][]float64, m+1)
	for i := range tau {
		law := make([]float64, m+2)
		law[i] = 1
		for q := range g.K {
			next := make([]float64, m+2)
			for j, p := range law[:m+1] {
				if g.Hashing == bloomproof.Classic { // q of the j set bits are its own
					if p > 0 {
						next[j] += p * float64(j-q) / float64(m-q)
						next[j+1] += p * float64(m-j) / float64(m-q)
					}
				} else {
					next[j] += p * float64(j) / float64(m)
					next[j+1] += p * float64(m-j) / float64(m)
				}
			}
			law = next
		}
		tau[i] = law[:m+1]
	}
	return tau
}

// dumbRenewal is the renewal models as they are written, over bits and arrivals, in the
// printed order of the sums.
type dumbRenewal struct {
	fnr, lucky, fprPerNew, cycle float64
}

func dumbRenewalOf(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload, m Model) dumbRenewal {
	const arrivals = 1500
	tau := dumbKernel(g)
	q, zeta := dumbLaws(w)
	d, pr := len(q), w.Repeat
	sigma := int(r.Sigma)
	wide := sigma
	if m == modelRenewalExtended {
		wide = min(sigma+g.K, int(g.M))
	}
	above := func(l int) (p float64) {
		for _, x := range tau[l][sigma+1:] {
			p += x
		}
		return p
	}
	step := func(h []float64) []float64 { // (24)
		next := make([]float64, d)
		for i := range h {
			next[i] = pr * (h[i] + (1-h[i])*q[i])
			below, over := 0.0, 0.0
			for e, z := range zeta {
				if e < i {
					below += z
				} else if e > i {
					over += z
				}
			}
			next[i] += (1 - pr) * (zeta[i] + over*h[i])
			if i > 0 {
				next[i] += (1 - pr) * below * h[i-1]
			}
		}
		return next
	}
	missing := func(h []float64) (sum float64) {
		for i := range h {
			sum += q[i] * (1 - h[i])
		}
		return sum
	}
	nu := make([]float64, d)
	for {
		h := nu
		b := make([]float64, g.M+1) // l bits set, before the arrival
		b[0] = 1
		if m == ModelRenewalRetaining {
			b = append([]float64(nil), tau[0]...)
			for l := sigma + 1; l < len(b); l++ {
				b[l] = 0
			}
		}
		var hs [][]float64           // h before each arrival
		var as, cs, ls, fs []float64 // A, C without R, the same for lucky, by the end of a cycle
		next := make([]float64, d)
		for range arrivals {
			a, c, l, e := 0.0, 0.0, 0.0, 0.0
			for x, p := range b[:wide+1] {
				c += p * (1 - tau[x][x])
				if x <= sigma {
					a += p
					l += p * tau[x][x]
					e += p * above(x)
				}
			}
			R := missing(h)
			eta := 1 - pr + pr*R
			hs, as, cs, ls = append(hs, h), append(as, a), append(cs, c), append(ls, l)
			fs = append(fs, e*eta)
			for i := range d {
				next[i] += e * (pr*q[i]*(1-h[i]) + (1-pr)*zeta[i])
			}
			to := make([]float64, g.M+1)
			for x, p := range b[:wide+1] {
				to[x] += (1 - eta) * p
				for y := x; y <= wide; y++ {
					to[y] += eta * p * tau[x][y]
				}
			}
			b, h = to, step(h)
		}
		// With p_r = 1 some cycles never end: what is said is of the others.
		ended := 0.0
		for _, p := range fs {
			ended += p
		}
		for j := range fs {
			fs[j] /= ended
		}
		a0, l0 := 0.0, 0.0
		if pr == 1 {
			a0, l0 = as[arrivals-1], ls[arrivals-1]
		}
		for i := range next {
			next[i] /= ended
		}
		if m == ModelRenewalRetaining {
			change := 0.0
			for i := range nu {
				change += math.Abs(nu[i] - next[i])
			}
			nu = next
			if change > 1e-14 {
				continue
			}
		}
		sum, fn, lucky, fp := 0.0, 0.0, 0.0, 0.0
		frozen := 0.0                                         // gF
		both, alone := make([]float64, d), make([]float64, d) // in neither array; the trigger, in neither
		if r.TwoPhase {
			frozen = dumbFrozenLuck(g, r, tau)
			both, alone = dumbTriggers(hs, fs, q, zeta, pr)
			if r.Retain || !r.FreezeBefore {
				alone = make([]float64, d)
			}
		}
		complement := func(g []float64) []float64 {
			h := make([]float64, d)
			for i := range h {
				h[i] = 1 - g[i]
			}
			return h
		}
		both, alone = complement(both), complement(alone)
		for j := range as {
			R, T := missing(hs[j]), 0.0
			if r.TwoPhase {
				R, T = missing(both), missing(alone)
				both, alone = step(both), step(alone)
			}
			sum += as[j] - a0
			fn += pr * ((1-frozen)*R + T) * cs[j]
			lucky += pr * (R*(ls[j]+frozen*(as[j]-ls[j])) + T*ls[j])
			fp += ls[j] - l0 + frozen*(as[j]-a0-(ls[j]-l0))
		}
		return dumbRenewal{fn / sum, lucky / sum, fp / sum, sum}
	}
}

// dumbTriggers returns, for each rank, the probabilities that its message is not recorded
// and is not the one that ends the cycle, and that it is that one, after that arrival.
func dumbTriggers(hs [][]float64, ends, q, zeta []float64, pr float64) (both, alone []float64) {
	d := len(q)
	both, alone = make([]float64, d), make([]float64, d)
	for j, end := range ends {
		if end < 1e-18 {
			continue
		}
		chances := make([]float64, 2*d) // repeats of rank e, then new messages at it
		sum := 0.0
		for e := range d {
			chances[e] = pr * q[e] * (1 - hs[j][e])
			chances[d+e] = (1 - pr) * zeta[e]
			sum += chances[e] + chances[d+e]
		}
		for e, p := range chances {
			p *= end / sum
			for i := range d {
				switch {
				case e%d == i:
					alone[i] += p
				case e < d || i < e-d:
					both[i] += p * (1 - hs[j][i])
				default:
					both[i] += p * (1 - hs[j][i-1])
				}
			}
		}
	}
	return both, alone
}

// dumbFrozenLuck returns the probability that the array that freezes has all positions of a
// message set that is not recorded in it.
func dumbFrozenLuck(g bloomproof.Geometry, r bloomproof.Recycling, tau [][]float64) (p float64) {
	b := make([]float64, g.M+1)
	b[0] = 1
	for range 3000 {
		to := make([]float64, g.M+1)
		for l, x := range b {
			for y, z := range tau[l] {
				switch {
				case y <= int(r.Sigma):
					to[y] += x * z
				case !r.FreezeBefore:
					p += x * z * tau[y][y]
				default:
					p += x * z * tau[l][l]
				}
			}
		}
		b = to
	}
	return p
}

// TestRenewal holds the renewal models to the sums as they are written.
func TestRenewal(t *testing.T) {
	geometries := []struct {
		g bloomproof.Geometry
		s []uint64
	}{
		{bloomproof.Geometry{M: 12, K: 2}, []uint64{1, 2, 7, 10}},
		{bloomproof.Geometry{M: 9, K: 3, Hashing: bloomproof.Classic}, []uint64{0, 3, 6}},
	}
	n := 0
	for _, at := range geometries {
		for _, sigma := range at.s {
			for _, w := range smallTraffic() {
				if w.Repeat == 1 || w.Popularity.D == 1 {
					continue // the filter can come to recycle no more: TestRenewalEnds
				}
				for _, m := range []Model{ModelRenewal, modelRenewalExtended, ModelRenewalRetaining} {
					for _, r := range []bloomproof.Recycling{
						{}, {TwoPhase: true}, {TwoPhase: true, FreezeBefore: true},
					} {
						r.Sigma, r.Retain, r.FreshPositions = sigma, m == ModelRenewalRetaining, true
						if r.Validate(at.g) != nil {
							continue
						}
						if n++; n%61 != 0 || !longtest.Enabled() && n%5 != 0 {
							continue
						}
						c, err := New(at.g, r, w)
						if err != nil {
							t.Fatal(err)
						}
						f, err := c.Predict(m)
						if err != nil {
							t.Fatalf("%v %v %v %v: %v", at.g, r, w, m, err)
						}
						got := dumbRenewal{f.FNR, f.Lucky, f.FPRPerNew, f.Cycle}
						want := dumbRenewalOf(at.g, r, w, m)
						if err := got.differs(want); err != nil {
							t.Errorf("%v %v %v %v: %v", at.g, r, w, m, err)
						}
					}
				}
			}
		}
	}
}

func (x dumbRenewal) differs(y dumbRenewal) error {
	for _, p := range [][2]float64{{x.fnr, y.fnr}, {x.lucky, y.lucky}, {x.fprPerNew, y.fprPerNew}, {x.cycle, y.cycle}} {
		if math.Abs(p[0]-p[1]) > 1e-11*p[1]+1e-15 {
			return fmt.Errorf("got %v, want %v", x, y)
		}
	}
	return nil
}

// repeatsOnly is workloads without new messages, of more messages than a small filter holds.
func repeatsOnly() []bloomproof.Workload {
	weights := make([]float64, 80)
	for i := range weights {
		weights[i] = float64(1 + (100-i)/4)
	}
	var all []bloomproof.Workload
	for _, q := range []bloomproof.Popularity{
		bloomproof.Uniform(20), bloomproof.Zipf(0.5, 70), bloomproof.BiUniform(3, 0.1, 75), bloomproof.Weights(weights),
	} {
		all = append(all, bloomproof.Workload{Popularity: q, Repeat: 1})
	}
	return all
}

// TestRenewalRepeatsOnly is TestRenewal without new messages.
func TestRenewalRepeatsOnly(t *testing.T) {
	g := bloomproof.Geometry{M: 12, K: 2}
	for n, w := range repeatsOnly() {
		for i, m := range []Model{ModelRenewal, modelRenewalExtended, ModelRenewalRetaining} {
			if !longtest.Enabled() && n%3 != i {
				continue
			}
			r := bloomproof.Recycling{Sigma: 5, Retain: m == ModelRenewalRetaining, FreshPositions: true, TwoPhase: true}
			c, err := New(g, r, w)
			if err != nil {
				t.Fatal(err)
			}
			f, err := c.Predict(m)
			if err != nil {
				t.Fatalf("%v %v: %v", w, m, err)
			}
			got, want := dumbRenewal{f.FNR, f.Lucky, f.FPRPerNew, f.Cycle}, dumbRenewalOf(g, r, w, m)
			if err := got.differs(want); err != nil {
				t.Errorf("%v %v: %v", w, m, err)
			}
		}
	}
}

// TestLeaveOneOut holds the model to (34) to (37) as they are written, but for the exponent.
func TestLeaveOneOut(t *testing.T) {
	const arrivals = 500
	g := bloomproof.Geometry{M: 12, K: 2}
	r := bloomproof.Recycling{Sigma: 5, FreshPositions: true}
	tau := dumbKernel(g)
	sigma := int(r.Sigma)
	for _, w := range append(repeatsOnly(), bloomproof.Workload{Popularity: bloomproof.Uniform(1), Repeat: 1}) {
		r := r
		if w.Popularity.D == 1 {
			r.Sigma, sigma = 0, 0
		}
		q, _ := dumbLaws(w)
		fn, lucky := 0.0, 0.0
		for i := range q {
			b := make([]float64, g.M+1)
			b[0] = 1
			miss, others := 1.0, make([]float64, len(q)) // the powers of 1-q
			for m := range others {
				others[m] = 1
			}
			for range arrivals {
				eta := 0.0
				for m := range q {
					if m != i {
						x := q[m] / (1 - q[i])
						eta += others[m] * x
						others[m] *= 1 - x
					}
				}
				next := make([]float64, g.M+1)
				for l, p := range b[:sigma+1] {
					fn += miss * q[i] * p * (1 - tau[l][l])
					lucky += miss * q[i] * p * tau[l][l]
					next[l] += (1 - eta) * p
					for y := l; y <= sigma; y++ {
						next[y] += eta * p * tau[l][y]
					}
				}
				b = next
				miss *= 1 - q[i]
			}
		}
		c, err := New(g, r, w)
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.Predict(modelLeaveOneOut)
		if err != nil {
			t.Fatalf("%v: %v", w, err)
		}
		plain, err := c.Predict(ModelRenewal)
		if err != nil {
			t.Fatal(err)
		}
		got, want := dumbRenewal{f.FNR, f.Lucky, f.FPRPerNew, f.Cycle}, dumbRenewal{fn / plain.Cycle, lucky / plain.Cycle, plain.FPRPerNew, plain.Cycle}
		if err := got.differs(want); err != nil {
			t.Errorf("%v: %v", w, err)
		}
	}
}

// TestRenewalEnds are filters that come to recycle no more, or nearly so.
func TestRenewalEnds(t *testing.T) {
	g := bloomproof.Geometry{M: 1000, K: 4}
	at := func(d uint64, r bloomproof.Recycling) (Forecast, error) {
		c, err := New(g, r, bloomproof.Workload{Popularity: bloomproof.Uniform(d), Repeat: 1})
		if err != nil {
			t.Fatal(err)
		}
		return c.Predict(ModelRenewal)
	}
	// About 107 messages fit.
	r := bloomproof.Recycling{Sigma: 349, FreshPositions: true}
	for d, want := range map[uint64]string{60: "undefined", 105: "undefined", 140: "noted", 160: "noted", 400: "sound"} {
		f, err := at(d, r)
		got := "sound"
		switch {
		case errors.Is(err, bloomproof.ErrUndefined):
			got = "undefined"
		case err != nil:
			got = err.Error()
		case f.Note != "":
			got = "noted"
		}
		if got != want {
			t.Errorf("%d messages: %s (%v), want %s", d, got, f, want)
		}
	}
	if _, err := at(400, bloomproof.Recycling{Messages: 300, FreshPositions: true}); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("a filter whose bits can all be set: %v", err)
	}
}

// TestRenewalRefuses asks for too much.
func TestRenewalRefuses(t *testing.T) {
	zipf := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 0.9}
	huge := bloomproof.Workload{Popularity: bloomproof.Uniform(1 << 40), Repeat: 0.5}
	rare := bloomproof.Workload{Popularity: bloomproof.Uniform(2), Repeat: math.Nextafter(1, 0)}
	last := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 1}
	for _, x := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		w bloomproof.Workload
		m Model
	}{
		{bloomproof.Geometry{M: 1000, K: 3}, bloomproof.Recycling{Sigma: 100}, huge, modelRenewalExtended},
		{bloomproof.Geometry{M: 100, K: 3}, bloomproof.Recycling{Sigma: 50}, rare, ModelRenewal},
		{bloomproof.Geometry{M: 10000, K: 5}, bloomproof.Recycling{Sigma: 3000}, last, modelLeaveOneOut},
		{bloomproof.Geometry{M: 1 << 23, K: 7}, bloomproof.Recycling{Messages: 1 << 20}, zipf, ModelRenewal},
	} {
		if !longtest.Enabled() && x.w.Repeat > 0.99 {
			continue // about a second until that is known
		}
		x.r.FreshPositions = true
		c, err := New(x.g, x.r, x.w)
		if err != nil {
			t.Fatal(err)
		}
		if f, err := c.Predict(x.m); !errors.Is(err, bloomproof.ErrTooCostly) {
			t.Errorf("%v %v %v %v: got %v, %v", x.g, x.r, x.w, x.m, f, err)
		}
	}
	for param, x := range map[string]struct {
		r bloomproof.Recycling
		m Model
	}{
		"repeat":   {bloomproof.Recycling{Sigma: 50}, modelLeaveOneOut},
		"messages": {bloomproof.Recycling{Messages: 9}, modelRenewalExtended},
		"sigma":    {bloomproof.Recycling{Sigma: 2}, ModelRenewalRetaining},
	} {
		c, err := New(bloomproof.Geometry{M: 100, K: 3}, x.r, zipf)
		if err != nil {
			t.Fatal(err)
		}
		var bad *bloomproof.ParamError
		if _, err := c.Predict(x.m); !errors.As(err, &bad) || bad.Param != param {
			t.Errorf("%v %v: got %v, want a ParamError for %s", x.r, x.m, err, param)
		}
	}
}

// TestRenewalSettings asks models for settings that they were not made for.
func TestRenewalSettings(t *testing.T) {
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 100), Repeat: 0.9}
	for _, x := range []struct {
		r     bloomproof.Recycling
		m     Model
		valid bool
	}{
		{bloomproof.Recycling{Sigma: 50, FreshPositions: true}, ModelRenewal, true},
		{bloomproof.Recycling{Sigma: 50, FreshPositions: true}, ModelRenewalRetaining, false},
		{bloomproof.Recycling{Sigma: 50, FreshPositions: true, Retain: true}, ModelRenewalRetaining, true},
		{bloomproof.Recycling{Sigma: 50, FreshPositions: true, Retain: true}, modelRenewalExtended, false},
		{bloomproof.Recycling{Sigma: 50}, ModelRenewal, false},
		{bloomproof.Recycling{Sigma: 50, FreshPositions: true, TwoPhase: true, NoCopyOver: true}, ModelRenewal, false},
	} {
		c, err := New(bloomproof.Geometry{M: 100, K: 3}, x.r, w)
		if err != nil {
			t.Fatal(err)
		}
		if f, err := c.Predict(x.m); err != nil || f.Valid != x.valid || (f.Note == "") != x.valid {
			t.Errorf("%v %v: got %v, %v", x.r, x.m, f, err)
		}
	}
}
