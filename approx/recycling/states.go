package recycling

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// State returns pi_b, a long-run fraction of the arrivals. These arrivals find b bits set in the active array.
//
// Source: Dozier-FP, equation (15), or equation (16) for a filter that retains the triggering message.
// Domain: 0 <= b <= sigma; any b for a message-bounded filter.
// Error: relative, at most 2^-46. If b is too small for the closed formulas, it is at most (22k+20)u (b+1) plus the
// error of Capacity, with u = 2^-53. Suppose that a filter with standard hashing and fixed positions retains the
// triggering message. Suppose that, on average, fewer than 2^-16 arrivals of a cycle find a certain state. The error
// for this state is then at most 4(k+1) (22k+20)u (sigma+1). If pi_b is below 2^-900, the result may be 0. For chains
// of up to some thousand states the tests measure an error of 1e-13. Longer chains have larger errors: 2e-12 was
// measured for 1.3e6 states. A message-bounded filter has an additional absolute error of 2^-64. The reason is that
// small probabilities are cut off. They are at the two ends of a distribution, that of the number of set bits.
// Cost: none if New used the chain; otherwise at most the cost of a chain of b states (see New). For k = 2 and m above
// 2^53, a chain of 25 million states takes about two seconds and 200 MB. A filter with standard hashing may retain the
// triggering message. Suppose that on average fewer than 2^-16 arrivals of a cycle of such a filter find b bits set.
// Then a call takes k^3 more steps and computes further chains. With fresh positions it computes one further chain of b
// states. With fixed positions it computes further chains of sigma states. Their number is at most k, and usually two
// or three.
// Errors: *bloomproof.ParamError; ErrTooCostly.
func (c *Cycle) State(b uint64) (float64, error) {
	if c.r.Messages == 0 && b > c.r.Sigma {
		return 0, &bloomproof.ParamError{Param: "b", Value: b, Want: fmt.Sprintf("at most sigma = %d", c.r.Sigma)}
	}
	var v float64
	switch {
	case c.n.Visits == nil:
		var err error
		if v, err = c.visitsAt(b); err != nil {
			return 0, err
		}
	case b < uint64(len(c.n.Visits)):
		v = c.n.Visits[b]
	}
	if c.r.Retain && c.r.Messages == 0 && 0 < b && v < cycle.RareVisits && !message.Avoids(c.g) {
		all, err := c.entry().Rare(c.g, c.r, c.n.Visits, b)
		if err != nil {
			return 0, err
		}
		v = all[b]
	}
	return v / c.n.Recorded, nil
}

// The method "entry" returns the distribution of the state in which a cycle begins if the filter retains the triggering
// message.
func (c *Cycle) entry() cycle.Entry {
	if c.n.Visits != nil {
		return c.n.Enter
	}
	return cycle.NewClosedForm(c.g).Entry(c.r.FreshPositions)
}

// visitsAt returns the mean number of arrivals of a cycle that find b bits set. It is used if New did not compute the
// chain up to sigma. If b is large, it uses only V_0(b). Each pole r contributes V_r(b). For large b and r > 0, these
// contributions are small. The comment of internal/cycle.Truncation derives the bound
//
//	|V_r/V_0| <= 1.2 e^(k^3/(30m)) e^(-h_r (b-k)^2/(2m)).
func (c *Cycle) visitsAt(b uint64) (float64, error) {
	e := cycle.Entry{First: 0, Law: []float64{1}}
	if c.r.Retain {
		e = c.entry()
	}
	if b < e.First {
		return 0, nil
	}
	if cycle.Poles(c.g, b) <= cycle.ClosedEnough {
		return cycle.NewClosedForm(c.g).Scale.Quo(fm.Whole(c.g.M - b)).Hi, nil
	}
	last := max(b, e.First+uint64(len(e.Law))-1)
	v, err := e.Visits(c.g, last)
	if err != nil {
		return 0, err
	}
	return v[b], nil
}

