package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/defaults"
	"github.com/bloomproof/bloomproof/verify/conform"
)

var conformCommand = command{
	name:     "conform",
	operands: "PROGRAM [ARGUMENT ...]",
	summary:  "whether a Bloom filter of another program, in any language, keeps its laws",
	about: `
Runs PROGRAM, which answers lines on standard input about its filters (bloomproof help pipe
has the protocol, docs/pipe.md programs in C and Python), and examines what a black box shows: no
false negatives, the exact rate and the law of the set bits for the hashing that it
declares, positions that do not depend on one another, keys that are alike, union and
reset. A filter that keeps these laws is accused with probability at most 1e-6. Exit
status 1 when a law is broken, or when PROGRAM refused every filter in which false negatives
are looked for; 3 when PROGRAM does not keep to the protocol, offers no filter, or takes too
long.`,
	example: `
  $ bloomproof conform -- python3 docs/pipe.py
  kept  no false negative, rate, set bits, ...`,
	flags: []flagSpec{
		{"hashing", hashingFlag.arg, "examine as this hashing, in a block if there are blocks (default: what PROGRAM declares)"},
		{"block", "BITS", "examine as blocks of so many bits, 0 for none (default: what PROGRAM declares)"},
		{"effort", "PERCENT", "work on the laws of chance, 1 to 100000 (default 10); at 100 it is some ten million\nadditions and look-ups"},
		{"seed", "S", fmt.Sprintf("seed of the keys (default %d)", defaults.Seed)},
	},
	run: runConform,
}

// conformReport is the result of conform.
type conformReport struct {
	conform.Report
	Hashing    bloomproof.Hashing `json:"hashing"`     // as which the filters were examined
	Block      count              `json:"block"`       // 0: no blocks
	FalseAlarm string             `json:"false_alarm"` // probability of accusing a filter that keeps the laws, instead of the float64
}

func runConform(c *call) (report, error) {
	percent := c.number("effort", 1, 100_000, 10)
	seed := c.number("seed", 1, 1<<64-1, defaults.Seed)
	as := c.declared()
	if c.err != nil {
		return nil, c.err
	}
	if len(c.rest) == 0 {
		return nil, &usageError{"arguments", "must be -- and a program to examine"}
	}
	r, err := examineProgram(c.ctx, c.rest, c.stderr, patience{20 * time.Second, 2 * time.Minute}, as, conform.Options{Seed: seed, Effort: float64(percent) / 100})
	switch {
	case c.ctx.Err() != nil: // whatever the program, which is killed, made of it
		return nil, errInterrupted
	case err != nil:
		return nil, &ioError{"", fmt.Errorf("%s: %w", c.rest[0], err)}
	}
	if r.Err() != nil {
		return r, errFailed
	}
	return r, nil
}

// mostBlockBits is the largest block that the protocol's hello may declare.
const mostBlockBits = 1<<40 - 1

// declared is what -hashing and -block say of the filters of a program; nil where they do not.
type declared struct {
	hashing *bloomproof.Hashing
	block   *uint64
}

func (in *inputs) declared() (as declared) {
	if in.has("hashing") {
		as.hashing = new(bloomproof.Hashing)
		in.enum("hashing", as.hashing)
	}
	if in.has(blockFlag.name) {
		block := in.number(blockFlag.name, 0, mostBlockBits, 0)
		as.block = &block
	}
	return as
}

// patience is how long a program may take to greet, and for each answer and its end.
type patience struct{ greeting, answer time.Duration }

// examineProgram runs a program and examines it. One that breaks the protocol or keeps us
// waiting is killed: it may write, or wait, for ever.
func examineProgram(ctx context.Context, argv []string, stderr io.Writer, p patience, as declared, o conform.Options) (conformReport, error) {
	ctx, kill := context.WithCancel(ctx)
	defer kill()
	program := exec.CommandContext(ctx, argv[0], argv[1:]...)
	program.Stderr = stderr
	program.WaitDelay = time.Second
	in, err := program.StdinPipe()
	if err != nil {
		return conformReport{}, err
	}
	out, err := program.StdoutPipe()
	if err != nil {
		return conformReport{}, err
	}
	if err := program.Start(); err != nil {
		return conformReport{}, err
	}
	end := func() { // also where the program's own children hold the pipes open
		kill()
		_ = in.Close()
		_ = out.Close()
	}
	t := &talk{in: in, out: out, limit: p.greeting}
	t.timer = time.AfterFunc(p.greeting, func() { t.late.Store(true); end() })
	defer t.timer.Stop()
	r, err := examinePipe(t, p.answer, as, o)
	if err == nil {
		t.timer.Reset(p.answer)
		_ = in.Close() // which tells the program to end
		_, err = io.Copy(io.Discard, out)
	}
	if err != nil {
		end()
	}
	if ended := program.Wait(); err == nil {
		err = ended
	}
	if t.late.Load() {
		err = fmt.Errorf("no answer within %v", t.limit)
	}
	return r, err
}

// talk is a conversation with a program: its timer runs from a question to the end of the
// line that answers it.
type talk struct {
	in    io.Writer
	out   io.Reader
	limit time.Duration
	timer *time.Timer
	late  atomic.Bool // the timer ran out
}

// Write sends what is asked; from now on an answer is due.
func (t *talk) Write(b []byte) (int, error) {
	t.timer.Reset(t.limit)
	return t.in.Write(b)
}

// Read receives part of an answer; a whole line is one.
func (t *talk) Read(b []byte) (int, error) {
	n, err := t.out.Read(b)
	if n > 0 && b[n-1] == '\n' {
		t.timer.Stop()
	}
	return n, err
}

// examinePipe examines the program of t, which has answer for each answer after the first.
func examinePipe(t *talk, answer time.Duration, as declared, o conform.Options) (conformReport, error) {
	program, broken, err := conform.Pipe(t, t)
	if err != nil {
		return conformReport{}, err
	}
	t.limit = answer
	if as.hashing != nil {
		program.Hashing = *as.hashing
	}
	if as.block != nil {
		program.BlockBits = *as.block
	}
	// The laws that are left need what a line cannot carry.
	o.Laws = []conform.Law{"no false negative", "rate", "set bits", "dependence", "keys", "union", "reset"}
	r, err := conform.Examine(program, o)
	if err = errors.Join(broken(), err); err != nil {
		return conformReport{}, err
	}
	if len(r.Kept)+len(r.Findings) == 0 {
		return conformReport{}, fmt.Errorf("no filter could be examined: %w", r.Err())
	}
	// Empty lists are not null in JSON.
	r.Findings, r.Notes = append([]conform.Finding{}, r.Findings...), append([]string{}, r.Notes...)
	r.Kept, r.Untold = append([]conform.Law{}, r.Kept...), append([]conform.Law{}, r.Untold...)
	return conformReport{r, program.Hashing, count(program.BlockBits), fmt.Sprint(r.FalseAlarm)}, nil
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
	if err := r.Err(); err != nil && len(r.Findings) == 0 {
		fmt.Fprintf(w, "failed\t%v\n", err)
	}
	fmt.Fprintf(w, "kept\t%s\n", laws(r.Kept))
	if len(r.Untold) > 0 {
		fmt.Fprintf(w, "not examined\t%s\n", laws(r.Untold))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "note\t%s\n", n)
	}
	fmt.Fprintf(w, "hashing\t%v%s\n", r.Hashing, ofBlock(r.Block))
	fmt.Fprintf(w, "seed\t%d\nfalse alarm\tat most %s\n", r.Seed, r.FalseAlarm)
}
