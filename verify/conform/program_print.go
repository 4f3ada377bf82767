package conform

import (
	"fmt"
	"slices"
	"strings"
)

// The method "print" returns two texts: one line about the fault, and the program that shows the fault. The program is
// Go code, or it consists of lines for the pipe. The Go code calls the functions of Subject by their names.
func (x *examination) print(p *program, fail *failure) (text, code string) {
	w := &writer{x: x, p: p, fail: fail}
	if x.s.piped {
		return w.lines()
	}
	for i := range p.steps {
		w.step(i)
	}
	return w.text, strings.TrimSuffix(w.b.String(), "\n")
}

// The type "writer" converts a program to Go source code.
type writer struct {
	x        *examination
	p        *program
	fail     *failure
	b        strings.Builder
	opened   [files]bool
	declared [slots]bool
	names    int
	text     string
}

var (
	fileNames = [files]string{"f", "g", "e", "h"}
	slotNames = [slots]string{"data", "data2", "data3"}
)

func (w *writer) linef(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

// The method "show" writes the last line: an expression, the wrong value that it has, and the right value.
func (w *writer) show(expr string) {
	f := w.fail
	w.text = fmt.Sprintf("%s: got %s, want %s", expr, f.got, f.want)
	w.linef("fmt.Println(%s) // got %s, want %s", expr, f.got, f.want)
}

// The method "panics" writes the last line of a program that ends in a panic: an expression, and the text of the
// panic.
func (w *writer) panics(expr string) {
	w.text = fmt.Sprintf("%s: panic: %s", expr, w.fail.got)
	first, _, _ := strings.Cut(w.fail.got, "\n")
	w.linef("%s // panics: %s", expr, first)
}

func (s shapeOf) call() string {
	if s.n > 0 {
		return fmt.Sprintf("Make(%d, %g)", s.n, s.rate)
	}
	return fmt.Sprintf("New(%d, %d)", s.m, s.k)
}

// The method "uses" reports whether a step uses filter i.
func (s step) uses(i uint8) bool {
	return s.f == i || (s.op == opUnion || s.op == opIntersect) && s.g == i
}

// The method "file" returns the name of the Go variable for filter i. The first call for a filter also writes the Go
// statement that makes this filter.
func (w *writer) file(i uint8) string {
	if w.opened[i] {
		return fileNames[i]
	}
	seeded := w.x.s.Seeded && w.x.s.Marshal != nil && w.x.s.Unmarshal != nil
	if seeded && (i == fileG || i == fileE) {
		w.file(fileF)
	}
	w.opened[i] = true
	shape := w.p.shape
	if i == fileH {
		shape = shape.other()
	}
	w.linef("%s, _ := %s", fileNames[i], shape.call())
	if seeded {
		switch {
		case i == fileF && slices.ContainsFunc(w.p.steps, func(s step) bool { return s.uses(fileG) || s.uses(fileE) }):
			w.linef("empty, _ := Marshal(f)")
		case i == fileG || i == fileE:
			w.linef("Unmarshal(%s, empty)", fileNames[i])
		}
	}
	return fileNames[i]
}

// The method "key" returns the Go expression for a key. If i is not empty, it is the name of a loop variable. The
// expression then depends on this variable, and gives a different key in each round of the loop.
func (w *writer) key(id uint32, i string) string {
	n := id & numberMask
	at := i
	if n > 0 {
		at = fmt.Sprintf("%d+%s", n, i)
	}
	switch form := id >> formShift; {
	case i == "" && form == formLengths && n&511 > 8:
		return fmt.Sprintf("bytes.Repeat([]byte{%d}, %d)", n>>9&255, n&511)
	case i == "":
		return fmt.Sprintf("[]byte(%q)", w.p.key(nil, id))
	case form == formBytes:
		return fmt.Sprintf("binary.LittleEndian.AppendUint64(nil, uint64(%s)*%#x)", at, uint64(goldenRatio))
	case form == formLengths:
		return fmt.Sprintf("bytes.Repeat([]byte{byte((%s) >> 9)}, (%s)&511)", at, at)
	case form == formPrefix:
		return fmt.Sprintf("fmt.Appendf(nil, \"https://example.org/%%06d\", %s)", at)
	}
	return fmt.Sprintf("[]byte(strconv.Itoa(%s))", at)
}

// Several calls may differ only in the key. They are written as a loop if their number exceeds the constant "few".
const few = 3

// The method "each" writes one call for each key of a keySpan.
func (w *writer) each(call string, keys keySpan) {
	if keys.n <= few || keys.first>>formShift == formLiteral {
		for i := range keys.n {
			w.linef(call, w.key(keys.first+i, ""))
		}
		return
	}
	w.linef("for i := range %d {\n\t"+call+"\n}", keys.n, w.key(keys.first, "i"))
}

// The method "batch" returns the Go expression for the keys of a batch.
func (w *writer) batch(s step, named bool) string {
	if s.keys.n <= few && !named {
		keys := make([]string, s.keys.n)
		for i := range keys {
			keys[i] = strings.TrimPrefix(w.key(s.key(uint32(i)), ""), "[]byte")
			if strings.HasPrefix(keys[i], "(") {
				keys[i] = "[]byte" + keys[i]
			}
		}
		return "[][]byte{" + strings.Join(keys, ", ") + "}"
	}
	name := w.name("keys")
	w.linef("var %s [][]byte", name)
	i := "i"
	if s.twice {
		i = "i/2"
	}
	if s.keys.first>>formShift == formLiteral {
		for i := range s.keys.n {
			w.linef("%s = append(%s, %s)", name, name, w.key(s.key(i), ""))
		}
		return name
	}
	w.linef("for i := range %d {\n\t%s = append(%s, %s)\n}", s.keys.n, name, name, w.key(s.keys.first, i))
	return name
}

// The method "name" returns a variable name that the program does not use yet. It is the argument, or the argument
// followed by a number.
func (w *writer) name(of string) string {
	w.names++
	if w.names == 1 {
		return of
	}
	return fmt.Sprint(of, w.names)
}

// The argument "at" is the index of a step that writes a snapshot to a slot. The method "read" reports whether a
// later step reads this snapshot.
func (w *writer) read(at int) bool {
	for _, s := range w.p.steps[at+1:] {
		if s.slot == w.p.steps[at].slot {
			switch s.op {
			case opMarshal:
				return false
			case opUnmarshal, opDamaged, opOverwrite:
				return true
			}
		}
	}
	return false
}

// The argument "at" is the index of a step. The method "step" writes the Go code of this step. After the last step it
// also writes the step's result.
func (w *writer) step(at int) {
	s := w.p.steps[at]
	f := w.file(s.f)
	last := at == w.fail.at
	what := w.fail.what
	switch s.op {
	case opAdd, opContains, opTestAndAdd:
		name := map[op]string{opAdd: "Add", opContains: "Contains", opTestAndAdd: "TestAndAdd"}[s.op]
		call := name + "(" + f + ", %s)"
		switch {
		case !last:
			w.each(call, s.keys)
		case what == isPanic:
			if s.keys.n != 1 {
				w.each(call+" // panics: "+strings.ReplaceAll(w.fail.got, "%", "%%"), s.keys)
				w.text = name + ": panic: " + w.fail.got
				return
			}
			w.panics(fmt.Sprintf(call, w.key(s.keys.first, "")))
		default:
			w.each(call, keySpan{s.keys.first, w.fail.key})
			w.show(fmt.Sprintf(call, w.key(s.keys.first+w.fail.key, "")))
		}
	case opAddBatch:
		keys := w.batch(s, last && what == isTouched)
		call := fmt.Sprintf("AddBatch(%s, %s)", f, keys)
		switch {
		case last && what == isPanic:
			w.panics(call)
		default:
			w.linef("%s", call)
			if last {
				w.show(fmt.Sprintf("strconv.Quote(string(%s[%d]))", keys, w.fail.key))
			}
		}
	case opContainsBatch:
		keys := w.batch(s, last && what == isTouched)
		call := fmt.Sprintf("ContainsBatch(%s, %s)", f, keys)
		switch {
		case !last && what == isReused && at == w.batchBefore():
			w.linef("answers := %s\nwere := slices.Clone(answers)", call)
		case !last:
			w.linef("%s", call)
		case what == isPanic:
			w.panics(call)
		case what == isReused:
			w.linef("%s", call)
			w.fail.got, w.fail.want = "false", "true"
			w.show("slices.Equal(answers, were)")
		case what == isTouched:
			w.linef("%s", call)
			w.show(fmt.Sprintf("strconv.Quote(string(%s[%d]))", keys, w.fail.key))
		case w.fail.key == s.keys.n:
			w.show("len(" + call + ")")
		default:
			w.show(fmt.Sprintf("%s[%d]", call, w.fail.key))
		}
	case opUnion, opIntersect:
		name := "Union"
		if s.op == opIntersect {
			name = "Intersect"
		}
		w.call(last, fmt.Sprintf("%s(%s, %s)", name, f, w.file(s.g)))
	case opReset:
		if expr := fmt.Sprintf("Reset(%s)", f); s.keys.n > 1 {
			w.linef("for range %d {\n\t%s\n}", s.keys.n, expr)
		} else {
			w.call(last, expr)
		}
	case opBits:
		w.call(last, fmt.Sprintf("Bits(%s)", f))
	case opItems:
		w.call(last, fmt.Sprintf("Items(%s)", f))
	case opRate:
		w.call(last, fmt.Sprintf("Rate(%s)", f))
	case opWords:
		expr := fmt.Sprintf("Words(%s)", f)
		if last && what == isOther {
			if expr = fmt.Sprintf("%s[%d]", expr, w.fail.index); w.fail.index < 0 {
				expr = fmt.Sprintf("len(Words(%s))", f)
			}
		}
		w.call(last, expr)
	default:
		w.snapshot(at, s, f, last)
	}
}

// The method "call" writes a line of Go code. The argument "expr" is the call in this line. If the argument "last" is
// true, it also writes the call's result.
func (w *writer) call(last bool, expr string) {
	switch {
	case !last:
		w.linef("%s", expr)
	case w.fail.what == isPanic:
		w.panics(expr)
	default:
		w.show(expr)
	}
}

// The method "snapshot" writes a step that takes, reads or changes a snapshot.
func (w *writer) snapshot(at int, s step, f string, last bool) {
	data := slotNames[s.slot]
	what := w.fail.what
	switch s.op {
	case opMarshal:
		expr := fmt.Sprintf("Marshal(%s)", f)
		switch assign := " := "; {
		case last && what == isPanic:
			w.panics(expr)
			return
		case last && what == isRefused:
			w.linef("_, err := %s", expr)
			w.show("err")
			return
		case last:
			w.linef("again, _ := %s", expr)
			w.fresh()
			return
		case w.read(at):
			if w.declared[s.slot] {
				assign = " = "
			}
			w.declared[s.slot] = true
			w.linef("%s, _%s%s", data, assign, expr)
		default:
			w.linef("%s", expr)
		}
		if what == isTouched && w.p.steps[w.fail.at].slot == s.slot && w.keepsAt() == at {
			w.linef("kept := bytes.Clone(%s)", data)
		}
	case opUnmarshal:
		expr := fmt.Sprintf("Unmarshal(%s, %s)", f, data)
		switch {
		case last && what == isTouched:
			w.linef("%s", expr)
			w.fail.got, w.fail.want = "false", "true"
			w.show(fmt.Sprintf("bytes.Equal(%s, kept)", data))
		case last && what == isOther:
			w.linef("%s", expr)
			w.show(fmt.Sprintf("Contains(%s, %s)", f, w.key(probed.first+w.fail.key, "")))
		default:
			w.call(last, expr)
		}
	case opDamaged:
		bad := w.name("bad")
		w.linef("%s := bytes.Clone(%s)", bad, data)
		if s.cut {
			w.linef("%s = %s[:len(%s)-1]", bad, bad, bad)
		} else {
			w.linef("%s[len(%s)-1] ^= 1", bad, bad)
		}
		w.call(last, fmt.Sprintf("Unmarshal(%s, %s)", f, bad))
	case opOverwrite:
		if last && what == isTouched {
			w.fail.got, w.fail.want = "false", "true"
			w.show(fmt.Sprintf("bytes.Equal(%s, kept)", data))
			return
		}
		w.linef("clear(%s)", data)
	}
}

// batchBefore searches the steps before the failure for the last one that looks up a batch. It returns the index of
// this step, or -1.
func (w *writer) batchBefore() int {
	for at := w.fail.at - 1; at >= 0; at-- {
		if w.p.steps[at].op == opContainsBatch {
			return at
		}
	}
	return -1
}

// keepsAt is called if a program failed because a snapshot has changed. It returns the index of the step that made this
// snapshot, or -1.
func (w *writer) keepsAt() int {
	for at := w.fail.at; at >= 0; at-- {
		if s := w.p.steps[at]; s.op == opMarshal && s.slot == w.p.steps[w.fail.at].slot {
			return at
		}
	}
	return -1
}

// The method "fresh" writes Go code that compares two snapshots. In this code, the variable "again" holds the first
// snapshot. The second is either the snapshot from which the filter was read, or the snapshot of a new filter. The keys
// were added to this new filter one by one.
func (w *writer) fresh() {
	if w.fail.slot >= 0 {
		w.show(fmt.Sprintf("bytes.Equal(again, %s)", slotNames[w.fail.slot]))
		return
	}
	shape := w.p.shape
	if w.fail.spec.other {
		shape = shape.other()
	}
	w.linef("fresh, _ := %s", shape.call())
	if w.x.s.Seeded {
		w.linef("Unmarshal(fresh, empty)")
	}
	for _, keys := range w.fail.spec.sets[0] {
		w.each("Add(fresh, %s)", keys)
	}
	w.linef("want, _ := Marshal(fresh)")
	w.show("bytes.Equal(again, want)")
}

// The method "lines" returns two texts about a program that failed in another process. The first text shows the last
// line that was sent to this process, the wrong answer, and the right answer. The second text has all lines that were
// sent.
func (w *writer) lines() (text, code string) {
	for i := range w.p.steps {
		w.line(i)
	}
	code = strings.TrimSuffix(w.b.String(), "\n")
	last := code[strings.LastIndexByte(code, '\n')+1:]
	if w.fail.what == isPanic {
		return fmt.Sprintf("%.100s: %s", last, w.fail.got), fmt.Sprintf("%s → %s", code, w.fail.got)
	}
	code += fmt.Sprintf(" → %s, want %s", w.fail.digit(w.fail.got), w.fail.digit(w.fail.want))
	return fmt.Sprintf("%.100s: got %s, want %s", last, w.fail.digit(w.fail.got), w.fail.digit(w.fail.want)), code
}

// The method "digit" returns an answer in the form of the protocol. In the protocol, 1 means true and 0 means false.
func (f *failure) digit(answer string) string {
	switch answer {
	case "true":
		return "1"
	case "false":
		return "0"
	}
	return answer
}

// The argument "at" is the index of a step. The method "line" writes this step as text in the protocol of the function
// Pipe.
func (w *writer) line(at int) {
	s := w.p.steps[at]
	for i := range uint8(files) {
		if !s.uses(i) || w.opened[i] {
			continue
		}
		w.opened[i] = true
		shape := w.p.shape
		if i == fileH {
			shape = shape.other()
		}
		if shape.n > 0 {
			w.linef("make %d %d %g", i, shape.n, shape.rate)
		} else {
			w.linef("new %d %d %d", i, shape.m, shape.k)
		}
	}
	switch s.op {
	case opAdd, opContains, opTestAndAdd:
		keys, most := s.keys, uint32(50)
		if s.op == opTestAndAdd {
			most = 1
		}
		if at == w.fail.at && w.fail.what != isPanic {
			keys = keySpan{s.keys.first + w.fail.key, 1}
			w.keys(verbs[s.op], s.f, keySpan{s.keys.first, w.fail.key}, most, false)
		}
		w.keys(verbs[s.op], s.f, keys, most, false)
	case opAddBatch, opContainsBatch:
		w.keys(verbs[s.op], s.f, s.keys, s.keys.n, s.twice)
	case opUnion, opIntersect:
		w.linef("%s %d %d", verbs[s.op], s.f, s.g)
	case opMarshal:
		w.linef("save %d → ok HEX%d", s.f, s.slot+1)
	case opUnmarshal:
		w.linef("load %d HEX%d", s.f, s.slot+1)
	case opDamaged:
		w.linef("load %d HEX%d, with another last byte or without it", s.f, s.slot+1)
	case opOverwrite:
	default:
		for range max(1, s.keys.n) {
			w.linef("%s %d", verbs[s.op], s.f)
		}
	}
}

// Each kind of step has its own line in the protocol of the pipe. The variable "verbs" has the first word of this line.
var verbs = [ops]string{
	opAdd: "add", opTestAndAdd: "testadd", opAddBatch: "addbatch", opUnion: "union", opIntersect: "intersect", opReset: "reset",
	opContains: "has", opContainsBatch: "hasbatch", opBits: "bits", opWords: "words", opItems: "items", opRate: "rate",
}

// The method "keys" writes the lines of a step that has keys. The argument "most" is the largest number of keys in a
// line.
func (w *writer) keys(verb string, f uint8, keys keySpan, most uint32, twice bool) {
	s := step{keys: keys, twice: twice}
	for done := uint32(0); done < keys.n; {
		fmt.Fprintf(&w.b, "%s %d", verb, f)
		for end := min(keys.n, done+most); done < end; done++ {
			fmt.Fprint(&w.b, " ", word(w.p.key(nil, s.key(done))))
		}
		fmt.Fprintln(&w.b)
	}
}
