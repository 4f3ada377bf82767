package bloomproof

// Bound names a closed formula that approximates or bounds the expected false-positive
// rate. Here Delta^k is the k-th difference, mu_S and mu_C are the mean numbers of set
// bits of the standard and the classic filter, and C is the binomial coefficient.
type Bound uint8

const (
	// BoundBloom is (1 - (1-1/m)^(kn))^k, the textbook formula: Burns (57), Fan (2).
	BoundBloom Bound = iota
	// BoundExponential is (1 - e^(-kn/m))^k: Burns (58).
	BoundExponential
	// BoundTaylor adds the second-order term in the variance of the set bits to
	// BoundBloom: Burns, before (57). It approximates and bounds nothing.
	BoundTaylor
	// BoundLower is Delta^k[x^(nk)]_m / m^(nk), at most the rate: Burns (64).
	BoundLower
	// BoundLowerSimple is C(mu_S,k)/C(m,k): Burns, Corollary 23.
	BoundLowerSimple
	// BoundLowerClassic is C(mu_C,k)/C(m,k), at most the classic rate: Burns, Theorem 15.
	BoundLowerClassic
	// BoundUpper is (1 - (1-k/m)^n)^k, at least the rate: Burns (65), Fan (17).
	BoundUpper
	// BoundPartitioned is the formula of BoundUpper as the rate of a partitioned
	// filter, which needs a k that divides m: Fan (19).
	BoundPartitioned
	// BoundBose is the upper bound of Bose et al. with constant 1: Fan (5), (6).
	BoundBose
)

var boundNames = []string{"bloom", "exponential", "taylor", "lower", "lower_simple", "lower_classic", "upper", "partitioned", "bose_upper"}

// String returns the bound's name in the JSON of the command line, such as "lower_simple".
func (b Bound) String() string { return enumText("Bound", boundNames, uint8(b)) }

// Validate returns a ParamError when b is none of the named values.
func (b Bound) Validate() error { return enumCheck("bound", boundNames, uint8(b)) }

// MarshalText returns the name of b; it returns a ParamError when b has none.
func (b Bound) MarshalText() ([]byte, error) { return []byte(b.String()), b.Validate() }

// UnmarshalText sets b to the value that text names; b is unchanged when it returns a
// ParamError.
func (b *Bound) UnmarshalText(text []byte) error {
	v, err := enumParse("bound", boundNames, text)
	if err == nil {
		*b = Bound(v)
	}
	return err
}
