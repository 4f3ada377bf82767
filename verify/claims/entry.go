package claims

import (
	"fmt"
	"slices"
	"strings"
)

// claim is an entry of the registry: what a paper says, and the parts that decide whether it is true. The parts supply
// the domain, the point of the counterexample and the examined ranges.
type claim struct {
	ID        string // the paper and the place in it: burns.eq54
	Ref       string // the place in the paper, in words
	Statement string // the claim as printed, in plain text
	Verdict   Verdict

	Counterexample string    // what happens at the counterexample's point
	Repair         string    // what holds instead, for refuted and misprint
	Argument       [2]string // for refuted and misprint: two lines to check by hand
	How            string    // how the check finds the verdict

	parts func() []part
}

// entry returns the claim in the form of the exported type Claim.
func (c claim) entry() Claim {
	parts := c.parts()
	paper, _, _ := strings.Cut(c.ID, ".")
	return Claim{
		ID: c.ID, Paper: paper, Ref: c.Ref, Statement: c.Statement, Verdict: c.Verdict,
		Domain: c.domain(parts), Counterexample: c.counterexample(parts), Repair: c.Repair, Argument: c.Argument,
		Checked: c.checked(parts), Theorem: theorems[c.ID], parts: c.parts,
	}
}

// domain returns where the claim is made if the claim is false, and where it holds otherwise.
func (c claim) domain(parts []part) string {
	var out []string
	add := func(text string) {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if c.Verdict == Refuted || c.Verdict == Misprint {
		for _, t := range parts {
			if t.kind == smallest || t.kind == breaking {
				return t.domain.text()
			}
		}
	}
	for _, t := range parts {
		if t.kind == holding && t.about == "" {
			text := t.domain.text()
			if t.proof != nil {
				text += " (proven: " + t.proof.words + ")"
			}
			add(text)
		}
	}
	if out == nil {
		for _, t := range parts {
			if t.kind == example {
				add(t.about)
			}
		}
	}
	return strings.Join(out, "; ")
}

// counterexample returns the point of the first part that breaks, and what happens there.
func (c claim) counterexample(parts []part) string {
	if c.Verdict == Confirmed || c.Verdict == Open {
		return ""
	}
	for _, t := range parts {
		if t.kind != smallest && t.kind != breaking || t.domain == nil {
			continue
		}
		at := t.domain.points().at(t.at)
		if c.Counterexample == "" {
			return at
		}
		return at + ": " + c.Counterexample
	}
	return c.Counterexample
}

// checked returns how far the checks of the parts go at full effort.
func (c claim) checked(parts []part) string {
	var out []string
	add := func(text string) {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	add(c.How)
	for _, t := range parts {
		visited, attacked := t.domain.reach()
		visited = prefixed("all ", visited)
		about := ""
		if t.about != "" {
			about = t.about + ": "
		}
		switch t.kind {
		case example:
			add(t.about)
		case breaking, smallest:
			if t.about != "" {
				add(about + "it breaks at " + t.domain.points().at(t.at))
			}
		}
		switch t.kind {
		case smallest:
			if t.about == "" {
				add("the counterexample is the first" + prefixed(" of ", visited))
			}
		case holding:
			text := visited
			if attacked != "" && t.tries[effortFull] > 0 {
				text += prefixed(fmt.Sprintf("; %d points of ", t.tries[effortFull]), attacked)
			}
			add(strings.TrimSuffix(about+text, ": "))
		}
	}
	return strings.Join(out, "; ")
}

func prefixed(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}
