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

	// If a key is only a part of its line, these fields are used to extract the key.
	key  requests.Key
	text io.Reader
	cut  *requests.Cut // the same as Reader, if keys are cut
}

// openTrace opens a trace; "-" means stdin. A regular file is mapped into memory if the system supports this. Reading a
// mapped file is up to a fifth faster than reading by system calls. Only the first pass waits for the disk.
func openTrace(name string, stdin io.Reader) (*traceFile, error) {
	if name == "-" {
		return &traceFile{Reader: stdin}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		var path *fs.PathError // the error has the full name, which may be long or not printable
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, &ioError{"trace", fmt.Errorf("cannot open %s: %w", quote(name), err)}
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return &traceFile{Reader: f, closer: f}, nil
	}
	m, err := mmap.Open(name)
	if err != nil { // the file system cannot map files, or the file exceeds the address space
		return &traceFile{Reader: f, seeker: f, closer: f}, nil
	}
	_ = f.Close() // it was only read, so there is nothing to lose
	r := &mapped{text: io.NewSectionReader(m, 0, int64(m.Len())), file: m}
	return &traceFile{Reader: r, seeker: r, closer: r}, nil
}

// The type "mapped" reads a file through a memory mapping. If the file has been truncated, the system normally kills a
// program that reads a page beyond the end of the file. The method Read of the type "mapped" returns an error in this
// case.
type mapped struct {
	at   atomic.Int64 // the number of bytes read so far
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

// Seek sets the offset of the next read. The method traceFile.read then reports the progress that corresponds to this
// offset.
func (m *mapped) Seek(offset int64, whence int) (int64, error) {
	to, err := m.text.Seek(offset, whence)
	m.at.Store(to)
	return to, err
}

// The method "read" returns the share of the file that has been read, or 0 if the size of the file is unknown.
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

// The method "rewind" returns to the start of the trace, for a second pass.
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

// The method "close" closes the file. It ignores errors, because nothing was written to the file.
func (t *traceFile) close() {
	if t.closer != nil {
		_ = t.closer.Close()
	}
}

// eachLine calls requests.EachLine and converts its errors into errors of the command line.
func eachLine(ctx context.Context, r io.Reader, do func(line []byte) error) error {
	err := requests.EachLine(ctx, r, do)
	var input *requests.InputError
	if errors.As(err, &input) {
		return &ioError{"trace", input.Unwrap()}
	}
	return err
}
