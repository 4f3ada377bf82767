package solve

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Most claims compare sums of words, such as the places of words and the bounds of slices. Solvers take longer for sums
// of words than for sums of integers, because a sum of words has 64 carries. The function "linear" leaves no other
// operations in a script than those that integers have too. The solver cvc5 translates the result to integers by
// itself. For z3, the function "integral" translates it. So the two solvers do not rely on one translation.

// The function "linear" returns the script with a constant in place of each word and each truth value that is not a sum,
// a quotient or a remainder by a constant, a part of a word, a choice, or a comparison. Values that satisfy the script
// satisfy the result too: each constant then has the value that it stands for. So if the result is unsatisfiable, the
// script is too. If the claim is such a constant, the result would tell nothing. Then it is "".
func linear(script string) string {
	t := translation{}
	t.all(script)
	if t.failed || !t.claim {
		return ""
	}
	return only(strings.Join(t.words, ""), "("+strings.Join(t.conditions, " ")+")")
}

// The function "integral" returns a script about integers. It is unsatisfiable if and only if the given script is, which
// is a result of "linear". A word with w bits becomes an integer from 0 to 2^w-1, and a sum becomes the remainder of a sum
// modulo 2^w. Each line is translated to one line, so the conditions have the same names (see named). If there is a line
// that cannot be translated, the result is "".
func integral(script string) string {
	t := translation{}
	t.all(script)
	if t.failed || t.opaque {
		return ""
	}
	return strings.Join(t.integers, "")
}

// With this option, z3 takes two thirds of the time for scripts about integers, and always ends within its limit.
const simplex = "(set-option :smt.arith.solver 2)\n"

// Without that option, z3 decides more scripts, but it sometimes ignores the limit of its steps. With this one, it then
// ends after half a minute. Five seconds were too few on a machine with a load of 30: z3 had then not even used the
// steps that were enough for some scripts.
const patient = "(set-option :timeout 30000)\n"

// A translation has the lines of a script as the functions "linear" and "integral" return them.
type translation struct {
	words, integers []string
	lines           int      // the number of lines about words
	conditions      []string // the names of the conditions
	claim           bool     // whether the last condition is not a constant that stands for another operation
	opaque          bool     // whether a constant stands for another operation
	failed          bool     // whether a line has not the form that package term writes

	values  map[string]number // the words of the script, by their names
	truths  map[string]bool   // the truth values of the script; true for constants that stand for other operations
	largest map[string]uint64 // the largest values that the integers with these names can have
	sums    map[string]string // the names of sums
	before  strings.Builder   // definitions of sums that the present line needs
}

// A number is a sum modulo 2^width. The summands are products of integers and factors, and a constant.
type number struct {
	width    int
	of       []summand
	constant uint64
}

type summand struct {
	name   string
	factor uint64
}

// The names of sums begin so. No script of package term has such names.
const nameOfSum = "sum!"

// The names of constants that have fewer bits than a word begin so. The numbers of definitions begin with no 0.
const nameOfShort = "t0"

// This line takes the place of a line that integers do not need.
const nothing = "(set-info :line none)\n"

func (t *translation) all(script string) {
	t.values, t.truths = map[string]number{}, map[string]bool{"true": false, "false": false}
	t.largest, t.sums = map[string]uint64{}, map[string]string{}
	t.failed = strings.Contains(script, nameOfSum)
	for line := range strings.Lines(script) {
		if t.failed = t.failed || !whole(line); t.failed {
			return
		}
		t.before.Reset()
		w, n := t.line(line)
		t.words, t.integers = append(t.words, w), append(t.integers, t.before.String()+n)
		t.lines += strings.Count(w, "\n")
	}
}

// The method "line" translates a line. The results are a line about words and a line about integers.
func (t *translation) line(line string) (words, integers string) {
	command, rest, _ := strings.Cut(strings.TrimSuffix(line, ")\n"), " ")
	switch command {
	case "(set-logic":
		return line, ofIntegers
	case "(check-sat":
		return line, line
	case "(declare-const":
		name, sort, _ := strings.Cut(rest, " ")
		t.failed = t.failed || strings.HasPrefix(name, nameOfShort)
		return line, t.declare(name, sort)
	case "(assert":
		is := strings.TrimSuffix(strings.TrimPrefix(rest, "(not "), ")")
		opaque, ok := t.truths[is]
		if !ok {
			t.failed = true
		}
		t.claim = !opaque
		t.conditions = append(t.conditions, name(t.lines+1))
		return line, line
	case "(define-fun":
		if d, ok := definitionOf(rest); ok {
			t.failed = t.failed || strings.HasPrefix(d.name, nameOfShort) && d.name != nameOfShort
			if text, ok := t.define(d); ok {
				return line, text
			}
			return t.constant(d)
		}
	}
	t.opaque = true // the line is for other operations
	return line, nothing
}

