package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// The type measured holds all measurements by their names. A name has the form operation/size/keys/implementation. Most
// measurements are medians of times in nanoseconds.
type measured struct {
	settings
	ns    map[string]float64
	cpp   *program          // the C++ peers, or nil
	noCPP string            // why there are no C++ peers
	share map[string]string // the share of the memory in huge pages, by size and implementation
	rated []rated           // the rated filters in the order of the table
	start time.Time
}

func newMeasured(s settings) *measured {
	return &measured{settings: s, ns: map[string]float64{}, share: map[string]string{}, start: time.Now()}
}

// progress prints a message with the time on standard error.
func (m *measured) progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%6.0f s  %s\n", time.Since(m.start).Seconds(), fmt.Sprintf(format, args...))
}

func key(parts ...string) string { return strings.Join(parts, "/") }

// task is one measurement. The function f does the work that is measured, and returns the nanoseconds per unit of this
// work.
type task struct {
	key string
	f   func() float64
}

// inTurn runs every task once per round and stores the medians. Successive rounds have opposite orders.
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

// timed returns the nanoseconds that f takes per unit of work.
func timed(units int, f func()) float64 {
	start := now()
	f()
	return float64((now() - start).Nanoseconds()) / float64(units)
}
