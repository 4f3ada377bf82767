package main

import (
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/requests"
)

// The keyFlags select which part of a line of a trace is the key.
var keyFlags = []flagSpec{
	{"field", "N", "of the trace: the key is the N-th field of a line, counted from 1 (default: the whole line)"},
	{"separator", "TEXT", "with -field: what stands between fields, \\t for a tab (default: blanks)"},
	{"regexp", "RE", "instead of -field: the key is the first group of the first match of RE in a line"},
}

// maxField is the largest value of -field. The length of a line is limited. So no line has more than maxField fields.
const maxField = 1 << 20

// The method "key" returns the Key that -field or -regexp defines, or nil if the key is the whole line.
func (in *inputs) key() requests.Key {
	field := int(in.number("field", 1, maxField, 1))
	separator := in.separator()
	if !in.has("field") && (in.values["time-field"] == nil || !in.has("time-field")) {
		in.absent("unless -field is given", "separator")
	}
	switch {
	case in.has("regexp"):
		in.absent("when -regexp is given", "field")
		re, err := regexp.Compile(in.text("regexp"))
		if err != nil {
			why := err.Error()
			if e, ok := err.(*syntax.Error); ok {
				why = e.Code.String() // the message leaves out the expression, which may be long
			}
			in.fail(&usageError{"regexp", fmt.Sprintf("must be a regular expression of Go, got %s: %s", quote(in.text("regexp")), why)})
			return nil
		}
		if re.NumSubexp() == 0 {
			in.fail(&bloomproof.ParamError{Param: "regexp", Value: in.text("regexp"), Want: "an expression with a group, such as ^GET ([^ ?]+)"})
			return nil
		}
		return requests.Group(re)
	case in.has("field"):
		return requests.Field(field, separator)
	}
	return nil
}

// The method "separator" returns the text that separates fields.
func (in *inputs) separator() string {
	separator := strings.ReplaceAll(in.text("separator"), `\t`, "\t")
	if in.has("separator") && separator == "" {
		in.fail(&bloomproof.ParamError{Param: "separator", Value: separator, Want: "at least one character"})
	}
	return separator
}

const (
	// If the share of different keys is above manyDifferent, each line probably contains other data besides its key. In
	// the traces of docs/traces.md, the share of different keys is at most 0.83.
	manyDifferent = 0.9
	// In a trace of at most fewLines lines, most keys may be different by chance.
	fewLines = 100
)

// openKeys opens a trace. If key is not nil, a read of the trace returns the keys of the lines, and not the whole
// lines.
func openKeys(name string, stdin io.Reader, key requests.Key) (*traceFile, error) {
	t, err := openTrace(name, stdin)
	if err == nil && key != nil {
		t.key, t.text = key, t.Reader
		t.cutAgain()
	}
	return t, err
}

// cutAgain prepares the trace for a pass. After the call, reading the trace yields the keys of the lines that follow
// the current offset of the text.
func (t *traceFile) cutAgain() {
	t.cut = requests.NewCut(t.text, t.key)
	t.Reader = t.cut
}

// noKeys returns the error for a trace in which no line has a key.
func (in *inputs) noKeys(t *traceFile) error {
	if t.cut == nil {
		return nil
	}
	without, lines := t.cut.Without()
	if lines == 0 || without < lines {
		return nil
	}
	name := "field"
	if in.has("regexp") {
		name = "regexp"
	}
	return &usageError{name, fmt.Sprintf("must find a key, and finds none in %d lines", lines)}
}

// warnOfKeys prints a warning if lines have no key, or if nearly all keys are different.
func (c *call) warnOfKeys(t *traceFile, distinct, arrivals uint64) {
	if t.cut != nil {
		if without, lines := t.cut.Without(); without > 0 {
			fmt.Fprintf(c.stderr, "warning: %d of %d lines have no such key and are left out\n", without, lines)
		}
	}
	if arrivals == 0 {
		fmt.Fprintln(c.stderr, "warning: the trace is empty")
	}
	if arrivals < fewLines || float64(distinct) <= manyDifferent*float64(arrivals) {
		return
	}
	advice := "if a part of a line is the key, give -field or -regexp"
	if t.cut != nil {
		advice = "is it the right part of a line?"
	}
	fmt.Fprintf(c.stderr, "warning: %d of %d keys are different; %s\n", distinct, arrivals, advice)
}
