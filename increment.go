package bloomproof

// Increment is a rule of a counting filter. It says what an item adds to the counters at its positions. The rules
// differ only if positions of one item can coincide. This happens only with standard hashing.
type Increment uint8

const (
	// Distinct is a rule. It increments each distinct counter of an item once. Equation (25) of Fan, the rate of
	// correct counts, is exact for this rule.
	Distinct Increment = iota
	// Literal is a rule. It increments a counter as many times as the counter's position occurs among the k positions
	// of the item. A counter at two of the positions increases by two. This is the rule of Fan's text.
	Literal
)

// String returns "distinct" or "literal".
func (i Increment) String() string {
	return enumText("Increment", []string{"distinct", "literal"}, uint8(i))
}
