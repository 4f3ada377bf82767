package exact

import "github.com/bloomproof/bloomproof"

// Route names one of several formulas for the same number. It is the word that the command line uses. All routes of a
// number enclose the same value; the enclosure of the route pairs is wider than requested. A function returns an error
// for a route that it does not have.
//
//	auto            the cheapest route that is available
//	stirling        Burns (54), Fan (3), (4): sum over set bits with Stirling numbers
//	difference      Burns (9), (56), (60): sum over k+1 differences
//	recursive       Burns (55), (63): Grandi's recursions
//	hypergeometric  Burns (62): hypergeometric series, term by term ratio
//	christensen     Fan (7): double sum over set bits
//	grandi          Fan (8): gamma transform
//	closed          Fan (19): partitioned filter
//	mixture         blocked filter: mean over the items of a block
//	pairs           enhanced double and triple hashing: two numbers with the rate between them,
//	                whose distance does not depend on the precision
//	groups, times   of exact/fnr: see its System.CycleRates
type Route string

// The routes that more than one package uses. Routes lists the routes of a filter.
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

// Routes returns the routes, without Auto, to the rate of filters of shape g. The first is the route that
// Auto takes.
//
// Errors: *bloomproof.ParamError.
func Routes(g bloomproof.Geometry) ([]Route, error) {
	l, err := lawOf(g)
	if err != nil {
		return nil, err
	}
	return l.routes(), nil
}
