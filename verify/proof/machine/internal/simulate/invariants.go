package simulate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// Invariants are the contents of an invariants file in the kernels' folder. Such a file has these kinds of lines:
//
//	func NAME...               the lines after this line apply to these functions
//	with NAME WORD...          in the lines about these functions, NAME stands for the first word for the first function, for
//	                           the second word for the second function, and so on
//	twin NAME                  the name of the twin; without this line, it is the function's name without its ending
//	halves                     terms are compared in the form of package term's Halves
//	parts                      large claims are proved in parts, as package term's Sweep divides them
//	opaque                     the solvers know only that products of the same terms are equal
//	cases EXPRESSION A B       paths from a loop head are followed for each value of the expression from A to B; with
//	                           several such lines, for each combination of values; after a line "head", only the
//	                           paths from this loop head, on which the twin's variables have these values
//	split kR EXPRESSION A B    the same, only from the instruction on that moves a register to the mask R; here the
//	                           expression can contain registers
//	split NAME REGISTER EXPRESSION A B
//	                           the same, from the instruction on that has this name and changes this register; with
//	                           several lines "split", a path is divided at each of these instructions
//	constants                  the claims at loop heads have the values of such expressions instead of them; the
//	                           solvers multiply by constants up to 128; what an instruction accesses side by side is
//	                           one access, and what lies inside an earlier access is not claimed again
//	early                      each access is proved from the conditions that are known where it is made and that have
//	                           a variable of the claim; large conditions are used only to refute impossible paths
//	integers                   claims that compare sums are proved about integers, as package term's Integers says
//	narrow                     the solvers get the lemma "products of 52 bits"
//	near                       each claim is proved from the conditions that have a variable of it, or only variables of
//	                           such conditions; the claims before it are among the conditions
//	multiples                  the solvers know more about quotients, remainders and the operation "fits"
//	rounded EXPRESSION         the address of the values in the frame that begin at a multiple of a power of two
//	rows N                     a table of constants that is read at an unknown index has N rows
//	records N                  the twin's records begin N bytes below the return address, or N bytes above the address of
//	                           the line "rounded" if there is one
//	records NAME = EXPRESSION  the address of the twin's records with this name
//	ends                       the function ends because its twin does, as a theorem says: on every path between loop heads
//	                           the twin makes a step. There are no measures then
//	head NAME at LABEL         the next loop head in the order of addresses, where the twin is at the label
//	head NAME at LABEL idle    the same; on a path to here from a loop head at that label, the twin makes no step
//	head NAME at LABEL waits   the same; on a path from here to a loop head at that label, the twin makes no step
//	never LABEL...             the twin passes none of these labels on a path to here; if it does, the path is impossible
//	REGISTER = EXPRESSION      such as rcx = len(pos) - i
//	vR_L = EXPRESSION          the 64-bit lane L of vector R; vR = EXPRESSION applies to lanes 0 to 3, zR to all lanes,
//	                           and vR = EXPRESSION, ... has an expression for each lane
//	kR = EXPRESSION            the mask R
//	upper                      vectors may have bits above 128
//	stack(N) = EXPRESSION, ... the words that begin N bytes above the return address; N is an expression of numbers
//	when EXPRESSION: LINE      the line, which gives the value of a place, holds if the expression is true; the cases
//	                           have to decide whether it is
//	repeat N                   the lines to the line "end" N times, where $ is 0 to N-1
//	rounded(N) = EXPRESSION    the 8 bytes N bytes above the address of the line "rounded"; with several expressions, the
//	                           words from there on
//	slot(RESULT) = EXPRESSION  the value that the result has so far
//	fact EXPRESSION            the expression is true
//	filled NAME EXPRESSION     so many of these records of the twin, from the first one on, have been stored
//	each EXPRESSION            the expression is true for all words of the twin's records; in it, the name "cell" stands
//	                           for the number of a word
//	take EXPRESSION, ...       numbers of words for which the expressions of the lines "each" are assumed
//	measure EXPRESSION, ...    becomes smaller from loop head to loop head; the first value that changes decides.
//
// Expressions can contain the twin's variables and arguments, registers, lanes and masks. SP and BP are the stack
// pointer and the frame pointer at the entry. The name at16 stands for the word 16 bytes below the return address. This
// word may have any value. If a loop head has no line for a register, this register may have any value there. There are
// two exceptions: rsp = SP and rbp = BP.
type Invariants struct{ sections []section }

