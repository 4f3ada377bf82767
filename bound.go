package bloomproof

// Bound names a closed formula that approximates or bounds the expected false-positive rate. In the following formulas
// Delta^k is the k-th difference, and C is the binomial coefficient. The mean number of set bits is mu_S for a standard
// filter, and mu_C for a classic filter. The values of the constants are the names that the command line uses in JSON.
type Bound string

const (
	// BoundBloom is the textbook formula (1 - (1-1/m)^(kn))^k. It is equation (57) of Burns and equation (2) of Fan.
	BoundBloom Bound = "bloom"
	// BoundExponential is (1 - e^(-kn/m))^k, which is equation (58) of Burns.
	BoundExponential Bound = "exponential"
	// BoundTaylor is BoundBloom plus the second-order term of a Taylor series. This term contains the variance of the
	// number of set bits. The source is the text of Burns before equation (57). The result is neither a good
	// approximation nor a bound.
	BoundTaylor Bound = "taylor"
	// BoundLower is Delta^k[x^(nk)]_m / m^(nk), a lower bound of the rate. It is equation (64) of Burns.
	BoundLower Bound = "lower"
	// BoundLowerSimple is C(mu_S,k)/C(m,k), from Corollary 23 of Burns.
	BoundLowerSimple Bound = "lower_simple"
	// BoundLowerClassic is C(mu_C,k)/C(m,k), a lower bound of the classic rate. It is from Theorem 15 of Burns.
	BoundLowerClassic Bound = "lower_classic"
	// BoundUpper is (1 - (1-k/m)^n)^k, an upper bound of the rate. It is equation (65) of Burns and equation (17) of
	// Fan.
	BoundUpper Bound = "upper"
	// BoundPartitioned is the rate of a partitioned filter, whose k must divide m. It has the same formula as
	// BoundUpper, and is equation (19) of Fan.
	BoundPartitioned Bound = "partitioned"
	// BoundBose is the upper bound of Bose et al. Their bound has a term O(.) with an unknown constant, which is 1
	// here. The source is Fan, equations (5) and (6).
	BoundBose Bound = "bose_upper"
)
