package main

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
)

// recycling returns the recycling rule that the flags give, with these positions unless
// -positions says otherwise; its bound is left out when it is sized, that is, to be found.
func (in *inputs) recycling(sized bool, positions bloomproof.Positions) bloomproof.Recycling {
	r := bloomproof.Recycling{Positions: positions}
	switch {
	case sized && in.has("sigma"):
		in.fail(&usageError{"sigma", "must be absent when -target is given"})
	case sized && in.has("messages"):
		in.fail(&usageError{"messages", "must be absent when -target is given"})
	case sized:
	case in.has("messages") && in.has("sigma"):
		in.fail(&usageError{"messages", "must be absent when -sigma is given"})
	case in.has("messages"):
		r.Rule = bloomproof.MessageBounded
	case !in.has("sigma"):
		in.fail(&usageError{"sigma", "must be given, or -messages or -target instead"})
	}
	r.Sigma = in.number("sigma", 0, 1<<64-1, 0)
	r.Messages = in.number("messages", 1, 1<<64-1, 0)
	r.Retain = in.boolean("retain", false)
	r.NoCopyOver = !in.boolean("copy", true)
	in.enum("phases", &r.Phases)
	in.enum("freeze", &r.Freeze)
	in.enum("positions", &r.Positions)
	return r
}

// ruleInForce repeats a recycling rule in a report.
type ruleInForce struct {
	Sigma     *count               `json:"sigma,omitempty"`
	Messages  *count               `json:"messages,omitempty"`
	Retain    bool                 `json:"retain"`
	Phases    int                  `json:"phases"`
	Copy      bool                 `json:"copy"`
	Freeze    bloomproof.Freeze    `json:"freeze"`
	Positions bloomproof.Positions `json:"positions"`
}

func inForce(r bloomproof.Recycling) ruleInForce {
	rule := ruleInForce{
		Retain: r.Retain, Phases: int(r.Phases) + 1, Copy: !r.NoCopyOver, Freeze: r.Freeze, Positions: r.Positions,
	}
	bound := count(r.Sigma + r.Messages) // one of them is 0
	if r.Rule == bloomproof.MessageBounded {
		rule.Messages = &bound
	} else {
		rule.Sigma = &bound
	}
	return rule
}

// text describes the rule for people, without what one phase does not have.
func (r ruleInForce) text() string {
	bound, limit := "sigma", r.Sigma
	if r.Messages != nil {
		bound, limit = "messages", r.Messages
	}
	text := fmt.Sprintf("%s=%d retain=%t phases=%d", bound, *limit, r.Retain, r.Phases)
	if r.Phases == 2 {
		text += fmt.Sprintf(" copy=%t freeze=%v", r.Copy, r.Freeze)
	}
	return text + fmt.Sprintf(" positions=%v", r.Positions)
}
