package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/kernel"
)

var cpuCommand = command{
	name:    "cpu",
	summary: "CPU features found, kernels chosen",
	about: `
Prints the architecture, for each operation the implementation that runs it on long
inputs and all that could run here, best first, the word of BLOOMPROOF_CPU (portable,
popcnt, avx2, avx512 or neon) that was obeyed, and the CPU features found.
BLOOMPROOF_CPU can only lower the choice; a word that changed nothing is reported as a
problem.`,
	example: `
  $ BLOOMPROOF_CPU=portable bloomproof cpu
  arch      amd64
  forced    portable
  kernel    AndCount     portable  of portable
  ...`,
	run: func(*call) (report, error) { return cpuReport(kernel.Host()), nil },
}

type cpuReport kernel.CPU

func (r cpuReport) print(w io.Writer) {
	forced := r.Forced
	if forced == "" {
		forced = "no"
	}
	fmt.Fprintf(w, "arch\t%s\nforced\t%s\n", r.Arch, forced)
	if r.Problem != "" {
		fmt.Fprintf(w, "problem\t%s\n", r.Problem)
	}
	for _, op := range slices.Sorted(maps.Keys(r.Kernels)) {
		fmt.Fprintf(w, "kernel\t%s\t%s\tof %s\n", op, r.Kernels[op], strings.Join(r.Impls[op], " "))
	}
	fmt.Fprintf(w, "features\t%s\n", strings.Join(r.Features, " "))
}
