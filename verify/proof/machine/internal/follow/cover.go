package follow

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// Cover has several paths, each as an obligation whose claim is false. Such a path is a path of the kernel with the twin's
// steps that may correspond to it. At least one of them must be possible: its conditions must not contradict one another.
// Otherwise the claims about these paths say nothing.
type Cover struct {
	What  string
	Paths []Obligation
}

// The function endsOf returns covers without paths: for the return, and for each loop head.
func endsOf(heads []head) []Cover {
	out := []Cover{{What: "to the return"}}
	for _, h := range heads {
		out = append(out, Cover{What: "to " + h.name})
	}
	return out
}

// The method "possible" adds a path to two covers: the cover of its beginning, and the cover of its end if it begins
// elsewhere. The path ends at the loop head h, or at the return if h is -1.
func (e *executor) possible(x *path, h int, given []*term.Term) {
	o := Obligation{fmt.Sprintf("from %s to %#x", e.where(), x.at), slices.Clone(given), e.pool.Bool(false), false}
	from := &e.proof.Covers[len(e.proof.Covers)-1]
	from.Paths = append(from.Paths, o)
	if h < 0 || h != e.from {
		e.ends[h+1].Paths = append(e.ends[h+1].Paths, o)
	}
}
