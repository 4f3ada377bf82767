package requests

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// Fields are those of strings.Fields and strings.Split.
func TestField(t *testing.T) {
	for _, line := range []string{"", " ", "a", " a", "a b", "a  b\t c ", "a,b", ",a,,b,", "a::b:::c", "x\r"} {
		for _, separator := range []string{"", ",", "::", " "} {
			want := strings.Fields(line)
			if separator != "" {
				want = strings.Split(line, separator)
			}
			for n := 1; n < len(want)+2; n++ {
				got, ok := Field(n, separator)([]byte(line))
				if ok != (n <= len(want)) || ok && string(got) != want[n-1] {
					t.Errorf("field %d of %q by %q: %q, %v, want one of %q", n, line, separator, got, ok, want)
				}
			}
		}
	}
}

// The keys are what the definition cuts out of each line, however the text arrives, and the lines
// without a key are counted.
func TestCut(t *testing.T) {
	var text strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&text, "1.2.3.%d - [%d] \"GET /page%d HTTP/1.1\"\n", i%7, i, i%100)
		if i%1000 == 3 {
			text.WriteString("\nshort line\n")
		}
	}
	text.WriteString(strings.Repeat("y", 3*blockBytes) + " b c d /long\nand / unended /last")
	lines := strings.Split(text.String(), "\n")
	for name, c := range map[string]struct {
		key Key
		of  func(line string) (string, bool)
	}{
		"field": {Field(5, ""), func(line string) (string, bool) {
			if all := strings.Fields(line); len(all) >= 5 {
				return all[4], true
			}
			return "", false
		}},
		"group": {Group(regexp.MustCompile(`GET /(page|x(y))([0-9]+)`)), func(line string) (string, bool) {
			return "page", strings.Contains(line, "GET /page")
		}},
		"empty key": {Group(regexp.MustCompile(`G()ET`)), func(line string) (string, bool) { return "", strings.Contains(line, "GET") }},
		"no match":  {Group(regexp.MustCompile(`a(q)?b|c`)), func(line string) (string, bool) { return "", false }},
	} {
		var want []string
		for _, line := range lines {
			if key, ok := c.of(line); ok {
				want = append(want, key)
			}
		}
		zip := compress(t, text.String())
		for how, r := range map[string]io.Reader{
			"plain": strings.NewReader(text.String()), "gzip": bytes.NewReader(zip), "halves": iotest.HalfReader(bytes.NewReader(zip)),
		} {
			cut := NewCut(r, c.key)
			got, err := linesOf(cut)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %s: %d keys, %v, want %d", name, how, len(got), err, len(want))
			}
			if without, all := cut.Without(); all != uint64(len(lines)) || without != all-uint64(len(want)) {
				t.Errorf("%s, %s: %d of %d lines have no key, want %d of %d", name, how, without, all, len(lines)-len(want), len(lines))
			}
		}
	}
}

func TestCutErrors(t *testing.T) {
	whole := compress(t, strings.Repeat("a key\n", 1000))
	for name, r := range map[string]io.Reader{
		"cut":      bytes.NewReader(whole[:len(whole)/2]),
		"not gzip": strings.NewReader("\x1f\x8bhello, this is no gzip"),
		"too long": strings.NewReader("a key\n" + strings.Repeat("x", maxLine+1) + "\n"),
		"endless":  zeros{},
		"failing":  io.MultiReader(strings.NewReader("a b\nb c\n"), iotest.ErrReader(errors.New("the disk is on fire"))),
	} {
		var inout *InputError
		if _, err := linesOf(NewCut(r, Field(1, ""))); !errors.As(err, &inout) || strings.Count(err.Error(), "is no intact")+strings.Count(err.Error(), "cannot be read") > 1 {
			t.Errorf("%s: %v, want an InputError", name, err)
		}
	}
	longest := strings.Repeat("x", maxLine)
	if got, err := linesOf(NewCut(strings.NewReader(longest+"\n"+longest), Field(1, ""))); err != nil || len(got) != 2 {
		t.Errorf("lines of the most bytes: %d keys, %v", len(got), err)
	}
}
