// Package fnr computes, in float64, the false-negative rate of a recycling Bloom filter. The workload of the filter
// repeats messages. The package uses corrected versions of the models of Dozier-FN, and exact formulas where these are
// known. It also finds the filter with the least false-negative rate.
//
//   - New makes a System: a filter under a workload. Predict evaluates a model, Best names the most accurate model, and
//     Absorbing and CanAbsorb say whether the filter can stop recycling
//   - A Model is the name of a model, and Models lists them; the constants are the models that sizing uses
//   - A Forecast holds what one model computes. Bound is the error of these numbers as the model defines them; Kind
//     says how the model relates to the filter
//   - Least and LeastBits return the Design, chosen from Designs, with the least false-negative rate or with the fewest
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

// System is a recycling filter under a workload that repeats messages (Dozier-FN). Its methods compute how often, in
// the long run, the filter reports a repeat as new. It caches intermediate results and is safe for concurrent use. Use
// New to make one.
type System struct {
	g bloomproof.Geometry
	r bloomproof.Recycling
	w bloomproof.Workload

	// Results are computed once if several models need them.
	filling func() (*filling, error)
	traffic func() (*traffic, error)
	plain   func() (*plain, error)

	limit   float64 // the largest number of products for following the arrivals of a cycle, and for exact rates
	history history
	draws   draws
	loads   loads
}

// New returns the filter of geometry g that recycles by the rule r, under the workload w. With two phases g is the
// shape of each array, and the bounds of r apply to each array.
//
// Source: Dozier-FN, section 3.
// Domain: g is valid and has standard or classic hashing; r is valid for g; w is valid.
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
	if w.Repeat == 0 {
		w.Repeat = 0 // not -0, which the rates would have too
	}
	c := &System{
		g: g, r: r, w: w, limit: mostCourse,
		filling: sync.OnceValues(func() (*filling, error) { return newFilling(g, r) }),
		traffic: sync.OnceValues(func() (*traffic, error) { return newTraffic(w) }),
	}
	c.plain = sync.OnceValues(c.newPlain)
	return c, nil
}

// Predict returns the forecast of the model.
//
// Source: Dozier-FN; the equations are listed at Model, and the comments of the code say how they are corrected.
// Domain: the same as for New. A model can have a value although it was made for other settings. The forecast then has
// Valid = false and a Note. Valid and Note are set in the same way in two more cases. In the first case the model gives
// a false-negative rate above p_r (1+Bound), where p_r is the share of repeats. This occurs for filters that hold few
// messages, mostly in the model "renewal-extended". An example is m = 3, k = 2, sigma = 0, where its rate is above 1.
// In the second case the errors of the sums are too large. The field Note then says whether the field FNR is still an
// upper bound.
// Error: relative, at most Forecast.Bound if Valid is true.
// Cost: depends on the model. All times were measured on one AMD EPYC thread. The model "exact" takes about 30 ms if a
// cycle has more than 2048 messages. For smaller filters it gives up after at most 10 s. This time does not include the
// distribution of the set bits, which is computed once for all models and takes at most 6 s. For m = 1000, k = 5, sigma
// = 500, D = 1000 and p_r = 0.9 it takes 0.15 s. For D = 2^33 in place of D = 1000 it takes 0.4 s. For large filters,
// the model "fluid" and the renewal models take 4 ms if p_r = 1. They take the same time if new messages enter at the
// last rank. In all other cases they take 0.4 s and 48 MB for each million old messages. These costs do not depend on
// m. If there are few old messages, these models can list the arrivals of a cycle. They list up to 2^24/(D+1) arrivals.
// This takes at most about 2 s and 250 MB (D = 2). For smaller filters the renewal models follow each arrival of a
// cycle. This can take more than about a second. In that case they use the expansion for large filters. But if a cycle
// has fewer than about 512 messages, they give up. The model "renewal-retaining" follows several cycles, because it
// also computes which message begins a cycle. It uses the expansion, or gives up, after about five seconds. Its sums
// can have a hundredth of the error of the expansion. The other models list the recorded messages and the D old
// messages, and give up after some seconds. They refuse D > 2^22. The renewal models do the same. For large filters
// there are two exceptions. They are workloads with p_r = 1, and workloads in which new messages enter at the last
// rank.
// Errors: *bloomproof.ParamError; ErrTooCostly; ErrUndefined if the model has no value. Predict may run for some time
// before it returns ErrTooCostly. This takes at most as long as a forecast. The reason is that the number of arrivals
// of a cycle is not known in advance.
func (c *System) Predict(m Model) (Forecast, error) {
	if err := m.validate(); err != nil {
		return Forecast{}, err
	}
	f, err := c.predict(m)
	if err != nil {
		return Forecast{}, fmt.Errorf("the model %v: %w", m, err)
	}
	f.restrict(c.w.Repeat)
	if !(f.Bound <= 1) || f.Valid && f.Bound == 1 {
		f.Valid, f.Bound, f.Note = false, 1, join(f.Note, tooLarge("the sums"))
		f.Estimated = min(f.Estimated, f.Bound)
	}
	f.Kind = c.kind(m)
	if m != ModelExact && needsFresh(c.r, c.w) {
		c.fixed(&f)
	}
	if f.FNR > c.w.Repeat*(1+f.Bound) {
		f.Valid, f.Note = false, join(f.Note, "the model fails here: its rate is above p_r")
	}
	return f, nil
}

