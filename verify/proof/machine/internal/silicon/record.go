package silicon

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
)

// A Row is one line of a record. It is about one instruction that was compared with a processor.
type Row struct {
	In     decode.Instruction // Bytes, Text and the fields decoded from them
	States int
	CPU    string
}

// The constant "head" is the first line of a record, which names its columns.
const head = "form | bytes | instruction | states | processor\n"

// Format returns rows in the text form of a record.
func Format(rows []Row) string {
	out := head
	for _, r := range rows {
		text, _, _ := strings.Cut(r.In.Text, "#")
		text, _, _ = strings.Cut(text, "<")
		out += fmt.Sprintf("%s | %x | %s | %d | %s\n", r.In.Form(), r.In.Bytes, strings.TrimSpace(text), r.States, r.CPU)
	}
	return out
}

// Parse returns the rows of a record. The record is in the form that Format writes.
func Parse(record string) ([]Row, error) {
	lines, ok := strings.CutPrefix(record, head)
	if !ok {
		return nil, fmt.Errorf("the record does not begin with %q", head)
	}
	var rows []Row
	for l := range strings.Lines(lines) {
		f := strings.Split(strings.TrimSpace(l), " | ")
		if len(f) != 5 {
			return nil, fmt.Errorf("%q has not five columns", l)
		}
		r := Row{In: decode.Instruction{Text: f[2]}, CPU: f[4]}
		var err error
		if r.In.Bytes, err = hex.DecodeString(f[1]); err != nil {
			return nil, err
		}
		if r.States, err = strconv.Atoi(f[3]); err != nil {
			return nil, err
		}
		if err := r.In.Parse(); err != nil {
			return nil, fmt.Errorf("%q: %w", l, err)
		}
		if r.In.Form() != f[0] {
			return nil, fmt.Errorf("%q is of the form %q", l, r.In.Form())
		}
		rows = append(rows, r)
	}
	return rows, nil
}
