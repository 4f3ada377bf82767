// Package campaign is shared by the tools that break code on purpose (verify/internal/tools/asmmutant,
// verify/internal/tools/gomutant). It divides the mutants into shards, runs them in processes with limited CPU time,
// and keeps the results. It also reads the list of mutants that no test can distinguish from the original code.
package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// An Outcome is the result of building and testing a mutant.
type Outcome string

// These are the possible outcomes.
const (
	Failed   Outcome = "failed"   // a test failed
	Crashed  Outcome = "crashed"  // the process ended without a failed test
	Overtime Outcome = "overtime" // the process did not end in time
	Refused  Outcome = "refused"  // it cannot be built
	Survived Outcome = "survived"
)

// Shard stands for the I-th of N parts, counted from 1. As a flag it is written i/n.
type Shard struct{ I, N int }

// String returns the shard in the form i/n.
func (s *Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// Set reads the shard from a text of the form i/n.
func (s *Shard) Set(text string) error {
	var end string
	n, _ := fmt.Sscanf(text+" .", "%d/%d %s", &s.I, &s.N, &end)
	if n != 3 || end != "." || s.I < 1 || s.I > s.N {
		return fmt.Errorf("%q is no part: i/n with 1 <= i <= n", text)
	}
	return nil
}

// Has reports whether item number i, counted from 0, is in the part.
func (s *Shard) Has(i int) bool { return i%s.N == s.I-1 }

// Root returns the folder of the module that contains the working directory.
func Root() (string, error) {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	return filepath.Dir(strings.TrimSpace(string(mod))), err
}

// Overlay writes the file overlay.json into the folder dir, and returns its path. The file is for Go's flag -overlay.
// The map "replace" has the path of each replaced file as a key. The value is the path of the file that replaces it.
func Overlay(dir string, replace map[string]string) (string, error) {
	path := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	return path, os.WriteFile(path, text, 0o644)
}

// Limit returns Go code for an init function of a test binary. The code reads a number of seconds from an environment
// variable. It limits the CPU time of the process to this number. The code needs the imports os, strconv and syscall.
func Limit(variable string) string {
	return fmt.Sprintf("if s, err := strconv.ParseUint(os.Getenv(%q), 10, 64); err == nil {\n"+
		"\t\t_ = syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: s, Max: s})\n\t}", variable)
}

// Run runs a command in the folder dir, with the variables env added to the environment. It returns the command's
// output and the CPU time that it took. The process limits its own CPU time to the given seconds (see Limit). A process
// that only waits uses no CPU time. So Run also limits the elapsed time. If the CPU limit is s seconds, the process may
// run for at most s minutes.
func Run(dir string, env []string, seconds int, args ...string) (out string, used time.Duration, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(seconds)*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	b, err := cmd.CombinedOutput()
	if cmd.ProcessState != nil {
		used = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return string(b), used, err
}

// Judge returns the outcome of a mutant for which Run returned err. If err has another cause than the mutant, Judge
// returns err.
func Judge(err error) (Outcome, error) {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return Survived, nil
	case !errors.As(err, &exit):
		return "", err
	}
	status, _ := exit.Sys().(syscall.WaitStatus)
	switch {
	case status.Signaled() && status.Signal() == syscall.SIGKILL:
		return Overtime, nil
	case exit.ExitCode() == 1:
		return Failed, nil
	}
	return Crashed, nil
}

// The function Each calls f for all items. The argument "workers" is the number of calls that run at the same time. The
// function stops when a call returns an error.
func Each[T any](workers int, items []T, f func(T) error) (err error) {
	queue := make(chan T)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var once sync.Once
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for item := range queue {
				if e := f(item); e != nil {
					once.Do(func() { err = e; close(stop) })
					return
				}
			}
		}()
	}
feed:
	for _, item := range items {
		select {
		case queue <- item:
		case <-stop:
			break feed
		}
	}
	close(queue)
	wg.Wait()
	return err
}

// A Record stores results by their keys, and also writes them to a file if there is one.
type Record[R interface{ ID() string }] struct {
	mu   sync.Mutex
	all  map[string]R
	keys []string // of all, in the order of time
	file *os.File
}

// Open reads the results in a file, or creates the file if it does not exist. If path is "", the record has no file.
func Open[R interface{ ID() string }](path string) (*Record[R], error) {
	r := &Record[R]{all: map[string]R{}}
	if path == "" {
		return r, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	r.file = f
	text, err := io.ReadAll(f)
	for line := range bytes.Lines(text) {
		var one R
		if json.Unmarshal(line, &one) == nil { // the last line may be incomplete
			r.add(one)
		}
	}
	if err == nil && len(text) > 0 && text[len(text)-1] != '\n' {
		_, err = f.WriteString("\n")
	}
	return r, err
}

// Get returns the result with the given key, and whether there is one.
func (r *Record[R]) Get(key string) (R, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one, ok := r.all[key]
	return one, ok
}

// All returns the results in the order in which their keys were first added.
func (r *Record[R]) All() (out []R) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, key := range r.keys {
		out = append(out, r.all[key])
	}
	return out
}

func (r *Record[R]) add(one R) {
	if _, ok := r.all[one.ID()]; !ok {
		r.keys = append(r.keys, one.ID())
	}
	r.all[one.ID()] = one
}

// Put adds a result.
func (r *Record[R]) Put(one R) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(one)
	if r.file == nil {
		return nil
	}
	line, err := json.Marshal(one)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.file, "%s\n", line)
	return err
}

// Close closes the file.
func (r *Record[R]) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}
