package interval

import (
	"math/big"
	"testing"
)

// FuzzRat runs a program of operations on two registers, each with an interval and the rational
// number that the interval must contain.
func FuzzRat(f *testing.F) {
	f.Add(uint16(53), int64(1), int64(3), []byte{0, 1, 2, 3})
	f.Add(uint16(1), int64(-7), int64(5), []byte{3, 3, 2, 2, 4, 5})
	f.Add(uint16(5), int64(0), int64(9), []byte{1, 4, 1, 3, 5, 1}) // 0 - y at low precision
	f.Fuzz(func(t *testing.T, prec uint16, num, den int64, program []byte) {
		if den == 0 || len(program) > 40 {
			return
		}
		p := uint(prec)%200 + 1
		a, b := big.NewRat(num, den), big.NewRat(den, 7)
		x, y := New(p).SetRat(a), New(p).SetRat(b)
		for _, op := range program {
			if a.Num().BitLen()+a.Denom().BitLen() > 20000 {
				return
			}
			switch op % 7 {
			case 0:
				x.Add(x, y)
				a.Add(a, b)
			case 1:
				x.Sub(x, y)
				a.Sub(a, b)
			case 2:
				x.Mul(x, y)
				a.Mul(a, b)
			case 3:
				if b.Sign() == 0 {
					return
				}
				x.Quo(x, y)
				a.Quo(a, b)
			case 4:
				x, y, a, b = y, x, b, a
			case 5:
				n := big.NewInt(int64(op>>3) % 5)
				x.PowInt(x, n)
				r := big.NewRat(1, 1)
				for range n.Int64() {
					r.Mul(r, a)
				}
				a = r
			case 6: // the square contains the number again where it is not negative
				if x.lo.Sign() < 0 {
					continue
				}
				s := New(p).Sqrt(x)
				if s.Mul(s, s); !s.ContainsRat(a) {
					t.Fatalf("sqrt squared loses %v: %s", a, ends(s))
				}
			}
			if !x.Valid() {
				return
			}
			if !x.ContainsRat(a) {
				t.Fatalf("%s lost %v at %d bits", ends(x), a, p)
			}
			checkDecimal(t, x, a, 1+int(op)%9)
		}
	})
}

// checkDecimal checks the printed ends against r, a point of x.
func checkDecimal(t *testing.T, x *Interval, r *big.Rat, digits int) {
	t.Helper()
	lo, mid, hi, err := x.Decimal(digits)
	if err != nil {
		return // too wide
	}
	l, m, h := parse(t, lo), parse(t, mid), parse(t, hi)
	if l.Cmp(r) > 0 || r.Cmp(h) > 0 || l.Cmp(m) > 0 || m.Cmp(h) > 0 {
		t.Fatalf("Decimal(%d) of %s around %v is %s, %s, %s", digits, ends(x), r, lo, mid, hi)
	}
}

func parse(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return r
}

// FuzzElementary compares exp, log, powers and roots with the same functions at another precision,
// whose enclosures must overlap theirs, and with their inverse functions, whose results must
// contain the argument.
func FuzzElementary(f *testing.F) {
	f.Fuzz(func(t *testing.T, which, prec, more uint8, exp int16, mantissa uint64, other int32) {
		p := uint(prec) + 2
		x := new(big.Float).SetPrec(64).SetUint64(mantissa | 1)
		x.SetMantExp(x, int(exp)-64)
		if other < 0 {
			x.Neg(x)
		}
		y := new(big.Rat).SetFrac64(int64(other)/2, 1<<10)
		at := func(prec uint) *Interval {
			arg, z := New(prec).SetEnds(x, x), New(prec)
			switch which % 6 {
			case 0:
				return z.Exp(arg)
			case 1:
				return z.Expm1(arg)
			case 2:
				return z.Log(arg)
			case 3:
				return z.Log1p(arg)
			case 4:
				return z.Pow(arg, New(prec).SetRat(y))
			}
			return z.Sqrt(arg)
		}
		narrow, wide := at(p+uint(more)+8), at(p)
		if narrow.Valid() && wide.Valid() {
			if order, decided := narrow.Cmp(wide); decided && order != 0 {
				t.Fatalf("function %d of %g, %v: %s at %d bits, %s at %d", which%6, x, y, ends(wide), p, ends(narrow), p+uint(more)+8)
			}
		}
		inverse := func(z *Interval, of *big.Float) {
			if z.Valid() && (z.lo.Cmp(of) > 0 || z.hi.Cmp(of) < 0) {
				t.Fatalf("the inverse of function %d of %g at %d bits is %s", which%6, x, p, ends(z))
			}
		}
		if !wide.Valid() {
			return
		}
		switch which % 6 {
		case 0:
			inverse(New(p).Log(wide), x)
		case 1:
			inverse(New(p).Log1p(wide), x)
		case 2:
			inverse(New(p).Exp(wide), x)
		case 3:
			inverse(New(p).Expm1(wide), x)
		case 5:
			inverse(New(p).Mul(wide, wide), x)
		}
	})
}

