package main

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
)

// The type "words" has the two permitted values of a flag. The first value means off, and the second means on.
type words [2]string

var (
	phasesWords    = words{"1", "2"}
	freezeWords    = words{"after", "before"}
	positionsWords = words{"fixed", "fresh"}
)

// The method "of" returns the word for a setting.
func (w words) of(on bool) string {
	if on {
		return w[1]
	}
	return w[0]
}

// The method "either" parses the value of a flag into dst. The value must be one of two words. If the flag was not
// given, dst is unchanged.
func (in *inputs) either(name string, w words, dst *bool) {
	if !in.has(name) {
		return
	}
	switch text := in.values[name].text; text {
	case w[0], w[1]:
		*dst = text == w[1]
	default:
		in.fail(&bloomproof.ParamError{Param: name, Value: text, Want: "one of " + w[0] + ", " + w[1]})
	}
}

// The method "increment" parses the flag -increment.
func (in *inputs) increment() bloomproof.Increment {
	literal := false
	in.either("increment", words{bloomproof.Distinct.String(), bloomproof.Literal.String()}, &literal)
	if literal {
		return bloomproof.Literal
	}
	return bloomproof.Distinct
}

// arraysOf returns the number of bit arrays of a filter with the recycling rule r.
func arraysOf(r bloomproof.Recycling) uint64 {
	if r.TwoPhase {
		return 2
	}
	return 1
}

// The method "recycling" returns the recycling rule that the flags define. If the argument "fresh" is set, the
// default of the flag -positions is "fresh". If the argument "sized" is set, the rule has no bound, because the
// command searches for the bound.
func (in *inputs) recycling(sized, fresh bool) bloomproof.Recycling {
	r := bloomproof.Recycling{FreshPositions: fresh}
	switch {
	case sized && in.has("sigma"):
		in.fail(&usageError{"sigma", "must be absent when -target is given"})
	case sized && in.has("messages"):
		in.fail(&usageError{"messages", "must be absent when -target is given"})
	case sized:
	case in.has("messages") && in.has("sigma"):
		in.fail(&usageError{"messages", "must be absent when -sigma is given"})
	case !in.has("messages") && !in.has("sigma"):
		in.fail(&usageError{"sigma", "must be given, or -messages or -target instead"})
	}
	r.Sigma = in.number("sigma", 0, 1<<64-1, 0)
	r.Messages = in.number("messages", 1, 1<<64-1, 0)
	r.Retain = in.boolean("retain", false)
	r.NoCopyOver = !in.boolean("copy", true)
	in.either("phases", phasesWords, &r.TwoPhase)
	in.either("freeze", freezeWords, &r.FreezeBefore)
	in.either("positions", positionsWords, &r.FreshPositions)
	return r
}

// ruleInForce describes a recycling rule in a report.
type ruleInForce struct {
	Sigma     *count `json:"sigma,omitempty"`
	Messages  *count `json:"messages,omitempty"`
	Retain    bool   `json:"retain"`
	Phases    int    `json:"phases"`
	Copy      bool   `json:"copy"`
	Freeze    string `json:"freeze"`
	Positions string `json:"positions"`
}

func inForce(r bloomproof.Recycling) ruleInForce {
	rule := ruleInForce{
		Retain: r.Retain, Phases: int(arraysOf(r)), Copy: !r.NoCopyOver,
		Freeze: freezeWords.of(r.FreezeBefore), Positions: positionsWords.of(r.FreshPositions),
	}
	bound := count(r.Sigma + r.Messages) // one of the two is 0
	if r.Messages > 0 {
		rule.Messages = &bound
	} else {
		rule.Sigma = &bound
	}
	return rule
}

// The method "text" describes the rule in words. With one phase it leaves out the settings for two phases.
func (r ruleInForce) text() string {
	bound, limit := "sigma", r.Sigma
	if r.Messages != nil {
		bound, limit = "messages", r.Messages
	}
	text := fmt.Sprintf("%s=%d retain=%t phases=%d", bound, *limit, r.Retain, r.Phases)
	if r.Phases == 2 {
		text += fmt.Sprintf(" copy=%t freeze=%s", r.Copy, r.Freeze)
	}
	return text + fmt.Sprintf(" positions=%s", r.Positions)
}
