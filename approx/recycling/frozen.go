package recycling

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// Frozen returns the probability that i bits of an array are set when its cycle ends. The last arrival of the cycle
// sets bits. If freezeBefore is true, these bits are not counted.
//
// Source: Dozier-FP, equations (24) and (25), which describe freeze-before.
// Domain: 0 <= i <= m; the bit-bounded rule.
// Error: relative, at most (12k+4)u plus the error of New (u = 2^-53). If New used the chain, the error of New is
// (22k+20)u (sigma+1). If a filter with standard hashing and fixed positions retains the triggering message, this error
// is multiplied by 4(k+1). For the closed formulas the error is 2^-47. A probability below 2^-900 may be returned as 0.
// For chains of up to some thousand states the tests measure an error of 1e-13. Longer chains have larger errors: 9e-12
// was measured for 1.6e7 states.
// Cost: 2k^2 steps beyond New. New may have used the closed formulas although their error for a single state is above
// 2^-48. Each call then also computes a chain of sigma+1 states (see New). This occurs for sigma up to about 3 k
// sqrt(m). A filter with standard hashing may retain the triggering message. Suppose that such a cycle can end from a
// state with fewer than 2^-16 visits on average. Then a call takes k^3 more steps and computes further chains. With
// fresh positions it computes one further chain. With fixed positions it computes up to k further chains, but usually
// two or three.
// Errors: *bloomproof.ParamError; ErrTooCostly if this chain takes too long. This can occur if sigma is at least 2^25
// or (sigma+1) k is above 2^32. It can also occur if a filter with standard hashing and fixed positions retains the
// triggering message. In that case (sigma+1) k^2 must be above 2^32.
func (c *Cycle) Frozen(i uint64, freezeBefore bool) (float64, error) {
	if c.r.Messages > 0 {
		return 0, &bloomproof.ParamError{Param: "messages", Value: c.r.Messages, Want: "0 (the bit-bounded rule)"}
	}
	if i > c.g.M {
		return 0, &bloomproof.ParamError{Param: "i", Value: i, Want: "at most m"}
	}
	n, err := c.edges()
	if err != nil {
		return 0, err
	}
	f := n.Frozen(c.g, c.r.Sigma, freezeBefore)
	if i < f.First || i > f.Last() {
		return 0, nil
	}
	return f.Law[i-f.First], nil
}

// The method "edges" returns the numbers of the cycle. A cycle can end only from certain states. For each of these
// states, the number of visits is accurate. New needs only sums over the states. So New may leave out the cycles that
// begin with a rare number of distinct positions. The closed form that New may use leaves out all poles except one. For
// a single state, the omitted poles can change the number of visits. Consider the sum of |V_r(b)|/V_0(b) over r >= 1
// for these states (see cycle.Poles). The number p is an upper bound of this sum. Each probability is a sum of positive
// multiples of the V(b). So it has a relative error of at most p/(1-p). If p is too large, the method "edges" computes
// the visits by the Markov chain.
//
// The number D of distinct positions of a retained message may be random. The closed form then also gives the
// distribution of D at the beginning of a cycle. With fixed positions its probabilities have relative errors of at most
// p. The absolute errors of these probabilities add up to 0. For every value of D, the visits V(b) differ from V_0(b)
// by at most p V_0(b). So these errors change V(b) by at most p^2 V_0(b). If p^2 is too large, the method "edges" also
// computes the distribution of D by the chain.
func (c *Cycle) edges() (*cycle.Numbers, error) {
	n := c.n
	own := c.r.Retain && !message.Avoids(c.g) // a cycle begins with a random number of distinct positions
	if n.Visits == nil {
		// The result of the function Poles decreases with b. So the error is largest for the first state from which the
		// cycle can end. In each of these states V_0 is at least 1/k, far above cycle.RareVisits.
		p := cycle.Poles(c.g, c.r.Sigma+1-min(c.r.Sigma+1, uint64(c.g.K)))
		if p <= cycle.ClosedEnough {
			return &n, nil
		}
		e := cycle.Entry{First: 0, Law: []float64{1}}
		if c.r.Retain {
			e = c.entry()
		}
		var err error
		if own && !c.r.FreshPositions && 2*p*p > cycle.ClosedEnough {
			n, err = cycle.Chain(c.g, c.r)
		} else {
			n.Visits, err = e.Visits(c.g, c.r.Sigma)
		}
		if err != nil {
			return nil, fmt.Errorf("the closed formulas have an error of up to %.2g for a single state, at most 2^-48: %w", p, err)
		}
		return &n, nil
	}
	if !own {
		return &n, nil
	}
	for _, v := range n.Edge(c.g, c.r.Sigma).Visits {
		if v < cycle.RareVisits {
			all, err := c.entry().Rare(c.g, c.r, n.Visits, c.r.Sigma)
			n.Visits = all
			return &n, err
		}
	}
	return &n, nil
}
