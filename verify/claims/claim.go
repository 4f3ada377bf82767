package claims

import "sync"

// Verdict says whether a claim is true. The command line uses the same words.
type Verdict string

// The package comment says what each verdict means.
const (
	Confirmed   Verdict = "confirmed"
	Conditional Verdict = "conditional"
	Refuted     Verdict = "refuted"
	Misprint    Verdict = "misprint"
	Open        Verdict = "open"
)

// Claim is one assertion of a paper.
type Claim struct {
	ID        string // the paper and the place in it: burns.eq54
	Paper     string // burns, fan, dozier-fp or dozier-fn
	Ref       string // the place in the paper, in words
	Statement string // the claim as printed, in plain text
	Domain    string // where it is claimed if the claim is false, and otherwise where it holds
	Verdict   Verdict

	Counterexample string    // the counterexample, for refuted, misprint and conditional
	Repair         string    // what holds instead, for refuted and misprint
	Argument       [2]string // for refuted and misprint: two lines to check by hand
	Checked        string    // how far the check goes at full effort
	Theorem        string    // name and file of the theorem that Coq checks for it, or for the repaired statement; empty if there is none

	parts func() []part
}

// All returns the registry in the order of the papers.
func All() []Claim { return append([]Claim(nil), registry()...) }

var registry = sync.OnceValue(func() (all []Claim) {
	for _, section := range sections {
		for _, c := range section {
			all = append(all, c.entry())
		}
	}
	return all
})
