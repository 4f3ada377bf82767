// Command explored is a program that contains a rewritten package kernel. The command verify/proof/interleave builds
// and runs it. The program explores its cases and prints a line for each. If it was built with the original package
// kernel, it refuses to run.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/bloomproof/bloomproof/internal/interleave"
)

// A subject is a program that is explored.
type subject struct {
	name    string
	long    bool // true if the program is too large for the short form
	options interleave.Options
	program func() interleave.Program
}

func main() {
	long := flag.Bool("long", false, "explore the large cases too")
	only := flag.String("only", "", "explore the cases whose names contain `TEXT`")
	most := flag.Int("most", 0, "stop each case after `N` schedules, and say so; 0 for never")
	wrong := flag.String("wrong", "", "explore wrong variants: those of the command, of `LIST`: description=case|..., and those of the tests")
	flag.Parse()
	if !rewritten() {
		fmt.Fprintln(os.Stderr, "explored: package kernel is not rewritten; use go run ./verify/proof/interleave")
		os.Exit(2)
	}
	runtime.GOMAXPROCS(1) // one goroutine runs at a time; between processors, to pass the turn on takes twice as long
	ok := true
	if *wrong == "" {
		ok = sound(*long, *only, *most)
	} else {
		ok = unsound(strings.Split(*wrong, "|"))
	}
	if !ok {
		os.Exit(1)
	}
}

// The function "sound" explores the cases with the shipped code. It returns true if all cases passed and were explored
// completely.
func sound(long bool, only string, most int) bool {
	fmt.Printf("%-58s %3s %9s %9s %11s %7s %8s\n", "case", "gor", "schedules", "given up", "operations", "longest", "seconds")
	ok := true
	var all interleave.Report
	count, start := 0, time.Now()
	for _, s := range append(filterSubjects(), recyclingSubjects()...) {
		if s.long && !long || !strings.Contains(s.name, only) {
			continue
		}
		began := time.Now()
		s.options.Most = most
		r := interleave.Explore(s.options, s.program)
		line(s.name, fmt.Sprint(len(s.program().Goroutines)), r, time.Since(began))
		if r.Err != nil {
			ok = false
			fmt.Printf("    %v\n    after %s\n", r.Err, r.Trace)
		}
		if r.Cut {
			ok = false
			fmt.Println("    not everything was explored")
		}
		count++
		all.Schedules += r.Schedules
		all.Pruned += r.Pruned
		all.Steps += r.Steps
		all.Longest = max(all.Longest, r.Longest)
	}
	line(fmt.Sprintf("all %d cases", count), "", all, time.Since(start))
	return ok && count > 0
}

func line(name, goroutines string, r interleave.Report, d time.Duration) {
	fmt.Printf("%-58s %3s %9d %9d %11d %7d %8.2f\n", name, goroutines, r.Schedules, r.Pruned, r.Steps, r.Longest, d.Seconds())
}

// The argument "what" has the names of wrong variants of package kernel. The function "unsound" explores these
// variants. The tests have filters with faults. The function explores these filters too. It reports whether the
// exploration found all these faults.
func unsound(what []string) bool {
	ok := true
	tell := func(what string, subjects []subject) {
		schedules := 0
		for _, s := range subjects {
			r := interleave.Explore(s.options, s.program)
			schedules += r.Schedules + r.Pruned
			if r.Err != nil {
				fmt.Printf("found after %6d schedules: %s\n    %s: %v\n", schedules, what, s.name, r.Err)
				return
			}
		}
		fmt.Printf("NOT FOUND in %d schedules: %s\n", schedules, what)
		ok = false
	}
	all := append(filterSubjects(), recyclingSubjects()...)
	for i, w := range what {
		what, by, _ := strings.Cut(w, "=")
		n := slices.IndexFunc(all, func(s subject) bool { return s.name == by })
		if n < 0 {
			fmt.Printf("no case %q, which finds: %s\n", by, what)
			ok = false
			continue
		}
		interleave.Variant = i + 1
		tell(what, all[n:n+1])
	}
	interleave.Variant = 0
	for _, fault := range filterFaults {
		tell("of the tests, "+fault, brokenFilterSubjects(fault))
	}
	for _, fault := range recyclingFaults {
		tell("of the tests, "+fault, brokenRecyclingSubjects(fault))
	}
	for _, s := range append(brokenFilterSubjects(""), brokenRecyclingSubjects("")...) { // without a fault
		if r := interleave.Explore(s.options, s.program); r.Err != nil {
			fmt.Printf("without a fault, %s: %v after %s\n", s.name, r.Err, r.Trace)
			ok = false
		}
	}
	return ok && len(filterFaults) > 0 && len(recyclingFaults) > 0
}

// The command interleave writes a file with the broken filters. The function "rewritten" reports whether the program
// contains this file.
func rewritten() bool { return newBrokenFilter != nil && newBrokenRecycling != nil }
