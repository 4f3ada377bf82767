package main

import (
	"math"
	"math/big"
)

var terms = ideal{new(int)}

func minus(x, y polynomial) polynomial { return terms.add(x, terms.neg(y)) }

// The type "reduction" holds bounds of a difference: an argument minus a multiple of a constant. The difference is the
// sum of two float64 numbers, rh and rl.
type reduction struct {
	steps  int
	rh, rl float64 // bounds of the two words
	off    float64 // of rl
	missed float64 // bound of the error of the multiple of the constant
}

// The method "reduces" computes the difference x - k*c in ranges of numbers, for all k with |k| <= most. The function f
// represents the constant c as a sum of two float64 numbers. The number k is the rounded product of x and an
// approximation of 1/c. Because of the rounding, another multiple of c may be nearer to x than k*c. But |x - k*c| is at
// most (1/2 + 2^-30) c.
func (p *prover) reduces(f string, c float64, miss float64, most int) (r reduction) {
	given := map[string]number{"shifted": {}, "k": {}, "s": {}, "p.hi": {}}
	zero := rounding{}.number(0)
	for k := -most; k <= most; k += p.stride {
		lo, hi := (float64(k)-0.5-0x1p-30)*c, (float64(k)+0.5+0x1p-30)*c
		given["j"] = rounding{}.number(float64(k))
		given["x"] = exactly(lo, hi)
		if k == 0 {
			given["j"] = zero
		}
		rh := p.rounds(f, given, "rh", false, false)
		rl := p.rounds(f, given, "rl", false, false)
		if rh.off != 0 {
			panic(stop("the first step of the reduction is not exact"))
		}
		r.steps++
		r.rh, r.rl, r.off = max(r.rh, rh.size()), max(r.rl, rl.size()), max(r.off, rl.off)
	}
	r.missed = float64(most) * miss
	return r
}

// partMissed returns a bound of |partHi + partLo - ln 2/128|, where partHi and partLo are constants of package fm.
func (p *prover) partMissed() float64 {
	c := ln2
	hi, lo := p.number("partHi")*128, p.number("partLo")*128
	return c.missed(hi, lo) / 128 * up
}

// The method "exponential" proves the error bound of the function Exp.
func (p *prover) exponential() []result {
	ln, _ := ln2.rat().Float64()
	red := p.reduces("Exp", ln/128, p.partMissed(), int(746/(ln/128))+1)
	z := p.ideally("Exp", map[string]polynomial{
		"shifted": nil, "k": nil, "j": nil, "p.hi": minus(variable("T"), variable("l")), "p.lo": variable("l"),
		"rh": terms.add(variable("r"), variable("m")), "rl": variable("m"),
	}, "y", false)
	s := series{"exp", powersOf(without(z, "T"), "r", nil), expTerm, factorialTail}
	size := red.rh + red.rl
	method := (s.method(size) + red.missed) * up
	res := result{name: "Exp", domain: "|x| < 746, normal results"}
	for i := 0; i < powers; i += p.stride {
		c := powersOf2[i]
		hi, lo := c.split(powerBits)
		miss := c.missed(hi, lo)
		ends := cuts(-red.rh, red.rh, 8)
		for j := 1; j < len(ends); j++ {
			y := p.rounds("Exp", map[string]number{
				"shifted": {}, "k": {}, "j": {}, "p.hi": rounding{}.number(hi), "p.lo": rounding{}.number(lo),
				"rh": exactly(ends[j-1], ends[j]), "rl": {-red.rl, red.rl, red.off, 0, finest},
			}, "y", false)
			res.add(y.relative(2*method+2*miss), "2^(%d/128), r in [%.4g, %.4g]", i, ends[j-1], ends[j])
		}
	}
	return []result{res}
}

// The function "without" divides z by the variable with the given name. Each term of z must have this variable exactly
// once.
func without(z polynomial, name string) polynomial {
	q := polynomial{}
	for k, v := range z {
		switch {
		case k == name:
			k = ""
		case len(k) > len(name) && k[:len(name)+1] == name+" ":
			k = k[len(name)+1:]
		default:
			panic(stop("a term without " + name + ": " + k))
		}
		q[k] = v
	}
	return q
}

