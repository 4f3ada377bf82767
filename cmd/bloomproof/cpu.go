package main

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/bloomproof/bloomproof/verify/selftest"
)

var cpuCommand = command{
	name:    "cpu",
	summary: "CPU features found, kernels chosen",
	about: `
Prints the architecture, for each operation the implementation that runs it on long
inputs and all that could run here, best first, the word of BLOOMPROOF_CPU (portable,
popcnt, avx2, avx512 or neon) that was obeyed, and the CPU features found.
BLOOMPROOF_CPU can only lower the choice; a word that changed nothing is reported as a
problem.

At start each kernel that may be chosen runs once on a fixed input, which takes less than
0.1 ms in all. If one does not give the known answer, Go code runs all operations of its
family, and the kernel is reported as a fault. BLOOMPROOF_CHECK=off turns the check off.`,
	example: `
  $ BLOOMPROOF_CPU=portable bloomproof cpu
  arch      amd64
  forced    portable
  check     none
  kernel    AndCount     portable  of portable
  ...`,
	run: func(*call) (report, error) { return thisHost(), nil },
}

// cpuReport describes the processor and the kernels that were chosen when the program started.
type cpuReport struct {
	Arch     string              `json:"arch"`              // the value of GOARCH
	Features []string            `json:"features"`          // sorted; the system must support them too
	Kernels  map[string]string   `json:"kernels"`           // operation -> implementation for long inputs
	Impls    map[string][]string `json:"impls"`             // operation -> implementations that run here, best first
	Forced   string              `json:"forced"`            // the value of BLOOMPROOF_CPU that took effect, or ""
	Problem  string              `json:"problem,omitempty"` // why the value of BLOOMPROOF_CPU had no effect, or ""
	Check    string              `json:"check"`             // the result of checking the kernels at start: passed, failed, off, or none to check
	Faults   []string            `json:"faults,omitempty"`  // the kernels that failed the check, and their replacements
}

func thisHost() cpuReport {
	r := cpuReport{
		Arch:     runtime.GOARCH,
		Features: host.Features(),
		Kernels:  map[string]string{},
		Impls:    selftest.Kernels(),
		Forced:   host.Forced(),
		Problem:  host.Problem(),
		Check:    host.Checked(),
		Faults:   host.Faults(),
	}
	portable := host.Portable.String()
	for op, impls := range r.Impls {
		switch {
		case host.Assembly:
			r.Kernels[op] = impls[0]
		case impls[len(impls)-1] == portable:
			r.Kernels[op] = portable
		}
	}
	return r
}

func (r cpuReport) print(w io.Writer) {
	forced := r.Forced
	if forced == "" {
		forced = "no"
	}
	fmt.Fprintf(w, "arch\t%s\nforced\t%s\n", r.Arch, forced)
	if r.Problem != "" {
		fmt.Fprintf(w, "problem\t%s\n", r.Problem)
	}
	fmt.Fprintf(w, "check\t%s\n", r.Check)
	for _, fault := range r.Faults {
		fmt.Fprintf(w, "fault\t%s\n", fault)
	}
	for _, op := range slices.Sorted(maps.Keys(r.Kernels)) {
		fmt.Fprintf(w, "kernel\t%s\t%s\tof %s\n", op, r.Kernels[op], strings.Join(r.Impls[op], " "))
	}
	fmt.Fprintf(w, "features\t%s\n", strings.Join(r.Features, " "))
}
