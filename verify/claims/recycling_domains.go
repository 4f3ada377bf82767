package claims

// These are the domains of recycling filters that are followed bit by bit.

var (
	// The choices in hashings and retains give the four filters of Dozier-FP. The choice freezings has the two ways to
	// freeze. The choice drawings says whether a message that comes again has the same positions.
	hashings  = either("positions", "colliding", "non-colliding")
	retains   = either("trigger", "not retaining", "retaining")
	freezings = either("freeze", "freeze after", "freeze before")
	drawings  = either("again", "fixed positions", "fresh positions")

	// fitsHashing keeps the filters that exist, in domains where the hashing is a variable.
	fitsHashing = where("k <= M non-colliding", "positions M k", func(x point) bool { return x[0] == 0 || x[2] <= x[1] })
)

// bitFilters are bit-bounded filters, countedFilters are message-bounded filters, and twoFilters have two arrays. At
// repeatedFilters, each message arrives several times in a row.
var (
	bitFilters     = domain{number("M", 1).by(5, 9).upTo(10), number("k", 1).by(3, 5).upTo(6), number("sigma", 0).below("M").by(4, 8).upTo(9)}
	countedFilters = domain{number("M", 1).by(5, 8).upTo(9), number("k", 1).by(3, 4).upTo(5), number("N", 1).by(4, 6).upTo(7)}
	twoFilters     = domain{number("M", 1).by(3, 4), number("k", 1).by(2, 3), number("sigma", 0).below("M").by(3, 3)}

	repeatedFilters = domain{number("M", 1).by(3, 4), number("k", 1).by(2, 3), number("sigma", 0).below("M").by(3, 3), number("times", 2).by(3, 4).upTo(5)}
)

// targets are triples (M, k, F). The checks find a threshold for each triple from exact rates.
var targets = domain{number("M", 2).by(5, 8), number("k", 1).by(2, 3), number("F", 1).to(11).by(11, 11).over(12)}

// kindOf restricts a domain to the existing filters of one kind.
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

// everyKind asserts a law on the filters of a domain for each hashing. The list retaining says whether the filters
// retain.
func everyKind(d domain, retaining []bool, law func(distinct, retain bool) func(p point) error) (all []part) {
	for _, retain := range retaining {
		for _, distinct := range []bool{false, true} {
			all = append(all, holdsOn(kindOf(d, distinct, retain), law(distinct, retain)))
		}
	}
	return all
}

// byHashing turns a law for a given hashing into a law on points whose first variable is hashings.
func byHashing(law func(distinct bool) func(p point) error) func(p point) error {
	return func(p point) error { return law(p[0] == 1)(p[1:]) }
}
