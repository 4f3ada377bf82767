package kernel

import "github.com/bloomproof/bloomproof"

// The method "compatible" returns nil if every key has the same positions in f and in g, and otherwise a
// ParamError.
func (f *Filter) compatible(g *Filter) error {
	if g == nil {
		return &bloomproof.ParamError{Param: "filter", Value: nil, Want: "one that is made"}
	}
	return compatible(f.g, g.g, &f.hash, &g.hash)
}

// The function "compatible" compares two filters. The first has geometry f and hasher fh, and the second has geometry g
// and hasher gh. It returns nil if every key has the same positions in both. Otherwise it returns a ParamError.
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

// Union adds all keys of g to f. Afterwards f is the same as a filter to which the keys of both filters were added.
// Cost: O(m/64).
// Errors: *bloomproof.ParamError if f and g differ in geometry, scheme, seed or key. After an error, f is unchanged.
func (f *Filter) Union(g *Filter) error {
	if err := f.compatible(g); err != nil {
		return err
	}
	orInto(f.im, f.words, g.words)
	f.recount(&f.layout, f.im)
	return nil
}

// Intersect clears those bits of f that are not set in g. Afterwards f still contains all keys that were added to both
// filters. But it may have more set bits than a filter to which only these keys were added. After this call, Items and
// IntersectionItems therefore give wrong results for f.
// Cost: O(m/64).
// Errors: *bloomproof.ParamError if f and g differ in geometry, scheme, seed or key. After an error, f is unchanged.
func (f *Filter) Intersect(g *Filter) error {
	if err := f.compatible(g); err != nil {
		return err
	}
	andInto(f.im, f.words, g.words)
	f.recount(&f.layout, f.im)
	return nil
}

// IntersectionItems estimates how many keys were added both to f and to g. It adds the results of Items for f and for
// g, and subtracts the result for their union. If no key was added to both, the result is close to 0, and may be
// negative by chance. The number of keys in the union can be estimated without making the union. To do so, add the
// results of Items for f and g, and subtract the result of IntersectionItems. If all bits of the union are set, the
// result "bounded" is false, and the result n is 0.
// Cost: O(m/64).
// Errors: *bloomproof.ParamError if f and g differ in geometry, scheme, seed or key.
func (f *Filter) IntersectionItems(g *Filter) (n float64, bounded bool, err error) {
	if err := f.compatible(g); err != nil {
		return 0, false, err
	}
	union, bounded := f.itemsOf(uint64(orCount(f.im, f.words, g.words)))
	if !bounded {
		return 0, false, nil
	}
	// If the union has a clear bit, this bit is clear in both filters, so both have a bounded estimate.
	a, _ := f.Items()
	b, _ := g.Items()
	return a + b - union, true, nil
}