type section struct {
	funcs     []string
	twin      string
	halves    bool
	parts     bool
	opaque    bool
	cases     []cases
	splits    []cases
	early     bool
	whole     bool // the line "integers"
	consts    bool // the line "constants"
	narrow    bool
	rows      uint64
	below     uint64  // the line "records" with a number
	places    []named // the lines "records" with names
	ends      bool
	near      bool
	multiples bool
	rounded   *expression
	heads     []headOf
}

// The type "cases" represents a range of values of an expression. The paths for each of these values are followed
// separately.
type cases struct {
	of       expression
	text     string
	from, to uint64
	reg      int    // of "split": the register
	name     string // of "split": the name of the instruction; "" for a move to a mask
}

type headOf struct {
	name, label string
	idle, waits bool
	upper       bool
	cases       []cases
	lines       []equation
	facts       []equation
	measure     []expression
	filled      []named
	never       []string
	each        []equation
	take        []expression
	rounded     []equation
	slots       []int64 // the depths of the places of the frame that may have any value, see slotOf
}

// The type "equation" describes one line of the invariants file. Some lines give the value of a place, such as a
// register. The other lines state a fact.
type equation struct {
	text  string
	place decode.Place // of no kind if it is in the frame
	slot  int64        // of a line "rounded": the distance from its address
	named string
	is    expression
	when  *expression // the condition of a line "when", or nil
}

var (
	stackAt = regexp.MustCompile(`^(stack|slot)\(([^()]+)\)$`)
	whenIs  = regexp.MustCompile(`^when ([^:]+): (.+)$`)
)

var roundedAt = regexp.MustCompile(`^rounded\((\d+)\)$`)

var atSlot = regexp.MustCompile(`\bat([0-9]+)\b`)

// slotOf handles names such as at16, which stand for places in the stack frame. Such a place has a lower address than
// the return address. The first result is the distance in bytes. The second result says whether the name has this form.
func slotOf(name string) (depth int64, ok bool) {
	if m := atSlot.FindString(name); m == "" || m != name {
		return 0, false
	}
	depth, err := strconv.ParseInt(name[2:], 10, 32)
	return depth, err == nil && depth > 0 && depth%8 == 0
}

var (
	ofFuncs = regexp.MustCompile(`(?m)^func `)
	withIs  = regexp.MustCompile(`(?m)^with (\S+) (.*)\n`)
)

// The function "varied" returns a changed text. In it, the lines about several functions are repeated for each of these
// functions, if there is a line "with" among them. In each repetition, the words of the function replace the names.
func varied(text string) (out string) {
	starts := append(ofFuncs.FindAllStringIndex(text, -1), []int{len(text)})
	out = text[:starts[0][0]]
	for i, s := range starts[:len(starts)-1] {
		of := text[s[0]:starts[i+1][0]]
		first, _, _ := strings.Cut(of, "\n")
		names := strings.Fields(first)[1:]
		all := withIs.FindAllStringSubmatch(of, -1)
		if len(all) == 0 {
			out += of
			continue
		}
		of = withIs.ReplaceAllString(strings.TrimPrefix(of, first), "")
		for k, name := range names {
			one := of
			for _, w := range all {
				if words := strings.Fields(w[2]); k < len(words) {
					one = regexp.MustCompile(`\b`+w[1]+`\b`).ReplaceAllString(one, words[k])
				}
			}
			out += "func " + name + one
		}
	}
	return out
}

