package kernel

import "github.com/bloomproof/bloomproof"

// compatible returns a ParamError unless every key has the same positions in f and in g.
func (f *Filter) compatible(g *Filter) error {
	if g == nil {
		return &bloomproof.ParamError{Param: "filter", Value: nil, Want: "one that is made"}
	}
	return compatible(f.g, g.g, &f.hash, &g.hash)
}

// compatible returns a ParamError unless every key has the same positions in a filter of geometry f with hasher fh and
// in a filter of geometry g with hasher gh.
func compatible(f, g bloomproof.Geometry, fh, gh *Hasher) error {
	switch {
	case f != g:
		return &bloomproof.ParamError{Param: "geometry", Value: g, Want: "the same in both filters, " + f.String()}
	case fh.scheme != gh.scheme:
		return &bloomproof.ParamError{Param: "scheme", Value: gh.scheme, Want: "the same in both filters, " + fh.scheme.String()}
	case fh.seed != gh.seed:
		return &bloomproof.ParamError{Param: "seed", Value: gh.seed, Want: "the same in both filters"}
	case !fh.equal(gh):
		return &bloomproof.ParamError{Param: "key", Value: hidden, Want: "the same in both filters"}
	}
	return nil
}

// Union adds all keys of g to f. Afterwards f equals a filter to which the keys of both were added.
// Cost: O(m/64).
// Errors: *bloomproof.ParamError when geometry, scheme, seed or key differ; f is then unchanged.
func (f *Filter) Union(g *Filter) error {
	if err := f.compatible(g); err != nil {
		return err
	}
	orInto(f.im, f.words, g.words)
	f.recount(&f.layout, f.im)
	return nil
}

// Intersect keeps in f the bits that are also set in g. All keys that were added to both filters are still contained in
// f. In general f has more set bits than a filter of the common keys, so Items and IntersectionItems do not apply to
// the result.
// Cost: O(m/64).
// Errors: *bloomproof.ParamError when geometry, scheme, seed or key differ; f is then unchanged.
func (f *Filter) Intersect(g *Filter) error {
	if err := f.compatible(g); err != nil {
		return err
	}
	andInto(f.im, f.words, g.words)
	f.recount(&f.layout, f.im)
	return nil
}

// IntersectionItems estimates how many keys were added to both f and g: it adds the estimates for f and g and subtracts
// the estimate for their union. When the sets are disjoint the result is near 0, and may by chance be below 0. To
// estimate the number of keys in f or g without making a union, subtract IntersectionItems from the sum of both Items.
// bounded is false, and n is 0, when the union has all bits set.
// Cost: O(m/64).
// Errors: *bloomproof.ParamError when geometry, scheme, seed or key differ.
func (f *Filter) IntersectionItems(g *Filter) (n float64, bounded bool, err error) {
	if err := f.compatible(g); err != nil {
		return 0, false, err
	}
	union, bounded := f.itemsOf(uint64(orCount(f.im, f.words, g.words)))
	if !bounded {
		return 0, false, nil
	}
	// If the union has a clear bit, both filters have a clear bit, so their estimates are bounded.
	a, _ := f.Items()
	b, _ := g.Items()
	return a + b - union, true, nil
}
