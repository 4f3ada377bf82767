package conform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform/internal/limits"
)

// A child and its parent communicate by files in one directory. The value of the environment variable childEnv is the
// path of this directory. Only a child process has this variable.
const childEnv = "BLOOMPROOF_EXAMINATION"

// The type "state" describes how far an examination has come. The child writes it after each step. If the child ends
// early, the next child continues from this state.
type state struct {
	Step   int    `json:"step"` // the number of finished steps
	Report Report `json:"report"`
	Told   []Law  `json:"told"`
	Greedy bool   `json:"greedy"`
	Ended  bool   `json:"ended"`
}

// An errand is a task for another process. The process reads a filter from a snapshot, and looks up keys in it. It also
// holds the result.
type errand struct {
	Data    []byte   `json:"data"`
	Keys    [][]byte `json:"keys"`
	Answers []bool   `json:"answers"`
	Error   string   `json:"error"`
}

// These are the names of the files by which a child and its parent communicate.
const (
	stateFile  = "state.json"
	atFile     = "at"     // the number of the law under examination in one byte, or 0 for none, and then the law's case
	beatFile   = "beat"   // its modification time is when the child was last alive
	errandFile = "errand" // the task for another process
)

func save(dir, name string, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".new"), data, 0o600)
	}
	if err == nil {
		err = os.Rename(filepath.Join(dir, name+".new"), filepath.Join(dir, name))
	}
	return err
}

func load(dir, name string, v any) error {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// A value of the type "tail" receives what a child process writes to standard error. It keeps only the beginning of
// this text.
type tail struct{ bytes.Buffer }

// A finding quotes at most lastWords bytes of the standard error. The message of the Go runtime comes before the stack
// traces. So it is enough to search about the first firstWords bytes of the text for this message.
const lastWords, firstWords = 400, 1 << 16

// Write appends p to the stored text. If firstWords bytes are already stored, it drops p. It never fails.
func (t *tail) Write(p []byte) (int, error) {
	if t.Len() < firstWords {
		t.Buffer.Write(p)
	}
	return len(p), nil
}

// The method "words" returns the message of the Go runtime. If there is no such message, the method returns the last
// lines of the standard error.
func (t *tail) words() string {
	text := strings.TrimSpace(t.String())
	for _, start := range []string{"fatal error: ", "panic: ", "runtime: ", "WARNING: DATA RACE"} {
		if i := strings.Index(text, start); i >= 0 {
			line, _, _ := strings.Cut(text[i:], "\n")
			return line
		}
	}
	return text[max(0, len(text)-lastWords):]
}

// The function "launch" starts a child, which uses the directory dir, and waits until the child ends. It returns the
// reason why the child ended, or "" if it exited with status 0.
func launch(cmd *exec.Cmd, dir string) (why string, err error) {
	words := new(tail)
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, childEnv+"="+dir)
	cmd.Stdout, cmd.Stderr = nil, words
	cmd.WaitDelay = time.Second
	beat := filepath.Join(dir, beatFile)
	if err := os.WriteFile(beat, nil, 0o600); err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	tick := time.NewTicker(limits.Patience / 10)
	defer tick.Stop()
	silent := false
	still, last := 0, time.Time{}
	for {
		select {
		case err := <-done:
			if silent {
				return fmt.Sprintf("the process gives no sign of life for %v", silence*limits.Patience), nil
			}
			if err == nil {
				return "", nil
			}
			return strings.TrimSuffix(fmt.Sprintf("the process ends, %v: %s", err, words.words()), ": "), nil
		case <-tick.C:
			if info, err := os.Stat(beat); err == nil && !info.ModTime().Equal(last) {
				still, last = 0, info.ModTime()
			}
			if still++; still > 10*silence && !silent {
				silent = true
				_ = cmd.Process.Kill()
			}
		}
	}
}

// The time limit of one call is limits.Patience. A child writes the file beatFile at intervals much shorter than this
// limit. If a child does not write the file for silence*limits.Patience, the parent ends the child. The same time limit
// holds from the start of a child to its first write.
const silence = 6

// The constant hangsMost limits the number of calls that do not return. When this number is reached, an examination in
// child processes ends. The wait for each such call is long.
const hangsMost = 3

