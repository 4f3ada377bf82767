//go:build !js

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
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
Runs PROGRAM, which answers lines on standard input about its filters. bloomproof help pipe
has the protocol, and docs/pipe.md has short programs in five languages. Examines each law of
which PROGRAM shows something: no false negatives, the exact rate and the number of set bits for the
hashing that it declares, independent positions, similar keys, batches, unions, intersections, its
own estimates and sizes, snapshots, also as a second process reads them. A filter that keeps
these laws is accused with probability at most 1e-6. PROGRAM is started again when it ends or
hangs in the middle of a law, which then is broken. Exit status 1 when a law is broken, or when
PROGRAM refused every filter in which false negatives are looked for; 3 when PROGRAM does
not keep to the protocol or offers no filter.`,
	example: `
  $ bloomproof conform -- python3 docs/pipe.py
  kept: no false negative, rate, set bits, ...`,
	flags: []flagSpec{
		{"hashing", hashingFlag.arg, "examine as this hashing, in a block if there are blocks (default: what PROGRAM declares)"},
		{"block", "BITS", "examine as blocks of so many bits, 0 for none (default: what PROGRAM declares)"},
		{"effort", "PERCENT", "work on the laws of chance, 1 to 100000 (default 10); at 100 it is some hundred\nmillion additions and look-ups"},
		{"report", "FILE", "write the report to a file, too: FILE.json as -json prints it, FILE.xml as JUnit XML with a test\ncase for each law, FILE.txt as text"},
		{"seed", "S", fmt.Sprintf("seed of the keys (default %d)", defaults.Seed)},
	},
	run: runConform,
}

// conformReport is the result of the command "conform".
type conformReport struct {
	conform.Report
	Hashing    bloomproof.Hashing `json:"hashing"`     // the hashing that the examination assumed
	Block      count              `json:"block"`       // 0 if the filter has no blocks
	FalseAlarm string             `json:"false_alarm"` // the level as text: see conform.Options
	Power      []conformPower     `json:"power"`       // the powers, with decimals as text

	lacks map[conform.Law]string // the lines of the protocol that the program does not know, for each law that needs them
}

// conformPower is a conform.Power whose Least is a decimal string.
type conformPower struct {
	conform.Power
	Least decimal `json:"least"`
}

func runConform(c *call) (report, error) {
	percent := c.number("effort", 1, 100_000, 10)
	seed := c.number("seed", 1, 1<<64-1, defaults.Seed)
	as := c.declared()
	if c.err != nil {
		return nil, c.err
	}
	var file *reportFile
	write := reportFormats[filepath.Ext(c.text("report"))]
	if c.has("report") {
		if write == nil {
			return nil, &usageError{"report", "must end in .json, .txt or .xml, got " + quote(c.text("report"))}
		}
		var err error
		if file, err = newReportFile(c.text("report")); err != nil {
			return nil, err
		}
		defer file.drop()
	}
	if len(c.rest) == 0 {
		return nil, &usageError{"arguments", "must be -- and a program to examine"}
	}
	r, err := examineProgram(c.ctx, c.rest, c.stderr, patience{20 * time.Second, 2 * time.Minute}, as, conform.Options{Seed: seed, Effort: float64(percent) / 100})
	switch {
	case c.ctx.Err() != nil: // the program was killed, and its answers do not matter
		return nil, errInterrupted
	case err != nil:
		return nil, &ioError{"", fmt.Errorf("%s: %w", c.rest[0], err)}
	}
	if file != nil {
		if err := file.put(func(w io.Writer) error { return write(w, r) }); err != nil {
			return nil, err
		}
	}
	if r.Err() != nil {
		return r, errFailed
	}
	return r, nil
}

// mostBlockBits is the largest block size, in bits, that a program may declare in its greeting.
const mostBlockBits = 1<<40 - 1

// The type "declared" has the hashing and block size that -hashing and -block declare for the filters of a program. A
// field is nil if its flag was not given.
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

// A value of the type "patience" has two time limits for a program. The field "greeting" is the time limit for the
// program's first line. The field "answer" is the time limit for each later line. It is also the time limit for the end
// of the program.
type patience struct{ greeting, answer time.Duration }

// A value of the type "process" is the connection to a running process of the program. Each question starts a timer.
// The timer stops when a complete answer has arrived. When the time is over, the timer kills the process. Without the
// timer, the command could wait forever for an answer. A process may send no answer, or a line that never ends.
type process struct {
	program *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	kill    context.CancelFunc
	patience
	timer *time.Timer
	limit time.Duration // the duration of the timer
	late  atomic.Bool   // true after the timer has killed the process
}

func start(ctx context.Context, argv []string, stderr io.Writer, patient patience) (*process, error) {
	ctx, kill := context.WithCancel(ctx)
	p := &process{program: exec.CommandContext(ctx, argv[0], argv[1:]...), kill: kill, patience: patient, limit: patient.greeting}
	p.program.Stderr = stderr
	p.program.WaitDelay = time.Second
	var err error
	if p.in, err = p.program.StdinPipe(); err == nil {
		p.out, err = p.program.StdoutPipe()
	}
	if err == nil {
		err = p.program.Start()
	}
	if err != nil {
		kill()
		return nil, err
	}
	p.timer = time.AfterFunc(p.limit, func() { p.late.Store(true); p.end() })
	return p, nil
}

// The method "end" kills the process. It also closes the pipes, because children of the process may keep them open.
func (p *process) end() {
	p.kill()
	_ = p.in.Close()
	_ = p.out.Close()
}

// Write sends a question and starts the timer for the answer.
func (p *process) Write(b []byte) (int, error) {
	p.timer.Reset(p.limit)
	return p.in.Write(b)
}

// Read reads a part of an answer of the program. An answer is one whole line.
func (p *process) Read(b []byte) (int, error) {
	n, err := p.out.Read(b)
	if n > 0 && b[n-1] == '\n' {
		p.timer.Stop()
		p.limit = p.answer
	}
	return n, err
}

// lastWords is the number of bytes that a program may write after its input has ended. A program that writes more is
// killed.
const lastWords = 1 << 20

// Close ends the input, which tells the program to end. It returns how the program ended.
func (p *process) Close() error {
	defer p.end()
	defer p.timer.Stop()
	p.timer.Reset(p.answer)
	_ = p.in.Close()
	_, err := io.CopyN(io.Discard, p.out, lastWords)
	if errors.Is(err, io.EOF) {
		err = nil
	} else {
		p.end()
	}
	if ended := p.program.Wait(); err == nil {
		err = ended
	}
	if p.late.Load() {
		err = fmt.Errorf("no answer within %v", p.limit)
	}
	return err
}

// examineProgram runs a program and examines it. If the program ends too early, it is run again.
func examineProgram(ctx context.Context, argv []string, stderr io.Writer, p patience, as declared, o conform.Options) (conformReport, error) {
	ctx, kill := context.WithCancel(ctx)
	defer kill()
	return examinePipe(func() (io.ReadWriteCloser, error) {
		process, err := start(ctx, argv, stderr, p)
		if err != nil {
			return nil, err
		}
		return process, nil
	}, as, o)
}

// examinePipe examines the program that the function "start" runs.
func examinePipe(start func() (io.ReadWriteCloser, error), as declared, o conform.Options) (conformReport, error) {
	program, end, err := conform.Pipe(start)
	if err != nil {
		return conformReport{}, err
	}
	if as.hashing != nil {
		program.Hashing = *as.hashing
	}
	if as.block != nil {
		program.BlockBits = *as.block
	}
	r, err := conform.Examine(program, o)
	if err := cmp.Or(err, end()); err != nil {
		return conformReport{}, err
	}
	if len(r.Kept)+len(r.Findings) == 0 {
		return conformReport{}, fmt.Errorf("no filter could be examined: %w", r.Err())
	}
	// With this code, an empty list becomes [] in JSON, and not null.
	r.Findings, r.Notes = append([]conform.Finding{}, r.Findings...), append([]string{}, r.Notes...)
	r.Kept, r.Untold = append([]conform.Law{}, r.Kept...), append([]conform.Law{}, r.Untold...)
	power := []conformPower{}
	for _, p := range r.Power {
		power = append(power, conformPower{p, decimal(p.Least)})
	}
	return conformReport{r, program.Hashing, count(program.BlockBits), fmt.Sprint(r.FalseAlarm), power, lacks(program)}, nil
}

func (r conformReport) print(w io.Writer) {
	if err := r.Err(); err != nil && len(r.Findings) == 0 {
		fmt.Fprintf(w, "failed: %v\n", err)
	}
	fmt.Fprint(w, strings.ReplaceAll(r.Report.String(), "\t", "    ")) // tabs would be columns
	fmt.Fprintf(w, "examined as %s\n", r.as())
}

// The filters were examined with one hashing and one block size. The method "as" returns these two settings as a text.
func (r conformReport) as() string { return r.Hashing.String() + ofBlock(r.Block) }
