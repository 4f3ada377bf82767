package bloomproof

import "fmt"

// Hashing is the way in which the k positions of an item are drawn. They are drawn from the bits of the filter, or from
// the bits of one block if Geometry.Block is set.
type Hashing uint8

const (
	// Standard hashing draws k independent positions, so they may coincide (the
	// papers' standard or colliding filter).
	Standard Hashing = iota
	// Classic hashing draws k distinct positions (Bloom's own filter; the papers'
	// classic or non-colliding filter).
	Classic
	// Partitioned hashing draws one position in each of k slices of equal size.
	Partitioned
	// Double hashing draws two numbers, the start a and the step b, which are independent and uniform. The positions
	// are (a + i*b) mod m for i < k. The step is from 1 to m-1, and m is at least 2.
	Double
	// DoubleZero hashing is the same as Double hashing with steps from 0 to m-1. It describes a filter that reduces two
	// hashes mod m.
	DoubleZero
	// DoubleOdd hashing is the same as Double hashing with odd steps, for m a power of two.
	DoubleOdd
	// DoublePartitioned draws two numbers from 0 to s-1, the start a and the step b. Here s = m/k is the size of a
	// slice. The position in slice i is (a + i*b) mod s.
	DoublePartitioned
	// EnhancedDouble draws two numbers from 0 to m-1, the start a and the step b. The step grows by i after its i-th
	// use. So the positions are (a + i*b + (i^3-i)/6) mod m for i < k.
	EnhancedDouble
	// Triple draws three numbers from 0 to m-1, the start a and the steps b and c. The step grows by c after each use.
	// So the positions are (a + i*b + c*(i^2-i)/2) mod m for i < k.
	Triple
)

// hashingRule has the name of a hashing and the function "fits". This function checks whether k positions can be drawn
// from the given number of bits. These are the bits of a filter or of a block. The third argument of "fits" is a name
// for the number of bits, which error messages use.
type hashingRule struct {
	name string
	fits func(k int, bits uint64, name string) error
}

var hashingRules = []hashingRule{
	Standard: {"standard", func(int, uint64, string) error { return nil }},
	Classic: {"classic", func(k int, bits uint64, name string) error {
		if uint64(k) > bits {
			return &ParamError{"k", k, fmt.Sprintf("at most %s = %d for classic hashing", name, bits)}
		}
		return nil
	}},
	Partitioned: {"partitioned", sliced("partitioned")},
	Double: {"double", func(_ int, bits uint64, name string) error {
		if bits < 2 {
			return &ParamError{name, bits, "at least 2 for double hashing"}
		}
		return nil
	}},
	DoubleZero: {"double-zero", func(int, uint64, string) error { return nil }},
	DoubleOdd: {"double-odd", func(_ int, bits uint64, name string) error {
		if bits < 2 || bits&(bits-1) != 0 {
			return &ParamError{name, bits, "a power of two from 2 on for double-odd hashing"}
		}
		return nil
	}},
	DoublePartitioned: {"double-partitioned", sliced("double-partitioned")},
	EnhancedDouble:    {"enhanced-double", func(int, uint64, string) error { return nil }},
	Triple:            {"triple", func(int, uint64, string) error { return nil }},
}

// Some hashings have one position in each of k slices. The function "sliced" returns the check "fits" of such a
// hashing. This check returns an error unless the number of bits is a multiple of k.
func sliced(hashing string) func(k int, bits uint64, name string) error {
	return func(k int, bits uint64, name string) error {
		if bits%uint64(k) != 0 {
			return &ParamError{"k", k, fmt.Sprintf("a divisor of %s = %d for %s hashing", name, bits, hashing)}
		}
		return nil
	}
}

// hashingNames returns the names of the hashings in the order of their values.
func hashingNames() []string {
	names := make([]string, len(hashingRules))
	for i, r := range hashingRules {
		names[i] = r.name
	}
	return names
}

// String returns the name of h: "standard", "classic", "partitioned", "double",
// "double-zero", "double-odd", "double-partitioned", "enhanced-double" or "triple".
func (h Hashing) String() string { return enumText("Hashing", hashingNames(), uint8(h)) }

// The method "check" returns a ParamError if h is not one of the named values.
func (h Hashing) check() error {
	if int(h) < len(hashingRules) {
		return nil
	}
	return enumCheck("hashing", hashingNames(), uint8(h))
}

// MarshalText returns the name of h. It returns a ParamError if h has no name.
func (h Hashing) MarshalText() ([]byte, error) { return []byte(h.String()), h.check() }

// UnmarshalText sets h to the value that the argument "text" names. If it returns a ParamError, h is unchanged.
func (h *Hashing) UnmarshalText(text []byte) error {
	v, err := enumParse("hashing", hashingNames(), text)
	if err == nil {
		*h = Hashing(v)
	}
	return err
}
