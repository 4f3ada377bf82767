package bloomproof

// Increment says what an item adds to the counters at its positions in a counting filter. The rules differ only where
// positions of one item may coincide, which happens with standard hashing alone.
type Increment uint8

const (
	// Distinct increments each of the item's distinct counters once. Fan's correct rate (25) is exact for this rule.
	Distinct Increment = iota
	// Literal increments once for each position, so a counter that an item hits twice
	// gains two (the rule of Fan's text).
	Literal
)

// String returns "distinct" or "literal".
func (i Increment) String() string {
	return enumText("Increment", []string{"distinct", "literal"}, uint8(i))
}