// The method "constant" returns the declaration of a constant that stands for another operation. If the result of the
// operation has fewer bits than the word, the constant has so many bits, and the word is extended.
func (t *translation) constant(d definition) (words, integers string) {
	t.opaque = true
	width := widthOf(d.sort)
	n := t.bits(d, width)
	if n == width {
		text := t.declare(d.name, d.sort)
		if d.sort == "Bool" {
			t.truths[d.name] = true
		}
		return fmt.Sprintf("(declare-const %s %s)\n", d.name, d.sort), text
	}
	short, sort := nameOfShort+d.name[1:], fmt.Sprintf("(_ BitVec %d)", n)
	text := t.declare(short, sort)
	t.values[d.name] = t.wide(t.values[short], width)
	const declared = "(declare-const %s %s)\n(define-fun %s () %s ((_ zero_extend %d) %s))\n"
	return fmt.Sprintf(declared, short, sort, d.name, d.sort, width-n, short), text
}

// The method "bits" returns the number of bits that the result of an operation can have, or the number of bits of the
// word if it does not know better.
func (t *translation) bits(d definition, width int) int {
	a, b, ok := t.two(d.args)
	if !ok || numbered.FindString(d.name) != d.name {
		return width
	}
	most := func(n number) int {
		v := t.value(n)
		if largest, ok := t.largest[v]; ok {
			return bits.Len64(largest)
		}
		return bits.Len64(n.constant)
	}
	switch n, m := most(a), most(b); d.op {
	case "bvand":
		return max(1, min(n, m))
	case "bvor", "bvxor":
		return max(1, n, m)
	}
	return width
}

// The method "declare" returns the declaration of an integer, or of a truth value, for a constant of the script.
func (t *translation) declare(name, sort string) string {
	switch width := widthOf(sort); {
	case sort == "Bool":
		t.truths[name] = false
		return fmt.Sprintf("(declare-const %s Bool)\n", name)
	case width > 0:
		t.values[name], t.largest[name] = number{width, []summand{{name, 1}}, 0}, mask(width)
		return fmt.Sprintf("(declare-const %s Int)(assert (and (<= 0 %s) (<= %s %d)))\n", name, name, name, mask(width))
	}
	t.opaque = true
	return nothing
}

// The function widthOf returns the number of bits of the words of a sort, or 0 for other sorts.
func widthOf(sort string) int {
	n, ok := strings.CutPrefix(sort, "(_ BitVec ")
	if w, err := strconv.Atoi(strings.TrimSuffix(n, ")")); ok && err == nil && 1 <= w && w <= 64 {
		return w
	}
	return 0
}

// The function "mask" returns the word whose lowest bits are 1. The argument is the number of these bits.
func mask(width int) uint64 { return ^uint64(0) >> (64 - width) }

// A definition of a script has one operation. The numbers are those of an extraction or an extension.
type definition struct {
	name, sort, text, op string
	args                 []string
	numbers              []int
}

// The function definitionOf returns the definition with the given text. The second result is false for functions with
// arguments.
func definitionOf(text string) (d definition, ok bool) {
	parts := terms(text)
	if len(parts) != 4 || parts[1] != "()" || !strings.HasPrefix(parts[3], "(") {
		return d, false
	}
	is := terms(parts[3][1 : len(parts[3])-1])
	d = definition{parts[0], parts[2], parts[3], is[0], is[1:], nil}
	if w := words(d.op); len(w) > 1 && w[0] == "_" {
		d.op = w[1]
		for _, v := range w[2:] {
			n, _ := strconv.Atoi(v)
			d.numbers = append(d.numbers, n)
		}
	}
	return d, true
}

// The function "terms" divides a text at the spaces that are not in parentheses.
func terms(text string) (out []string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ' ' && depth == 0:
			out, from = append(out, text[from:i]), i+1
		}
	}
	return append(out, text[from:])
}

// The method "define" returns a definition about integers. The second result is false if integers have no such
// operation.
func (t *translation) define(d definition) (text string, ok bool) {
	if d.sort == "Bool" {
		is, ok := t.truth(d)
		if ok {
			t.truths[d.name] = false
		}
		return fmt.Sprintf("(define-fun %s () Bool %s)\n", d.name, is), ok
	}
	width := widthOf(d.sort)
	if width == 0 {
		return "", false
	}
	n, ok := t.sum(d, width)
	if !ok {
		n, ok = t.part(d, width)
	}
	if ok {
		t.values[d.name] = n
	}
	return nothing, ok
}

