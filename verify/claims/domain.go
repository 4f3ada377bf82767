package claims

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"slices"
	"strconv"
	"strings"
)

// A domain is a box: named variables with their ranges, and side conditions with words that describe them. The box
// supplies three things: the text of the domain, the points that a check visits one by one, and the points of an
// attack. So all three cover the same range.
//
// The value of a variable is a code of 64 bits on every system:
//   - The code of a whole number is the number itself.
//   - The code of a real number that is not negative is its IEEE 754 bits, which are in the same order as the numbers.
//   - The code of a choice is the place of its words in the list of choices.
//   - The code of a list of numbers is its place among the lists.

// point has one code for each variable of a domain.
type point []int64

// int returns the i-th code as an int, because laws compute with ints (see wideInt).
func (p point) int(i int) int { return int(p[i]) }

// real returns the real number for which the i-th code stands.
func (p point) real(i int) float64 { return realOf(p[i]) }

// term is a part of a domain.
type term interface{ words() string }

// domain is a box. Its terms are variables, in the order of the codes of a point, then conditions, and variables that
// the law itself goes through.
type domain []term

// unbounded is the largest code of a variable that has no upper bound.
const unbounded = math.MaxInt64

type kind uint8

const (
	wholeNumber kind = iota
	realNumber
	oneOf   // a choice between words
	listing // a list of numbers
)

// variable is one parameter of a claim.
type variable struct {
	name   string
	kind   kind
	lo, hi int64  // the least and the largest code
	openLo bool   // for a real number: lo itself is outside the range
	openHi bool   // for a real number: hi itself is outside the range
	top    string // the name of an earlier variable that this one does not exceed
	strict bool   // this variable is also not equal to top
	said   string // the words for the range, if they are not made from the other fields
	unit   int64  // if not 0, the value is the code divided by unit
	choice []string
	show   func(code int64) string // for a listing: writes the list of a code

	every  [2]int64   // by effort: the check visits the codes from lo to this one, one by one
	points [2][]int64 // by effort: the check visits these codes instead, if there are any
	from   int64      // the least code that the attack reaches
	far    int64      // the largest code that the attack reaches
}

// number returns a variable for the whole numbers from lo on.
func number(name string, lo int64) variable {
	return variable{name: name, lo: lo, hi: unbounded, every: [2]int64{lo, lo}, from: lo, far: lo}
}

// exactly returns a variable with one value.
func exactly(name string, value int64) variable {
	v := number(name, value)
	v.hi = value
	return v
}

// between returns a variable for the real numbers from lo to hi. The number lo must not be negative.
func between(name string, lo, hi float64) variable {
	v := variable{name: name, kind: realNumber, lo: codeOf(lo), hi: codeOf(hi)}
	v.from, v.far = v.lo, v.hi
	return v
}

// either returns a variable whose codes 0, 1, ... stand for words.
func either(name string, words ...string) variable {
	last := int64(len(words) - 1)
	return variable{name: name, kind: oneOf, choice: words, hi: last, every: [2]int64{last, last}, far: last}
}

// listed returns a variable for lists of numbers. A check at quick effort visits the codes in quick one by one, and a
// check at full effort visits the codes in full.
func listed(name, words string, show func(code int64) string, quick, full []int64, far int64) variable {
	return variable{name: name, kind: listing, hi: unbounded, said: words, show: show, points: [2][]int64{quick, full}, far: far}
}

// codeOf returns the code of a real number, and realOf returns the number of a code.
func codeOf(x float64) int64 { return int64(math.Float64bits(x)) }
func realOf(c int64) float64 { return math.Float64frombits(uint64(c)) }

// to sets the largest value of a variable.
func (v variable) to(hi int64) variable { v.hi = hi; return v }

// under demands that a variable is at most the earlier variable with the given name. below demands that it is less.
func (v variable) under(name string) variable { v.top = name; return v }
func (v variable) below(name string) variable { v.top, v.strict = name, true; return v }

