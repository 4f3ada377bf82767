package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/bloomproof/bloomproof/internal/requests"
	"golang.org/x/exp/mmap"
)

// traceFile is an open trace.
type traceFile struct {
	io.Reader
	seeker io.Seeker // nil if the trace cannot be read twice
	closer io.Closer // nil for standard input

	// The text from which the keys are cut, if they are not whole lines.
	key  requests.Key
	text io.Reader
	cut  *requests.Cut // the Reader, then
}

// openTrace opens a trace; "-" is stdin. A regular file is mapped into memory if the system can do so. Reading it is
// then up to a fifth faster than by system calls, and no pass after the first waits for the disk.
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
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return &traceFile{Reader: f, closer: f}, nil
	}
	m, err := mmap.Open(name)
	if err != nil { // a file system without maps, or a file beyond the address space
		return &traceFile{Reader: f, seeker: f, closer: f}, nil
	}
	_ = f.Close() // it was only read, so there is nothing to lose
	r := &mapped{text: io.NewSectionReader(m, 0, int64(m.Len())), file: m}
	return &traceFile{Reader: r, seeker: r, closer: r}, nil
}

// mapped is a file mapped into memory. If a program reads a page that the file no longer has, the system normally kills
// it; mapped returns an error instead.
type mapped struct {
	at   atomic.Int64 // bytes read
	mu   sync.Mutex   // an interrupted command closes the file while a goroutine still reads
	text *io.SectionReader
	file *mmap.ReaderAt
}

func (m *mapped) Read(p []byte) (n int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			n, err = 0, errors.New("the file became shorter while it was read")
		}
	}()
	n, err = m.text.Read(p)
	m.at.Add(int64(n))
	return n, err
}

// Seek sets the place of the next read, and the progress with it.
func (m *mapped) Seek(offset int64, whence int) (int64, error) {
	to, err := m.text.Seek(offset, whence)
	m.at.Store(to)
	return to, err
}

// read returns the share of the file that was read, or 0 if its size is unknown.
func (t *traceFile) read() float64 {
	m, ok := t.seeker.(*mapped)
	if !ok || m.text.Size() == 0 {
		return 0
	}
	return float64(m.at.Load()) / float64(m.text.Size())
}

func (m *mapped) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.file.Close()
}

// rewind goes back to the start, for a second pass.
func (t *traceFile) rewind() error {
	if _, err := t.seeker.Seek(0, io.SeekStart); err != nil {
		return &ioError{"trace", err}
	}
	if t.cut != nil {
		t.cutAgain()
	}
	return nil
}

// canRewind reports whether the trace can be read twice.
func (t *traceFile) canRewind() bool { return t.seeker != nil }

// close closes a file. It was only read, so an error loses nothing.
func (t *traceFile) close() {
	if t.closer != nil {
		_ = t.closer.Close()
	}
}

// eachLine is requests.EachLine with the errors of the command line.
func eachLine(ctx context.Context, r io.Reader, do func(line []byte) error) error {
	err := requests.EachLine(ctx, r, do)
	var input *requests.InputError
	if errors.As(err, &input) {
		return &ioError{"trace", input.Unwrap()}
	}
	return err
}