// expm1 proves the two bounds of Expm1. One is for the arguments at which Expm1 uses its series. The other is for the
// arguments at which it uses the table.
func (p *prover) expm1() []result {
	s := series{"expm1", powersOf(p.ideally("Expm1", map[string]polynomial{"x": variable("x")}, "", true), "x", nil), func(j int) *big.Rat {
		if j == 0 {
			return new(big.Rat)
		}
		return expTerm(j)
	}, factorialTail}
	near := result{name: "Expm1", domain: "|x| <= 1/16"}
	p.binades(p.number("seriesExpm1"), 16, func(lo, hi float64) {
		for _, x := range []number{exactly(lo, hi), exactly(-hi, -lo)} {
			y := p.rounds("Expm1", map[string]number{"x": x}, "", true)
			near.add(y.relative(s.method(hi)), "x in [%.4g, %.4g]", x.lo, x.hi)
		}
	})
	ln, _ := ln2.rat().Float64()
	step := ln / 128
	most := int(p.number("mostExpm1")/step) + 1
	red := p.reduces("Expm1", step, p.partMissed(), most)
	z := p.ideally("Expm1", map[string]polynomial{
		"shifted": nil, "k": nil, "j": nil, "s": variable("S"), "p.hi": minus(variable("T"), variable("l")), "p.lo": variable("l"),
		"rh": terms.add(variable("r"), variable("m")), "rl": variable("m"), "a": variable("A"),
		"low": minus(terms.add(variable("r"), variable("m")), variable("A")),
	}, "", false, false)
	z = without(without(minus(z, polynomial{"": big.NewRat(-1, 1)}), "S"), "T")
	table := series{"exp", powersOf(z, "r", nil), expTerm, factorialTail}
	method := (table.method(red.rh+red.rl) + red.missed) * up
	far := result{name: "Expm1", domain: "1/16 < |x| < 44"}
	coarse := p.rounds("Expm1", map[string]number{"shifted": {}, "k": {}, "j": {}, "s": {}, "p.hi": {}, "rh": exactly(-red.rh, red.rh), "rl": {}, "r": {}}, "a", false, false)
	away := coarse.off
	for k := -most; k <= most; k += p.stride {
		e, i := k>>7, k&127
		c := powersOf2[i]
		hi, lo := c.split(powerBits)
		scale := math.Ldexp(1, e)
		if math.Abs(float64(k))*step < p.number("seriesExpm1")-red.rh {
			continue
		}
		ends := cuts(-red.rh, red.rh, 2)
		for j := 1; j < len(ends); j++ {
			y := p.rounds("Expm1", map[string]number{
				"shifted": {}, "k": {}, "j": {}, "s": rounding{}.number(scale), "p.hi": rounding{}.number(hi), "p.lo": rounding{}.number(lo),
				"rh": exactly(ends[j-1], ends[j]), "rl": {-red.rl, red.rl, red.off, 0, finest},
				// The number a is a multiple of 2^-34, and it differs from rh by at most 2^-35. So the variable "low",
				// which is the difference of rh and a, is exact.
				"a": {ends[j-1] - away, ends[j] + away, 0, 0, coarse.grain}, "low": exactly(-away, away),
			}, "", false, false)
			far.add(y.relative((2*method+2*c.missed(hi, lo))*scale), "2^(%d/128), r in [%.4g, %.4g]", k, ends[j-1], ends[j])
		}
	}
	return []result{near, far}
}