// If the probability that a cycle never ends is above someStuck, the Note of the forecast says so. Otherwise the filter
// recycles at least 10^9 times on average before it stops.
const someStuck = 1e-9

// If the probability that a cycle never ends is below mostStuck, the forecast for the cycles that end counts as valid.
const mostStuck = 1e-3

// Absorbing returns the probability v_D that a cycle never ends because p_r = 1 and all D messages are recorded. If v_D
// is positive, the filter eventually stops recycling, and its rates are then 0. Consider Predict with ModelExact. If
// v_D is above 10^-3, Predict returns the final rate, which is 0. Forecast.Cycle is then 0 too. If v_D is between
// 10^-12 and 10^-3, this model has no value unless all messages are equally popular. For large filters, this model
// compares v_D with these limits by a normal approximation. In this case there are two more ranges of v_D without a
// value. They are 10^-3 to 2 10^-3, and 10^-19 to 10^-12. The other models return the rates of the cycles before the
// filter stops, or ErrUndefined.
//
// Source: derived here; Dozier-FN does not consider a filter that holds all messages.
// Domain: the same as for New, with fresh positions.
// Error: relative, at most (8k+8)(D+1)u (u = 2^-53), plus 2^-70.
// Cost: none if the D messages would fit even if all their positions were different. Otherwise the function computes
// the distribution of the set bits in a cycle. It does this once for all models.
// Errors: ErrTooCostly; ErrUndefined if the filter is message-bounded and all its bits can be set before the bound is
// reached.
func (c *System) Absorbing() (float64, error) {
	if c.fitsAll() {
		return 1, nil
	}
	f, err := c.filling()
	if err != nil {
		return 0, err
	}
	return c.endless(f), nil
}

// The method "endless" returns the probability v_D that all D messages fit, so that a cycle never ends. This
// probability is 0 if new messages arrive.
func (c *System) endless(f *filling) float64 {
	if d := comers(c.w.Popularity); c.w.Repeat == 1 && d < uint64(len(f.rows)) {
		return min(f.rows[d].fits, 1) // rounding can make it larger
	}
	return 0
}

// The method "fitsAll" reports whether two conditions hold. Only the D old messages arrive. These messages fit into an
// array for any choice of their positions.
func (c *System) fitsAll() bool {
	d := comers(c.w.Popularity)
	switch {
	case c.w.Repeat < 1:
		return false
	case c.r.Messages > 0:
		return d < c.r.Messages && !message.Fills(c.g, c.r.Messages)
	}
	return d <= min(c.r.Sigma, c.g.M)/uint64(c.g.K)
}

const noMore = "the filter comes to hold all messages and to recycle no more"

// Suppose that a filter eventually records all d messages, and that no other messages can arrive. The function
// recyclesNoMore returns the error for this case.
func recyclesNoMore(d float64, when string) error {
	return fmt.Errorf("%w: with p_r = 1 and D = %.0f %s%s: its rate is 0", refuse.ErrUndefined, d, noMore, when)
}

// The models treat the contents of two arrays, and of two cycles, as independent. The method "made" reports whether the
// settings allow this assumption. It also returns the note for the forecast. The argument "stuck" is the probability
// that a cycle never ends.
func (c *System) made(stuck float64) (valid bool, note string) {
	switch {
	case c.r.NoCopyOver:
		return false, "the model is made for copy-over: it records also what the frozen array matches"
	case stuck > someStuck:
		return stuck < mostStuck, fmt.Sprintf("with p_r = 1 a cycle never ends with probability %.2g, all messages being recorded; the rates are those until then", stuck)
	}
	return true, ""
}

// needsFresh reports whether two conditions hold: the positions are fixed, and fresh positions would give other rates.
func needsFresh(r bloomproof.Recycling, w bloomproof.Workload) bool {
	return !r.FreshPositions && (w.Repeat > 0 || r.TwoPhase)
}

// The method "predict" does the work of Predict, but does not set the field Kind of the forecast.
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

// Best returns the most accurate of the models that have a value for this filter and workload. It chooses among the
// models that were made for these settings. If there is no such model, it chooses among all models. It does not compare
// the fields Bound of their forecasts. The reason is that Bound does not include the difference between a model and the
// filter. So the Bound of ModelExact can be the larger one.
//
// Source: the order of the models follows from their errors, which the tests of package verify measured.
// Domain: the same as for New.
// Error: none.
// Cost: the cost of Predict for the models that are tried.
// Errors: if no model has a value, Best returns the first ErrTooCostly. If no model returned ErrTooCostly, Best returns
// the error of the last model.
func (c *System) Best() (Model, error) {
	m, _, err := c.best()
	return m, err
}

// The method "best" returns the result of Best and also the forecast of the model.
func (c *System) best() (model Model, best Forecast, err error) {
	found := false
	for _, m := range Models() {
		if m == ModelRenewalRetaining && !c.r.Retain {
			continue // ModelRenewal computes the same and was made for these settings
		}
		if m == modelDisabling && c.isLarge() {
			continue // this model takes seconds, and ModelRenewal is equally accurate
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
