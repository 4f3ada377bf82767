package exact

import (
	"fmt"
	"strings"

	"github.com/bloomproof/bloomproof"
)

// Route names a formula for the expected false-positive rate.
type Route uint8

const (
	Auto           Route = iota // the cheapest that serves
	Stirling                    // Burns (54), Fan (3), (4): sum over set bits with Stirling numbers
	Difference                  // Burns (9), (56), (60): sum over k+1 differences
	Recursive                   // Burns (55), (63): Grandi's recursions
	Hypergeometric              // Burns (62): hypergeometric series, term by term ratio
	Christensen                 // Fan (7): double sum over set bits
	Grandi                      // Fan (8): gamma transform
	ClosedForm                  // Fan (19): partitioned filter
	Mixture                     // blocked filter: mean over the items of a block
)

var routeNames = []string{"auto", "stirling", "difference", "recursive", "hypergeometric", "christensen", "grandi", "closed", "mixture"}

// String returns the route's name, as in the command line.
func (r Route) String() string {
	if int(r) < len(routeNames) {
		return routeNames[r]
	}
	return fmt.Sprintf("Route(%d)", uint8(r))
}

// MarshalText returns the name of r; it returns a ParamError when r has none.
func (r Route) MarshalText() ([]byte, error) {
	if int(r) >= len(routeNames) {
		return nil, &bloomproof.ParamError{Param: "route", Value: r, Want: "one of " + strings.Join(routeNames, ", ")}
	}
	return []byte(r.String()), nil
}

// UnmarshalText sets r to the route that text names; r is unchanged when it returns a
// ParamError.
func (r *Route) UnmarshalText(text []byte) error {
	for i, name := range routeNames {
		if name == string(text) {
			*r = Route(i)
			return nil
		}
	}
	return &bloomproof.ParamError{Param: "route", Value: string(text), Want: "one of " + strings.Join(routeNames, ", ")}
}

// Routes returns the routes, without Auto, to the rate of filters of shape g, the one that
// Auto takes first.
//
// Errors: *bloomproof.ParamError.
func Routes(g bloomproof.Geometry) ([]Route, error) {
	l, err := lawOf(g)
	if err != nil {
		return nil, err
	}
	return l.routes(), nil
}
