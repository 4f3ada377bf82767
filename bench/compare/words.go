package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/bloomproof/bloomproof/bench"
)

// The method words measures the functions that count ones. It records the times per byte that is read.
func (m *measured) words() error {
	most := bench.WordsSizes[len(bench.WordsSizes)-1].Words
	a, b := make([]uint64, most), make([]uint64, most)
	for _, words := range [][]uint64{a, b} {
		bench.Advise([][]uint64{words}, m.huge)
		bench.Half(words)
	}
	m.cpp.words(8*most, m.huge)
	for _, s := range bench.WordsSizes {
		var tasks []task
		repeat := max(1, 1<<18/s.Words)
		if s.Words <= 1<<12 {
			repeat *= 8
		}
		add := func(op, name string, bytes int, f func() int) {
			tasks = append(tasks, task{key(op, s.Name, name), func() float64 {
				n := 0
				ns := timed(repeat*bytes, func() {
					for range repeat {
						n += f()
					}
				})
				runtime.KeepAlive(n)
				return ns
			}})
		}
		for _, p := range bench.WordsPeers() {
			add("count", p.Name, 8*s.Words, p.Count(a[:s.Words]))
			if p.AndCount != nil {
				add("and-count", p.Name, 16*s.Words, p.AndCount(a[:s.Words], b[:s.Words]))
			}
		}
		if m.cpp.has(libpopcnt) {
			tasks = append(tasks, task{key("count", s.Name, libpopcnt), func() float64 {
				ns, _ := m.cpp.count(8*s.Words, repeat)
				return ns
			}})
		}
		m.inTurn(tasks)
	}
	m.cpp.words(0, m.huge)
	if m.cpp != nil {
		return m.cpp.err
	}
	return nil
}

func (m *measured) printWords(w io.Writer) {
	for _, op := range []struct{ name, title string }{
		{"count", "Ones of a slice"}, {"and-count", "Ones of a & b, both counted as read"},
	} {
		fmt.Fprintf(w, "\n### %s: GB/s\n\n| |", op.title)
		var names []string
		for _, p := range bench.WordsPeers() {
			if op.name == "count" || p.AndCount != nil {
				names = append(names, p.Name)
			}
		}
		if op.name == "count" && m.cpp.has(libpopcnt) {
			names = append(names, libpopcnt)
		}
		for _, n := range names {
			fmt.Fprintf(w, " %s |", n)
		}
		fmt.Fprint(w, "\n| --- |")
		for range names {
			fmt.Fprint(w, " ---: |")
		}
		for _, s := range bench.WordsSizes {
			fmt.Fprintf(w, "\n| %s |", s.Name)
			for _, n := range names {
				fmt.Fprintf(w, " %.1f |", 1/m.ns[key(op.name, s.Name, n)])
			}
		}
		fmt.Fprintln(w)
	}
}