// The function "parent" runs an examination in child processes. If a child process ends early, the function starts
// another one. The new process continues the examination. If an earlier child ended while it examined a law, the next
// child leaves this law out.
func parent(o Options) (Report, error) {
	dir, err := os.MkdirTemp("", "bloomproof")
	if err != nil {
		return Report{}, err
	}
	defer os.RemoveAll(dir)
	hangs := 0
	for range 2 * len(Laws()) {
		cmd := o.Child()
		if cmd == nil {
			return Report{}, &bloomproof.ParamError{Param: "Child", Value: nil, Want: "a function that returns a command"}
		}
		if err := os.WriteFile(filepath.Join(dir, atFile), []byte{0}, 0o600); err != nil {
			return Report{}, err
		}
		why, err := launch(cmd, dir)
		if err != nil {
			return Report{}, err
		}
		var s state
		_ = load(dir, stateFile, &s) // before the first step there is no such file
		if s.Ended {
			return s.Report, nil
		}
		at, err := os.ReadFile(filepath.Join(dir, atFile))
		if err != nil {
			return Report{}, err
		}
		if len(at) == 0 || at[0] == 0 || int(at[0]) > len(Laws()) {
			return Report{}, fmt.Errorf("the command of Child does not come to this examination: %s", why)
		}
		if why == "" {
			why = "the process ends with status 0 in the middle of the examination"
		}
		if strings.Contains(why, doesNotReturn) {
			why = doesNotReturn
			hangs++
		}
		law := Laws()[at[0]-1]
		if s.Report.broken(law) {
			s.Step++
		} else {
			s.Report.Findings = append(s.Report.Findings, Finding{Law: law, Case: string(at[1:]), Text: why})
		}
		if hangs == hangsMost {
			s.Report.Notes = append(s.Report.Notes, fmt.Sprintf("%d calls did not return: nothing more was examined", hangs))
			s.Step = len(steps)
		}
		if err := save(dir, stateFile, s); err != nil {
			return Report{}, err
		}
	}
	return Report{}, errors.New("the examination does not come to an end")
}

// The type "child" holds the state that an examination has only in a child process.
type child struct {
	dir   string
	at    *os.File
	calls atomic.Uint64 // the number of beginnings and ends of calls, so it is odd during a call
}

const doesNotReturn = "a call does not return in time"

// The method "mark" writes the law and the case under examination to the file that the parent reads.
func (x *examination) mark(l Law) {
	if x.child != nil {
		x.markLaw(l)
		_, _ = x.child.at.WriteAt([]byte(x.where), 1)
		_ = x.child.at.Truncate(int64(1 + len(x.where)))
	}
}

// markLaw records that another law is now under examination. It writes this to the file that the parent reads. The case
// remains the same. Most calls of a program need markLaw twice, before the call and after it. So markLaw makes only one
// system call.
func (x *examination) markLaw(l Law) {
	x.law = l
	_, _ = x.child.at.WriteAt([]byte{byte(slices.Index(Laws(), l) + 1)}, 0)
}

// The method "watch" ends the process if a call takes longer than the duration limits.Patience.
func (c *child) watch() {
	const ticks = 20 // count ticks, not time, so that a pause of the host counts as one tick
	last, still := uint64(0), 0
	for {
		time.Sleep(limits.Patience / ticks)
		_ = os.WriteFile(filepath.Join(c.dir, beatFile), nil, 0o600)
		if now := c.calls.Load(); now != last || now%2 == 0 {
			last, still = now, 0
		} else if still++; still >= ticks {
			fmt.Fprintln(os.Stderr, "fatal error: "+doesNotReturn)
			os.Exit(3)
		}
	}
}