// MessagesFrom returns E[N_b]. Suppose that b bits are set at some time in a cycle. E[N_b] is then the expected number
// of further arrivals in this cycle. This number includes the arrival that ends the cycle. With two phases it is the
// mean over the random contents of the frozen array. It is 0 for b > sigma, and at least 1 for other b.
//
// Source: Dozier-FP, equation (23) with E[N_b] = 0 for b > sigma.
// Domain: b <= m; the bit-bounded rule.
// Error: relative, at most 2^-46. For b near sigma, MessagesFrom uses a recursion from sigma down to b. The error is
// then at most (8k+12)u (sigma-b+1), with u = 2^-53.
// Cost: k steps for each state from sigma down to b. Let B = m/(b (1-cos(2 pi/k))). If there are more than about 72 B
// of these states, a closed formula is used instead.
// Errors: *bloomproof.ParamError; ErrTooCostly.
func (c *Cycle) MessagesFrom(b uint64) (float64, error) {
	m, sigma := c.g.M, c.r.Sigma
	switch {
	case c.r.Messages > 0:
		return 0, &bloomproof.ParamError{Param: "messages", Value: c.r.Messages, Want: "0 (the bit-bounded rule)"}
	case b > m:
		return 0, &bloomproof.ParamError{Param: "b", Value: b, Want: fmt.Sprintf("at most m = %d", m)}
	case b > sigma:
		return 0, nil
	}
	if polesFrom(c.g, b, sigma) <= cycle.ClosedEnough {
		f := cycle.NewClosedForm(c.g)
		return max(1, f.Scale.Mul(fm.Harmonic(m-sigma, m-b)).AddFloat(f.Offset).Hi*c.n.Arrivals/c.n.Recorded), nil
	}
	if err := cycle.CheckChain(c.g, sigma-b, 1); err != nil {
		return 0, err
	}
	return max(1, messagesDown(c.g, b, sigma)*c.n.Arrivals/c.n.Recorded), nil
}

// The poles r > 0 contribute a part of E[N_b] (see internal/cycle.Truncation). polesFrom returns a bound of this part,
// divided by E[N_b]. Each r contributes |c_r/l_r| times a product. It is the product of the factors of P_r from state b
// to state sigma. The bound is the sum of these contributions. No division by E[N_b] is needed, because E[N_b] is at
// least 1.
func polesFrom(g bloomproof.Geometry, b, sigma uint64) float64 {
	k, m := float64(g.K), float64(g.M)
	switch {
	case g.K == 1:
		return 0
	case m < 2*k*k || sigma < 2*uint64(g.K):
		return fm.Inf()
	}
	// Let S be the sum of x_t/a over t from max(b,k) to sigma (see cycle.Truncation for x_t and a). The variable "fill"
	// is a lower bound of S.
	low, high := max(float64(b), k), float64(sigma)
	fill := max(0, high-low) * (low - k + (high-low)/2) / m
	sum := 0.0
	for r := 1.0; r <= k/2; r++ {
		_, cos := fm.SincosAny(fm.TwoPi * r / k)
		sum += fm.Exp(-(1-cos)*fill) / r
	}
	return 2. / 3 * message.PoleFactor(g.M, g.K) * sum
}

// messagesDown returns E[N_b]. It uses a recursion from sigma down to b. The recursion goes through the positions of a
// message one by one. Suppose that i positions of the current message have been processed, and that b bits are set. Let
// u_i(b) be the expected number of arrivals after this message. Let p be the probability that the next position is a
// set bit. Then q = 1-p is the probability that it is a clear bit. Two equations hold:
//
//	u_i(b) = p*u_(i+1)(b) + q*u_(i+1)(b+1),
//	u_k(b) = E[N_b] = 1 + u_0(b).
func messagesDown(g bloomproof.Geometry, b, sigma uint64) float64 {
	above := make([]float64, g.K+1) // u_i of the next higher state
	sum := make([]float64, g.K+1)   // u_i of this state, without the paths that return to it
	set := make([]float64, g.K)
	for at := sigma; ; at-- {
		free, stay, leave := float64(g.M-at), 1.0, 0.0
		for i := range set {
			t := uint64(message.Taken(g, i))
			left := float64(g.M - t)
			set[i] = 0 // for at < t, which is impossible
			if at > t {
				set[i] = float64(at-t) / left
			}
			leave += stay * (free / left)
			stay *= set[i]
		}
		for i := g.K - 1; i >= 0; i-- {
			sum[i] = set[i]*sum[i+1] + free/float64(g.M-uint64(message.Taken(g, i)))*above[i+1]
		}
		n := (1 + sum[0]) / leave
		if at == b {
			return n
		}
		back := n // the contribution of the paths that return from position i on
		above[g.K] = n
		for i := g.K - 1; i >= 0; i-- {
			back *= set[i]
			above[i] = sum[i] + back
		}
	}
}