// ParseInvariants parses the text of an invariants file.
func ParseInvariants(text string) (inv Invariants, err error) {
	for i, line := range strings.Split(unrolled(varied(text)), "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if err := inv.read(line); err != nil {
			return inv, fmt.Errorf("line %d: %q: %w", i+1, line, err)
		}
	}
	return inv, nil
}

func (inv *Invariants) read(line string) (err error) {
	f := strings.Fields(line)
	if f[0] == "func" {
		inv.sections = append(inv.sections, section{funcs: f[1:]})
		return nil
	}
	if len(inv.sections) == 0 {
		return fmt.Errorf("it is of no function")
	}
	s := &inv.sections[len(inv.sections)-1]
	switch {
	case f[0] == "twin" && len(f) == 2:
		s.twin = f[1]
		return nil
	case f[0] == "halves" && len(f) == 1:
		s.halves = true
		return nil
	case f[0] == "parts" && len(f) == 1:
		s.parts = true
		return nil
	case f[0] == "opaque" && len(f) == 1:
		s.opaque = true
		return nil
	case f[0] == "rows" && len(f) == 2:
		s.rows, err = strconv.ParseUint(f[1], 10, 16)
		return err
	case f[0] == "records" && len(f) == 2:
		s.below, err = strconv.ParseUint(f[1], 10, 16)
		return err
	case f[0] == "records" && len(f) > 3 && f[2] == "=":
		q := named{name: f[1]}
		q.is, err = parse(strings.Join(f[3:], " "))
		s.places = append(s.places, q)
		return err
	case f[0] == "ends" && len(f) == 1:
		s.ends = true
		return nil
	case f[0] == "narrow" && len(f) == 1:
		s.narrow = true
		return nil
	case f[0] == "early" && len(f) == 1:
		s.early = true
		return nil
	case f[0] == "integers" && len(f) == 1:
		s.whole = true
		return nil
	case f[0] == "constants" && len(f) == 1:
		s.consts = true
		return nil
	case f[0] == "near" && len(f) == 1:
		s.near = true
		return nil
	case f[0] == "multiples" && len(f) == 1:
		s.multiples = true
		return nil
	case f[0] == "rounded" && len(f) > 1:
		e, err := parse(strings.Join(f[1:], " "))
		s.rounded = &e
		return err
	case f[0] == "split" && len(f) > 4:
		var c cases
		if len(decode.Places(f[1])) != 1 {
			c.name, f = f[1], f[1:]
		}
		if len(f) < 5 || len(decode.Places(f[1])) != 1 {
			return fmt.Errorf("it has no register")
		}
		c.text, c.reg = strings.Join(f[2:len(f)-2], " "), decode.Places(f[1])[0].Reg
		if c.of, err = parse(c.text); err == nil {
			_, err = fmt.Sscan(strings.Join(f[len(f)-2:], " "), &c.from, &c.to)
		}
		s.splits = append(s.splits, c)
		return err
	case f[0] == "cases" && len(f) > 3:
		c := cases{text: strings.Join(f[1:len(f)-2], " ")}
		if c.of, err = parse(c.text); err == nil {
			_, err = fmt.Sscan(strings.Join(f[len(f)-2:], " "), &c.from, &c.to)
		}
		of := &s.cases
		if len(s.heads) > 0 {
			of = &s.heads[len(s.heads)-1].cases
		}
		*of = append(*of, c)
		return err
	case f[0] == "head" && (len(f) == 4 || len(f) == 5 && (f[4] == "idle" || f[4] == "waits")) && f[2] == "at":
		s.heads = append(s.heads, headOf{name: f[1], label: f[3], idle: f[len(f)-1] == "idle", waits: f[len(f)-1] == "waits"})
		return nil
	case len(s.heads) == 0:
		return fmt.Errorf("it is of no head")
	}
	h := &s.heads[len(s.heads)-1]
	for _, m := range atSlot.FindAllStringSubmatch(line, -1) {
		if depth, ok := slotOf(m[0]); ok && !slices.Contains(h.slots, depth) {
			h.slots = append(h.slots, depth)
		}
	}
	if rest, ok := strings.CutPrefix(line, "fact "); ok {
		e, err := parse(rest)
		h.facts = append(h.facts, equation{text: line, is: e})
		return err
	}
	if f[0] == "filled" && len(f) > 2 {
		q := named{name: f[1]}
		q.is, err = parse(strings.Join(f[2:], " "))
		h.filled = append(h.filled, q)
		return err
	}
	if rest, ok := strings.CutPrefix(line, "each "); ok {
		e, err := parse(rest)
		h.each = append(h.each, equation{text: line, is: e})
		return err
	}
	if rest, ok := strings.CutPrefix(line, "take "); ok {
		h.take, err = parseList(rest)
		return err
	}
	if rest, ok := strings.CutPrefix(line, "measure "); ok {
		h.measure, err = parseList(rest)
		return err
	}
	if f[0] == "never" && len(f) > 1 {
		h.never = f[1:]
		return nil
	}
	if line == "upper" {
		h.upper = true
		return nil
	}
	var when *expression
	if m := whenIs.FindStringSubmatch(line); m != nil {
		e, err := parse(m[1])
		if err != nil {
			return err
		}
		when, line = &e, m[2]
	}
	left, right, ok := strings.Cut(line, " = ")
	if !ok {
		return fmt.Errorf("it is no line of invariants")
	}
	all, err := parseList(right)
	if err != nil {
		return err
	}
	if places := decode.Places(left); len(places) > 0 {
		if len(all) != 1 && len(all) != len(places) {
			return fmt.Errorf("%d values for %d places", len(all), len(places))
		}
		for i, p := range places {
			h.lines = append(h.lines, equation{text: line, place: p, is: all[i%len(all)], when: when})
		}
		return nil
	}
	if m := roundedAt.FindStringSubmatch(left); m != nil {
		at, err := strconv.ParseInt(m[1], 10, 32)
		for i, e := range all {
			h.rounded = append(h.rounded, equation{text: line, slot: at + int64(8*i), is: e})
		}
		return err
	}
	m := stackAt.FindStringSubmatch(left)
	if m == nil || m[1] == "slot" && len(all) > 1 {
		return fmt.Errorf("%q is no place", left)
	}
	for i, is := range all {
		q := equation{text: line, named: m[2], is: is, when: when}
		if m[1] == "stack" {
			at, err := constant(m[2])
			if err != nil {
				return err
			}
			q.slot, q.named = at+8*int64(i), ""
		}
		h.lines = append(h.lines, q)
	}
	return nil
}

