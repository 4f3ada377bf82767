package interval

import (
	"math/big"
	"testing"
)

// FuzzRat runs a program of operations on two registers, each an interval beside the
// rational that it must contain.
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
