package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/interleave"
	"github.com/bloomproof/bloomproof/kernel"
)

// A case consists of the programs of its goroutines. A program is a list of operations that are separated by commas. An
// example is "add x, has x". The letters stand for keys. The function keysOf chooses them by the positions that they
// share. The operation "raise" sets a flag. The operation "await" ends the goroutine unless the flag is set. So all
// operations before "raise" happen before all operations after "await", as Go's memory model defines this.

// A step is an operation of a goroutine.
type step struct {
	do   string
	keys []int // numbers of keys: x is 0
}

func parse(program string) (all []step) {
	for _, text := range strings.Split(program, ",") {
		words := strings.Fields(text)
		s := step{do: words[0]}
		if len(words) > 1 {
			for _, letter := range words[1] {
				s.keys = append(s.keys, strings.IndexRune(letters, letter))
			}
		}
		all = append(all, s)
	}
	return all
}

const letters = "xyzw"

// keysOf returns four keys, x, y, z and w, for a filter of m bits and k positions. If k > 1, the key y shares one
// position with x. The key z shares no position with x or y. If possible, w is a key whose positions are all among
// those of x and y. If there is no such key, w shares no position with the other keys. If the filter gives each key new
// positions in each cycle, all this holds for the first cycle.
func keysOf(g bloomproof.Geometry, positions func(kernel.Hash) []uint64) (keys [len(letters)]kernel.Hash) {
	shared := func(a, b []uint64) (n int) {
		for _, p := range a {
			if slices.Contains(b, p) {
				n++
			}
		}
		return n
	}
	of := func(i int) []uint64 { return positions(keys[i]) }
	found := 0
	for id := uint64(1); found < len(keys); id++ {
		if id > 1<<22 {
			panic(fmt.Sprintf("%v has no keys for the cases", g))
		}
		h := kernel.Hash{H0: id * 0x9e3779b97f4a7c15, H1: id * 0xd1342543de82ef95}
		p := positions(h)
		want := len(p) == g.K // all distinct
		switch found {
		case 1:
			want = want && shared(p, of(0)) == min(1, g.K-1)
		case 2:
			want = want && shared(p, of(0))+shared(p, of(1)) == 0
		case 3:
			if g.K > 1 && id < 1<<18 { // there may be none, as with a position in each of two slices
				want = want && shared(p, append(slices.Clone(of(0)), of(1)...)) == g.K && h != keys[0] && shared(p, of(0)) < g.K && shared(p, of(1)) < g.K
			} else {
				want = want && shared(p, of(0))+shared(p, of(1))+shared(p, of(2)) == 0
			}
		}
		if want {
			keys[found] = h
			found++
		}
	}
	return keys
}

// An entry records what an operation returned. An operation on a batch of keys has one entry for each key.
type entry struct {
	goroutine int
	do        string
	key       int
	yes       bool   // what Add, Contains or the flag returned
	n         uint64 // what Bits returned
	words     string // the words of a copy
	saw       kernel.Observation
	state     kernel.CycleState
}

// A journal has the entries that the goroutines recorded in one execution.
type journal struct {
	flag interleave.Bool
	logs [interleave.MaxGoroutines][]entry
}

func (j *journal) note(g int, e entry) {
	e.goroutine = g
	j.logs[g] = append(j.logs[g], e)
}

// The method "run" executes the steps of goroutine g. It calls the function "do" for each step that neither sets nor
// reads the flag.
func (j *journal) run(g int, steps []step, do func(step)) {
	for _, s := range steps {
		switch s.do {
		case "raise":
			j.flag.Store(true)
			j.note(g, entry{do: s.do})
		case "await":
			raised := j.flag.Load()
			j.note(g, entry{do: s.do, yes: raised})
			if !raised {
				return
			}
		default:
			do(s)
		}
	}
}

// A history has all entries of one execution. It also has the happens-before relation between them.
type history struct {
	entries []entry
	before  [][]bool // before[a][b]: a happens before b
}

// The method "history" returns the entries of all goroutines. The entries of goroutine 0 come first, then those of
// goroutine 1, and so on.
func (j *journal) history() history {
	var h history
	for _, log := range j.logs {
		h.entries = append(h.entries, log...)
	}
	n := len(h.entries)
	h.before = make([][]bool, n)
	for a := range h.before {
		h.before[a] = make([]bool, n)
		for b := range n {
			x, y := &h.entries[a], &h.entries[b]
			h.before[a][b] = x.goroutine == y.goroutine && a < b || x.do == "raise" && y.do == "await" && y.yes
		}
	}
	for k := range n {
		for a := range n {
			for b := range n {
				h.before[a][b] = h.before[a][b] || h.before[a][k] && h.before[k][b]
			}
		}
	}
	return h
}

// The keys of the type "verdicts" are the histories that were already judged. The value of a history is the result of
// the judge: an error or nil. Most schedules lead to the same history as an earlier schedule.
type verdicts map[string]error

func (v verdicts) of(j *journal, rest string, judge func(history) error) error {
	b := make([]byte, 0, 256)
	for _, log := range j.logs {
		for i := range log {
			e := &log[i]
			b = append(b, '|', byte(e.key), byte(e.n), byte(e.n>>8))
			for _, yes := range []bool{e.yes, e.saw.Active, e.saw.Frozen, e.saw.Recycled} {
				if yes {
					b = append(b, 1)
				} else {
					b = append(b, 0)
				}
			}
			s := &e.state
			for _, n := range []uint64{e.saw.NewBits, s.Cycle, s.Bits, s.FrozenBits, s.Messages, s.Arrivals} {
				b = append(b, byte(n))
			}
			b = append(b, e.words...)
		}
		b = append(b, '/')
	}
	b = append(b, rest...)
	if err, ok := v[string(b)]; ok {
		return err
	}
	err := judge(j.history())
	v[string(b)] = err
	return err
}

// wordString returns the bytes of the words, the lowest byte of each word first.
func wordString(words []uint64) string {
	b := make([]byte, 0, 8*len(words))
	for _, w := range words {
		for range 8 {
			b = append(b, byte(w))
			w >>= 8
		}
	}
	return string(b)
}

func hasBit(words string, p uint64) bool { return words[p/8]>>(p%8)&1 != 0 }
