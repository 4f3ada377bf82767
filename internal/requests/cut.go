package requests

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync/atomic"
)

// A Key is a function that finds the key in a line. The key is a part of the line. The result "ok" says whether the
// line has a key.
type Key func(line []byte) (key []byte, ok bool)

// Field returns a Key that finds the n-th field of a line. The first field has the number 1. Each occurrence of the
// text "separator" ends one field and begins the next. If this text is empty, one or more blanks separate two fields. A
// blank is a space, a tab or a carriage return. Blanks at the beginning and at the end of the line are then ignored.
func Field(n int, separator string) Key {
	if separator == "" {
		return func(line []byte) ([]byte, bool) { return blankField(line, n) }
	}
	between := []byte(separator)
	return func(line []byte) ([]byte, bool) {
		for range n - 1 {
			_, rest, ok := bytes.Cut(line, between)
			if !ok {
				return nil, false
			}
			line = rest
		}
		key, _, _ := bytes.Cut(line, between)
		return key, true
	}
}

func blankField(line []byte, n int) ([]byte, bool) {
	blank := func(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
	for i := 0; ; {
		for i < len(line) && blank(line[i]) {
			i++
		}
		if i == len(line) {
			return nil, false
		}
		start := i
		for i < len(line) && !blank(line[i]) {
			i++
		}
		if n--; n == 0 {
			return line[start:i], true
		}
	}
}

// Group returns a Key that finds the first match of the regular expression re. The key is the text that the first group
// in re has matched. The expression must contain at least one group in parentheses.
func Group(re *regexp.Regexp) Key {
	return func(line []byte) ([]byte, bool) {
		at := re.FindSubmatchIndex(line)
		if at == nil || at[2] < 0 {
			return nil, false
		}
		return line[at[2]:at[3]], true
	}
}

// Cut reads only the keys of a trace. Each line has at most one key. Use NewCut.
type Cut struct {
	key  Key
	in   *bufio.Reader
	what string // the message for an input that fails; "" before the first Read
	err  error  // the error at which the input ended

	line    []byte // the present line, if it is longer than the buffer of in
	out     []byte // keys that were not read yet
	buffer  []byte // the memory of out
	lines   atomic.Uint64
	without atomic.Uint64
}

// NewCut returns a Cut that reads the lines of r. The input r is plain text or gzip, as in EachLine. The argument "key"
// finds the key in a line. Lines without a key are skipped. The errors are those of EachLine.
func NewCut(r io.Reader, key Key) *Cut {
	return &Cut{key: key, in: bufio.NewReaderSize(r, blockBytes)}
}

// Without counts lines. It returns the number of lines without a key, and the number of all lines. Both numbers count
// the lines that were read so far.
func (c *Cut) Without() (without, lines uint64) { return c.without.Load(), c.lines.Load() }

// Read reads keys, each followed by a newline.
func (c *Cut) Read(p []byte) (int, error) {
	if c.what == "" {
		var text io.Reader
		if text, c.what, c.err = decompressed(c.in); c.err == nil && text != io.Reader(c.in) {
			c.in = bufio.NewReaderSize(text, blockBytes)
		}
	}
	if len(c.out) == 0 {
		c.fill()
	}
	if len(c.out) == 0 {
		return 0, c.err
	}
	n := copy(p, c.out)
	c.out = c.out[n:]
	return n, nil
}

// The method "fill" cuts keys out of lines. It waits for input only until it has found one key. Then it continues only
// while the reader has buffered text.
func (c *Cut) fill() {
	c.buffer = c.buffer[:0]
	for c.err == nil && (len(c.buffer) == 0 || len(c.buffer) < blockBytes/4 && c.in.Buffered() > 0) {
		line, err := c.next()
		if err != nil {
			c.err = err
			break
		}
		c.lines.Add(1)
		key, ok := c.key(line)
		if !ok {
			c.without.Add(1)
			continue
		}
		c.buffer = append(append(c.buffer, key...), '\n')
	}
	c.out = c.buffer
}

// The method "next" returns the next line, or io.EOF. The line is valid until the next call.
func (c *Cut) next() ([]byte, error) {
	c.line = c.line[:0]
	for {
		part, err := c.in.ReadSlice('\n')
		if len(c.line)+len(part) > maxLine+1 {
			return nil, tooLong(c.lines.Load() + 1)
		}
		switch {
		case err == nil && len(c.line) == 0:
			return part[:len(part)-1], nil
		case err == nil:
			c.line = append(c.line, part[:len(part)-1]...)
			return c.line, nil
		case errors.Is(err, bufio.ErrBufferFull):
			c.line = append(c.line, part...)
		case errors.Is(err, io.EOF):
			if c.line = append(c.line, part...); len(c.line) == 0 {
				return nil, io.EOF
			}
			return c.line, nil
		default:
			return nil, &InputError{fmt.Errorf("%s: %w", c.what, err)}
		}
	}
}
