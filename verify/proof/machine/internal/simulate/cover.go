package simulate

import (
	"maps"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// The type "way" describes a path of the kernel together with a sequence of steps of the twin that may correspond to
// it. The field "to" has the loop head at which it ends, or -1 for the return. The field "given" has all conditions.
type way struct {
	what  string
	to    int
	given []*term.Term
}

// The function endsOf returns covers without paths: for the return, and for each loop head.
func endsOf(sec section) []symbolic.Cover {
	out := []symbolic.Cover{{What: "to the return"}}
	for _, h := range sec.heads {
		out = append(out, symbolic.Cover{What: "to " + h.name})
	}
	return out
}

// If the conditions of a path contradict one another, each claim about the path is proved, even a wrong one. Some paths
// are impossible, but not all. The method "cover" adds two kinds of covers to the proof. From each beginning, at least
// one path is possible. To each loop head, and to the return, at least one path is possible that begins elsewhere. The
// conditions are those that the solvers get with the claims.
//
// The terms that "cover" makes must not change the claims. So it is called after all claims of a beginning are made.
func (e *executor) cover() {
	lemmas, high := maps.Clone(e.lemmas), e.high
	from := symbolic.Cover{What: "from " + e.name(e.from)}
	for _, w := range e.possible {
		o := e.obligation(w.what, w.given, e.pool.Bool(false))
		from.Paths = append(from.Paths, o)
		if w.to < 0 || w.to != e.from {
			to := &e.ends[w.to+1]
			to.Paths = append(to.Paths, o)
		}
	}
	e.proof.Covers = append(e.proof.Covers, from)
	e.possible, e.lemmas, e.high = nil, lemmas, high
}
