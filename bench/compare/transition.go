package main

import (
	"fmt"
	"io"

	"github.com/bloomproof/bloomproof/bench"
	"github.com/bloomproof/bloomproof/kernel/vec"
)

const plainGo = "plain Go"

// block is the number of states that one call of the recursion processes if the caller needs only sums over the states.
const block = 504

func messageName(x vec.Message) string { return fmt.Sprintf("m = %d, k = %d", x.M, x.K) }

// The method transitions measures the recursion of package vec that computes the transition probabilities of a filter,
// over all its states (numbers of set bits). The times are per state.
func (m *measured) transitions() {
	for _, x := range bench.Messages {
		states := int(x.M)
		rows, sums, w := make([]float64, states*(x.K+1)), make([]float64, x.K+1), make([]float64, block)
		for j := range w {
			w[j] = 1
		}
		all := func(f func(w []float64, first uint64)) func() float64 {
			return func() float64 {
				return timed(states, func() {
					for i := 0; i < states; i += block {
						f(w[:min(block, states-i)], uint64(i))
					}
				})
			}
		}
		name := messageName(x)
		m.inTurn([]task{
			{key("sums", name, bench.Single), all(func(w []float64, first uint64) { x.Sums(sums, w, first) })},
			{key("sums", name, plainGo), all(func(w []float64, first uint64) { bench.PlainSums(x, sums, w, first) })},
			{key("rows", name, bench.Single), func() float64 { return timed(states, func() { x.Rows(rows, 0) }) }},
			{key("rows", name, plainGo), func() float64 { return timed(states, func() { bench.PlainRows(x, rows, 0) }) }},
		})
	}
}

func transitionGoals() (all []goal) {
	for _, x := range bench.Messages {
		name := messageName(x)
		all = append(all,
			goal{"transition sums, " + name + ": over plain Go, invariants hoisted", one(key("sums", name, plainGo)), key("sums", name, bench.Single), 20},
			goal{"transition rows, " + name + ": over plain Go, invariants hoisted", one(key("rows", name, plainGo)), key("rows", name, bench.Single), 6.5})
	}
	return all
}

func (m *measured) printTransitions(w io.Writer) {
	fmt.Fprintf(w, "\n### Transition recursion: nanoseconds per state\n\n| | %s | %s |\n| --- | ---: | ---: |\n", bench.Single, plainGo)
	for _, x := range bench.Messages {
		for _, op := range []string{"sums", "rows"} {
			name := messageName(x)
			fmt.Fprintf(w, "| %s, %s | %.2f | %.1f |\n", op, name, m.ns[key(op, name, bench.Single)], m.ns[key(op, name, plainGo)])
		}
	}
}
