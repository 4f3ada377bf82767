package fm

// Harmonic returns the sum of 1/j over low <= j <= high, for low >= 1, with a relative error of at most 2^-85. It
// returns 0 for low = high+1.
//
// The terms with j < 64 are added one by one. The other terms are summed by the Euler-Maclaurin formula around the
// midpoints. Let psi be the digamma function, and let e(x) be psi(x+1/2) - ln x. Then two equations hold.
//
//	The sum is ln((high+1/2)/(low-1/2)) + e(high+1/2) - e(low-1/2).
//	The function e(x) is the sum over i of (1-2^(1-2i)) B_2i/(2i) x^-2i.
//
// Here B_2i are Bernoulli numbers. The signs of the terms alternate. So the error after six terms is below the seventh
// term, which is x^-14/12. The formula is used only for sums of at least 64 terms, with j >= 64 in each term. Then x >=
// 63.5, and the sum is at least 64/high. So the error is at most 2^-85 of the sum.
func Harmonic(low, high uint64) Double {
	sum := Double{}
	for low <= high && (low < 64 || high-low < 64) {
		sum = sum.Add(Whole(1).Quo(Whole(low)))
		if low++; low == 0 {
			return sum
		}
	}
	if low > high {
		return sum
	}
	x, y := Whole(low).AddFloat(-0.5), Whole(high).AddFloat(0.5)
	sum = sum.Add(Whole(high - low).AddFloat(1).Quo(x).Log1p())
	return sum.Add(harmonicError(y).Sub(harmonicError(x)))
}

// harmonicError returns e(x), as the comment of Harmonic defines it, for x >= 63.5. The terms from the third on need no
// second word.
func harmonicError(x Double) Double {
	z := Whole(1).Quo(x.Mul(x))
	t := z.Hi
	tail := t * (31./8064 - t*(127./30720-t*(511./67584-t*(1414477./67092480))))
	return z.Mul(Whole(1).QuoFloat(24).Sub(z.Mul(Whole(7).QuoFloat(960).AddFloat(-tail))))
}
