package bloomproof

import "fmt"

// Rule says what makes a recycling filter clear itself.
type Rule uint8

const (
	// BitBounded recycles when the number of set bits exceeds sigma after an
	// insertion.
	BitBounded Rule = iota
	// MessageBounded recycles at the N-th message of the cycle that sets a bit.
	MessageBounded
)

var ruleNames = []string{"bit-bounded", "message-bounded"}

// String returns "bit-bounded" or "message-bounded".
func (r Rule) String() string { return enumText("Rule", ruleNames, uint8(r)) }

// check returns a ParamError when r is none of the named values.
func (r Rule) check() error { return enumCheck("rule", ruleNames, uint8(r)) }

// MarshalText returns the name of r; it returns a ParamError when r has none.
func (r Rule) MarshalText() ([]byte, error) { return []byte(r.String()), r.check() }

// UnmarshalText sets r to the value that text names; r is unchanged when it
// returns a ParamError.
func (r *Rule) UnmarshalText(text []byte) error {
	v, err := enumParse("rule", ruleNames, text)
	if err == nil {
		*r = Rule(v)
	}
	return err
}

// Phases is the number of bit arrays of a recycling filter.
type Phases uint8

const (
	// OnePhase is a single array that is cleared at each recycle.
	OnePhase Phases = iota
	// TwoPhase is an active and a frozen array. At a recycle the frozen array is
	// cleared and becomes active, and the active one freezes.
	TwoPhase
)

var phasesNames = []string{"1", "2"}

// String returns "1" or "2".
func (p Phases) String() string { return enumText("Phases", phasesNames, uint8(p)) }

// check returns a ParamError when p is none of the named values.
func (p Phases) check() error { return enumCheck("phases", phasesNames, uint8(p)) }

// MarshalText returns the name of p; it returns a ParamError when p has none.
func (p Phases) MarshalText() ([]byte, error) { return []byte(p.String()), p.check() }

// UnmarshalText sets p to the value that text names; p is unchanged when it
// returns a ParamError.
func (p *Phases) UnmarshalText(text []byte) error {
	v, err := enumParse("phases", phasesNames, text)
	if err == nil {
		*p = Phases(v)
	}
	return err
}

// Freeze says whether the bits of the message that triggers a recycle stay in the
// array that freezes.
type Freeze uint8

const (
	// FreezeAfter freezes the array with the bits of the triggering message.
	FreezeAfter Freeze = iota
	// FreezeBefore freezes the array as it was before the triggering message.
	FreezeBefore
)

var freezeNames = []string{"after", "before"}

// String returns "after" or "before".
func (f Freeze) String() string { return enumText("Freeze", freezeNames, uint8(f)) }

// check returns a ParamError when f is none of the named values.
func (f Freeze) check() error { return enumCheck("freeze", freezeNames, uint8(f)) }

// MarshalText returns the name of f; it returns a ParamError when f has none.
func (f Freeze) MarshalText() ([]byte, error) { return []byte(f.String()), f.check() }

// UnmarshalText sets f to the value that text names; f is unchanged when it
// returns a ParamError.
func (f *Freeze) UnmarshalText(text []byte) error {
	v, err := enumParse("freeze", freezeNames, text)
	if err == nil {
		*f = Freeze(v)
	}
	return err
}

// Positions says whether a message keeps its positions over the cycles of a
// recycling filter.
type Positions uint8

const (
	// Fixed positions last for the life of the filter, so both arrays of a
	// two-phase filter see the same positions of a message (Dozier-FP).
	Fixed Positions = iota
	// Fresh positions are drawn anew in each cycle, so the two arrays see
	// independent positions of a message (Dozier-FN).
	Fresh
)

var positionsNames = []string{"fixed", "fresh"}

// String returns "fixed" or "fresh".
func (p Positions) String() string { return enumText("Positions", positionsNames, uint8(p)) }

// check returns a ParamError when p is none of the named values.
func (p Positions) check() error { return enumCheck("positions", positionsNames, uint8(p)) }

// MarshalText returns the name of p; it returns a ParamError when p has none.
func (p Positions) MarshalText() ([]byte, error) { return []byte(p.String()), p.check() }

// UnmarshalText sets p to the value that text names; p is unchanged when it
// returns a ParamError.
func (p *Positions) UnmarshalText(text []byte) error {
	v, err := enumParse("positions", positionsNames, text)
	if err == nil {
		*p = Positions(v)
	}
	return err
}

// Recycling is the rule by which a filter forgets. The zero value is bit-bounded
// with sigma 0, not retaining, one phase, copy-over, freeze after, fixed positions.
type Recycling struct {
	Rule       Rule
	Sigma      uint64    // BitBounded: most bits set before a recycle, 0 to m-1; otherwise 0
	Messages   uint64    // MessageBounded: the N-th bit-setting message recycles, at least 1; otherwise 0
	Retain     bool      // the triggering message is inserted into the cleared array
	Phases     Phases    // one array, or an active and a frozen one
	NoCopyOver bool      // two phases: a message that the frozen array matches is not recorded in the active one
	Freeze     Freeze    // two phases: whether the trigger's bits stay in the frozen array
	Positions  Positions // whether positions change from cycle to cycle
}

// Validate returns a ParamError unless the rule can govern a filter of geometry g:
// the enumerations are known; Sigma < m, and Sigma >= k when retaining, so that a
// retained message cannot trigger again at once; for the message-bounded rule
// Messages >= 1, and >= 2 when retaining, for the same reason; the bound of the
// other rule is 0; NoCopyOver and FreezeBefore are set only with two phases.
// It returns g's own error when g is invalid.
func (r Recycling) Validate(g Geometry) error {
	for _, err := range []error{
		g.Validate(), r.Rule.check(), r.Phases.check(), r.Freeze.check(), r.Positions.check(),
	} {
		if err != nil {
			return err
		}
	}
	switch r.Rule {
	case BitBounded:
		switch {
		case r.Messages != 0:
			return &ParamError{"messages", r.Messages, "0 for the bit-bounded rule"}
		case r.Sigma >= g.M:
			return &ParamError{"sigma", r.Sigma, fmt.Sprintf("less than m = %d", g.M)}
		case r.Retain && r.Sigma < uint64(g.K):
			return &ParamError{"sigma", r.Sigma, fmt.Sprintf("at least k = %d when retaining", g.K)}
		}
	case MessageBounded:
		switch {
		case r.Sigma != 0:
			return &ParamError{"sigma", r.Sigma, "0 for the message-bounded rule"}
		case r.Messages < 1:
			return &ParamError{"messages", r.Messages, "at least 1"}
		case r.Retain && r.Messages < 2:
			return &ParamError{"messages", r.Messages, "at least 2 when retaining"}
		}
	}
	if r.Phases == OnePhase {
		switch {
		case r.NoCopyOver:
			return &ParamError{"copy", false, "true with one phase"}
		case r.Freeze != FreezeAfter:
			return &ParamError{"freeze", r.Freeze, "after with one phase"}
		}
	}
	return nil
}

// String returns, for example, "bit-bounded sigma=500 retain=false phases=2
// copy=true freeze=after positions=fixed".
func (r Recycling) String() string {
	bound := fmt.Sprintf("sigma=%d", r.Sigma)
	if r.Rule == MessageBounded {
		bound = fmt.Sprintf("messages=%d", r.Messages)
	}
	return fmt.Sprintf("%v %s retain=%t phases=%v copy=%t freeze=%v positions=%v",
		r.Rule, bound, r.Retain, r.Phases, !r.NoCopyOver, r.Freeze, r.Positions)
}
