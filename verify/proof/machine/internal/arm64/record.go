package arm64

import (
	"fmt"
	"strconv"
	"strings"
)

// Row is an instruction that was compared with a processor.
type Row struct {
	In     Instruction // Word, Text and the fields decoded from them
	States int
	CPU    string
}

// The constant "head" is the first line of a record, which names its columns.
const head = "form | word | instruction | states | processor\n"

// Format returns rows in the text form of a record.
func Format(rows []Row) string {
	out := head
	for _, r := range rows {
		out += fmt.Sprintf("%s | %08x | %s | %d | %s\n", r.In.Form(), r.In.Word, r.In.Plain(), r.States, r.CPU)
	}
	return out
}

// Plain returns the instruction's text without comments and without names of symbols.
func (in Instruction) Plain() string {
	text, _, _ := strings.Cut(in.Text, "//")
	text, _, _ = strings.Cut(text, "<")
	return strings.ReplaceAll(strings.TrimSpace(text), "\t", " ")
}

// ParseRecord returns the rows of a record. The record is in the form that Format writes.
func ParseRecord(record string) ([]Row, error) {
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
		r := Row{In: Instruction{Text: f[2]}, CPU: f[4]}
		word, err := strconv.ParseUint(f[1], 16, 32)
		if err == nil {
			r.In.Word = uint32(word)
			r.States, err = strconv.Atoi(f[3])
		}
		if err == nil {
			err = r.In.Parse()
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", l, err)
		}
		if r.In.Form() != f[0] {
			return nil, fmt.Errorf("%q is of the form %q", l, r.In.Form())
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// Unconfirmed returns the instruction forms of the argument "code" that no row confirms. It returns them in the order
// of the code. For a row, the processor was compared with the table in a certain number of initial states. If this
// number is at least the argument "states", the row confirms the form of its instruction. Unconfirmed leaves out the
// return instruction and the call instruction, which package follow handles.
func Unconfirmed(rows []Row, code []Instruction, states int) []string {
	seen := map[string]bool{"ret": true, "bl t": true, "udf": true} // executing udf is an error
	for _, r := range rows {
		seen[r.In.Form()] = seen[r.In.Form()] || r.States >= states
	}
	var out []string
	for _, in := range code {
		if form := in.Form(); !seen[form] {
			seen[form] = true
			out = append(out, form)
		}
	}
	return out
}