// The method "truth" returns the text of a truth value.
func (t *translation) truth(d definition) (text string, ok bool) {
	if t.areTruths(d.args) {
		return d.text, slices.Contains([]string{"not", "and", "or", "=", "ite"}, d.op)
	}
	if len(d.args) != 2 {
		return "", false
	}
	a, b, ok := t.two(d.args)
	switch {
	case !ok:
		return "", false
	case d.op == "bvslt": // as unsigned numbers that are larger by half of 2^width
		a.constant += 1 << (a.width - 1)
		b.constant += 1 << (b.width - 1)
	}
	op, ok := map[string]string{"=": "=", "bvult": "<", "bvslt": "<"}[d.op]
	return fmt.Sprintf("(%s %s %s)", op, t.value(a), t.value(b)), ok
}

func (t *translation) areTruths(names []string) bool {
	return !slices.ContainsFunc(names, func(n string) bool {
		_, ok := t.truths[n]
		return !ok
	})
}

// The method "word" returns the word with the given text: a name, or a constant.
func (t *translation) word(text string) (n number, ok bool) {
	if w := words(text); len(w) == 3 && w[0] == "_" && strings.HasPrefix(w[1], "bv") {
		v, err := strconv.ParseUint(w[1][2:], 10, 64)
		width, err2 := strconv.Atoi(w[2])
		return number{width, nil, v}, err == nil && err2 == nil && 1 <= width && width <= 64 && v <= mask(width)
	}
	n, ok = t.values[text]
	return n, ok
}

// The method "two" returns two words.
func (t *translation) two(args []string) (a, b number, ok bool) {
	if len(args) != 2 {
		return a, b, false
	}
	a, ok = t.word(args[0])
	b, also := t.word(args[1])
	return a, b, ok && also
}

// The method "sum" returns the value of a definition as a sum. The second result is false if it is no sum.
func (t *translation) sum(d definition, width int) (n number, ok bool) {
	a, b, ok := t.two(d.args)
	switch {
	case d.op == "bvnot" && len(d.args) == 1: // -1 - a
		a, ok = t.word(d.args[0])
		return number{width, nil, ^uint64(0)}.plus(a, ^uint64(0)), ok
	case d.op == "zero_extend" && len(d.args) == 1:
		a, ok = t.word(d.args[0])
		return t.wide(a, width), ok
	case d.op == "extract" && len(d.args) == 1 && len(d.numbers) == 2 && d.numbers[1] == 0:
		a, ok = t.word(d.args[0])
		return number{width: width}.plus(a, 1), ok
	case !ok:
		return n, false
	case d.op == "bvadd":
		return a.plus(b, 1), true
	case d.op == "bvsub":
		return a.plus(b, ^uint64(0)), true
	case d.op == "bvmul" && len(a.of) == 0:
		return number{width: width}.plus(b, a.constant), true
	case d.op == "bvmul" && len(b.of) == 0:
		return number{width: width}.plus(a, b.constant), true
	case d.op == "bvshl" && len(b.of) == 0: // Go's shifts by 64 and more are 0 too
		return number{width: width}.plus(a, 1<<b.constant), true
	case d.op == "bvlshr" && len(b.of) == 0 && b.constant >= uint64(width):
		return number{width: width}, true
	case d.op == "concat":
		return number{width: width}.plus(t.wide(a, width), 1<<b.width).plus(t.wide(b, width), 1), true
	}
	return n, false
}

// The method "wide" returns the word n, which has at most as many bits as the argument "width" says, as a sum of words
// with so many bits.
func (t *translation) wide(n number, width int) number {
	if len(n.of) == 0 || n.width == width {
		return number{width, n.of, n.constant & mask(max(n.width, 1))}
	}
	text := t.value(n)
	if v, err := strconv.ParseUint(text, 10, 64); err == nil {
		return number{width, nil, v}
	}
	return number{width, []summand{{text, 1}}, 0}
}

// The method "plus" returns the sum of n and the product of a and the given factor.
func (n number) plus(a number, factor uint64) number {
	out := number{n.width, slices.Clone(n.of), n.constant + a.constant*factor}
	for _, s := range a.of {
		i := slices.IndexFunc(out.of, func(o summand) bool { return o.name == s.name })
		if i < 0 {
			i, out.of = len(out.of), append(out.of, summand{s.name, 0})
		}
		out.of[i].factor += s.factor * factor
	}
	out.constant &= mask(n.width)
	for i := range out.of {
		out.of[i].factor &= mask(n.width)
	}
	out.of = slices.DeleteFunc(out.of, func(s summand) bool { return s.factor == 0 })
	return out
}

