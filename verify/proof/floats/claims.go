package main

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// The constant "unit" is u = 2^-53, a bound of the relative error of one rounding to float64.
const unit = 0x1p-53

// A result is the error bound that is proven for one function on a part of its domain.
type result struct {
	name, domain string
	pieces       int
	bound        float64 // in u
	absolute     bool    // or relative
	at           string  // the piece with the largest bound
	stated       float64 // what the comment of the function states, in u
	ratio        bool    // the bound is a ratio, and not in u
}

func (r *result) add(bound float64, at string, a ...any) {
	r.pieces++
	if !(bound <= r.bound) {
		r.bound, r.at = bound, fmt.Sprintf(at, a...)
	}
}

// String returns the line of the certificate for the result.
func (r result) String() string {
	kind := "relative"
	if r.absolute {
		kind = "absolute"
	}
	// The bound is rounded up to three decimals, so the printed line does not depend on the last bits of the
	// computation.
	bound := math.Ceil(r.bound*1e3+1e-6) / 1e3
	if r.ratio {
		return fmt.Sprintf("%-9s %-31s ratio    %9.3f    stated %g  %6d boxes  worst: %s", r.name, r.domain, bound, r.stated, r.pieces, r.at)
	}
	return fmt.Sprintf("%-9s %-31s %s %9.3f u  stated %g u  %6d pieces  worst: %s", r.name, r.domain, kind, bound, r.stated, r.pieces, r.at)
}

// The method "relative" returns a bound of the relative error of n, in units of u. The ideal value is computed without
// rounding. The argument "method" is an upper bound of the difference between the ideal value and the true value. The
// last rounding has an error of at most u/(1+u) times the value that is rounded.
func (n number) relative(method float64) float64 {
	before := (n.before + method) * up
	least := n.least() * (1 - 2*unit)
	if !(least > 4*before) {
		return math.Inf(1)
	}
	return up * (1 + before/(least-before)/unit*(1+unit))
}

// A prover proves bounds from the source text of package fm. Some functions of package fm subtract a multiple of a
// constant from their argument. Others use an entry of a table. If stride is s, the prover examines every s-th multiple
// and every s-th entry. If s > 1, it also examines only every eighth piece of the domain of a series.
type prover struct {
	*source
	stride int
}

// The list "all" contains the methods that prove the bounds.
var all = []func(*prover) []result{(*prover).exponential, (*prover).expm1, (*prover).logarithms, (*prover).angles, (*prover).tangents, (*prover).differences, (*prover).circles}

// The method "prove" returns the results of the given proofs. If it does not understand a text of package fm, it
// returns an error with this text.
func (p *prover) prove(proofs ...func(*prover) []result) (results []result, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stop:
			err = errors.New(string(p))
		default:
			panic(p)
		}
	}()
	for _, prove := range proofs {
		results = append(results, prove(p)...)
	}
	for i := range results {
		if results[i].ratio {
			continue
		}
		if results[i].stated, err = p.stated(results[i]); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// The result r is for a function of package fm. The comment of this function states an error bound. The method "stated"
// returns this bound in units of u.
func (p *prover) stated(r result) (float64, error) {
	name, pattern := r.name, `within ([0-9.]+)u`
	if r.name == "sin" || r.name == "cos" {
		switch name = "Sincos"; {
		case strings.Contains(r.domain, "2^53"): // beyond 2^20
			name, pattern = "SincosAny", `u\|x\|/([0-9]+)`
		case r.absolute:
			pattern = `absolute error of at most ([0-9.]+)u`
		default:
			pattern = `relative error of sin x is at most ([0-9.]+)u`
		}
	}
	if name == "XMinusSin" && strings.HasPrefix(r.domain, "1 <") {
		pattern = `within ([0-9.]+)u for 1 <`
	}
	words := strings.Join(strings.Fields(p.funcs[name].Doc.Text()), " ")
	m := regexp.MustCompile(pattern).FindStringSubmatch(words)
	if m == nil {
		return 0, fmt.Errorf("the comment of %s states no bound %s", name, pattern)
	}
	f, err := strconv.ParseFloat(m[1], 64)
	if name == "SincosAny" {
		f = p.number("mostReduced") / f
	}
	return f, err
}

func (p *prover) rounds(f string, given map[string]number, until string, taken ...bool) number {
	r := &run[number]{source: p.source, arithmetic: rounding{}, given: given, until: until, taken: taken}
	return r.follow(f)
}

func (p *prover) ideally(f string, given map[string]polynomial, until string, taken ...bool) polynomial {
	n := 0
	r := &run[polynomial]{source: p.source, arithmetic: ideal{&n}, given: given, until: until, taken: taken}
	return r.follow(f)
}

// A series is a polynomial in one variable that approximates a power series.
type series struct {
	name string
	got  []*big.Rat // by exponents, up to the largest
	want func(j int) *big.Rat
	// Consider the terms of the power series at x that have degree n or more. The function "tail" returns a bound of
	// their sum.
	tail func(n int, x float64) float64
}

// powersOf subtracts the argument "rest" from the polynomial z, and returns the coefficients of the difference. The
// difference has only one variable. The argument "name" is the name of this variable.
func powersOf(z polynomial, name string, rest polynomial) []*big.Rat {
	none := 0
	z = ideal{&none}.add(z, ideal{&none}.neg(rest))
	var c []*big.Rat
	key := ""
	for found := 0; found < len(z); {
		if v, ok := z[key]; ok {
			c = append(c, v)
			found++
		} else {
			c = append(c, new(big.Rat))
		}
		if key != "" {
			key += " "
		}
		key += name
		if len(c) > 64 {
			panic(stop(fmt.Sprintf("the text computes more than a series in %s: %v", name, z)))
		}
	}
	return c
}

// This method returns a bound of |polynomial - power series| for |x| <= size.
func (s series) method(size float64) float64 {
	sum, power := 0.0, 1.0
	for j, c := range s.got {
		d, _ := new(big.Rat).Sub(c, s.want(j)).Float64()
		sum += math.Abs(d) * power
		power *= size
	}
	n := len(s.got)
	for s.want(n).Sign() == 0 {
		n++
	}
	return (sum + s.tail(n, size)) * up
}

func factorial(j int) *big.Rat {
	f := big.NewInt(1)
	for i := int64(2); i <= int64(j); i++ {
		f.Mul(f, big.NewInt(i))
	}
	return new(big.Rat).SetFrac(big.NewInt(1), f)
}

func sign(j int) int64 { return 1 - 2*int64(j&1) }

// These functions are for power series. Each of them returns the coefficient of x^j in the power series of one
// function. The function expTerm is for e^x, and logTerm is for ln(1+x). The functions sinTerm, cosTerm and tanTerm are
// for the sine, the cosine and the arc tangent.
func expTerm(j int) *big.Rat { return factorial(j) }

func logTerm(j int) *big.Rat {
	if j == 0 {
		return new(big.Rat)
	}
	return big.NewRat(-sign(j), int64(j))
}

func sinTerm(j int) *big.Rat {
	if j&1 == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).Mul(factorial(j), big.NewRat(sign(j/2), 1))
}

