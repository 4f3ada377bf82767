package starved

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the widths of starved answers into the files that the tests compare them with")

// The type Widths holds the widths of a file, by answer and by step. An answer is a number of a computation. A step is a
// text with the precision. A line of the file has an answer, a colon, and the widths for all steps. A test can also
// record an error bound that a computation uses. The bound then takes the place of the width.
//
// An answer of a starved computation shows every error bound that goes into it. If such a bound becomes smaller by
// mistake, the answer may still contain the true value. If it becomes larger, the answer contains it in any case. So the
// widths of the answers are recorded. A changed bound changes a width, and the test fails. If the change is intended, the
// flag -update writes the new widths, and the change of the file shows what became wider or narrower.
type Widths struct {
	t     *testing.T
	name  string // of the file, or empty for no file
	long  bool   // the test runs in its long form
	known map[string]map[string]string
	found map[string]bool // the answers and steps that were compared with recorded ones
}

// A width has widthDigits digits in the file. Some bounds are computed by functions of package math, which round
// differently on other processors. So two widths are the same if they differ by at most widthSame of their size. This is
// twice what the digits decide.
const (
	widthDigits = 5
	widthSame   = 1e-4
)

// Margins are values of precision.Starving.Margin for a test that records bounds. The value 0 leaves the margins as they
// are. With a large margin, a bound shows its factors 1 plus a margin. With a smaller one, the other terms show too.
var Margins = []float64{0, 0x1p-6, 0x1p-16}

// OpenWidths reads the file with the given name. If the name is empty, nothing is compared. The argument "long" is true if
// the test runs in its long form.
func OpenWidths(t *testing.T, name string, long bool) *Widths {
	w := &Widths{t: t, name: name, long: long, known: map[string]map[string]string{}, found: map[string]bool{}}
	if name == "" || *update {
		return w
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		answer, list, _ := strings.Cut(line, ": ")
		w.known[answer] = map[string]string{}
		for _, one := range strings.Fields(list) {
			step, width, _ := strings.Cut(one, "=")
			w.known[answer][step] = width
		}
	}
	return w
}

// Width compares the width of an enclosure with the recorded width.
func (w *Widths) Width(answer, step string, e Enclosure) {
	width := "none"
	if lo, hi := e.Lo(), e.Hi(); !lo.IsInf() && !hi.IsInf() {
		width = widthText(hi.Sub(hi, lo))
	}
	w.compare(answer, step, width)
}

// The widths of some rates are near 2^-1000000000. Decimal digits of such a number take minutes. So a width outside
// 2^-decimalMost to 2^decimalMost is written with a power of two.
const decimalMost = 1 << 20

func widthText(width *big.Float) string {
	if e := width.MantExp(nil); e < -decimalMost || e > decimalMost {
		return width.Text('p', widthDigits)
	}
	return width.Text('g', widthDigits)
}

// Bound compares an error bound with the recorded bound.
func (w *Widths) Bound(answer, step string, bound float64) {
	w.compare(answer, step, strconv.FormatFloat(bound, 'g', widthDigits, 64))
}

// Work compares the sum of the first working precisions of some numbers with the recorded sum. A smaller precision can
// make a computation repeat, and a larger one makes it longer. The answer is the same in both cases.
func (w *Widths) Work(answer, step string, numbers int, bits uint) {
	w.compare(answer, step, fmt.Sprintf("%dx%d", numbers, bits))
}

func (w *Widths) compare(answer, step, width string) {
	if w.name == "" {
		return
	}
	if *update {
		if w.known[answer] == nil {
			w.known[answer] = map[string]string{}
		}
		w.known[answer][step] = width
		return
	}
	want, ok := w.known[answer][step]
	if !ok {
		if !w.long && !testing.Short() { // the other forms have other answers
			w.t.Errorf("%s: nothing is recorded for %s", answer, step)
		}
		return
	}
	w.found[answer+step] = true
	x, err1 := strconv.ParseFloat(width, 64)
	y, err2 := strconv.ParseFloat(want, 64)
	if same := err1 == nil && err2 == nil && math.Abs(x-y) <= widthSame*math.Abs(y); !same && width != want {
		w.t.Errorf("%s: the width or the bound for %s is %s, recorded is %s", answer, step, width, want)
	}
}

// End checks that all recorded widths were compared. If there is the flag -update, it writes the file instead. The long
// form of a test has more answers than the file, and the short form has fewer.
func (w *Widths) End() {
	switch {
	case w.name == "":
	case *update:
		w.write()
	case !w.long && !testing.Short():
		recorded := 0
		for _, steps := range w.known {
			recorded += len(steps)
		}
		if len(w.found) != recorded {
			w.t.Errorf("%d of %d recorded widths were compared", len(w.found), recorded)
		}
	}
}

func (w *Widths) write() {
	var text strings.Builder
	for _, answer := range slices.Sorted(maps.Keys(w.known)) {
		text.WriteString(answer + ":")
		for _, step := range slices.Sorted(maps.Keys(w.known[answer])) {
			fmt.Fprintf(&text, " %s=%s", step, w.known[answer][step])
		}
		text.WriteString("\n")
	}
	if err := os.WriteFile(w.name, []byte(text.String()), 0o644); err != nil {
		w.t.Fatal(err)
	}
}