// The method "logarithms" proves the bounds of Log and Log1p. At some arguments these functions use a series, and at
// others they use the table. Each case has its own bound.
func (p *prover) logarithms() []result {
	var out []result
	for _, f := range []struct{ name, arg, domain string }{{"Log", "r", "|x-1| <= 2^-7"}, {"Log1p", "x", "|x| <= 2^-7"}} {
		s := series{f.name, powersOf(p.ideally(f.name, map[string]polynomial{f.arg: variable("r")}, "", true), "r", nil), logTerm, harmonicTail}
		near := result{name: f.name, domain: f.domain}
		p.binades(p.number("seriesLog"), 16, func(lo, hi float64) {
			for _, x := range []number{exactly(lo, hi), exactly(-hi, -lo)} {
				y := p.rounds(f.name, map[string]number{f.arg: x}, "", true)
				near.add(y.relative(s.method(hi)), "%s in [%.4g, %.4g]", f.arg, x.lo, x.hi)
			}
		})
		out = append(out, near)
	}
	one := terms.number(1)
	hi2, lo2 := p.number("ln2Hi"), p.number("ln2Lo")
	given := map[string]polynomial{
		"bits": nil, "from": nil, "e": nil, "z": nil, "ef": variable("e"), "p.inverse": one, "p.hi": variable("h"), "p.lo": variable("l"),
		"zh": minus(terms.add(one, variable("r")), variable("m")), "zl": minus(variable("m"), variable("c")), "cz": variable("c"),
	}
	rest := terms.add(terms.add(variable("h"), variable("l")), terms.mul(variable("e"), terms.add(terms.number(hi2), terms.number(lo2))))
	s := series{"log", powersOf(p.ideally("logSum", given, ""), "r", rest), logTerm, harmonicTail}
	far := result{name: "logSum", domain: "x normal, |x+c-1| >= 2^-7"}
	near := p.number("seriesLog")
	for i := 0; i < logs; i += p.stride {
		n, d := inverse(i)
		c := logarithm(d, n)
		hi, lo := c.split(logBits)
		from, to := edges(i)
		steps := 8
		for g := -11; g <= 11; g++ { // e = 0, or 2^(|g|-1) <= |e| < 2^|g|
			ef := number{}
			switch most, least := math.Ldexp(1, abs(g))-1, math.Ldexp(1, abs(g)-1); {
			case g == 0:
				ef = rounding{}.number(0)
			case g > 0:
				ef = number{least, most, 0, 0, 0}
			default:
				ef = number{-most, -least, 0, 0, 0}
			}
			ends := cuts(from, to, steps)
			for j := 1; j < len(ends); j++ {
				a, b := ends[j-1], ends[j]
				if g == 0 && a >= 1-near && b <= 1+near {
					if a > 1-near {
						continue
					}
					b = a // the sum 1+x may round to it
				}
				fine := -52
				if b <= 1 {
					fine = -53
				}
				low := math.Ldexp(1, fine+21)
				y := p.rounds("logSum", map[string]number{
					"bits": {}, "from": {}, "e": {}, "z": {}, "ef": ef,
					"p.inverse": rounding{}.number(float64(n) / float64(d)), "p.hi": rounding{}.number(hi), "p.lo": rounding{}.number(lo),
					"zh": {a - low, b, 0, 0, fine + 21}, "zl": {0, low, 0, 0, fine}, "cz": {-b * unit, b * unit, 0, 0, finest},
				}, "")
				size := max(math.Abs(a*float64(n)/float64(d)-1), math.Abs(b*float64(n)/float64(d)-1)) + 2*low
				method := s.method(size) + c.missed(hi, lo) + ef.size()*ln2.missed(hi2, lo2)
				far.add(y.relative(method), "2^%d..%d z, z in [%.5g, %.5g]", int(ef.lo), int(ef.hi), a, b)
			}
		}
	}
	return append(out, far)
}

func abs(x int) int { return max(x, -x) }

