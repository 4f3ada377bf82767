package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// measured holds what was measured by key: operation/size/keys/implementation, mostly medians
// of nanoseconds.
type measured struct {
	settings
	ns    map[string]float64
	cpp   *program          // the C++ peers; nil without them
	noCPP string            // why there are none
	share map[string]string // by size and implementation: the memory that is in huge pages
	rated []rated           // in the order of the table
	start time.Time
}

func newMeasured(s settings) *measured {
	return &measured{settings: s, ns: map[string]float64{}, share: map[string]string{}, start: time.Now()}
}

// progress says on standard error what is done, and when.
func (m *measured) progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%6.0f s  %s\n", time.Since(m.start).Seconds(), fmt.Sprintf(format, args...))
}

func key(parts ...string) string { return strings.Join(parts, "/") }

// task is one thing to measure: f does some work and returns its nanoseconds per unit.
type task struct {
	key string
	f   func() float64
}

// inTurn runs every task once a round, in one order and then in the other, and stores
// the medians.
func (m *measured) inTurn(tasks []task) {
	all := make([][]float64, len(tasks))
	for r := range m.rounds {
		for i := range tasks {
			if r%2 == 1 {
				i = len(tasks) - 1 - i
			}
			all[i] = append(all[i], tasks[i].f())
		}
	}
	for i, t := range tasks {
		m.ns[t.key] = median(all[i])
	}
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// timed returns the nanoseconds that f takes, by units of work.
func timed(units int, f func()) float64 {
	start := now()
	f()
	return float64((now() - start).Nanoseconds()) / float64(units)
}