// by makes a check visit the values one by one: at quick effort up to quick, at full effort up to full.
func (v variable) by(quick, full int64) variable {
	v.every = [2]int64{quick, full}
	v.far = max(v.far, full)
	return v
}

// upTo lets the attack reach values up to the given one.
func (v variable) upTo(far int64) variable { v.far = max(v.far, far); return v }

// tried limits the attack on a real variable to values between lo and hi.
func (v variable) tried(lo, hi float64) variable { v.from, v.far = codeOf(lo), codeOf(hi); return v }

// above excludes the lower end of a real range, and less excludes the upper end.
func (v variable) above() variable { v.openLo = true; return v }
func (v variable) less() variable  { v.openHi = true; return v }

// at makes a check visit these real values one by one. At quick effort it visits only the first few.
func (v variable) at(quick int, values ...float64) variable {
	for _, x := range values {
		v.points[effortFull] = append(v.points[effortFull], codeOf(x))
	}
	v.points[effortQuick] = v.points[effortFull][:quick]
	return v
}

// among makes a check visit these whole numbers one by one. At quick effort it visits only the first few.
func (v variable) among(quick int, values ...int64) variable {
	v.points = [2][]int64{values[:quick], values}
	v.far = max(v.far, slices.Max(values))
	return v
}

// over makes the values of a whole number fractions: each value is the code divided by unit.
func (v variable) over(unit int64) variable { v.unit = unit; return v }

// only restricts a choice to the given codes.
func (v variable) only(codes ...int64) variable {
	v.points = [2][]int64{codes, codes}
	return v
}

// saying sets the words for the range. An example is "complex" for the argument of a polynomial, where finitely many
// values decide the claim.
func (v variable) saying(words string) variable { v.said = words; return v }

// words returns the range in the form that readers see.
func (v variable) words() string {
	switch {
	case v.said != "":
		return v.said
	case v.kind == oneOf:
		var all []string
		for i, w := range v.choice {
			if v.points[effortFull] == nil || slices.Contains(v.points[effortFull], int64(i)) {
				all = append(all, w)
			}
		}
		return strings.Join(all, " or ")
	case v.lo == v.hi:
		return v.value(v.lo)
	}
	left, right := "", ""
	if !(v.kind == realNumber && v.lo == 0 && v.openLo && v.hi == codeOf(math.Inf(1))) {
		left = v.digits(v.lo) + relation(v.openLo)
	}
	switch {
	case v.top != "":
		right = relation(v.strict) + v.top
		if v.hi != unbounded {
			right += " and " + v.name + " <= " + v.digits(v.hi)
		}
	case v.hi == unbounded || v.kind == realNumber && v.hi == codeOf(math.Inf(1)):
		if v.openLo {
			return v.name + " > " + v.digits(v.lo)
		}
		return v.name + " >= " + v.digits(v.lo)
	default:
		right = relation(v.openHi) + v.digits(v.hi)
	}
	return left + v.name + right
}

func relation(strict bool) string {
	if strict {
		return " < "
	}
	return " <= "
}

// digits returns the number that a code stands for.
func (v variable) digits(c int64) string {
	switch {
	case v.kind == realNumber:
		return short64(realOf(c))
	case v.unit > 0:
		return big.NewRat(c, v.unit).RatString()
	}
	return strconv.FormatInt(c, 10)
}

// short64 returns the shortest decimal number that equals x as a float64: 10^-6, 5.48*10^-4, 0.3.
func short64(x float64) string {
	mantissa, exponent, ok := strings.Cut(strconv.FormatFloat(x, 'g', -1, 64), "e")
	if !ok {
		if x == 0.001 || x == 1e-4 {
			return fmt.Sprintf("10^%.0f", math.Log10(x))
		}
		return mantissa
	}
	exponent = strings.Replace(strings.TrimPrefix(exponent, "+"), "-0", "-", 1)
	if mantissa == "1" {
		return "10^" + exponent
	}
	return mantissa + "*10^" + exponent
}

