package approx

import (
	"fmt"
	"sync"
)

const (
	mostMoves    = 1 << 33 // ranks times arrivals that are followed: some ten seconds
	mostArrivals = 1 << 25 // whose R is listed: 256 MiB
)

// A history is R(j), the probability that a repeat arrival finds its message unrecorded j
// arrivals after an array was empty, for as many j as have been asked for.
type history struct {
	mu   sync.Mutex
	rate []float64
	g    []float64
}

// rates returns R(0), ..., R(n-1), and perhaps more, which the models share.
func (c *Forgetting) rates(n int) ([]float64, error) {
	t, err := c.traffic()
	if err != nil {
		return nil, err
	}
	if err := movable(n, len(t.q)); err != nil {
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

// movable refuses to follow too many ranks over too many arrivals.
func movable(n, ranks int) error {
	if n > mostArrivals || float64(n)*float64(ranks) > mostMoves {
		return fmt.Errorf("%w: %d arrivals among D = %d messages, at most 2^25 and 2^33 together", ErrTooCostly, n, ranks)
	}
	return nil
}
