package fnr

import "github.com/bloomproof/bloomproof/approx/internal/fm"

// An integrals value holds integrals over the arrivals 0 to n of a cycle. In the comments of the fields, the word
// before stands for the argument of the method integrals: the number of arrivals in the cycle of the array that is now
// frozen.
type integrals struct {
	squares float64 // the sum of (m')^2
	all     float64 // the sum of g(m) m', where g is match
	times   float64 // the sum of g(m)
	lucky   float64 // the sum of g(m) S'(n+before)
	few     float64 // the sum of g(m) S'(n+before)/m
}

const (
	// The range of n is divided into panels, that is intervals with 8 nodes of integration each. Let g(n) be the
	// probability that a new message finds its k positions set: the k-th power of a function that grows at most in
	// proportion to n. Within a panel g may grow by at most the factor e^panelGrowth. The relative error of the
	// integral is then 1e-10.
	panelGrowth = 6
	// The integrals of g(n), which the comment of panelGrowth defines, leave out the small n at which g(n) is below
	// faintHits times its largest value.
	faintHits = 0x1p-50
	// After smoothSteps arrivals, one value of g for each arrival suffices for sums over a listed curve, because at the
	// n-th arrival g changes by a relative k/n only.
	smoothSteps = 1 << 12
)

// panelRatio returns the lower end of a panel divided by its upper end.
func (c *large) panelRatio() float64 { return fm.Exp(-min(fm.Ln2, panelGrowth/float64(c.g.K))) }

// The method integrals uses Gauss's rule with 8 nodes in each panel. The length of a panel is proportional to its upper
// end, because all functions are smooth as functions of ln n. The ratio of its ends is such that g grows by at most
// e^panelGrowth.
func (c *large) integrals(m curve, n, before float64) integrals {
	fresh := 1 - c.w.Repeat
	var x integrals
	panels := func(ratio float64, do func(at, weight float64) (more bool)) {
		for high := n; high > 1; high *= ratio {
			low := high * ratio
			if high*ratio < 1 {
				low = 0
			}
			more := true
			for i, g := range gaussNodes {
				more = do(low+(high-low)*g, (high-low)*gaussWeights[i])
			}
			if !more {
				return
			}
		}
	}
	panels(0.5, func(at, weight float64) bool {
		_, rate, _ := m.stale(at)
		x.squares += weight * (fresh + rate) * (fresh + rate)
		return true
	})
	if s, ok := m.(*listed); ok {
		c.sums(&x, s, n, before)
		return x
	}
	top := 0.0
	panels(c.panelRatio(), func(at, weight float64) bool {
		sum, rate, _ := m.stale(at)
		g := c.match(fresh*at + sum)
		top = max(top, g)
		x.all += weight * g * (fresh + rate)
		x.times += weight * g
		if before > 0 {
			_, rate, _ = m.stale(at + before)
		}
		x.lucky += weight * g * rate
		x.few += weight * g * rate / (fresh*at + sum)
		return g > faintHits*top
	})
	return x
}

// The method sums computes the integrals of g for a listed curve, step by step.
func (c *large) sums(x *integrals, s *listed, n, before float64) {
	fresh := 1 - c.w.Repeat
	nodes, weights := gaussNodes[:], gaussWeights[:]
	if n > smoothSteps {
		nodes, weights = []float64{0.5}, []float64{1}
	}
	for low := 0.0; low < n; low++ {
		length := min(1, n-low)
		_, rate, _ := s.stale(low)
		for i, at := range nodes {
			at, weight := low+length*at, length*weights[i]
			sum, _, _ := s.stale(at)
			g := c.match(fresh*at + sum)
			x.all += weight * g * (fresh + rate)
			x.times += weight * g
			later := rate
			if before > 0 {
				_, later, _ = s.stale(at + before)
			}
			x.lucky += weight * g * later
			x.few += weight * g * later / (fresh*at + sum)
		}
	}
}

// These are the nodes and weights of Gauss's rule with 8 nodes on the interval [0,1].
var (
	gaussNodes = [8]float64{
		0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751,
		0.5917173212478249, 0.7627662049581645, 0.8983332387068134, 0.9801449282487681,
	}
	gaussWeights = [8]float64{
		0.05061426814518813, 0.11119051722668724, 0.15685332293894363, 0.1813418916891810,
		0.1813418916891810, 0.15685332293894363, 0.11119051722668724, 0.05061426814518813,
	}
)
