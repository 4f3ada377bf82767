package bloomproof

// Increment says what an item adds to the counters at its positions in a counting
// filter. The rules differ where positions of one item may coincide, which is standard
// hashing alone.
type Increment uint8

const (
	// Distinct increments each of the item's distinct counters once (the rule for which
	// Fan's correct rate (25) is exact).
	Distinct Increment = iota
	// Literal increments once for each position, so a counter that an item hits twice
	// gains two (the rule of Fan's text).
	Literal
)

var incrementNames = []string{"distinct", "literal"}

// String returns "distinct" or "literal".
func (i Increment) String() string { return enumText("Increment", incrementNames, uint8(i)) }

// check returns a ParamError when i is none of the named values.
func (i Increment) check() error { return enumCheck("increment", incrementNames, uint8(i)) }

// MarshalText returns the name of i; it returns a ParamError when i has none.
func (i Increment) MarshalText() ([]byte, error) { return []byte(i.String()), i.check() }

// UnmarshalText sets i to the value that text names; i is unchanged when it
// returns a ParamError.
func (i *Increment) UnmarshalText(text []byte) error {
	v, err := enumParse("increment", incrementNames, text)
	if err == nil {
		*i = Increment(v)
	}
	return err
}
