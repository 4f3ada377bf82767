package fnr

import (
	"fmt"
	"sync"

	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

const (
	mostMoves   = 1 << 31 // the largest number of products for following arrivals; so many take a second or two
	arrivalMove = 512     // the cost of an arrival in addition to its ranks, in products, including memory
)

// A value of the type "history" holds R(j) for all j that were requested so far. Let j messages arrive at an empty
// array, and let the next arrival be a repeat. R(j) is the probability that the message of this repeat is unrecorded.
type history struct {
	mu   sync.Mutex
	rate []float64
	g    []float64
}

// The method "rates" returns the probabilities R(0), ..., R(n-1) (see the type "history"), and perhaps further values.
// All models use the same history. The argument t is the traffic of the system.
func (c *System) rates(t *traffic, n int) ([]float64, error) {
	if err := movable(float64(n), len(t.q)); err != nil {
		return nil, err
	}
	h := &c.history
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.g == nil {
		h.g = t.nothing()
	}
	for len(h.rate) < n {
		h.rate = append(h.rate, t.arrival(h.g))
	}
	return h.rate, nil
}

// The function "movable" estimates a number of products. They are needed to follow the given number of ranks over n
// arrivals. If the number exceeds the constant mostMoves, the function returns ErrTooCostly.
func movable(n float64, ranks int) error {
	if err := fault.Part(); err != nil {
		return err
	}
	if cost := n * float64(ranks+arrivalMove); cost > mostMoves {
		return fmt.Errorf("%w: %.2g products for %.3g arrivals and %d popularities, at most 2^31", refuse.ErrTooCostly, cost, n, ranks)
	}
	return nil
}
