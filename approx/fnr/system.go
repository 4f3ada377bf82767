// Package fnr computes in float64 the false-negative rate of a recycling Bloom filter under a
// workload in which messages come again, by the models of Dozier-FN, corrected, and by exact
// formulas where there are any. It also finds the filter with the least such rate.
//
//   - New and System: a filter under a workload; Predict asks a model, Best names the one to
//     ask, Absorbing and CanAbsorb tell whether it comes to recycle no more
//   - Model and Models: the models by name; the constants are those that sizing stands on
//   - Forecast: what one model says. Its Bound is that of the model's own numbers, and its Kind
//     says what is known of the model compared with the filter
//   - Least and LeastBits: the Design among Designs that forgets least, or that has the fewest
//     bits
package fnr

import (
	"errors"
	"fmt"
	"sync"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// System is a recycling filter in the long run under a workload in which messages come
// again (Dozier-FN): what it calls new although it was there before. It is immutable but for
// what it remembers of its computations, and serves many goroutines. Use New.
type System struct {
	g bloomproof.Geometry
	r bloomproof.Recycling
	w bloomproof.Workload

	// What several models need is computed once.
	filling func() (*filling, error)
	traffic func() (*traffic, error)
	plain   func() (*plain, error)

	limit   float64 // products that following the arrivals of a cycle, or its exact rates, may cost
	history history
	draws   draws
	loads   loads
}

// New returns the filter of geometry g that forgets by r, under the workload w.
// With two phases g is the shape of each array, and the bounds of r are for each.
//
// Source: Dozier-FN, section 3.
// Domain: g valid, standard or classic; r valid for g; w valid.
// Error: none.
// Cost: none.
// Errors: *bloomproof.ParamError.
func New(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) (*System, error) {
	if err := r.Validate(g); err != nil {
		return nil, err
	}
	if err := message.Known(g); err != nil {
		return nil, err
	}
	if err := w.Validate(); err != nil {
		return nil, err
	}
	c := &System{
		g: g, r: r, w: w, limit: mostCourse,
		filling: sync.OnceValues(func() (*filling, error) { return newFilling(g, r) }),
		traffic: sync.OnceValues(func() (*traffic, error) { return newTraffic(w) }),
	}
	c.plain = sync.OnceValues(c.newPlain)
	return c, nil
}

// Predict returns what the model says.
//
// Source: Dozier-FN, by the equations that stand at the models' names, as the comments
// over their code correct them.
// Domain: that of New; a model that was made for other settings is computed where
// it can be, with Valid false and a Note, and so is one whose rate comes out above 1, as
// approximations do in filters of a few bits (renewal-extended at m = 3, k = 2, sigma = 0).
// Error: relative, at most Forecast.Bound.
// Cost: that of the model. exact takes some 30 ms at any size; fluid and the renewal models of large
// filters 4 ms where new messages enter last or p_r = 1, else 0.4 s for each million messages
// and 32 MB, whatever m is. Measured on one AMD EPYC thread.
// Errors: *bloomproof.ParamError; ErrTooCostly; ErrUndefined where the model has no value.
func (c *System) Predict(m Model) (Forecast, error) {
	if err := m.validate(); err != nil {
		return Forecast{}, err
	}
	f, err := c.predict(m)
	if err != nil {
		return Forecast{}, fmt.Errorf("the model %v: %w", m, err)
	}
	f.Kind = c.kind(m)
	if m != ModelExact && needsFresh(c.r, c.w) {
		c.fixed(&f)
	}
	if f.FNR > 1+f.Bound {
		f.Valid, f.Note = false, "the model fails here: its rate is above 1"
	}
	return f, nil
}

// someStuck is the probability that a cycle never ends from which on it is said: the filter would
// last for a thousand million cycles.
const someStuck = 1e-9

// mostStuck is the probability that a cycle never ends up to which what is said of those that
// end serves.
const mostStuck = 1e-3

// Absorbing returns the probability that a cycle never ends, because p_r = 1 and all messages
// are recorded: v_D. Where it is positive the rates of the filter are 0 in the end, and those
// of Predict are of the cycles before; only ModelExact says 0 where it is above 10^-3.
//
// Source: derived here; Dozier-FN does not have that state.
// Domain: that of New; fresh positions.
// Error: relative, at most (8k+8)(D+1)u, besides 2^-70.
// Cost: that of the filling, which all models share.
// Errors: ErrTooCostly; ErrUndefined where messages that set bits are counted and all bits can
// be set before.
func (c *System) Absorbing() (float64, error) {
	f, err := c.filling()
	if err != nil {
		return 0, err
	}
	return c.endless(f), nil
}

// endless returns v_D if p_r = 1.
func (c *System) endless(f *filling) float64 {
	if d := comers(c.w.Popularity); c.w.Repeat == 1 && d < uint64(len(f.rows)) {
		return f.rows[d].fits
	}
	return 0
}

const noMore = "the filter comes to hold all messages and to recycle no more"

// recyclesNoMore is the error of a filter that comes to hold the d messages that can come.
func recyclesNoMore(d float64, when string) error {
	return fmt.Errorf("%w: with p_r = 1 and D = %.0f %s%s: its rate is 0", refuse.ErrUndefined, d, noMore, when)
}

// made reports whether a model that takes what is in two arrays, and in two cycles, for
// independent is made for the settings, and what is to be said of them. stuck is the
// probability that a cycle never ends.
func (c *System) made(stuck float64) (valid bool, note string) {
	switch {
	case c.r.NoCopyOver:
		return false, "the model is made for copy-over: it records also what the frozen array matches"
	case stuck > someStuck:
		return stuck < mostStuck, fmt.Sprintf("with p_r = 1 a cycle never ends with probability %.2g, all messages being recorded; the rates are those until then", stuck)
	}
	return true, ""
}

// needsFresh reports whether positions are fixed and that tells.
func needsFresh(r bloomproof.Recycling, w bloomproof.Workload) bool {
	return !r.FreshPositions && (w.Repeat > 0 || r.TwoPhase)
}

// predict is Predict but for the kind.
func (c *System) predict(m Model) (Forecast, error) {
	switch m {
	case ModelRenewal, modelRenewalExtended, ModelRenewalRetaining:
		return c.renewal(m)
	case modelLower:
		return c.lower()
	case modelReplacement:
		return c.replacement()
	case modelUniform:
		return c.uniform()
	case modelBiUniform:
		return c.biUniform()
	case modelPins:
		return c.pins()
	case modelPinsArrivals:
		return c.pinsArrivals()
	case modelDisabling:
		return c.disabling()
	case modelLeaveOneOut:
		return c.leaveOneOut()
	case ModelExact:
		return c.exactly()
	}
	return c.fluid()
}

// Best returns the most accurate model that has a value here: of those that are made for these
// settings, or, where none is, of all.
//
// Source: the errors that package verify measures.
// Domain: that of New.
// Error: none.
// Cost: that of Predict for the models that are tried.
// Errors: where no model has a value, the first ErrTooCostly, or that of the last model.
func (c *System) Best() (Model, error) {
	m, _, err := c.best()
	return m, err
}

// best is Best, with what the model says.
func (c *System) best() (model Model, best Forecast, err error) {
	found := false
	for _, m := range Models() {
		if m == ModelRenewalRetaining && !c.r.Retain {
			continue // ModelRenewal is the same, made for it
		}
		if m == modelDisabling && c.isLarge() {
			continue // it takes seconds there, and ModelRenewal is as close
		}
		f, e := c.Predict(m)
		switch {
		case e == nil && f.Valid:
			return m, f, nil
		case e == nil && !found:
			model, best, found = m, f, true
		case e != nil && !errors.Is(err, refuse.ErrTooCostly):
			err = e
		}
	}
	if found {
		return model, best, nil
	}
	return "", Forecast{}, err
}
