package verify

import (
	"math/rand"

	"github.com/bloomproof/bloomproof"
	"github.com/leanovate/gopter"
)

// AllHashings returns the hashings that are generated.
func AllHashings() []bloomproof.Hashing { return allHashings() }

// RecyclingCase is a geometry with a recycling rule that is valid for it.
type RecyclingCase struct {
	Geometry  bloomproof.Geometry
	Recycling bloomproof.Recycling
}

// GenRecyclingCase generates a geometry, as GenGeometry does, together with a rule for it; both
// shrink, the geometry first.
func GenRecyclingCase(maxM uint64, maxK int) gopter.Gen {
	o := limited(maxM, maxK, nil)
	return generator(
		func(r *rand.Rand) RecyclingCase {
			g := o.draw(r)
			return RecyclingCase{g, drawRecycling(r, g)}
		},
		func(f RecyclingCase) []RecyclingCase {
			var out []RecyclingCase
			for _, g := range o.smaller(f.Geometry) {
				rule := f.Recycling
				rule.Sigma = min(rule.Sigma, g.M-1) // so that a smaller m is not refused for its sigma
				out = append(out, RecyclingCase{g, rule})
			}
			for _, rule := range smallerRecyclings(f.Recycling) {
				out = append(out, RecyclingCase{f.Geometry, rule})
			}
			return out
		},
		func(f RecyclingCase) error {
			if err := o.check(f.Geometry); err != nil {
				return err
			}
			return f.Recycling.Validate(f.Geometry)
		},
	)
}
