package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

var occupancyCommand = command{
	name:    "occupancy",
	summary: "how many urns balls occupy, or people serve on committees: probabilities and moments",
	about: `
Prints a number of the law of X, the number of occupied urns of m. The true value lies
between lo and hi, which are rounded outward; mid has the digits asked for. Where it was
computed as a fraction of less than 10,000 digits, -json prints that too.

-kind says what occupies urns:
  classic       -balls that fall independently
  committee     -n committees of -k urns each, all different within a committee
  union         all -committees
  intersection  an urn counts if it is in a committee of every department of -committees
Departments are separated by commas, committees of several sizes within one by +:
3x2+4x1,5x1 is a department with two committees of 3 and one of 4, and one with one of 5.

-stat says which number: mean (the default); variance; pmf, the probability of -i, or of
every number that can occur; cdf, the probability of at most -i; quantile, the least number
that X does not exceed with probability -confidence (both at any size for classic and
committee, and in seconds for a large intersection of two groups of balls, 1xN,1xN); moment E[X^r], factorial-moment E[X(X-1)...(X-r+1)] or
binomial-moment E[C(X,r)] of order -r.

Routes are the published formulas, which must agree: difference (Burns 9, 10, 14-19,
30, 37-41; the default), stirling (4, 5), recursive (12, 13, 22, 34), hypergeometric
(23-25, 31), closed (32), each where it exists.`,
	example: `
  $ bloomproof occupancy -m 20 -kind intersection -committees 3x2,4x1+5x1 -stat pmf -i 0
  law   intersection, m=20 committees=3x2,4x1+5x1
  stat  pmf, i=0
  lo    0.040350186339783519
  mid   0.040350186339783520
  hi    0.040350186339783520`,
	flags: []flagSpec{
		{"m", "URNS", "urns, 1 to 2^64-1"},
		{"kind", "KIND", "classic (the default), committee, union or intersection"},
		{"balls", "BALLS", "with -kind classic: 0 to 2^64-1"},
		{"k", "SIZE", "with -kind committee: urns of a committee, 1 to -m"},
		{"n", "COUNT", "with -kind committee: committees, 0 to 2^64-1"},
		{"committees", "LIST", "with -kind union or intersection: SIZExCOUNT, see above"},
		{"stat", "STAT", "mean (the default), variance, pmf, cdf, quantile, moment, factorial-moment or binomial-moment"},
		{"r", "R", fmt.Sprintf("order of a moment, 0 to %d", bloomproof.MaxK)},
		{"i", "I", "with -stat pmf or cdf: the number of occupied urns; pmf without it, all that can occur"},
		{"confidence", "C", "with -stat quantile: a decimal above 0 and below 1"},
		{"route", "ROUTE", "auto (the default), difference, stirling, recursive, hypergeometric or closed"},
		digitsFlag,
	},
	run: occupancy,
}

type occupancyReport struct {
	Kind       string         `json:"kind"`
	M          count          `json:"m"`
	Balls      *count         `json:"balls,omitempty"`
	K          *count         `json:"k,omitempty"`
	N          *count         `json:"n,omitempty"`
	Committees string         `json:"committees,omitempty"`
	Stat       string         `json:"stat"`
	R          *int           `json:"r,omitempty"`
	I          *count         `json:"i,omitempty"`
	Confidence string         `json:"confidence,omitempty"` // the text of -confidence
	Quantile   *count         `json:"quantile,omitempty"`
	Value      *enclosure     `json:"value,omitempty"`
	PMF        *[]probability `json:"pmf,omitempty"`
}

type probability struct {
	I count     `json:"i"`
	P enclosure `json:"p"`
}

// Some flags have a fixed list of permitted words. The type "choice" represents the value of such a flag.
type choice struct {
	flag, text string
	words      []string
}

// UnmarshalText sets the text, which must be one of the words.
func (c *choice) UnmarshalText(text []byte) error {
	if !slices.Contains(c.words, string(text)) {
		return &bloomproof.ParamError{Param: c.flag, Value: string(text), Want: "one of " + strings.Join(c.words, ", ")}
	}
	c.text = string(text)
	return nil
}

