package claims

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// This file computes the rates by the sums over k, for parameters at which the definitions would take too long. The
// checks of burns.eq56 and burns.eq60 compare these sums with the definitions.

// rateS returns the rate f_S(m,n,k) of the standard filter by Burns (56).
func rateS(m, n, k int) *big.Rat {
	powers := make([]*big.Int, k+1) // powers[j] is (m-j)^(nk)
	for j := range powers {
		powers[j] = new(big.Int).Exp(big.NewInt(int64(m-j)), big.NewInt(int64(n*k)), nil)
	}
	total, t := new(big.Int), new(big.Int)
	falling := big.NewInt(1)
	second := stirlingRow(k)
	for i := 0; i <= k; i++ {
		inner := new(big.Int)
		for j := 0; j <= i; j++ {
			t.Mul(t.Binomial(int64(i), int64(j)), powers[j])
			if j%2 == 1 {
				t.Neg(t)
			}
			inner.Add(inner, t)
		}
		total.Add(total, inner.Mul(inner, t.Mul(second[i], falling)))
		falling.Mul(falling, big.NewInt(int64(m-i)))
	}
	return new(big.Rat).SetFrac(total, t.Exp(big.NewInt(int64(m)), big.NewInt(int64((n+1)*k)), nil))
}

// rateC returns the rate f_C(m,n,k) of the classic filter by Burns (60).
func rateC(m, n, k int) *big.Rat {
	total, t, e := new(big.Int), new(big.Int), big.NewInt(int64(n))
	for i := 0; i <= k; i++ {
		p := new(big.Int).Binomial(int64(m-i), int64(k))
		p.Mul(p.Exp(p, e, nil), t.Binomial(int64(k), int64(i)))
		if i%2 == 1 {
			p.Neg(p)
		}
		total.Add(total, p)
	}
	t.Binomial(int64(m), int64(k))
	return new(big.Rat).SetFrac(total, t.Exp(t, e, nil))
}

// best returns the number k from 1 to last at which rate is least. If there is a tie, it returns all such k.
func best(last int, rate func(k int) *big.Rat) (at []int, least *big.Rat) {
	for k := 1; k <= last; k++ {
		f := rate(k)
		switch {
		case least == nil || f.Cmp(least) < 0:
			at, least = []int{k}, f
		case f.Cmp(least) == 0:
			at = append(at, k)
		}
	}
	return at, least
}

// bestS and bestC return the k of least rate of the standard and the classic filter. They search up to 2m/n + 3, which
// is more than twice the textbook's (m/n) ln 2. As far as the rates were examined, they fall with k and then rise
// (burns.3.shape).
func bestS(m, n int) (at []int, least *big.Rat) {
	return best(2*m/n+3, func(k int) *big.Rat { return rateS(m, n, k) })
}

func bestC(m, n int) (at []int, least *big.Rat) {
	return best(min(m, 2*m/n+3), func(k int) *big.Rat { return rateC(m, n, k) })
}

// logBits is the number of bits with which the function ln computes.
const logBits = 256

// ln returns rationals lo < ln x < hi that are less than 2^-200 apart, for x with a binary exponent below 2^30. It uses
// ln x = e ln 2 + 2 artanh((y-1)/(y+1)), where y = x/2^e lies in [1/2, 2).
func ln(x *big.Rat) (lo, hi *big.Rat) {
	e := x.Num().BitLen() - x.Denom().BitLen()
	num, den := new(big.Int).Set(x.Num()), new(big.Int).Set(x.Denom())
	if e > 0 {
		den.Lsh(den, uint(e))
	} else {
		num.Lsh(num, uint(-e))
	}
	// Here ln 2 is 2 artanh(1/3). Each of the two sums has fewer than logBits terms, and each term has an error below 2
	// units. The total error is at most 2^10 units, times |e|+1.
	s := artanh(new(big.Int).Sub(num, den), new(big.Int).Add(num, den))
	two := artanh(big.NewInt(1), big.NewInt(3))
	s.Add(s, two.Mul(two, big.NewInt(int64(e))))
	s.Lsh(s, 1)
	margin := big.NewInt(int64(max(e, -e)+1) << 11)
	unit := new(big.Int).Lsh(big.NewInt(1), logBits)
	lo = new(big.Rat).SetFrac(new(big.Int).Sub(s, margin), unit)
	hi = new(big.Rat).SetFrac(new(big.Int).Add(s, margin), unit)
	return lo, hi
}

// artanh returns sum_i t^(2i+1)/(2i+1) in units of 2^-logBits, where t = num/den is at most 1/2 in absolute value.
func artanh(num, den *big.Int) *big.Int {
	square, below := new(big.Int).Mul(num, num), new(big.Int).Mul(den, den)
	term := new(big.Int).Lsh(num, logBits)
	term.Quo(term, den)
	s, part := new(big.Int), new(big.Int)
	for i := int64(1); term.Sign() != 0; i += 2 {
		s.Add(s, part.Quo(term, big.NewInt(i)))
		term.Quo(term.Mul(term, square), below)
	}
	return s
}

// roundsRat returns an error unless x equals want when it is rounded to as many digits as want has.
func roundsRat(x *big.Rat, want string) error {
	mantissa, exponent, _ := strings.Cut(want, "e")
	_, decimals, _ := strings.Cut(mantissa, ".")
	e := 0
	if exponent != "" {
		var err error
		if e, err = strconv.Atoi(exponent); err != nil {
			return err
		}
	}
	w, ok := new(big.Rat).SetString(want)
	if !ok {
		return fmt.Errorf("%q is no number", want)
	}
	half := rat(1, 2)
	for d := e - len(decimals); d != 0; {
		if d > 0 {
			half, d = mul(half, whole(10)), d-1
		} else {
			half, d = quo(half, whole(10)), d+1
		}
	}
	if distance := sub(x, w); distance.Abs(distance).Cmp(half) > 0 {
		return fmt.Errorf("%s does not round to %s", short(x), want)
	}
	return nil
}
