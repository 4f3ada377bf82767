package claims

// The domains of recycling filters, followed bit by bit.

var (
	// hashings and retains are the four filters of Dozier-FP, freezings the two ways to freeze,
	// drawings the positions of a message that comes again.
	hashings  = either("positions", "colliding", "non-colliding")
	retains   = either("trigger", "not retaining", "retaining")
	freezings = either("freeze", "freeze after", "freeze before")
	drawings  = either("again", "fixed positions", "fresh positions")

	// fitsHashing keeps the filters that exist, where hashings are a variable.
	fitsHashing = where("k <= M non-colliding", "positions M k", func(x point) bool { return x[0] == 0 || x[2] <= x[1] })
)

// bitFilters are bit-bounded filters, countedFilters message-bounded ones and twoFilters filters
// with two arrays. To repeatedFilters each message arrives several times in a row.
var (
	bitFilters     = domain{number("M", 1).by(5, 9).upTo(10), number("k", 1).by(3, 5).upTo(6), number("sigma", 0).below("M").by(4, 8).upTo(9)}
	countedFilters = domain{number("M", 1).by(5, 8).upTo(9), number("k", 1).by(3, 4).upTo(5), number("N", 1).by(4, 6).upTo(7)}
	twoFilters     = domain{number("M", 1).by(3, 4), number("k", 1).by(2, 3), number("sigma", 0).below("M").by(3, 3)}

	repeatedFilters = domain{number("M", 1).by(3, 4), number("k", 1).by(2, 3), number("sigma", 0).below("M").by(3, 3), number("times", 2).by(3, 4).upTo(5)}
)

// targets are (M, k, F) for which thresholds are found from exact rates.
var targets = domain{number("M", 2).by(5, 8), number("k", 1).by(2, 3), number("F", 1).to(11).by(11, 11).over(12)}

// kindOf returns the filters of a domain of one kind that exist.
func kindOf(d domain, distinct, retain bool) domain {
	d = with(d, hashings.only(int64(count(distinct))), retains.only(int64(count(retain))))
	if distinct {
		d = with(d, where("k <= M", "M k", func(x point) bool { return x[1] <= x[0] }))
	}
	if retain {
		for _, t := range d {
			if v, ok := t.(variable); ok && v.name == "sigma" {
				return with(d, where("k <= sigma", "k sigma", func(x point) bool { return x[0] <= x[1] }))
			}
		}
		d = with(d, where("N >= 2", "N", func(x point) bool { return x[0] >= 2 }))
	}
	return d
}

// everyKind asserts a law on the filters of a domain, of each hashing, retaining or not as
// given.
func everyKind(d domain, retaining []bool, law func(distinct, retain bool) func(p point) error) (all []part) {
	for _, retain := range retaining {
		for _, distinct := range []bool{false, true} {
			all = append(all, holdsOn(kindOf(d, distinct, retain), law(distinct, retain)))
		}
	}
	return all
}

// byHashing gives a law on the points of a domain that begins with hashings.
func byHashing(law func(distinct bool) func(p point) error) func(p point) error {
	return func(p point) error { return law(p[0] == 1)(p[1:]) }
}