func occupancy(c *call) (report, error) {
	kind := choice{"kind", "classic", []string{"classic", "committee", "union", "intersection"}}
	stat := choice{"stat", "mean", []string{"pmf", "cdf", "quantile", "mean", "variance", "moment", "factorial-moment", "binomial-moment"}}
	c.need("m")
	c.enum("kind", &kind)
	c.enum("stat", &stat)
	route := c.route()
	m := c.number("m", 1, 1<<64-1, 1)
	r := occupancyReport{Kind: kind.text, M: count(m), Stat: stat.text}
	law := c.law(kind.text, m, &r)
	order := c.order(stat.text, &r)
	only(c, "i", "-stat pmf or cdf", stat.text == "pmf" || stat.text == "cdf")
	only(c, "confidence", "-stat quantile", stat.text == "quantile")
	switch stat.text {
	case "cdf":
		c.need("i")
	case "quantile":
		c.need("confidence")
	}
	only(c, "route", "-stat pmf or a moment", order != nil || stat.text == "pmf")
	at := c.number("i", 0, 1<<64-1, 0)
	confidence, text := c.fraction("confidence")
	if c.has("confidence") && confidence.Sign() == 0 {
		c.fail(&bloomproof.ParamError{Param: "confidence", Value: text, Want: "above 0 and below 1"})
	}
	digits := c.digits()
	if c.err != nil {
		return nil, c.err
	}
	defer newProgress(c.stderr).clock("computing")()
	prec := exact.PrecFor(digits)
	var e exact.Enclosure
	var err error
	switch stat.text {
	case "mean":
		e, err = law.Mean(prec)
	case "variance":
		e, err = law.Variance(prec)
	case "moment":
		e, err = law.Moment(*order, prec, route)
	case "factorial-moment":
		e, err = law.FactorialMoment(*order, prec, route)
	case "binomial-moment":
		e, err = law.BinomialMoment(*order, prec, route)
	case "cdf":
		i := count(at)
		r.I = &i
		e, err = law.CDF(at, prec)
	case "quantile":
		i, err := law.Quantile(confidence)
		if err != nil {
			return nil, outOfRange("confidence", err)
		}
		q := count(i)
		r.Confidence, r.Quantile = text, &q
		return r, nil
	default:
		if !c.has("i") {
			return r.all(law, digits, route)
		}
		i := count(at)
		r.I = &i
		e, err = law.PMF(at, prec, route)
	}
	if err != nil {
		return nil, outOfRange(c.costly(), err)
	}
	value, err := enclose(e, digits)
	r.Value = &value
	return r, err
}

// The method "costly" returns the name of the flag that the user should change if a computation is too costly.
func (c *call) costly() string {
	for _, name := range []string{"route", "r", "i"} {
		if c.has(name) {
			return name
		}
	}
	return "m"
}

// The function "only" sets an error if the named flag was given and is not permitted. The argument "ok" says whether
// this flag is permitted. The argument "with" is a text for the error. It says which other flags are needed to permit
// this flag.
func only(c *call, name, with string, ok bool) {
	if c.has(name) && !ok {
		c.fail(&usageError{name, "goes with " + with})
	}
}

// Each kind of distribution has its own flags. The method "law" reads these flags, and returns the distribution. It
// stores the values of the flags in r.
func (c *call) law(kind string, m uint64, r *occupancyReport) exact.Distribution {
	only(c, "balls", "-kind classic", kind == "classic")
	only(c, "k", "-kind committee", kind == "committee")
	only(c, "n", "-kind committee", kind == "committee")
	departments := kind == "union" || kind == "intersection"
	only(c, "committees", "-kind union or intersection", departments)
	var law exact.Distribution
	var err error
	switch {
	case kind == "classic":
		c.need("balls")
		balls := count(c.number("balls", 0, 1<<64-1, 0))
		r.Balls = &balls
		law, err = exact.Union(m, []exact.Committees{{Size: 1, Count: uint64(balls)}})
	case kind == "committee":
		c.need("k", "n")
		k, n := count(c.number("k", 1, m, 1)), count(c.number("n", 0, 1<<64-1, 0))
		r.K, r.N = &k, &n
		law, err = exact.Union(m, []exact.Committees{{Size: uint64(k), Count: uint64(n)}})
	default:
		c.need("committees")
		r.Committees = c.text("committees")
		list := c.departments("committees", m)
		if c.err == nil && kind == "union" {
			law, err = exact.Union(m, list...)
		} else if c.err == nil {
			law, err = exact.Intersection(m, list...)
		}
		var bad *bloomproof.ParamError
		if errors.As(err, &bad) {
			err = &usageError{"committees", messageOf(bad)}
		}
	}
	if err != nil {
		c.fail(err)
	}
	return law
}