// value returns the name of the variable together with the value of a code.
func (v variable) value(c int64) string {
	switch v.kind {
	case oneOf:
		return v.choice[c]
	case listing:
		return v.name + " = " + v.show(c)
	}
	return v.name + " = " + v.digits(c)
}

// has reports whether a code is in the range. It ignores a bound by another variable.
func (v variable) has(c int64) bool {
	if v.kind == oneOf && v.points[effortFull] != nil {
		return slices.Contains(v.points[effortFull], c)
	}
	return c >= v.lo && c <= v.hi && !(v.openLo && c == v.lo) && !(v.openHi && c == v.hi)
}

// condition is a side condition of a domain. It is a condition on the variables whose names it lists.
type condition struct {
	text  string
	names []string
	holds func(x point) bool
}

// where returns a condition, given its words, the names of its variables, and the requirement on their codes.
func where(words, names string, holds func(x point) bool) condition {
	return condition{words, strings.Fields(names), holds}
}

func (c condition) words() string { return c.text }

// inner is a variable that is not part of a point. At each point, the law itself visits its whole range.
type inner struct{ text string }

func through(words string) inner { return inner{words} }

func (i inner) words() string { return i.text }

// points is a domain in the form that checks use: its variables and its conditions, with their places.
type points struct {
	vars  []variable
	tops  []int // tops[i] is the place of the variable that bounds variable i, or -1
	conds []condition
	about [][]int // about[i] has the places of the variables of condition i
}

func (d domain) points() points {
	var s points
	place := func(name string) int {
		return slices.IndexFunc(s.vars, func(v variable) bool { return v.name == name })
	}
	for _, t := range d {
		if v, ok := t.(variable); ok {
			s.vars, s.tops = append(s.vars, v), append(s.tops, place(v.top))
			if v.top != "" && place(v.top) < 0 {
				panic("no variable " + v.top) // TestDomains calls points for every domain
			}
		}
	}
	for _, t := range d {
		if c, ok := t.(condition); ok {
			var at []int
			for _, name := range c.names {
				if place(name) < 0 {
					panic("no variable " + name)
				}
				at = append(at, place(name))
			}
			s.conds, s.about = append(s.conds, c), append(s.about, at)
		}
	}
	return s
}

// text returns the domain in words. The variables come first, grouped by equal bounds, and then the conditions.
func (d domain) text() string {
	var out, conditions []string
	for i := 0; i < len(d); i++ {
		v, ok := d[i].(variable)
		switch {
		case !ok:
			conditions = append(conditions, d[i].words())
			continue
		case v.plain():
			names := []string{v.name}
			for i+1 < len(d) {
				next, ok := d[i+1].(variable)
				if !ok || !next.plain() || next.lo != v.lo {
					break
				}
				names = append(names, next.name)
				i++
			}
			v.name = strings.Join(names, ", ")
		}
		out = append(out, v.words())
	}
	out = slices.DeleteFunc(append(out, conditions...), func(s string) bool { return s == "" })
	return strings.Join(out, ", ")
}

// plain reports whether a variable is a whole number without an upper bound.
func (v variable) plain() bool {
	return v.kind == wholeNumber && v.hi == unbounded && v.top == "" && v.said == ""
}

// reach returns two texts: how far a check at full effort visits a box one by one, and how far the attack on the box
// reaches.
func (d domain) reach() (visited, attacked string) {
	var every, far []string
	for _, v := range d.points().vars {
		switch {
		case v.name == sample:
			every = append(every, fmt.Sprintf("%d random cases", v.every[effortFull]))
		case v.kind == oneOf || v.kind == listing || v.lo == v.hi:
		case v.points[effortFull] != nil:
			var all []string
			for _, c := range v.points[effortFull] {
				all = append(all, v.digits(c))
			}
			every = append(every, v.name+" = "+strings.Join(all, ", "))
		case v.kind == realNumber:
		default:
			every = append(every, v.name+" <= "+v.digits(v.every[effortFull]))
		}
		switch {
		case v.kind == realNumber:
			far = append(far, v.name+" from "+v.digits(v.from)+" to "+v.digits(v.far))
		case v.kind == wholeNumber && v.far > v.last():
			far = append(far, v.name+" <= "+v.digits(v.far))
		}
	}
	return strings.Join(every, ", "), strings.Join(far, ", ")
}

