package kernel

import (
	"runtime"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/internal/host"
)

// Impl names a family of bit kernels. The zero value, Auto, is the best one that
// this host can run. All give the same bits; they differ in speed.
type Impl = host.Impl

const (
	Auto     = host.Auto     // the best of the others that this host can run
	Portable = host.Portable // Go
	Popcnt   = host.Popcnt   // amd64: scalar POPCNT
	AVX2     = host.AVX2     // amd64: 256-bit vectors
	AVX512   = host.AVX512   // amd64: 512-bit vectors with VPOPCNTDQ
	NEON     = host.NEON     // arm64: 128-bit vectors
)

// Impls returns the implementations that this host can run for some operation and
// BLOOMPROOF_CPU allows, best first, Portable last. A filter takes any of them: each
// operation then uses it or, where this CPU lacks what that operation's kernel needs, the
// next lower one (Host lists them). Cost: a copy of at most 4 bytes.
func Impls() []Impl { return host.Impls() }

// kernels maps each operation to the implementations of it that run here, best first.
func kernels() map[string][]Impl {
	m := map[string][]Impl{}
	for _, im := range host.Runs(host.Popcount) {
		for _, r := range asmtest.Select(asmtest.Popcount(), im.String()) {
			m[r.Op] = append(m[r.Op], im)
		}
	}
	for _, im := range host.Runs(host.Probe) {
		for _, r := range asmtest.Select(asmtest.Probe(), im.String()) {
			m[r.Op] = append(m[r.Op], im)
			if op := r.Operation(); !slices.Contains(m[op], im) {
				m[op] = append(m[op], im)
			}
		}
	}
	for _, im := range host.Runs(host.Transition) {
		for _, r := range asmtest.Select(asmtest.Transition(), im.String()) {
			m[r.Op] = append(m[r.Op], im)
		}
	}
	for _, im := range host.Runs(host.Hash) {
		for _, r := range asmtest.Select(asmtest.Hash(), im.String()) {
			m[r.Op] = append(m[r.Op], im)
		}
	}
	return m
}

// resolve returns im, or the best implementation for Auto, and a ParamError when
// this host cannot run im or BLOOMPROOF_CPU forbids it.
func resolve(im Impl) (Impl, error) {
	if im == Auto {
		return host.Impls()[0], nil
	}
	if !host.Has(im) {
		return 0, &bloomproof.ParamError{Param: "impl", Value: im, Want: "auto or one of " + strings.Join(names(host.Impls()), ", ")}
	}
	return im, nil
}

func names(impls []Impl) (list []string) {
	for _, im := range impls {
		list = append(list, im.String())
	}
	return list
}

// CPU says what was found and chosen at start. Its fields are those of the command
// `bloomproof cpu -json`.
type CPU struct {
	Arch     string              `json:"arch"`              // as GOARCH
	Features []string            `json:"features"`          // of the processor, sorted
	Kernels  map[string]string   `json:"kernels"`           // operation -> implementation for long inputs
	Impls    map[string][]string `json:"impls"`             // operation -> implementations that run here, best first
	Forced   string              `json:"forced"`            // the word of BLOOMPROOF_CPU that was obeyed, or ""
	Problem  string              `json:"problem,omitempty"` // why its word was not obeyed, or ""
}

// Host returns what was found and chosen at start: features that processor and
// operating system both offer, and for each operation the implementations that can run
// and the one that Auto stands for.
func Host() CPU {
	c := CPU{
		Arch:     runtime.GOARCH,
		Features: host.Features(),
		Kernels:  map[string]string{},
		Impls:    map[string][]string{},
		Forced:   host.Forced(),
		Problem:  host.Problem(),
	}
	for op, impls := range kernels() {
		c.Impls[op] = names(impls)
		switch {
		case assembly:
			c.Kernels[op] = impls[0].String()
		case impls[len(impls)-1] == Portable:
			c.Kernels[op] = Portable.String()
		}
	}
	return c
}

// SelfTestReport is the result of SelfTest. Its first fields are those of the command
// `bloomproof selftest -json`.
type SelfTestReport struct {
	Passed   int      `json:"passed"`   // kernels that agreed in every case
	Failed   int      `json:"failed"`   // kernels that did not
	Kernels  []string `json:"kernels"`  // the kernels that ran, such as "AndCount/avx2"
	Failures []string `json:"failures"` // one text for each that failed: input, result, expectation
	Cases    int      `json:"cases"`    // calls compared
	Guarded  bool     `json:"guarded"`  // whether reads outside the arguments could be seen
}

// SelfTest runs every kernel that this host can run and BLOOMPROOF_CPU allows against
// its portable twin, and the twins against loops over single bits, integers of any size
// and formulas value by value, on inputs fixed by seed: all short lengths, every
// alignment, extreme words, hashes and numbers, overlaps, keys that repeat, forbidden
// memory around the arguments.
//
// Cost: a few seconds on a CPU of 3 GHz; a few MiB.
func SelfTest(seed uint64) SelfTestReport {
	r := SelfTestReport{Kernels: []string{}, Failures: []string{}, Guarded: asmtest.Guarded()}
	o := asmtest.Options{Seed: seed, Short: true}
	for _, im := range host.Runs(host.Popcount) {
		for _, row := range asmtest.Select(asmtest.Popcount(), im.String()) {
			n, err := asmtest.Run(row, o)
			r.add(row.String(), n, err)
		}
	}
	for _, im := range host.Runs(host.Probe) {
		for _, row := range asmtest.Select(asmtest.Probe(), im.String()) {
			n, err := asmtest.RunProbe(row, o)
			r.add(row.String(), n, err)
		}
	}
	for _, im := range host.Runs(host.Transition) {
		for _, row := range asmtest.Select(asmtest.Transition(), im.String()) {
			n, err := asmtest.RunTransition(row, o)
			r.add(row.String(), n, err)
		}
	}
	for _, im := range host.Runs(host.Hash) {
		for _, row := range asmtest.Select(asmtest.Hash(), im.String()) {
			n, err := asmtest.RunHash(row, o)
			r.add(row.String(), n, err)
		}
	}
	return r
}

// add counts the result of one kernel.
func (r *SelfTestReport) add(kernel string, cases int, err error) {
	r.Cases += cases
	r.Kernels = append(r.Kernels, kernel)
	if err != nil {
		r.Failed++
		r.Failures = append(r.Failures, err.Error())
		return
	}
	r.Passed++
}