// The function "constant" returns the value of an expression of numbers.
func constant(text string) (n int64, err error) {
	defer caught(&err)
	e, err := parse(text)
	if err != nil {
		return 0, err
	}
	s := scope{Pool: term.NewPool(), names: func(string) *term.Term { return nil }}
	return int64(s.word(e).Value), nil
}

// The method "of" returns the section for the function with the given name. If there is no such section, the second
// result is false.
func (inv Invariants) of(name string) (section, bool) {
	i := slices.IndexFunc(inv.sections, func(s section) bool { return slices.Contains(s.funcs, name) })
	if i < 0 {
		return section{}, false
	}
	s := inv.sections[i]
	if s.twin == "" {
		s.twin = stem.ReplaceAllString(name, "")
	}
	return s, true
}

var stem = regexp.MustCompile(`(Popcnt|AVX2|AVX512|NEON)$`)

// Covers reports whether the file has invariants for the function with the given name.
func (inv Invariants) Covers(name string) bool {
	_, ok := inv.of(name)
	return ok
}

// A section of the file is for functions with the same twin. The method "program" returns this twin.
func (s section) program() (*Twin, error) {
	t := twins[s.twin]
	switch {
	case t == nil:
		return nil, fmt.Errorf("twin %s is not written down", s.twin)
	case s.ends && t.theorem == "":
		return nil, fmt.Errorf("no theorem says that twin %s ends", s.twin)
	}
	return t, nil
}