// The method "order" returns the order of a moment and stores it in r. If stat is not a moment, it returns nil.
func (c *call) order(stat string, r *occupancyReport) *int {
	moment := strings.HasSuffix(stat, "moment")
	only(c, "r", "-stat moment, factorial-moment or binomial-moment", moment)
	if !moment {
		return nil
	}
	c.need("r")
	order := int(c.number("r", 0, bloomproof.MaxK, 0))
	r.R = &order
	return r.R
}

// The method "departments" parses the value of a flag, which is a list of departments such as 3x2+4x1,5x1. The first of
// these two departments has two committees of size 3 and one committee of size 4.
func (in *inputs) departments(name string, m uint64) [][]exact.Committees {
	if !in.has(name) {
		return nil
	}
	text := in.values[name].text
	var list [][]exact.Committees
	for _, department := range strings.Split(text, ",") {
		var d []exact.Committees
		for _, group := range strings.Split(department, "+") {
			size, many, ok := strings.Cut(group, "x")
			s, err1 := parseNumber(size)
			n, err2 := parseNumber(many)
			if !ok || err1 != nil || err2 != nil || s < 1 || s > m {
				in.fail(&bloomproof.ParamError{Param: name, Value: text, Want: fmt.Sprintf("departments such as 3x2+4x1,5x1, of SIZExCOUNT, sizes between 1 and %s", limit(m))})
				return nil
			}
			d = append(d, exact.Committees{Size: s, Count: n})
		}
		list = append(list, d)
	}
	return list
}

// The method "all" stores all probabilities of the distribution in r.
func (r occupancyReport) all(law exact.Distribution, digits int, route exact.Route) (report, error) {
	if route != exact.Auto && route != "difference" {
		return nil, &usageError{"route", "goes with -stat pmf only where -i is given"}
	}
	list, err := law.PMFs(exact.PrecFor(digits))
	if err != nil {
		return nil, outOfRange("i", err)
	}
	least, _ := law.Range()
	pmf := make([]probability, 0, len(list))
	for at, e := range list {
		p, err := enclose(e, digits)
		if err != nil {
			return nil, err
		}
		pmf = append(pmf, probability{count(least + uint64(at)), p})
	}
	r.PMF = &pmf
	return r, nil
}

func (r occupancyReport) print(w io.Writer) {
	fmt.Fprintf(w, "law\t%s, m=%d", r.Kind, r.M)
	switch {
	case r.Balls != nil:
		fmt.Fprintf(w, " balls=%d\n", *r.Balls)
	case r.K != nil:
		fmt.Fprintf(w, " k=%d n=%d\n", *r.K, *r.N)
	default:
		fmt.Fprintf(w, " committees=%s\n", r.Committees)
	}
	fmt.Fprintf(w, "stat\t%s", r.Stat)
	switch {
	case r.R != nil:
		fmt.Fprintf(w, ", r=%d", *r.R)
	case r.I != nil:
		fmt.Fprintf(w, ", i=%d", *r.I)
	case r.Quantile != nil:
		fmt.Fprintf(w, ", confidence=%s\nvalue\t%d\n", r.Confidence, *r.Quantile)
		return
	}
	fmt.Fprintln(w)
	if r.PMF == nil {
		fmt.Fprintf(w, "lo\t%s\nmid\t%s\nhi\t%s\n", r.Value.Lo, r.Value.Mid, r.Value.Hi)
		return
	}
	fmt.Fprintln(w, "\ni\tlo\tmid\thi")
	for _, p := range *r.PMF {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", p.I, p.P.Lo, p.P.Mid, p.P.Hi)
	}
}
