package interval

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The bounds of errors are computed a second time, from their comments: guard bits hide a bound that is too small.

// TestSinCosMissed counts the terms again, and sees the error where nothing is rounded after it: the cosine next to pi/2.
func TestSinCosMissed(t *testing.T) {
	for _, x := range []float64{0x1p-30, 0.25, 1, 1.25, 1.5} {
		for scale := uint(20); scale < 200; scale += 9 {
			_, _, missed := sinCosFixed(big.NewFloat(x), scale)
			r, term := floorFixed(big.NewFloat(x), scale), new(big.Int).Lsh(one, scale)
			count := int64(0)
			for term.Sign() > 0 {
				count++
				term.Rsh(term.Mul(term, r), scale)
				term.Quo(term, big.NewInt(count))
			}
			if want := 5*count + 5 + 4; missed.Int64() != want { // 5 for a term, 5 for the rest, and 4
				t.Fatalf("x = %v at scale %d: %v units are missed, not %d", x, scale, missed, want)
			}
		}
	}
	const prec = 40
	scale := uint(prec + 6 + sinCosGuard)
	x := new(big.Float).SetPrec(prec).SetInt(piFixed(prec - 2))
	x.SetMantExp(x, -prec+1) // about pi/2
	for _, width := range []int64{0, 1, 1000} {
		end := new(big.Float).SetPrec(200).Add(x, new(big.Float).SetMantExp(new(big.Float).SetInt64(width), -int(scale)-1)) // half units
		c, s := New(prec), New(prec)
		sinCos(c, s, New(200).SetEnds(x, end))
		_, _, missed := sinCosFixed(x, scale)
		half := new(big.Float).SetMantExp(c.Width(), int(scale)-1)
		want := missed.Int64()
		if width > 0 {
			want += width/2 + 1
		}
		if got, _ := half.Int64(); got != want {
			t.Errorf("the cosine of %v and %d half units more is +- %d units, want %d", x, width, got, want)
		}
	}
}