// The method "angles" proves the bounds of the sine and the cosine.
func (p *prover) angles() []result {
	given := map[string]polynomial{"r": variable("r"), "rl": variable("s")}
	half := big.NewRat(-1, 2)
	sin := series{"sin", powersOf(p.ideally("sinSeries", given, ""), "r", polynomial{"s": big.NewRat(1, 1), "r r s": half}), sinTerm, factorialTail}
	cos := series{"cos", powersOf(p.ideally("cosSeries", given, ""), "r", polynomial{"r s": big.NewRat(-1, 1)}), cosTerm, factorialTail}

	// For 0.75 < |x| < 2^20, the function lessRights subtracts a multiple of pi/2 from x. It computes a number a and a
	// small product t with a - t = r + rl. Here r is the rounded difference, and rl is its rounding error.
	most := int(p.number("mostReduced")*p.number("perRight")) + 2
	right := quarterPi.times(2).missed() // about pi/2
	t := 0.0
	g := map[string]number{}
	for k := 0; k <= most; k += p.stride {
		g["j"] = rounding{}.number(float64(k))
		g["x"] = exactly((float64(k)-0.5-0x1p-30)*right, (float64(k)+0.5+0x1p-30)*right)
		a, product := p.rounds("lessRights", g, "a"), p.rounds("lessRights", g, "t")
		if a.off != 0 {
			panic(stop("the first step of the reduction is not exact"))
		}
		t = max(t, product.size())
	}
	size := right/2*(1+0x1p-29) + t*unit
	miss := float64(most)*quarterPi.times(2).missed(p.number("rightHi"), p.number("rightLo")) + 4*unit*t
	rl := number{-size * unit, size * unit, miss, miss, finest}

	none := rounding{}.number(0)
	out := []result{
		{name: "sin", domain: "|x| <= 3/4"},
		{name: "sin", domain: "reduced, |x| < 2^20", absolute: true},
		{name: "cos", domain: "reduced, |x| < 2^20", absolute: true},
		{name: "cos", domain: "reduced, |x| < 2^20"},
		{name: "sin", domain: "reduced, 2^20 <= |x| <= 2^53", absolute: true},
		{name: "cos", domain: "reduced, 2^20 <= |x| <= 2^53", absolute: true},
	}
	p.binades(size, 32, func(lo, hi float64) {
		x := exactly(lo, hi)
		y := p.rounds("sinSeries", map[string]number{"r": x, "rl": none}, "")
		if hi <= 0.75*(1+0x1p-4) {
			out[0].add(y.relative(sin.method(hi)), "r in [%.4g, %.4g]", lo, hi)
		}
		// Let s be the value of rl. Two inequalities bound its effect:
		//
		//	|sin(r+s) - sin r - s (1-r^2/2)| <= |s| r^4/24 + s^2,
		//	|cos(r+s) - cos r + r s| <= |s| r^3/6 + s^2.
		y = p.rounds("sinSeries", map[string]number{"r": x, "rl": rl}, "")
		beyond := rl.size() * (math.Pow(hi, 4)/24 + rl.size()) * up
		out[1].add((y.off+sin.method(hi)+beyond)/unit*up, "r in [%.4g, %.4g]", lo, hi)
		y = p.rounds("cosSeries", map[string]number{"r": x, "rl": rl}, "")
		beyond = rl.size() * (math.Pow(hi, 3)/6 + rl.size()) * up
		out[2].add((y.off+cos.method(hi)+beyond)/unit*up, "r in [%.4g, %.4g]", lo, hi)
		out[3].add(y.relative(cos.method(hi)+beyond), "r in [%.4g, %.4g]", lo, hi)
	})
	// Let |x| >= 2^20. The rounding of the product x*perRight changes the multiple k by less than 1. So |r| <= 1.6. The
	// sum r + rl has an error of at most 4u. This error has three terms. The first term, u, comes from the last
	// addition in the function AddFloat. The product contributes the term 2^53 * 2v, where v is a bound of the relative
	// error of fm.Double. The representation of pi/2 by two float64 numbers contributes the term 2^53 * 2^-107.
	wide := number{-1.6 * unit, 1.6 * unit, 4 * unit, 4 * unit, finest}
	for i, f := range []struct {
		name string
		s    series
	}{{"sinSeries", sin}, {"cosSeries", cos}} {
		c := cuts(0, 1.6, 64)
		for j := 1; j < len(c); j++ {
			y := p.rounds(f.name, map[string]number{"r": exactly(c[j-1], c[j]), "rl": wide}, "")
			out[4+i].add((y.off+f.s.method(c[j])+2*wide.size())/unit*up, "r in [%.4g, %.4g]", c[j-1], c[j])
		}
	}
	return out
}

