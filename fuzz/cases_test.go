package fuzz

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"
)

// cases counts what a process has compared: a call of one implementation with its
// specification, or an operation on a filter with its model. An execution of a target
// makes many.
var cases atomic.Uint64

// TestMain adds a line with the cases of this process, which may be one of several
// workers, to the file that BLOOMPROOF_CASES names.
func TestMain(m *testing.M) {
	code := m.Run()
	if err := addCases(os.Getenv("BLOOMPROOF_CASES")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func addCases(path string) error {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, cases.Load())
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
