package fnr

import (
	"fmt"
	"sync"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// A value of the type "loads" caches computed loads, because a load takes seconds if k and sigma are large.
type loads struct {
	mu  sync.Mutex
	all map[loadKey]load
}

// A loadKey holds some fields of the type "large". Loads of the same System can differ only in these fields.
type loadKey struct {
	sigma    uint64
	twoPhase bool
}

// A load describes how many messages fit into an array. It does not depend on the workload.
type load struct {
	messages float64 // c: messages in a cycle of new messages, including the message that ends it
	lucky    float64 // the number of these messages that set no bit
	unlucky  float64 // the number of the other messages
	spread   float64 // Var I
	frozen   float64 // two phases: the probability that a frozen array matches by chance
	err      float64 // a bound of the relative errors of messages, lucky and unlucky
}

// The method "load" returns the load of the filter, which is computed once.
func (c *large) load() (load, error) {
	s, key := &c.shared.loads, loadKey{c.r.Sigma, c.r.TwoPhase}
	s.mu.Lock()
	defer s.mu.Unlock()
	if x, ok := s.all[key]; ok {
		return x, nil
	}
	x, err := c.newLoad()
	if err == nil {
		if s.all == nil {
			s.all = map[loadKey]load{}
		}
		s.all[key] = x
	}
	return x, err
}

// newLoad computes a load. Let I be the number of messages that fit into an array. The variance Var I is a quotient.
// The numerator is the variance of the number of bits that c messages set. Here c is the mean number of messages in a
// cycle. The denominator is the square of the number of bits that one more message adds. If the filter is
// message-bounded, Var I is approximately equal to the mean number of messages that set no bit.
func (c *large) newLoad() (load, error) {
	one := bloomproof.Recycling{Sigma: c.r.Sigma, Messages: c.r.Messages, FreshPositions: true}
	if c.r.TwoPhase {
		one.FreezeBefore = c.r.FreezeBefore
	}
	n, f, err := oneArray(c.g, one)
	if err != nil {
		return load{}, err
	}
	x := load{messages: n.Arrivals, lucky: n.Positives.Float64()}
	x.unlucky = x.messages - x.lucky
	x.err = n.Err * max(1, x.messages/x.unlucky)
	if c.r.Messages > 0 {
		x.unlucky = float64(c.r.Messages)
		x.spread = x.lucky
	} else {
		one, two := message.Clear(c.g, 1), message.Clear(c.g, 2)
		p, pair := fm.Exp(x.messages*one), x.messages*(two-2*one)
		m := float64(c.g.M)
		variance := m*p*(1-p) + m*p*p*((m-1)*fm.Expm1(pair))
		each := m * p * one
		x.spread = max(variance/(each*each), 0)
	}
	if c.r.TwoPhase {
		if c.r.Messages == 0 {
			f = n.Frozen(c.g, c.r.Sigma, c.r.FreezeBefore)
		}
		hits, err := f.Hits(c.g, false)
		if err != nil {
			return load{}, err
		}
		x.frozen = hits.Float64()
		if !(x.frozen >= 0 && x.frozen < 1) {
			return load{}, fmt.Errorf("%w: the frozen array can hold all bits", refuse.ErrUndefined)
		}
	}
	return x, nil
}

// oneArray returns the Numbers of a cycle of one array in which all messages are new. If the filter is message-bounded,
// it also returns the distribution of the number of set bits when the array freezes.
func oneArray(g bloomproof.Geometry, r bloomproof.Recycling) (cycle.Numbers, cycle.Frozen, error) {
	if err := fault.Part(); err != nil {
		return cycle.Numbers{}, cycle.Frozen{}, err
	}
	if r.Messages == 0 {
		n, err := cycle.Of(g, r)
		return n, cycle.Frozen{}, err
	}
	if message.Fills(g, r.Messages) {
		return cycle.Numbers{}, cycle.Frozen{}, fmt.Errorf("%w: an array can hold all bits before its cycle ends", refuse.ErrUndefined)
	}
	return cycle.Messages(g, r)
}

// Suppose that an array has recorded y messages. The method "match" returns the probability that an unrecorded message
// finds all its positions set in this array. The relative error is at most 1/y.
func (c *large) match(y float64) float64 {
	return message.Power(-fm.Expm1(y*message.Clear(c.g, 1)), c.g.K)
}
