package claims

// The variables and conditions that domains of recycling filters are made of.

var (
	// hashings and retains are the four filters of Dozier-FP.
	hashings = either("positions", "colliding", "non-colliding")
	retains  = either("trigger", "not retaining", "retaining")

	// fitsHashing keeps the filters that exist.
	fitsHashing = where("k <= M non-colliding", "positions M k", func(x []int) bool { return x[0] == 0 || x[2] <= x[1] })
)

// byHashing gives a law on the points of a domain that begins with hashings.
func byHashing(law func(distinct bool) func(p []int) error) func(p []int) error {
	return func(p []int) error { return law(p[0] == 1)(p[1:]) }
}

// countedFilters are the message-bounded filters that are followed bit by bit.
var countedFilters = domain{number("M", 1).by(5, 8), number("k", 1).by(3, 4), number("N", 1).by(4, 6)}

// targets are (M, k, F) for which thresholds are found from exact rates.
var targets = domain{number("M", 2).by(5, 8), number("k", 1).by(2, 3), number("F", 1).to(11).by(11, 11).over(12)}