// FuzzComplex runs a program of operations on two registers, each with a rectangle and the rational
// complex number that the rectangle must contain, and inverts logarithms and exponentials.
func FuzzComplex(f *testing.F) {
	f.Fuzz(func(t *testing.T, prec uint8, a, b, c, d int32, program []byte) {
		p := uint(prec)%150 + 2
		type point struct{ re, im *big.Rat }
		num := func(v int32) *big.Rat { return big.NewRat(int64(v), 1<<12+1) }
		make := func(q point) *Complex {
			z := NewComplex(p)
			z.Re.SetRat(q.re)
			z.Im.SetRat(q.im)
			return z
		}
		mul := func(a, b point) point {
			r := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }
			return point{new(big.Rat).Sub(r(a.re, b.re), r(a.im, b.im)), new(big.Rat).Add(r(a.re, b.im), r(a.im, b.re))}
		}
		v, w := point{num(a), num(b)}, point{num(c), num(d)}
		x, y := make(v), make(w)
		for _, op := range program[:min(len(program), 24)] {
			if v.re.Num().BitLen()+v.re.Denom().BitLen() > 8000 {
				return
			}
			switch op % 7 {
			case 0:
				x.Add(x, y)
				v = point{new(big.Rat).Add(v.re, w.re), new(big.Rat).Add(v.im, w.im)}
			case 1:
				x.Sub(x, y)
				v = point{new(big.Rat).Sub(v.re, w.re), new(big.Rat).Sub(v.im, w.im)}
			case 2:
				x.Mul(x, y)
				v = mul(v, w)
			case 3:
				norm := new(big.Rat).Add(new(big.Rat).Mul(v.re, v.re), new(big.Rat).Mul(v.im, v.im))
				if norm.Sign() == 0 {
					return
				}
				x.Inv(x)
				v = point{new(big.Rat).Quo(v.re, norm), new(big.Rat).Quo(new(big.Rat).Neg(v.im), norm)}
			case 4:
				x, y, v, w = y, x, w, v
			case 5:
				n := x.Abs()
				norm := new(big.Rat).Add(new(big.Rat).Mul(v.re, v.re), new(big.Rat).Mul(v.im, v.im))
				if n.Valid() && !New(p).Mul(n, n).ContainsRat(norm) {
					t.Fatalf("|%v + i %v| squared is not in %s", v.re, v.im, ends(n))
				}
			case 6:
				if l := NewComplex(p).Log(x); l.Valid() {
					if e := NewComplex(p).Exp(l); e.Valid() && (!e.Re.ContainsRat(v.re) || !e.Im.ContainsRat(v.im)) {
						t.Fatalf("exp log of %v + i %v is %s, %s", v.re, v.im, ends(&e.Re), ends(&e.Im))
					}
				}
			}
			if !x.Valid() {
				return
			}
			if !x.Re.ContainsRat(v.re) || !x.Im.ContainsRat(v.im) {
				t.Fatalf("%s, %s lost %v + i %v at %d bits", ends(&x.Re), ends(&x.Im), v.re, v.im, p)
			}
		}
	})
}
