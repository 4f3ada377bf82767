// Package cycle computes what happens in one array between two recycles. It assumes that all arriving messages are new.
// It computes how many messages arrive, how many of them are false positives, and how many bits are set when the cycle
// ends. For bit-bounded cycles it uses a Markov chain over the number of set bits (chain.go) or closed forms
// (closed.go). For message-bounded cycles it uses the distribution of the set bits after each message (messages.go).
package cycle

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/kernel/vec"
)

// The type Numbers describes a cycle of one array. It has the mean numbers of arrivals and of false positives, and a
// bound of their errors. It also has the mean number of visits to each state. A state is a number of set bits.
type Numbers struct {
	Recorded  float64   // arrivals in a cycle, without those that a frozen array keeps out
	Arrivals  float64   // arrivals in a cycle
	Positives fm.Scaled // arrivals that find all their positions set
	Err       float64   // bounds the relative errors of Arrivals, Positives and their quotient
	Enter     Entry     // distribution of the state in which cycles begin
	Visits    []float64 // arrivals of a cycle that find b bits set; nil by the closed form
	Wide      bool      // true if Positives was computed with numbers of the type fm.Scaled
}

const (
	// ClosedEnough is a truncation error. The closed form is preferred to the chain if its truncation error is at most
	// ClosedEnough. It is 32u (u = 2^-53). The rounding errors of the closed form have a bound of about the same size.
	ClosedEnough = 0x1p-48
	// closedUseful is a truncation error. If the chain takes too long, the truncation error of the closed form may be
	// as large as this number.
	closedUseful = 1e-3
)

// These are approximate times for computing the Numbers of a cycle, in microseconds on one thread of an AMD EPYC.
const (
	ClosedCost = 20
	stateCost  = 1e-3 // for each state and position of the chain
	scaledCost = 4e-3 // the same if the flow is scaled at each state
	beyondCost = 3e-2 // the same if m is above vec.MaxM
	wideCost   = 0.2  // the same if numbers have exponents
	foundCost  = 4e-2 // for each position and number of distinct positions, with two phases and fixed positions
	sharedCost = 0.1  // for each start of a cycle and each pair of positions, if both arrays share a retained message
	beforeCost = 6e-4 // additional cost of such a pair for each position, with freeze-before
)

// ChainCost estimates how many microseconds the function Chain takes if float64 suffices for all states that matter.
func ChainCost(g bloomproof.Geometry, r bloomproof.Recycling) float64 {
	each := stateCost
	switch {
	case g.M > vec.MaxM:
		each = beyondCost
	case g.K > scaledRarely:
		each = scaledCost
	}
	cost := ClosedCost + each*float64(r.Sigma+1)*float64(g.K)
	if manyStarts(g, r) {
		cost *= float64(g.K)
	}
	return cost
}

// The function manyStarts reports whether the number of bits that are set when a cycle begins depends on how the last
// cycle ended. Then there are chains from up to k states.
func manyStarts(g bloomproof.Geometry, r bloomproof.Recycling) bool {
	return r.Retain && !r.FreshPositions && !message.Avoids(g)
}

// Spent estimates a time in microseconds. This time has two parts. The first is the time that the function Of took to
// compute n. The second is the time to compute the effect of two phases.
func (n *Numbers) Spent(g bloomproof.Geometry, r bloomproof.Recycling) float64 {
	cost := float64(ClosedCost)
	if n.Visits != nil {
		cost = ChainCost(g, r)
	}
	cost += frozenCost(g, r)
	if n.Wide {
		once := wideCost * float64(r.Sigma+1) * float64(g.K)
		if cost += once; r.TwoPhase {
			cost += once
		}
	}
	return cost
}

// The function frozenCost estimates how many microseconds it takes to compute the effect of a frozen array.
func frozenCost(g bloomproof.Geometry, r bloomproof.Recycling) float64 {
	k := float64(g.K)
	switch {
	case !r.TwoPhase:
		return 0
	case r.FreshPositions:
		return scaledCost * 2 * k * k
	}
	cost := foundCost * k * min(k, float64(g.M))
	if manyStarts(g, r) {
		each := sharedCost
		if r.FreezeBefore {
			each += beforeCost * k
		}
		cost += each * k * k * k
	}
	return cost
}

// Cost estimates how many microseconds it takes to compute the numbers of a cycle and the effect of two phases.
func Cost(g bloomproof.Geometry, r bloomproof.Recycling) float64 {
	cost := frozenCost(g, r)
	if Truncation(g, r.Sigma, r.Retain) <= ClosedEnough {
		return cost + ClosedCost
	}
	return cost + ChainCost(g, r)
}

// The function Of describes a bit-bounded cycle by a value of the type Numbers. It uses the closed form if the
// truncation error of that form is small. Otherwise it uses the chain of states. If the chain takes too long, it uses
// the closed form, provided that the truncation error is at most 1/1000.
func Of(g bloomproof.Geometry, r bloomproof.Recycling) (Numbers, error) {
	truncation := Truncation(g, r.Sigma, r.Retain)
	if truncation > ClosedEnough {
		n, err := Chain(g, r)
		if err == nil || truncation > closedUseful {
			return n, err
		}
	}
	return closedNumbers(g, r, truncation), nil
}

// ErrNoSigma is returned if the false-positive rate is above the target for every threshold sigma.
var ErrNoSigma = fmt.Errorf("every sigma has a larger rate: %w", refuse.ErrUndefined)
