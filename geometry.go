package bloomproof

import "fmt"

// MaxK is the largest number of positions per item that any part of this module
// accepts.
const MaxK = 4096

// Hashing says how the k positions of an item are drawn from the m bits.
type Hashing uint8

const (
	// Standard hashing draws k independent positions, so they may coincide (the
	// papers' standard or colliding filter).
	Standard Hashing = iota
	// Classic hashing draws k distinct positions (Bloom's own filter; the papers'
	// classic or non-colliding filter).
	Classic
	// Partitioned hashing draws one position in each of k slices of m/k bits.
	Partitioned
)

var hashingNames = []string{"standard", "classic", "partitioned"}

// String returns "standard", "classic" or "partitioned".
func (h Hashing) String() string { return enumText("Hashing", hashingNames, uint8(h)) }

// Validate returns a ParamError when h is none of the named values.
func (h Hashing) Validate() error { return enumCheck("hashing", hashingNames, uint8(h)) }

// MarshalText returns the name of h; it returns a ParamError when h has none.
func (h Hashing) MarshalText() ([]byte, error) { return []byte(h.String()), h.Validate() }

// UnmarshalText sets h to the value that text names; h is unchanged when it
// returns a ParamError.
func (h *Hashing) UnmarshalText(text []byte) error {
	v, err := enumParse("hashing", hashingNames, text)
	if err == nil {
		*h = Hashing(v)
	}
	return err
}

// Geometry is the shape of a Bloom filter: m bits and k positions per item.
type Geometry struct {
	M       uint64  // bits, 1 to 2^64-1
	K       int     // positions per item, 1 to MaxK
	Hashing Hashing // how the positions are drawn
}

// Validate returns a ParamError unless 1 <= M, 1 <= K <= MaxK, Hashing is known,
// K <= M for Classic, and K divides M for Partitioned.
func (g Geometry) Validate() error {
	if err := g.Hashing.Validate(); err != nil {
		return err
	}
	switch {
	case g.M < 1:
		return &ParamError{"m", g.M, "between 1 and 2^64-1"}
	case g.K < 1 || g.K > MaxK:
		return &ParamError{"k", g.K, fmt.Sprintf("between 1 and %d", MaxK)}
	case g.Hashing == Classic && uint64(g.K) > g.M:
		return &ParamError{"k", g.K, fmt.Sprintf("at most m = %d for classic hashing", g.M)}
	case g.Hashing == Partitioned && g.M%uint64(g.K) != 0:
		return &ParamError{"k", g.K, fmt.Sprintf("a divisor of m = %d for partitioned hashing", g.M)}
	}
	return nil
}

// String returns, for example, "standard m=1024 k=7".
func (g Geometry) String() string {
	return fmt.Sprintf("%v m=%d k=%d", g.Hashing, g.M, g.K)
}
