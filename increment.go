package bloomproof

// Increment is a rule of a counting filter. The rule says by how much an item increases each of its counters. The rules
// differ only if positions of one item can coincide. This happens only with standard hashing.
type Increment uint8

const (
	// Distinct is a rule. It increments each distinct counter of an item once. Equation (25) of Fan, the rate of
	// correct counts, is exact for this rule.
	Distinct Increment = iota
	// Literal is the rule that increments a counter once for each of the k positions. If two of an item's positions are
	// equal, their counter increases by two. This is the rule of Fan's text.
	Literal
)

// String returns "distinct" or "literal".
func (i Increment) String() string {
	return enumText("Increment", []string{"distinct", "literal"}, uint8(i))
}