// at writes a point in the form "m = 2, n = 3".
func (s points) at(p point) string {
	var all []string
	for i, v := range s.vars {
		all = append(all, v.value(p[i]))
	}
	return strings.Join(all, ", ")
}

// filled completes a point that lacks its last variables. Each of these gets its first listed value, or its least value
// if no values are listed.
func (s points) filled(p point) point {
	p = slices.Clone(p)
	for i := len(p); i < len(s.vars); i++ {
		v := s.vars[i]
		c := v.lo
		if v.points[effortFull] != nil {
			c = v.points[effortFull][0]
		}
		p = append(p, c)
	}
	return p
}

// upper returns the largest code that variable i can have, given the codes of the variables before it.
func (s points) upper(i int, p point) int64 {
	hi := s.vars[i].hi
	if top := s.tops[i]; top >= 0 {
		hi = min(hi, p[top])
		if s.vars[i].strict {
			hi = min(hi, p[top]-1)
		}
	}
	return hi
}

// has reports whether a point is in the domain.
func (s points) has(p point) bool {
	for i, v := range s.vars {
		if !v.has(p[i]) || p[i] > s.upper(i, p) {
			return false
		}
	}
	return s.meets(p)
}

func (s points) meets(p point) bool {
	var x [8]int64
	for i, c := range s.conds {
		for j, at := range s.about[i] {
			x[j] = p[at]
		}
		if !c.holds(x[:len(s.about[i])]) {
			return false
		}
	}
	return true
}

// visit calls f with the points of the box that a check visits at the given effort, in lexicographic order.
func (s points) visit(e effort, f func(p point) error) error {
	p := make(point, len(s.vars))
	var step func(i int) error
	step = func(i int) error {
		if i == len(p) {
			if !s.meets(p) {
				return nil
			}
			return f(p)
		}
		v, hi := s.vars[i], s.upper(i, p)
		if list := v.points[e]; list != nil || v.kind == realNumber {
			for _, c := range list {
				if p[i] = c; v.has(c) && c <= hi {
					if err := step(i + 1); err != nil {
						return err
					}
				}
			}
			return nil
		}
		for p[i] = v.lo; p[i] <= min(hi, v.every[e]); p[i]++ {
			if err := step(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return step(0)
}

// last returns the largest code that a check visits at full effort.
func (v variable) last() int64 {
	if v.points[effortFull] != nil {
		return slices.Max(v.points[effortFull])
	}
	return v.every[effortFull]
}

// exhausted reports whether a visit at full effort covers everything that the attack can reach.
func (s points) exhausted() bool {
	for _, v := range s.vars {
		if v.kind == realNumber && v.lo != v.hi || v.kind != oneOf && v.far > v.last() {
			return false
		}
	}
	return true
}

// sample is the name of the variable that counts random cases.
const sample = "sample"

// with returns the domain with more terms.
func with(d domain, more ...term) domain { return append(slices.Clone(d), more...) }

// draws returns a variable for random cases. The numbers of cases at the two efforts are quick and full. The words
// describe the cases.
func draws(words string, quick, full int64) variable {
	return number(sample, 1).by(quick, full).saying(words)
}

// drawing returns a law on random cases. Each case has a random generator that depends only on the case's number.
func drawing(law func(rnd *rand.Rand) error) func(p point) error {
	return func(p point) error { return law(rand.New(rand.NewSource(p[0]))) }
}
