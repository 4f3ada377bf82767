package claims

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
)

// Paper names one of the four papers.
type Paper uint8

// The papers, by the names of the command line.
const (
	Burns    Paper = iota // On Occupancy Moments and Bloom Filter Efficiency
	Fan                   // On the Evolutionary of Bloom Filter False Positives
	DozierFP              // average false-positive rates of recycling filters
	DozierFN              // false-negative rates of recycling filters
)

var paperNames = []string{"burns", "fan", "dozier-fp", "dozier-fn"}

// String returns the paper's name, as in the command line.
func (p Paper) String() string { return nameOf(paperNames, int(p)) }

// MarshalText returns the name of p.
func (p Paper) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText sets p to the paper that text names; p is unchanged when it returns a
// ParamError.
func (p *Paper) UnmarshalText(text []byte) error {
	i, err := indexOf("paper", paperNames, text)
	if err == nil {
		*p = Paper(i)
	}
	return err
}

// Verdict says whether a claim is true.
type Verdict uint8

// Verdicts: see the package comment.
const (
	Confirmed Verdict = iota
	Conditional
	Refuted
	Misprint
	Open
)

var verdictNames = []string{"confirmed", "conditional", "refuted", "misprint", "open"}

// String returns the verdict's name, as in the command line.
func (v Verdict) String() string { return nameOf(verdictNames, int(v)) }

// MarshalText returns the name of v.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("unknown(%d)", i)
}

func indexOf(param string, names []string, text []byte) (int, error) {
	i := slices.Index(names, string(text))
	if i < 0 {
		return 0, &bloomproof.ParamError{Param: param, Value: string(text), Want: "one of " + strings.Join(names, ", ")}
	}
	return i, nil
}

// Claim is one assertion of a paper.
type Claim struct {
	ID        string // paper and place: burns.eq54
	Paper     Paper
	Ref       string // the place in the paper, in words
	Statement string // as printed, in plain text
	Domain    string // where it is claimed; for a conditional claim, where it holds
	Verdict   Verdict

	Counterexample string    // for refuted, misprint and conditional
	Repair         string    // what holds instead, for refuted and misprint
	Argument       [2]string // for refuted and misprint: two lines to check by hand
	Checked        string    // how far the check goes at full effort

	check func(*run) error // nil error: the verdict, counterexample and repair are right
}

// All returns the registry in the order of the papers.
func All() []Claim {
	var all []Claim
	for _, section := range sections {
		all = append(all, section()...)
	}
	return all
}
