// Package selftest compares every bit kernel that this host can run with the kernel's reference implementation in Go.
// The command `bloomproof selftest` does the same. The package is for programs that want to run this test on their own
// hosts. Other programs that use filters do not link this package.
//
//   - Run: the comparison, with a Report
//   - Kernels: the kernels that can be compared on this host, by operation
package selftest

import (
	"slices"

	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// Report is the result of Run. The command `bloomproof selftest -json` prints these fields and others.
type Report struct {
	Kernels  []string `json:"kernels"`  // the kernels that ran, such as "AndCount/avx2"
	Failures []string `json:"failures"` // for each kernel that was wrong: input, result, expectation
	Cases    int      `json:"cases"`    // calls compared
	Guarded  bool     `json:"guarded"`  // whether reads outside the arguments could be seen
}

// Run compares kernels with their reference implementations. It tests every kernel that this host can run and that
// BLOOMPROOF_CPU allows. It also compares the reference implementations with loops over single bits and with formulas
// for single values. It compares them with arithmetic on integers of any size, too. The seed determines the inputs. The
// inputs include all short lengths, every alignment, extreme words, extreme hashes and extreme numbers. They also
// include overlapping arguments and repeated keys. The memory around the arguments is protected against access.
//
// Cost: a few seconds on a CPU of 3 GHz; a few MiB.
func Run(seed uint64) Report {
	r := Report{Kernels: []string{}, Failures: []string{}, Guarded: asmtest.Guarded()}
	o := asmtest.Options{Seed: seed, Short: true}
	for _, row := range asmtest.Select(asmtest.Popcount(), runs(host.Popcount)...) {
		n, err := asmtest.Run(row, o)
		r.add(row.String(), n, err)
	}
	for _, row := range asmtest.Select(asmtest.Probe(), runs(host.Probe)...) {
		n, err := asmtest.RunProbe(row, o)
		r.add(row.String(), n, err)
	}
	for _, row := range asmtest.Select(asmtest.Blocks(), runs(host.Block)...) {
		n, err := asmtest.RunProbe(row, o)
		r.add(row.String(), n, err)
	}
	for _, row := range asmtest.Select(asmtest.Transition(), runs(host.Transition)...) {
		n, err := asmtest.RunTransition(row, o)
		r.add(row.String(), n, err)
	}
	for _, row := range asmtest.Select(asmtest.Hash(), runs(host.Hash)...) {
		n, err := asmtest.RunHash(row, o)
		r.add(row.String(), n, err)
	}
	return r
}

// The method "add" appends the result of one kernel's test to the report. The result has the number of cases, and the
// error if there is one.
func (r *Report) add(kernel string, cases int, err error) {
	r.Cases += cases
	r.Kernels = append(r.Kernels, kernel)
	if err != nil {
		r.Failures = append(r.Failures, err.Error())
	}
}

// Kernels returns the implementations of each operation, the best first. It lists only implementations that this host
// can run and that BLOOMPROOF_CPU allows. A variant of an operation, such as ContainsRing, is listed under its own name
// and also under the name of the operation.
func Kernels() map[string][]string {
	m := map[string][]string{}
	for _, im := range runs(host.Popcount) {
		for _, r := range asmtest.Select(asmtest.Popcount(), im) {
			m[r.Op] = append(m[r.Op], im)
		}
	}
	forms := func(f host.Family, rows []asmtest.ProbeRow) {
		for _, im := range runs(f) {
			for _, r := range asmtest.Select(rows, im) {
				m[r.Op] = append(m[r.Op], im)
				if op := r.Operation(); !slices.Contains(m[op], im) {
					m[op] = append(m[op], im)
				}
			}
		}
	}
	forms(host.Probe, asmtest.Probe())
	forms(host.Block, asmtest.Blocks())
	for _, im := range runs(host.Transition) {
		for _, r := range asmtest.Select(asmtest.Transition(), im) {
			m[r.Op] = append(m[r.Op], im)
		}
	}
	for _, im := range runs(host.Hash) {
		for _, r := range asmtest.Select(asmtest.Hash(), im) {
			m[r.Op] = append(m[r.Op], im)
		}
	}
	return m
}

// This host can run some implementations of a family of operations. The function "runs" returns the names of these
// implementations, the best first.
func runs(f host.Family) (names []string) {
	for _, im := range host.Runs(f) {
		names = append(names, im.String())
	}
	return names
}
