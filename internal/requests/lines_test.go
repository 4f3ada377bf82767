package requests

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func compress(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func linesOf(r io.Reader) (lines []string, err error) {
	err = EachLine(context.Background(), r, func(line []byte) error {
		lines = append(lines, string(line))
		return nil
	})
	return lines, err
}

// Lines are what strings.Split makes of the text, however it arrives and whether it is
// compressed.
func TestEachLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	long := make([]byte, 5*blockBytes/4)
	for i := range long {
		long[i] = "abcdefg\n"[rng.IntN(8)]
	}
	for name, text := range map[string]string{
		"empty": "", "newline": "\n", "unended": "a\nb", "ended": "a\nb\n", "blank lines": "\n\na\n\n", "carriage return": "a\r\nb\r\n",
		"one byte": "x", "magic cut short": "\x1f", "binary": "\x00\xff\n\x80",
		"longest":        strings.Repeat("x", maxLine) + "\ny",
		"longest, last":  "y\n" + strings.Repeat("x", maxLine),
		"block":          strings.Repeat("x", blockBytes),
		"block, newline": strings.Repeat("x", blockBytes) + "\n" + strings.Repeat("y", blockBytes-1) + "\n",
		"random":         string(long),
	} {
		want := strings.Split(text, "\n")
		if want[len(want)-1] == "" { // what follows the last newline is no line
			want = want[:len(want)-1]
		}
		zip := compress(t, text)
		for how, r := range map[string]io.Reader{
			"plain":     strings.NewReader(text),
			"with EOF":  iotest.DataErrReader(strings.NewReader(text)),
			"halves":    iotest.HalfReader(strings.NewReader(text)),
			"gzip":      bytes.NewReader(zip),
			"gzip, two": io.MultiReader(bytes.NewReader(compress(t, text[:len(text)/3])), bytes.NewReader(compress(t, text[len(text)/3:]))),
			"gzip, one": iotest.OneByteReader(bytes.NewReader(zip)),
		} {
			if got, err := linesOf(r); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %s: %d lines, %v, want %d", name, how, len(got), err, len(want))
			}
		}
	}
}

func TestEachLineErrors(t *testing.T) {
	whole := compress(t, strings.Repeat("a key\n", 1000))
	flipped := slices.Clone(whole)
	flipped[len(flipped)-6] ^= 1 // in the checksum
	inputs := map[string]io.Reader{
		"flipped":         bytes.NewReader(flipped),
		"trailing bytes":  bytes.NewReader(append(slices.Clone(whole), "garbage"...)),
		"not gzip":        strings.NewReader("\x1f\x8bhello, this is no gzip"),
		"too long":        strings.NewReader(strings.Repeat("x", maxLine+1) + "\n"),
		"too long, last":  strings.NewReader("y\n" + strings.Repeat("x", maxLine+1)),
		"endless":         zeros{},
		"failing":         io.MultiReader(strings.NewReader("a\nb\n"), iotest.ErrReader(errors.New("the disk is on fire"))),
		"failing at once": iotest.ErrReader(errors.New("the disk is on fire")),
	}
	for cut := 2; cut < len(whole); cut++ {
		inputs[fmt.Sprintf("cut at %d", cut)] = bytes.NewReader(whole[:cut])
	}
	for name, r := range inputs {
		var inout *InputError
		if _, err := linesOf(r); !errors.As(err, &inout) {
			t.Errorf("%s: %v, want an InputError", name, err)
		}
	}
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// An error of the callback stops the reading and is returned.
func TestEachLineStops(t *testing.T) {
	stop := errors.New("enough")
	n := 0
	err := EachLine(context.Background(), strings.NewReader(strings.Repeat("a\n", 1<<20)), func([]byte) error {
		if n++; n == 3 {
			return stop
		}
		return nil
	})
	if err != stop || n != 3 {
		t.Errorf("%v after %d lines, want %v after 3", err, n, stop)
	}
}