// The method "part" returns the value of a definition that is a choice, a quotient, a remainder or a part of a word.
func (t *translation) part(d definition, width int) (n number, ok bool) {
	as := func(text string, largest uint64) (number, bool) {
		return number{width, []summand{{t.named(text, largest), 1}}, 0}, true
	}
	switch {
	case d.op == "ite" && len(d.args) == 3 && t.areTruths(d.args[:1]):
		if a, b, ok := t.two(d.args[1:]); ok {
			return as(fmt.Sprintf("(ite %s %s %s)", d.args[0], t.value(a), t.value(b)), mask(width))
		}
	case d.op == "extract" && len(d.args) == 1 && len(d.numbers) == 2:
		if a, ok := t.word(d.args[0]); ok {
			text := quotient(t.value(a), d.numbers[1])
			if d.numbers[0] < a.width-1 {
				text = remainder(text, width)
			}
			return as(text, mask(width))
		}
	}
	a, b, ok := t.two(d.args)
	if d.op == "bvand" && len(a.of) == 0 {
		a, b = b, a
	}
	if !ok || len(b.of) > 0 {
		return n, false
	}
	c := b.constant
	low := bits.TrailingZeros64(c)
	switch {
	case d.op == "bvand" && c > 0 && c&(c+1) == 0: // the lowest bits
		return t.wide(number{width: bits.Len64(c)}.plus(a, 1), width), true
	case d.op == "bvand" && bits.OnesCount64(-c&mask(width)) == 1: // all but the lowest bits
		return number{width, []summand{{t.named(quotient(t.value(a), low), mask(width)>>low), 1 << low}}, 0}, true
	case d.op == "bvlshr" && c < uint64(width):
		return as(quotient(t.value(a), int(c)), mask(width)>>c)
	case d.op == "bvudiv" && c > 0:
		return as(fmt.Sprintf("(div %s %d)", t.value(a), c), mask(width)/c)
	case d.op == "bvurem" && c > 0:
		return as(fmt.Sprintf("(mod %s %d)", t.value(a), c), c-1)
	}
	return n, false
}

// The function "quotient" returns the text of a quotient by 2^by.
func quotient(text string, by int) string { return fmt.Sprintf("(div %s %d)", text, uint64(1)<<by) }

// The function "remainder" returns the text of a remainder modulo 2^width.
func remainder(text string, width int) string {
	if width == 64 {
		return fmt.Sprintf("(mod %s 18446744073709551616)", text)
	}
	return fmt.Sprintf("(mod %s %d)", text, uint64(1)<<width)
}

// The method "value" returns the text of an integer: the sum n modulo 2^width. It defines a name for a sum that has none.
func (t *translation) value(n number) string {
	top := mask(n.width)
	n.constant &= top
	if len(n.of) == 0 {
		return fmt.Sprint(n.constant)
	}
	if s := n.of[0]; len(n.of) == 1 && n.constant == 0 && s.factor == 1 && t.largest[s.name] <= top {
		return s.name
	}
	largest, small := n.constant, true // of the sum, as long as it is at most 2^64-1
	var parts []string
	for _, s := range n.of {
		high, product := bits.Mul64(s.factor, t.largest[s.name])
		sum, carry := bits.Add64(largest, product, 0)
		largest, small = sum, small && high == 0 && carry == 0
		switch {
		case s.factor == 1:
			parts = append(parts, s.name)
		case s.factor > top/2+1: // as a negative factor, for which the sum is the same modulo 2^width
			parts = append(parts, fmt.Sprintf("(- (* %d %s))", -s.factor&top, s.name))
			small = false
		default:
			parts = append(parts, fmt.Sprintf("(* %d %s)", s.factor, s.name))
		}
	}
	small = small && largest <= top
	if n.constant > 0 {
		parts = append(parts, fmt.Sprint(n.constant))
	}
	text := parts[0]
	if len(parts) > 1 {
		text = fmt.Sprintf("(+ %s)", strings.Join(parts, " "))
	}
	if !small {
		text = remainder(text, n.width)
	}
	return t.named(text, top)
}

// The method "named" returns a name for the integer with the given text. Its value is at most the argument "largest".
func (t *translation) named(text string, largest uint64) string {
	if t.sums[text] == "" {
		name := fmt.Sprint(nameOfSum, len(t.sums)+1)
		t.sums[text], t.largest[name] = name, largest
		fmt.Fprintf(&t.before, "(define-fun %s () Int %s)", name, text)
	}
	return t.sums[text]
}
