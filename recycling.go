package bloomproof

import "fmt"

// Recycling is the rule by which a filter clears itself. A bit-bounded filter clears itself when more than Sigma bits
// are set after an insertion. A message-bounded filter counts the messages of a cycle that set a bit. It clears itself
// when their number reaches Messages. The filter is message-bounded if and only if Messages is set. The zero value is
// bit-bounded with sigma 0. It has one phase and fixed positions, and does not retain the triggering message. In the
// zero value, NoCopyOver and FreezeBefore are false.
type Recycling struct {
	Sigma    uint64 // bit-bounded: the most bits that may be set without a recycle, 0 to m-1; otherwise 0
	Messages uint64 // message-bounded: at least 1; otherwise 0
	Retain   bool   // the triggering message is inserted into the cleared array

	// TwoPhase keeps an active and a frozen array. At a recycle the two arrays change roles. The array that was frozen
	// is cleared before it becomes active. A filter of one phase has a single array, which each recycle clears.
	TwoPhase     bool
	NoCopyOver   bool // two phases: a message that the frozen array matches is not recorded in the active one
	FreezeBefore bool // two phases: the array freezes as it was before the triggering message, not with its bits

	// FreshPositions draws the positions of a message anew in each cycle (Dozier-FN). So a message has independent
	// positions in the two arrays. Otherwise a message keeps its positions for the life of the filter (Dozier-FP). So
	// they are the same in both arrays.
	FreshPositions bool
}

// Validate returns a ParamError unless the rule fits a filter of geometry g. A bit-bounded rule needs Sigma < m, and
// also Sigma >= k if Retain is set. A message-bounded rule needs Sigma = 0, and also Messages >= 2 if Retain is set.
// The conditions for Retain ensure that a retained message cannot trigger another recycle at once. NoCopyOver and
// FreezeBefore require TwoPhase. If g is invalid, it returns the error of g.Validate.
func (r Recycling) Validate(g Geometry) error {
	if err := g.Validate(); err != nil {
		return err
	}
	switch {
	case r.Messages > 0 && r.Sigma != 0:
		return &ParamError{"sigma", r.Sigma, "0 for the message-bounded rule"}
	case r.Messages == 1 && r.Retain:
		return &ParamError{"messages", r.Messages, "at least 2 when retaining"}
	case r.Sigma >= g.M:
		return &ParamError{"sigma", r.Sigma, fmt.Sprintf("less than m = %d", g.M)}
	case r.Messages == 0 && r.Retain && r.Sigma < uint64(g.K):
		return &ParamError{"sigma", r.Sigma, fmt.Sprintf("at least k = %d when retaining", g.K)}
	case r.NoCopyOver && !r.TwoPhase:
		return &ParamError{"copy", false, "true with one phase"}
	case r.FreezeBefore && !r.TwoPhase:
		return &ParamError{"freeze", "before", "after with one phase"}
	}
	return nil
}

// String returns, for example, "bit-bounded sigma=500 retain=false phases=2
// copy=true freeze=after positions=fixed".
func (r Recycling) String() string {
	bound := fmt.Sprintf("bit-bounded sigma=%d", r.Sigma)
	if r.Messages > 0 {
		bound = fmt.Sprintf("message-bounded messages=%d", r.Messages)
	}
	phases, freeze, positions := 1, "after", "fixed"
	if r.TwoPhase {
		phases = 2
	}
	if r.FreezeBefore {
		freeze = "before"
	}
	if r.FreshPositions {
		positions = "fresh"
	}
	return fmt.Sprintf("%s retain=%t phases=%d copy=%t freeze=%s positions=%s",
		bound, r.Retain, phases, !r.NoCopyOver, freeze, positions)
}
