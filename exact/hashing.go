package exact

import (
	"strings"

	"github.com/bloomproof/bloomproof"
)

// valid returns a ParamError unless g is valid and this package has formulas for it: for its
// hashing, and for filters without blocks. Those with blocks have FPRBlocked alone.
func valid(g bloomproof.Geometry) error {
	if err := g.Validate(); err != nil {
		return err
	}
	if g.Block != 0 {
		return &bloomproof.ParamError{Param: "block", Value: g.Block, Want: "0: of filters with blocks there is the rate, by FPRBlocked"}
	}
	return validHashing(g.Hashing)
}

// validHashing returns a ParamError unless this package has a route for the hashing.
func validHashing(h bloomproof.Hashing) error {
	if len(Routes(h)) > 0 {
		return nil
	}
	var names []string
	for known := range bloomproof.Hashing(len(routeNames)) { // no more hashings than routes
		if len(Routes(known)) > 0 {
			names = append(names, known.String())
		}
	}
	return &bloomproof.ParamError{Param: "hashing", Value: h, Want: "one of " + strings.Join(names, ", ") + " in package exact"}
}
