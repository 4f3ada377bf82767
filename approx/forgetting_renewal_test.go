package approx

import (
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
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
	const arrivals = 3000
	tau := dumbKernel(g)
	q, zeta := dumbLaws(w)
	d, pr := len(q), w.Repeat
	sigma := int(r.Sigma)
	wide := sigma
	if m == ModelRenewalExtended {
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
		frozen := 0.0 // gF
		offset := 0   // whether the trigger is among the arrivals of both courses
		if r.Phases == bloomproof.TwoPhase {
			frozen = dumbFrozenLuck(g, r, tau)
			if r.Freeze == bloomproof.FreezeAfter || r.Retain {
				offset = 1
			}
		}
		for len(hs) < 2*arrivals {
			hs = append(hs, h)
			h = step(h)
		}
		for j := range as {
			R := missing(hs[j])
			if r.Phases == bloomproof.TwoPhase {
				R = 0
				for i := range fs {
					if fs[i] > 1e-18 {
						R += fs[i] * missing(hs[i+j+offset])
					}
				}
			}
			sum += as[j]
			fn += pr * (1 - frozen) * R * cs[j]
			lucky += pr * R * (ls[j] + frozen*(as[j]-ls[j]))
			fp += ls[j] + frozen*(as[j]-ls[j])
		}
		return dumbRenewal{fn / sum, lucky / sum, fp / sum, sum}
	}
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
				case r.Freeze == bloomproof.FreezeAfter:
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
					continue // the filter can come to recycle no more: TestRenewalNever
				}
				for _, m := range []Model{ModelRenewal, ModelRenewalExtended, ModelRenewalRetaining} {
					for _, r := range []bloomproof.Recycling{
						{}, {Phases: bloomproof.TwoPhase}, {Phases: bloomproof.TwoPhase, Freeze: bloomproof.FreezeBefore},
					} {
						r.Sigma, r.Retain, r.Positions = sigma, m == ModelRenewalRetaining, bloomproof.Fresh
						if r.Validate(at.g) != nil {
							continue
						}
						if n++; n%61 != 0 {
							continue
						}
						c, err := NewForgetting(at.g, r, w)
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
