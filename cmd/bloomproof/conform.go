package main

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/bloomproof/bloomproof/verify/conform"
)

var conformCommand = command{
	name:     "conform",
	operands: "PROGRAM [ARGUMENT ...]",
	summary:  "whether a Bloom filter of another program, in any language, keeps its laws",
	about: `
Runs PROGRAM, which answers lines on standard input about its filters (docs/pipe.md has
the protocol, with programs in C and Python), and examines what a black box shows: no
false negatives, the exact rate and the law of the set bits for the hashing that it
declares, positions that do not depend on one another, keys that are alike, union and
reset. A filter that keeps these laws is accused with probability at most 1e-6. Exit
status 1 when a law is broken.`,
	example: `
  $ bloomproof conform -- python3 docs/pipe.py
  kept  no false negative, rate, set bits, ...`,
	flags: []flagSpec{
		{"effort", "PERCENT", "work on the laws of chance, 1 to 100000 (default 10); at 100 it is some ten million\nadditions and look-ups"},
		{"seed", "S", fmt.Sprintf("seed of the keys (default %d)", conform.DefaultSeed)},
	},
	run: runConform,
}

// conformReport is the result of conform; it has no field for what can be told of filters
// in this process only.
type conformReport struct {
	Seed       uint64            `json:"seed"`
	FalseAlarm string            `json:"false_alarm"` // probability of accusing a filter that keeps the laws
	Findings   []conform.Finding `json:"findings"`
	Kept       []conform.Law     `json:"kept"`
	Untold     []conform.Law     `json:"not_examined"`
	Notes      []string          `json:"notes"`
}

func runConform(c *call) (report, error) {
	percent := c.number("effort", 1, 100_000, 10)
	seed := c.number("seed", 1, 1<<64-1, conform.DefaultSeed)
	if c.err != nil {
		return nil, c.err
	}
	if len(c.rest) == 0 {
		return nil, &usageError{"arguments", "must be -- and a program to examine"}
	}
	program := exec.CommandContext(c.ctx, c.rest[0], c.rest[1:]...)
	program.Stderr = c.stderr
	in, err := program.StdinPipe()
	if err != nil {
		return nil, &ioError{"", err}
	}
	out, err := program.StdoutPipe()
	if err != nil {
		return nil, &ioError{"", err}
	}
	if err := program.Start(); err != nil {
		return nil, &ioError{"", err}
	}
	r, err := examinePipe(out, in, conform.Options{Seed: seed, Effort: float64(percent) / 100})
	_ = in.Close() // which tells the program to end
	_, _ = io.Copy(io.Discard, out)
	if ended := program.Wait(); err == nil && ended != nil {
		err = ended
	}
	if err != nil {
		return nil, &ioError{"", fmt.Errorf("%s: %w", c.rest[0], err)}
	}
	if len(r.Findings) > 0 {
		return r, errFailed
	}
	return r, nil
}

func examinePipe(out io.Reader, in io.Writer, o conform.Options) (conformReport, error) {
	p, err := conform.NewPipe(out, in)
	if err != nil {
		return conformReport{}, err
	}
	// The laws that are left need what a line cannot carry.
	o.Laws = []conform.Law{conform.NoFalseNegative, conform.Rate, conform.SetBits, conform.Dependence, conform.Keys, conform.Union, conform.Reset}
	r, err := conform.Examine(p.Subject(), o)
	if err = errors.Join(p.Err(), err); err != nil {
		return conformReport{}, err
	}
	none := func(l []conform.Law) []conform.Law { return append([]conform.Law{}, l...) }
	return conformReport{
		r.Seed, fmt.Sprint(r.FalseAlarm), append([]conform.Finding{}, r.Findings...), none(r.Kept), none(r.Untold), append([]string{}, r.Notes...),
	}, nil
}

func (r conformReport) print(w io.Writer) {
	laws := func(all []conform.Law) string {
		names := make([]string, len(all))
		for i, l := range all {
			names[i] = string(l)
		}
		return strings.Join(names, ", ")
	}
	for _, f := range r.Findings {
		fmt.Fprintf(w, "broken\t%v\n", f)
	}
	fmt.Fprintf(w, "kept\t%s\n", laws(r.Kept))
	if len(r.Untold) > 0 {
		fmt.Fprintf(w, "not examined\t%s\n", laws(r.Untold))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "note\t%s\n", n)
	}
	fmt.Fprintf(w, "seed\t%d\nfalse alarm\tat most %s\n", r.Seed, r.FalseAlarm)
}