// TestSeriesMissed checks the bounds of the series in fixed point before they are rounded: against the true values, and
// against their formulas with the terms counted again.
func TestSeriesMissed(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	within := func(what string, low, missed *big.Int, truths ...*big.Float) {
		t.Helper()
		high := new(big.Int).Add(low, missed)
		for _, x := range truths {
			slack := new(big.Float).SetMantExp(x, -truthBits)
			if up := new(big.Float).Add(x, slack); up.Cmp(new(big.Float).SetInt(low)) < 0 {
				t.Fatalf("%s: %v is below %v", what, x, low)
			}
			if down := new(big.Float).Sub(x, slack); down.Cmp(new(big.Float).SetInt(high)) > 0 {
				t.Fatalf("%s: %v is above %v", what, x, high)
			}
		}
	}
	for range 100 {
		// e^(y 2^s) for y in [r, r+4] 2^-wide.
		s, wide := uint(1+rng.IntN(6)), uint(24+rng.IntN(20))
		r := big.NewInt(rng.Int64N(int64(0.69 * math.Ldexp(1, int(wide-s)))))
		sum, missed := expSeries(r, s, wide)
		truth := func(add int64) *big.Float {
			x := real500(new(big.Float).SetInt(new(big.Int).Add(r, big.NewInt(add))))
			return new(big.Float).SetMantExp(trueExp(x.SetMantExp(x, int(s)-int(wide))), int(wide))
		}
		within(fmt.Sprintf("exp of %v at scale %d, %d squarings", r, wide, s), sum, missed, truth(0), truth(4))
		count, term := int64(0), new(big.Int).Lsh(one, wide)
		for term.Sign() > 0 {
			count++
			term.Rsh(term.Mul(term, r), wide)
			term.Quo(term, big.NewInt(count))
		}
		count++ // the last one is 0, and counts
		want := new(big.Int).Lsh(big.NewInt(3*count+3+11+1), s+2)
		if missed.Cmp(want) != 0 {
			t.Fatalf("exp at scale %d, %d squarings: %v units are missed, not %v", wide, s, missed, want)
		}

		// The whole reduction, in few bits. e^x 2^-n is at least 1 and below 2.1.
		x := spread(rng, -8, 8, true)
		prec := uint(2 + rng.IntN(12))
		sum, missed, n, wide := expFixed(x, prec)
		value := trueExp(x)
		value.SetMantExp(value, int(wide)-int(n))
		within(fmt.Sprintf("exp %v in %d bits", x, prec), sum, missed, value)
		if f, _ := new(big.Float).SetMantExp(value, -int(wide)).Float64(); f < 1 || f >= 2.1 {
			t.Fatalf("exp %v: e^x 2^-%d = %v", x, n, f)
		}
		if missed.BitLen() > int(wide-prec)-3 {
			t.Fatalf("exp %v in %d bits misses %v at scale %d", x, prec, missed, wide)
		}
	}
	// Next to n ln 2 the series has one term, and loses nothing: what is lost is the error of the reduction.
	ln2 := trueLog(big.NewFloat(2))
	for n := int64(-40); n <= 40; n++ {
		for _, units := range []float64{-9, -1, 0.5, 3, 9} {
			if n == 0 && units < 0 {
				continue
			}
			x := new(big.Float).SetPrec(60).Mul(ln2, new(big.Float).SetInt64(n))
			x.Add(x, new(big.Float).SetMantExp(big.NewFloat(units), -36)) // 36 is the scale of 12 bits
			sum, missed, e, wide := expFixed(x, 12)
			value := trueExp(x)
			value.SetMantExp(value, int(wide)-int(e))
			within(fmt.Sprintf("exp(%d ln 2 + %v units)", n, units), sum, missed, value)
			if f, _ := new(big.Float).SetMantExp(value, -int(wide)).Float64(); f < 1 || f >= 2.1 {
				t.Fatalf("exp(%d ln 2 + %v units): e^x 2^-%d = %v", n, units, e, f)
			}
		}
	}
	for range longtest.More(100, 200) {
		// The sum of u^i/(2i+1), which is atanh(sqrt u)/sqrt u, at both ends of u.
		scale := uint(12 + rng.IntN(20))
		lo := rng.Int64N(1 << (scale - 4))
		hi := min(lo+rng.Int64N(30), 1<<(scale-4)-1)
		terms := 0
		sum, missed := seriesFixed(big.NewInt(lo), big.NewInt(hi), scale, func(power *big.Int, i int64) *big.Int {
			terms++
			return new(big.Int).Quo(power, big.NewInt(2*i+1))
		})
		at := func(x *big.Float) *big.Float {
			x = real500(x)
			total, power := real500(new(big.Float)), real500(big.NewFloat(1))
			for i := int64(0); i < 90; i++ {
				total.Add(total, new(big.Float).Quo(power, new(big.Float).SetInt64(2*i+1)))
				power.Mul(power, x)
			}
			return total
		}
		truth := func(u int64) *big.Float {
			total := at(new(big.Float).SetMantExp(new(big.Float).SetInt64(u), -int(scale)))
			return total.SetMantExp(total, int(scale))
		}
		within(fmt.Sprintf("series of [%d, %d] at scale %d", lo, hi, scale), sum, missed, truth(lo), truth(hi+1))
		if want := hi - lo + 3*int64(terms+1) + 5; missed.Int64() != want {
			t.Fatalf("series of [%d, %d] at scale %d: %v units are missed, not %d", lo, hi, scale, missed, want)
		}
		// The relative width is at most 2^-prec plus the width of u.
		prec := uint(2 + rng.IntN(300))
		u := New(prec + 40).SetRat(big.NewRat(lo, 1<<scale))
		wide := New(prec+40).SetEnds(u.Lo(), new(big.Float).SetPrec(prec+40).Add(u.Hi(), pow2(-int(prec)-3)))
		for _, arg := range []*Interval{u, wide} {
			e := series(arg, prec, func(power *big.Int, i int64) *big.Int { return new(big.Int).Quo(power, big.NewInt(2*i+1)) })
			limit := new(big.Float).Add(pow2(-int(prec)), arg.Width())
			if !e.Valid() || e.Width().Cmp(limit.Mul(limit, &e.hi)) > 0 {
				t.Fatalf("series of %s in %d bits is %v wide", ends(arg), prec, e.Width())
			}
		}
		e := series(wide, prec, func(power *big.Int, i int64) *big.Int { return new(big.Int).Quo(power, big.NewInt(2*i+1)) })
		if e.lo.Cmp(at(&wide.lo)) > 0 || e.hi.Cmp(at(&wide.hi)) < 0 {
			t.Fatalf("series of %s in %d bits is %s", ends(wide), prec, ends(e))
		}
	}
	for _, q := range []int64{26, 4801, 8749} {
		for scale := uint(10); scale < 120; scale++ {
			_, missed := atanhInv(q, scale)
			power, terms := new(big.Int).Quo(new(big.Int).Lsh(one, scale), big.NewInt(q)), int64(0)
			for ; power.Sign() > 0; terms++ {
				power.Quo(power, big.NewInt(q*q))
			}
			if missed != 2*terms+2 { // two for a term, and two for the rest
				t.Fatalf("atanh 1/%d at scale %d: %d units are missed", q, scale, missed)
			}
		}
	}
}

