package requests

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
)

// A separate goroutine reads and decompresses a trace into blocks of blockBytes bytes. So the reader of lines can stop
// at any moment, even while it waits for input.
const (
	blockBytes = 256 << 10
	blocks     = 4 // the number of blocks that are in use at the same time
)

// maxLine is the largest number of bytes of a line, without its newline.
const maxLine = 1 << 20

// An InputError says why a trace cannot be read to its end.
type InputError struct{ err error }

// Error returns the text of the wrapped error.
func (e *InputError) Error() string { return e.err.Error() }

// Unwrap returns the error of the input.
func (e *InputError) Unwrap() error { return e.err }

// EachLine calls the function "do" for each line of r. The input r is plain text or gzip. The first two bytes of gzip
// data distinguish it from plain text. A line is everything up to a newline or the end of the input. The line must not
// be used after the function "do" has returned. EachLine stops when the function "do" returns an error, and then
// returns this error. It also stops when ctx ends.
// Errors: *InputError if the input cannot be read, is corrupt, or has a line of more than 1 MiB.
func EachLine(ctx context.Context, r io.Reader, do func(line []byte) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	full := make(chan []byte)
	free := make(chan []byte, blocks)
	for range blocks {
		free <- make([]byte, blockBytes)
	}
	var readErr error // set before full is closed
	go func() {
		defer close(full)
		readErr = readBlocks(ctx, r, free, full)
	}()
	var (
		number uint64
		rest   []byte // the beginning of a line whose end is in a later block
	)
	line := func(tail []byte) error {
		number++
		if len(rest)+len(tail) > maxLine {
			return tooLong(number)
		}
		if len(rest) == 0 {
			return do(tail)
		}
		rest = append(rest, tail...)
		err := do(rest)
		rest = rest[:0]
		return err
	}
	for {
		var block []byte
		var more bool
		select {
		case block, more = <-full:
		case <-ctx.Done():
			return ctx.Err()
		}
		if !more {
			break
		}
		todo := block
		for {
			end := bytes.IndexByte(todo, '\n')
			if end < 0 {
				break
			}
			if err := line(todo[:end]); err != nil {
				return err
			}
			todo = todo[end+1:]
		}
		if rest = append(rest, todo...); len(rest) > maxLine {
			return tooLong(number + 1)
		}
		free <- block[:cap(block)]
	}
	if readErr != nil {
		return readErr
	}
	if len(rest) > 0 {
		return line(nil)
	}
	return nil
}

// readBlocks decompresses the input r, and sends the text in blocks. The channel "free" supplies unused blocks.
func readBlocks(ctx context.Context, r io.Reader, free, full chan []byte) error {
	text, what, err := decompressed(bufio.NewReaderSize(r, 64<<10))
	if err != nil {
		return err
	}
	for {
		var block []byte
		select {
		case block = <-free:
		case <-ctx.Done():
			return ctx.Err()
		}
		n, err := 0, error(nil)
		for n < len(block) && err == nil {
			var got int
			got, err = text.Read(block[n:])
			n += got
		}
		select {
		case full <- block[:n]:
		case <-ctx.Done():
			return ctx.Err()
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, new(*InputError)): // from a Cut
			return err
		case err != nil:
			return &InputError{fmt.Errorf("%s: %w", what, err)}
		}
	}
}

// The function "decompressed" returns a reader of the input's text. If the input is gzip, the reader decompresses it.
// Reading the text may fail later. The result "what" is the beginning of the error message in that case.
func decompressed(in *bufio.Reader) (text io.Reader, what string, err error) {
	magic, err := in.Peek(2)
	if err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return in, "cannot be read", nil // if there was an error, the next read returns it again
	}
	what = "is no intact gzip"
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, what, &InputError{fmt.Errorf("%s: %w", what, err)}
	}
	return z, what, nil
}

func tooLong(line uint64) error {
	return &InputError{fmt.Errorf("line %d has more than %d bytes", line, maxLine)}
}