// The method "tangents" proves the error bounds of the function Atan2.
func (p *prover) tangents() []result {
	out := []result{{name: "Atan2", domain: "0 <= y <= x"}, {name: "Atan2", domain: "others"}}
	zero := rounding{}.number(0)
	given := map[string]polynomial{"turn": {}, "rest": {}, "sign": terms.number(1), "a": variable("a")}
	s := series{"atan", powersOf(p.ideally("arcTangent", given, "", true), "a", nil), tanTerm, harmonicTail}
	given = map[string]polynomial{"turn": {}, "rest": {}, "sign": terms.number(1), "p.hi": variable("h"), "p.lo": variable("l"), "i": nil, "c": nil, "t": variable("t"), "a": nil}
	far := series{"atan", powersOf(p.ideally("arcTangent", given, "", false), "t", terms.add(variable("h"), variable("l"))), tanTerm, harmonicTail}
	c := quarterPi
	type turn struct {
		hi, lo, sign float64
		miss         float64
	}
	turns := []turn{{0, 0, 1, 0}}
	for _, sign := range []float64{1, -1} {
		hi, lo := p.number("halfPiHi"), p.number("halfPiLo")
		turns = append(turns, turn{hi, lo, sign, c.times(2).missed(hi, lo)})
	}
	hi, lo := p.number("piHi"), p.number("piLo")
	turns = append(turns, turn{hi, lo, -1, c.times(4).missed(hi, lo)})
	for i, t := range turns {
		res := &out[min(i, 1)]
		try := func(lo, hi float64, g map[string]number, method float64, near bool) {
			a := exactly(lo, hi)
			a.off = halfStep(hi, finest) // the rounding of the quotient
			g["a"], g["turn"], g["rest"], g["sign"] = a, rounding{}.number(t.hi), rounding{}.number(t.lo), rounding{}.number(t.sign)
			if t.hi == 0 {
				g["turn"], g["rest"] = zero, zero
			}
			y := p.rounds("arcTangent", g, "", near)
			res.add(y.relative(method+t.miss), "%.3g and the arc tangent of [%.4g, %.4g] times %v", t.hi, lo, hi, t.sign)
		}
		p.binades(p.number("seriesTangent"), 16, func(lo, hi float64) {
			try(lo, hi, map[string]number{}, s.method(hi), true)
		})
		if t.hi != 0 {
			try(0, smallest, map[string]number{}, s.method(smallest), true)
		}
		for i := int64(2); i <= tangent; i++ {
			c := arcTangent(i, tangent)
			hi, lo := c.split(angleBits)
			at := float64(i) / tangent
			ends := cuts(max(at-1.0/(2*tangent)-0x1p-50, p.number("seriesTangent")), min(at+1.0/(2*tangent), 1), 8)
			for j := 1; j < len(ends); j++ {
				g := map[string]number{"i": {}, "c": rounding{}.number(at), "p.hi": rounding{}.number(hi), "p.lo": rounding{}.number(lo)}
				try(ends[j-1], ends[j], g, far.method(1.0/(2*tangent)+0x1p-49)+c.missed(hi, lo), false)
			}
		}
	}
	return out
}