// TestLn2Sum checks the sum for ln 2 before its guard bits are shifted out, in so few bits that its error is not hidden.
func TestLn2Sum(t *testing.T) {
	ln2 := trueLog(big.NewFloat(2))
	for scale := uint(1); scale < 200; scale++ {
		d := new(big.Float).SetMantExp(ln2, int(scale))
		d.Sub(d, new(big.Float).SetInt(ln2Sum(scale)))
		terms := scale/9 + 1 // of the longest series, whose powers fall by more than 2^9
		if f, _ := d.Float64(); f < 0 || f > float64(28*(2*terms+2)) {
			t.Errorf("ln 2 at scale %d is %v units above the sum", scale, f)
		}
	}
}

// TestAtanTerms breaks the series off early, so that the bound of what is left out decides.
func TestAtanTerms(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 2))
	for range 20 {
		x := spread(rng, -20, -9, true)
		least := exponentBelow(x)
		f, _ := x.Float64()
		truth := trueArg(real500(big.NewFloat(1)), real500(x))
		for terms := range int64(3) {
			z := New(300).atanTerms(New(60).SetEnds(x, x), 300, least, terms)
			if z.lo.Cmp(truth) > 0 || z.hi.Cmp(truth) < 0 {
				t.Fatalf("atan %v with %d terms is %s", x, terms, ends(z))
			}
			// At most |x| 2^(-2 least (terms+1)) is left out, on each side.
			limit := math.Abs(f) * math.Ldexp(1, 1-2*least*int(terms+1))
			if w, _ := z.Width().Float64(); w > limit*1.0001 {
				t.Fatalf("atan %v with %d terms is %v wide, more than %v", x, terms, w, limit)
			}
		}
		// Of an interval both ends are within, whichever is nearer to 0.
		y := spread(rng, -20, -9, true)
		lo, hi := x, y
		if lo.Cmp(hi) > 0 {
			lo, hi = hi, lo
		}
		z := New(300).atanSmall(New(60).SetEnds(lo, hi))
		a, b := trueArg(real500(big.NewFloat(1)), real500(lo)), trueArg(real500(big.NewFloat(1)), real500(hi))
		if z.lo.Cmp(a) > 0 || z.hi.Cmp(b) < 0 {
			t.Fatalf("atan [%v, %v] is %s", lo, hi, ends(z))
		}
	}
	// Within [2^-40, 2^-8) the larger end says how many terms are needed.
	x := New(60).SetEnds(pow2(-40), big.NewFloat(0x1p-8-0x1p-40))
	if z := New(300).atanSmall(x); z.hi.Cmp(trueArg(real500(big.NewFloat(1)), real500(&x.hi))) < 0 {
		t.Errorf("atan %s is %s", ends(x), ends(z))
	}
	for i, least := range []int{9, 40} { // |x| < 2^-least
		x := New(60).SetEnds(new(big.Float).Neg(pow2(-41-9*i)), pow2(-10-31*i))
		z := New(300).atanTerms(x, 300, least, 0)
		truth := trueArg(real500(big.NewFloat(1)), real500(&x.hi))
		if z.hi.Cmp(truth) < 0 {
			t.Errorf("atan %s with one term is %s", ends(x), ends(z))
		}
	}
}

// TestAngleFine compares 2 pi/n with more bits, at so many precisions that a bound of pi which is one unit too large
// shows.
func TestAngleFine(t *testing.T) {
	fine := Angle(New(3300), 1)
	for prec := uint(2); prec < 3000; prec++ {
		if z := Angle(New(prec), 1); !z.Contains(fine) {
			t.Fatalf("2 pi in %d bits is %s", prec, ends(z))
		}
	}
}

// TestComplexLogFine asks for a real part of the logarithm that has the precision of the result.
func TestComplexLogFine(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 3))
	for range 200 {
		prec := uint(20 + rng.IntN(60))
		x, _ := randComplex(rng, prec)
		x.Re.Set(from(&x.Re.lo, &x.Re.lo))
		x.Im.Set(from(&x.Im.lo, &x.Im.lo))
		l := NewComplex(prec).Log(x)
		f := math.Abs(l.Re.Float64())
		if w, _ := l.Re.Width().Float64(); w > (f*4+0.5)*math.Ldexp(1, -int(prec)) {
			t.Fatalf("the logarithm of %s + %s i in %d bits is %s", ends(&x.Re), ends(&x.Im), prec, ends(&l.Re))
		}
	}
}
