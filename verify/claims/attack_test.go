package claims

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Domains that the registry recorded when the words of a domain and the loop that checked it
// were two things. Each of them is false at points that are not round; the attack finds one.
//
// Claims: dozier-fn.4.1.retaining, dozier-fp.1.slightly, dozier-fp.5b.actual, dozier-fp.5b.fig6,
// dozier-fp.5.variants, dozier-fp.1.average, fan.thm3.
func TestAttackFindsBreaks(t *testing.T) {
	s, apart := &sizes{}, &sizes{distinct: true}
	large := func(lowest, highest float64) domain { return sizing(1000, 2500, lowest, highest, 1, 0.01) }
	retained := fnrLaw(false, true, func(f fnrFilter, w visitors) error {
		return below64(f.run(w).fnr, newFNRFilter(f.m, f.k, f.sigma, false, false).run(w).fnr)
	})
	for _, c := range []struct {
		id, recorded string
		part         part
		most         int // points until a break is found
	}{
		{"dozier-fn.4.1.retaining", "p_r < 1, as far as was searched", holdsOn(fnrFilters, retained), 300},
		{"dozier-fp.1.slightly", "M >= 1000, F <= 0.3: at least 95 %", keeps(large(1e-20, 0.3), func(p point) (float64, error) {
			return betweenBoth(s.countedShare(p.int(0), p.real(1)), 0.95, 1.0001), nil
		}), 20},
		{"dozier-fp.5b.actual", "M >= 100: 97 to 101 %", keeps(domain{number("M", 100).upTo(4000)}, func(p point) (float64, error) {
			return betweenBoth(s.actualShare(p.int(0), 0.01), 0.97, 1.01), nil
		}), 100},
		{"dozier-fp.5b.fig6", "the message that recycles not counted, M >= 30", keeps(domain{number("M", 30).upTo(4000)}, func(p point) (float64, error) {
			c := s.compare(p.int(0), 0.01)
			return 0.7*(c.best.capacity-1) - float64(c.worst), nil
		}), 100},
		{"dozier-fp.5.variants", "M >= 1000, F >= 10^-4: within 0.4 %", keeps(large(1e-4, 0.5), func(p point) (float64, error) {
			m, target := p.int(0), p.real(1)
			return 0.004 - math.Abs(apart.best(m, target).capacity/s.best(m, target).capacity-1), nil
		}), 100},
		{"dozier-fp.1.average", "F from 10^-4 to 10^-6 (23 to 33 %), no M", keeps(domain{number("M", 1).upTo(4000), between("F", 1e-6, 1e-4)}, func(p point) (float64, error) {
			c := s.compare(p.int(0), p.real(1))
			return betweenBoth(c.ratio(), 1.23, 1.33), nil
		}), 20},
	} {
		if c.id == "dozier-fp.1.slightly" && !longtest.Enabled() {
			continue // dozier-fp.5.variants has the same domain
		}
		r := &run{effort: effortFull, ctx: context.Background(), id: "former " + c.id}
		c.part.tries[effortFull] = c.most
		err := c.part.attack(r, c.part.domain.points(), 0)
		if err == nil || errors.Is(err, errOutside) {
			t.Errorf("%s, %q: no break in %d points", c.id, c.recorded, r.cases)
			continue
		}
		t.Logf("%s, %q: after %d points: %v", c.id, c.recorded, r.cases, err)
	}
}
