package fnr

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// When a message i that is not recorded arrives, all set bits were set by other messages. The leave-one-out model
// therefore computes, for each i, the distribution of the number of bits that the other messages set. The equations are
// (34) to (37) of Dozier-FN, but with the exponent j-1.
//
//	C_j = sum of q_i (1-q_i)^(j-1) sum over bits of B^(-i)_(j-1) (1-tau).
//	The number eta^(-i)_j is the sum over m != i of q'_m (1-q'_m)^(j-1).
//
// Here q_i is the popularity of message i, and q'_m = q_m/(1-q_i). Consider the number of set bits after j-1 arrivals
// of other messages. B^(-i)_(j-1) is the distribution of this number. The number tau is the probability of finding all
// positions set. Consider only the arrivals of the other messages. The number eta^(-i)_j is the probability that the
// j-th of these arrivals is recorded. A_j is the same as in the renewal model. The model applies the mean-field
// approximation (19) to B^(-i). The same approximation is applied to the distribution B of all messages. For each
// distinct popularity q_i, the model follows the arrivals of the other messages once.

// A value of the type "popular" represents messages that all have the same popularity q. The field "count" is the
// number of these messages.
type popular struct{ q, count float64 }

// The function "populars" groups the messages by popularity.
func populars(q []float64) (all []popular) {
	for _, p := range q {
		if n := len(all); n == 0 || all[n-1].q != p {
			all = append(all, popular{q: p})
		}
		all[len(all)-1].count++
	}
	return all
}

// The function "beside" returns the traffic without one message of class i. The result "miss" is 1-q_i, where q_i is
// the popularity of that message. Each rank of this traffic stands for a class of equally popular messages. The
// original traffic has all messages. The argument "off" is the field "off" of the original traffic.
func beside(all []popular, off float64, i int) (t *traffic, miss float64) {
	all = append([]popular(nil), all...)
	if all[i].count--; all[i].count == 0 {
		all = append(all[:i], all[i+1:]...)
	}
	var sum fm.Double
	for _, x := range all {
		sum = sum.AddFloat(x.q * x.count)
	}
	t = &traffic{off: 2*off + 2, repeat: 1, move: make([]float64, len(all))} // q, the sum, and two roundings
	for _, x := range all {
		q := x.q / sum.Hi
		t.q = append(t.q, q*x.count)
		t.stay = append(t.stay, max(0, 1-q))
	}
	return t, sum.Hi
}

// For each message, a sum over arrivals is computed. The last terms are left out, and are at most leftOut times the
// sum.
const leftOut = 0x1p-60

// leaveOneOut returns the forecast of the leave-one-out model. After J arrivals, consider the probability that an
// arrival is recorded. Its error is the same as in the renewal model.
func (c *System) leaveOneOut() (Forecast, error) { return c.leaveOneOutTo(leftOut) }

// The method "leaveOneOutTo" returns this forecast for another value of leftOut. Tests end the sums early, so that the
// terms that are left out decide the bound.
func (c *System) leaveOneOutTo(leftOut float64) (Forecast, error) {
	switch {
	case c.w.Repeat != 1:
		return Forecast{}, &bloomproof.ParamError{Param: "repeat", Value: c.w.Repeat, Want: "1 for leave-one-out, which knows no new messages"}
	case c.r.TwoPhase:
		return Forecast{}, &bloomproof.ParamError{Param: "phases", Value: c.r.TwoPhase, Want: "1 for leave-one-out"}
	}
	f, err := c.renewal(ModelRenewal)
	if err != nil {
		return Forecast{}, err
	}
	plain, err := c.plain()
	if err != nil {
		return Forecast{}, err
	}
	fill, _ := c.filling() // the method "plain" returned no error
	t, _ := c.traffic()
	all := populars(t.q)
	classes := float64(len(all))
	if cost := classes * classes * float64(len(plain.course.missing)); cost > c.limit {
		return Forecast{}, courseTooCostly(cost, c.limit)
	}
	fits := make([]float64, len(fill.rows))
	luckiest := 0.0
	for n, row := range fill.rows {
		fits[n] = row.fits
		luckiest = max(luckiest, row.lucky)
	}
	missed := make([]float64, len(fits)) // sum over i of q_i sum over j of (1-q_i)^(j-1) P[S^(-i)_(j-1) = n]
	scratch := make([]float64, len(fits))
	cost, longest, rest, worst := 0.0, 0.0, 0.0, 0.0
	for i, x := range all {
		others, miss := beside(all, t.off, i)
		g := others.nothing()
		law := newCrowd(0, len(fits)-1)
		left := x.count // count (1-q_i)^(j-1), a bound of all later terms
		for j := 1.0; ; j++ {
			if later := left * (law.mean(fits) + law.dropped); later <= leftOut*x.count {
				rest += later
				break
			}
			missing := 1.0
			if r := others.arrival(g); j > 1 {
				missing = min(r, 1)
			}
			law.arrival(others, missing, left*x.q, scratch, missed)
			left *= miss
			longest, worst = max(longest, j), max(worst, others.missingError(j))
			if cost += classes + float64(law.high-law.low) + arrivalCost; cost > c.limit {
				return Forecast{}, courseTooCostly(cost, c.limit)
			}
		}
	}
	loud, lucky := sumRows(missed, fill.rows, rowUnlucky), sumRows(missed, fill.rows, rowLucky)
	f.FNR, f.Lucky = loud/f.Cycle, lucky/f.Cycle
	f.FPRPerCycleNew = lucky / (loud + lucky)
	change := float64(len(t.q)) * worst * fm.Unit * float64(len(fits))
	f.Bound += (change+rest)/loud + (4*longest+float64(len(fits)))*fm.Unit + fill.err
	if lucky > 0 {
		f.Bound += (change*luckiest + rest) / lucky
	}
	return f, nil
}
