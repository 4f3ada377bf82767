package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/bloomproof/bloomproof/verify/trace"
)

// traceFile is an open trace.
type traceFile struct {
	io.Reader
	file *os.File // nil for standard input
}

// openTrace opens a trace; "-" is stdin.
func openTrace(name string, stdin io.Reader) (*traceFile, error) {
	if name == "-" {
		return &traceFile{Reader: stdin}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		var path *fs.PathError // holds the name in full, which may be long or no text at all
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, &ioError{"trace", fmt.Errorf("cannot open %s: %w", quote(name), err)}
	}
	return &traceFile{f, f}, nil
}

// rewind goes back to the start, for a second pass.
func (t *traceFile) rewind() error {
	if _, err := t.file.Seek(0, io.SeekStart); err != nil {
		return &ioError{"trace", err}
	}
	return nil
}

// canRewind reports whether the trace can be read twice.
func (t *traceFile) canRewind() bool {
	if t.file == nil {
		return false
	}
	info, err := t.file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// close closes a file; it was only read, so there is nothing to lose.
func (t *traceFile) close() {
	if t.file != nil {
		_ = t.file.Close()
	}
}

// eachLine is trace.EachLine with the errors of the command line.
func eachLine(ctx context.Context, r io.Reader, do func(line []byte) error) error {
	err := trace.EachLine(ctx, r, do)
	var input *trace.InputError
	if errors.As(err, &input) {
		return &ioError{"trace", input.Err}
	}
	return err
}
