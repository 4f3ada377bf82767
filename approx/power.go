package approx

import "github.com/bloomproof/bloomproof/approx/internal/fm"

// The function "balls" returns the number of balls kn, with a relative error of at most u = 2^-53.
func balls(n uint64, k int) float64 { return fm.Product(n, uint64(k)) }

// missExponent returns t = -x ln(1-c/m), for c <= m and x >= 0. Let a draw set c distinct bits of m. Then e^-t is the
// probability that a given bit is clear after x draws. The result t is 0 for x = 0, and +Inf for c = m and x > 0.
//
// The relative error is at most 8u (u = 2^-53), including an error of u in x. The quotient c/m has a relative error of
// at most 2u. For c/m <= 1/2 this error changes ln(1-c/m) by at most 2.9u. The function Log1p adds 2u. Now let c/m >
// 1/2. Then m-c is below c, and c is at most 4096. So m-c is exact, and the quotient (m-c)/m has a relative error of at
// most 2u. This quotient is below 1/2. The error of the quotient becomes at most 2.9u in its logarithm, and Log adds
// 2u. The product with x adds u.
func missExponent(m uint64, c int, x float64) float64 {
	if x == 0 {
		return 0
	}
	if uint64(c) > m/2 {
		return -x * fm.Log(float64(m-uint64(c))/float64(m))
	}
	return -x * fm.Log1p(-float64(c)/float64(m))
}

// hitLn returns ln f = k ln(1-e^-t), for t >= 0. The argument t may have a relative error of at most 8u (u = 2^-53).
// The absolute error is below (4 + (20 + 8 ln k)|ln f|)u. The relative error is below (8t + 18)u.
//
// For t <= ln 2, |ln(1-e^-t)| is at least ln 2. The error of t changes ln(1-e^-t) by an absolute error of 8u t/(e^t-1)
// <= 8u. Its computation adds a relative error of 5u. Together this is a relative error of 17u. For t > ln 2, q = e^-t
// has a relative error of (8t + 4)u. In ln(1-q) this error is multiplied by q/((1-q)|ln(1-q)|). This factor is at most
// 1.45, and it is near 1 for large t. So the total relative error is (8t + 12)u. Then |ln f| <= 1.39 k q, so t <=
// ln(1.39 k/|ln f|). Therefore |ln f|(8t + 12) <= 3 + |ln f|(15 + 8 ln k). Multiplying by k adds an error of u.
func hitLn(t float64, k int) float64 { return float64(k) * fm.Log1mExp(t) }
