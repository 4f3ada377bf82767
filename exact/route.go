package exact

import "github.com/bloomproof/bloomproof"

// A Route is the name of one of several formulas for the same number. The command line uses the same name. All routes
// for a number return enclosures of the same value. Only the route "pairs" returns a wider enclosure than requested. If
// a function does not have a route with the given name, it returns an error.
//
//   - auto: the cheapest route that is available
//   - stirling: the sum over set bits with Stirling numbers, Burns (54) and Fan (3), (4)
//   - difference: the sum over k+1 differences, Burns (9), (56), (60)
//   - recursive: Grandi's recursions, Burns (55), (63)
//   - hypergeometric: the hypergeometric series, from the ratio of its terms, Burns (62)
//   - christensen: the double sum over set bits, Fan (7)
//   - grandi: the gamma transform, Fan (8)
//   - closed: the formula for a partitioned filter, Fan (19)
//   - mixture: for a filter with blocks, the mean over the number of items of a block
//   - pairs: for enhanced double and triple hashing, a lower and an upper bound of the rate, whose distance does not
//     depend on the precision
//   - groups, times: routes for false-negative rates, see System.CycleRates of package exact/fnr
type Route string

// These routes are used by more than one package. The function Routes lists the routes for a filter.
const (
	Auto       Route = "auto"
	Recursive  Route = "recursive"
	ClosedForm Route = "closed"
)

const (
	routeStirling       Route = "stirling"
	routeDifference     Route = "difference"
	routeHypergeometric Route = "hypergeometric"
	routeChristensen    Route = "christensen"
	routeGrandi         Route = "grandi"
	routeMixture        Route = "mixture"
)

// Routes returns the routes by which FPR can compute the rate of filters of shape g. The list does not contain Auto.
// Its first route is the route that Auto takes.
//
// Errors: *bloomproof.ParamError.
func Routes(g bloomproof.Geometry) ([]Route, error) {
	l, err := lawOf(g)
	if err != nil {
		return nil, err
	}
	return l.routes(), nil
}