// The method "watched" returns the subject s with a time limit on every call. A program (a list of operations) examines
// several laws at the same time. While a program runs, a call of an optional function may hang or end the process. In
// this case, the law to which the function belongs counts as broken.
func (x *examination) watched(s Subject[filter]) Subject[filter] {
	c := x.child
	enter := func(l Law) func() {
		c.calls.Add(1)
		before := x.law
		if marks := l != "" && x.inPrograms; marks && x.wants(l) {
			x.markLaw(l)
			return func() { c.calls.Add(1); x.markLaw(before) }
		}
		return func() { c.calls.Add(1) }
	}
	w := s
	add, contains := s.Add, s.Contains
	w.Add = func(f filter, key []byte) { c.calls.Add(1); defer c.calls.Add(1); add(f, key) }
	w.Contains = func(f filter, key []byte) bool { c.calls.Add(1); defer c.calls.Add(1); return contains(f, key) }
	in := func() func() { return enter("") }
	w.New = func(m uint64, k int) (filter, error) { defer in()(); return s.New(m, k) }
	if do := s.Make; do != nil {
		w.Make = func(n uint64, rate float64) (filter, error) { defer in()(); return do(n, rate) }
	}
	if do := s.Shape; do != nil {
		w.Shape = func(f filter) (uint64, int) { defer in()(); return do(f) }
	}
	if do := s.Bits; do != nil {
		w.Bits = func(f filter) uint64 { defer in()(); return do(f) }
	}
	if do := s.Words; do != nil {
		w.Words = func(f filter) []uint64 { defer in()(); return do(f) }
	}
	if do := s.Items; do != nil {
		w.Items = func(f filter) float64 { defer in()(); return do(f) }
	}
	if do := s.Rate; do != nil {
		w.Rate = func(f filter) float64 { defer in()(); return do(f) }
	}
	if do := s.RateFor; do != nil {
		w.RateFor = func(m uint64, k int, n uint64) float64 { defer in()(); return do(m, k, n) }
	}
	if do := s.Size; do != nil {
		w.Size = func(n uint64, rate float64) (uint64, int) { // Size is also called before any law is under examination
			before := x.law
			x.markLaw(lawSizing)
			defer x.markLaw(before)
			defer in()()
			return do(n, rate)
		}
	}
	if do := s.AddBatch; do != nil {
		w.AddBatch = func(f filter, keys [][]byte) { defer enter(lawBatch)(); do(f, keys) }
	}
	if do := s.ContainsBatch; do != nil {
		w.ContainsBatch = func(f filter, keys [][]byte) []bool { defer enter(lawBatch)(); return do(f, keys) }
	}
	if do := s.TestAndAdd; do != nil {
		w.TestAndAdd = func(f filter, key []byte) bool { defer enter(lawTestAndSet)(); return do(f, key) }
	}
	if do := s.Union; do != nil {
		w.Union = func(f, g filter) error { defer enter(lawUnion)(); return do(f, g) }
	}
	if do := s.Intersect; do != nil {
		w.Intersect = func(f, g filter) error { defer enter(lawIntersection)(); return do(f, g) }
	}
	if do := s.Reset; do != nil {
		w.Reset = func(f filter) { defer enter(lawReset)(); do(f) }
	}
	if do := s.Marshal; do != nil {
		w.Marshal = func(f filter) ([]byte, error) { defer enter(lawSnapshot)(); return do(f) }
	}
	if do := s.Unmarshal; do != nil {
		w.Unmarshal = func(f filter, data []byte) error { defer enter(lawSnapshot)(); return do(f, data) }
	}
	return w
}

// In a child process, examineAsChild runs the examination. If another child process has written a task, it runs this
// task instead. Then it ends the process.
func examineAsChild(s Subject[filter], o Options, dir string) {
	x := newExamination(s, o)
	var e errand
	if filepath.Base(dir) == errandFile {
		if load(dir, errandFile, &e) != nil {
			os.Exit(2)
		}
		if f, _, ok := x.open(1000, 5); !ok {
			e.Error = "there is no filter to read it"
		} else if err := s.Unmarshal(f, e.Data); err != nil {
			e.Error = err.Error()
		} else {
			for _, key := range e.Keys {
				e.Answers = append(e.Answers, s.Contains(f, key))
			}
		}
		if save(dir, errandFile, e) != nil {
			os.Exit(2)
		}
		os.Exit(0)
	}
	at, err := os.OpenFile(filepath.Join(dir, atFile), os.O_WRONLY, 0o600)
	if err != nil {
		os.Exit(2)
	}
	x.child = &child{dir: dir, at: at}
	x.plain = s
	if s.Marshal != nil && s.Unmarshal != nil {
		s.elsewhere = func(data []byte, keys [][]byte) ([]bool, error) { return send(o, dir, data, keys) }
	}
	x.s = x.watched(s)
	var before state
	if load(dir, stateFile, &before) == nil {
		x.report.Findings, x.report.Power, x.report.Notes = before.Report.Findings, before.Report.Power, before.Report.Notes
		for _, l := range before.Told {
			x.told[l] = true
		}
		x.greedy = before.Greedy
	}
	go x.child.watch()
	x.runFrom(before.Step, func(step int) {
		now := state{Step: step, Report: x.report, Greedy: x.greedy}
		for _, l := range Laws() {
			if x.told[l] {
				now.Told = append(now.Told, l)
			}
		}
		if save(dir, stateFile, now) != nil {
			os.Exit(2)
		}
	})
	if save(dir, stateFile, state{Report: x.close(), Ended: true}) != nil {
		os.Exit(2)
	}
	os.Exit(0)
}

// The function "send" starts another process, which reads the snapshot in data and looks up the keys. It returns, for
// each key, whether the filter in that process contains the key.
func send(o Options, dir string, data []byte, keys [][]byte) ([]bool, error) {
	there := filepath.Join(dir, errandFile)
	if err := os.MkdirAll(there, 0o700); err != nil {
		return nil, err
	}
	if err := save(there, errandFile, errand{Data: data, Keys: keys}); err != nil {
		return nil, err
	}
	why, err := launch(o.Child(), there)
	if err == nil && why != "" {
		err = errors.New(why)
	}
	var e errand
	if err == nil {
		err = load(there, errandFile, &e)
	}
	if err == nil && e.Error != "" {
		err = errors.New(e.Error)
	}
	if err == nil && len(e.Answers) != len(keys) {
		err = fmt.Errorf("%d answers about %d keys", len(e.Answers), len(keys))
	}
	return slices.Clip(e.Answers), err
}