func cosTerm(j int) *big.Rat {
	if j&1 == 1 {
		return new(big.Rat)
	}
	return new(big.Rat).Mul(factorial(j), big.NewRat(sign(j/2), 1))
}

func tanTerm(j int) *big.Rat {
	if j&1 == 0 {
		return new(big.Rat)
	}
	return big.NewRat(sign(j/2), int64(j))
}

// factorialTail returns a bound of the sum of x^j/j! over all j >= n, for x <= 2. Each term is at most x/(n+1) times
// the term before it.
func factorialTail(n int, x float64) float64 {
	f, _ := factorial(n).Float64()
	return f * math.Pow(x, float64(n)) / (1 - x/float64(n+1)) * up
}

// harmonicTail returns a bound of the sum of x^j/j over all j >= n, for x <= 1/2.
func harmonicTail(n int, x float64) float64 {
	return math.Pow(x, float64(n)) / float64(n) / (1 - x) * up
}

// The function "cuts" divides [lo, hi] into n pieces and returns their ends. If 0 is inside [lo, hi], it is one of
// the ends.
func cuts(lo, hi float64, n int) []float64 {
	c := []float64{lo}
	for i := 1; i < n; i++ {
		x := lo + (hi-lo)*float64(i)/float64(n)
		if x > 0 && c[len(c)-1] < 0 {
			c = append(c, 0)
		}
		c = append(c, x)
	}
	return append(c, hi)
}

// The method "binades" examines no |x| below the constant "smallest". For each function f that is examined in this way,
// f(x) differs from x by at most x^2. If |x| is below this constant, the computed value of f(x) differs from x by less
// than 2^-59 |x|. So the bound for the first piece, which begins at this constant, also holds for such x. If x is
// subnormal, the computed value of the difference is 0, and the function's result is x.
const smallest = 0x1p-60

// The method "binades" calls the function "try" with the pieces of the interval [smallest, most]. It halves the number
// "most" repeatedly, down to the constant "smallest". It divides the interval between two successive numbers into n
// pieces. The last piece contains a single number, the argument "most". The last number of a piece is the float64 just
// below the next piece.
func (p *prover) binades(most float64, n int, try func(lo, hi float64)) {
	try(most, most)
	step := 1
	if p.stride > 1 {
		step = 8
	}
	for hi := most; hi > smallest; hi /= 2 {
		c := cuts(hi/2, hi, n)
		for i := 1; i < len(c); i += step {
			try(c[i-1], math.Nextafter(c[i], 0))
		}
	}
}
