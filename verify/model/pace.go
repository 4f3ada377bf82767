package model

// A run has a pace, which says after which operations it compares the texts, rates, estimates and figures of its
// filters, and its second filter. These comparisons take most of the time. After every operation the run compares its
// result, the bits, the counts and the answers for all keys.
type pace struct {
	every, done int
}

// FiguresEvery makes a run compare the texts, rates, estimates and figures, and the second filter, only after the first
// of n operations. Without this call, a run compares them after every operation. A call with 1 before the last
// operation of a program makes sure that nothing is left out at the end.
//
// Domain: n >= 1.
func (p *pace) FiguresEvery(n int) { p.every, p.done = n, 0 }

// The method "due" counts an operation, and reports whether the figures are compared after it.
func (p *pace) due() bool {
	p.done++
	return p.every <= 1 || p.done%p.every == 1
}