// The method "differences" proves the bounds of Expm1MX, Log1pMX and XMinusSin. If |x| is below the constant
// "smallest", the sum of all terms of the series except the first is negligible. So the bound for the first piece,
// which begins at this constant, also holds for such x.
func (p *prover) differences() []result {
	from := func(term func(int) *big.Rat, least int, sign int64) func(int) *big.Rat {
		return func(j int) *big.Rat {
			if j < least {
				return new(big.Rat)
			}
			return new(big.Rat).Mul(term(j), big.NewRat(sign, 1))
		}
	}
	signs := func(lo, hi float64) []number { return []number{exactly(lo, hi), exactly(-hi, -lo)} }

	given := map[string]polynomial{"x": variable("x")}
	exp := series{"e^x-1-x", powersOf(p.ideally("Expm1MX", given, ""), "x", nil), from(expTerm, 2, 1), factorialTail}
	one := result{name: "Expm1MX", domain: "|x| <= 1"}
	p.binades(1, 32, func(lo, hi float64) {
		for _, x := range signs(lo, hi) {
			y := p.rounds("Expm1MX", map[string]number{"x": x}, "")
			one.add(y.relative(exp.method(hi)), "x in [%.4g, %.4g]", x.lo, x.hi)
		}
	})

	// The function computes a polynomial in x and s = x/(2+x). The identity ln(1+x) - x = 2 atanh s - 2s - xs holds. So
	// this polynomial must be -xs plus the series of 2 atanh s - 2s. The terms of the series are 2 s^j/j for odd
	// j >= 3.
	s := series{"ln(1+x)-x", powersOf(p.ideally("Log1pMX", map[string]polynomial{"x": variable("x"), "s": variable("s")}, ""), "s", polynomial{"s x": big.NewRat(-1, 1)}), func(j int) *big.Rat {
		if j < 3 || j&1 == 0 {
			return new(big.Rat)
		}
		return big.NewRat(2, int64(j))
	}, func(n int, x float64) float64 { return 2 * harmonicTail(n, x) }}
	for i := -8; i <= 16; i++ { // s is x/(2+x)
		x := float64(i) / 16
		y := p.rounds("Log1pMX", map[string]number{"x": rounding{}.number(x)}, "s")
		if y.lo != y.hi || y.lo != x/(2+x) {
			panic(stop("s is not x/(2+x)"))
		}
	}
	log := result{name: "Log1pMX", domain: "-1/2 <= x <= 1"}
	p.binades(1, 32, func(lo, hi float64) {
		for _, x := range signs(lo, hi) {
			most := hi / (2 + hi)
			if x.lo < 0 {
				most = hi / (2 - hi)
			}
			if x.lo < -0.5 {
				continue
			}
			y := p.rounds("Log1pMX", map[string]number{"x": x}, "")
			log.add(y.relative(s.method(most*up)), "x in [%.4g, %.4g]", x.lo, x.hi)
		}
	})

	sin := series{"x-sin x", powersOf(p.ideally("XMinusSin", given, ""), "x", nil), from(sinTerm, 3, -1), factorialTail}
	near := result{name: "XMinusSin", domain: "0 <= x <= 1"}
	p.binades(1, 32, func(lo, hi float64) {
		y := p.rounds("XMinusSin", map[string]number{"x": exactly(lo, hi)}, "")
		near.add(y.relative(sin.method(hi)), "x in [%.4g, %.4g]", lo, hi)
	})
	far := result{name: "XMinusSin", domain: "1 < x <= pi"}
	off, err := p.stated(result{name: "sin", absolute: true})
	if err != nil {
		panic(stop(err.Error()))
	}
	text := minus(p.ideally("XMinusSin", map[string]polynomial{"x": variable("x"), "sin": variable("sin")}, "", true), variable("x"))
	if !(len(text) == 1 && text["sin"] != nil && text["sin"].Cmp(big.NewRat(-1, 1)) == 0) {
		panic(stop("the text is not x - sin x"))
	}
	c := cuts(1, math.Pi, 256)
	for j := 1; j < len(c); j++ {
		// The terms of the series alternate and decrease. So x - sin x lies between x^3/6 - x^5/120 and x^3/6. For the
		// same reason, sin x is at least x - x^3/6. It is at most x - x^3/6 + x^5/120.
		a, b := c[j-1], c[j]
		least := a - b*b*b/6
		most := b - a*a*a/6 + b*b*b*b*b/120
		x := number{a, b, 0, 0, -52}
		y := p.rounds("XMinusSin", map[string]number{"x": x, "sin": {least, most, off * unit, off * unit, finest}}, "", true)
		y.lo, y.hi = (a*a*a/6-math.Pow(a, 5)/120)/up, b*b*b/6*up
		far.add(y.relative(0), "x in [%.4g, %.4g]", a, b)
	}
	return []result{one, log, near, far}
}
