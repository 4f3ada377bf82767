package bloomproof

// Bound names a closed formula that approximates or bounds the expected false-positive
// rate. Here Delta^k is the k-th difference, mu_S and mu_C are the mean numbers of set
// bits of the standard and the classic filter, and C is the binomial coefficient. The values of the constants are the
// names that the command line uses in JSON.
type Bound string

const (
	// BoundBloom is the textbook formula (1 - (1-1/m)^(kn))^k: Burns (57), Fan (2).
	BoundBloom Bound = "bloom"
	// BoundExponential is (1 - e^(-kn/m))^k: Burns (58).
	BoundExponential Bound = "exponential"
	// BoundTaylor is BoundBloom plus the second-order term of a Taylor series. This term contains the variance of the
	// number of set bits: Burns, in the text before equation (57). The result is neither a good approximation nor a
	// bound.
	BoundTaylor Bound = "taylor"
	// BoundLower is Delta^k[x^(nk)]_m / m^(nk), a lower bound of the rate: Burns (64).
	BoundLower Bound = "lower"
	// BoundLowerSimple is C(mu_S,k)/C(m,k): Burns, Corollary 23.
	BoundLowerSimple Bound = "lower_simple"
	// BoundLowerClassic is C(mu_C,k)/C(m,k), a lower bound of the classic rate: Burns, Theorem 15.
	BoundLowerClassic Bound = "lower_classic"
	// BoundUpper is (1 - (1-k/m)^n)^k, an upper bound of the rate: Burns (65), Fan (17).
	BoundUpper Bound = "upper"
	// BoundPartitioned is the rate of a partitioned filter, whose k must divide m. It has the same formula as
	// BoundUpper: Fan (19).
	BoundPartitioned Bound = "partitioned"
	// BoundBose is the upper bound of Bose et al. with the constant 1 in place of their O(.): Fan (5), (6).
	BoundBose Bound = "bose_upper"
)
