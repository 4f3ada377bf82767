package recycling

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestFaults lets one of the parts fail from which a number is computed. Then this number must not be returned.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves this test out, because it takes seconds under an emulator; make test runs it")
	}
	var all []fault.Case
	for _, x := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
	}{
		{bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Sigma: 9}},
		{bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Sigma: 9, Retain: true}},
		{bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Sigma: 9, TwoPhase: true, Retain: true}},
		{bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Sigma: 9, TwoPhase: true, FreshPositions: true, Retain: true}},
		{bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Sigma: 9, TwoPhase: true, FreshPositions: true, NoCopyOver: true}},
		{bloomproof.Geometry{M: 60, K: 3, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 9, TwoPhase: true}},
		{bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Messages: 9}},
		{bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Messages: 9, TwoPhase: true}},
		{bloomproof.Geometry{M: 1 << 30, K: 3}, bloomproof.Recycling{Sigma: 1 << 29, TwoPhase: true}},
		{bloomproof.Geometry{M: 1 << 50, K: 5}, bloomproof.Recycling{Sigma: 7, Retain: true}},
		{bloomproof.Geometry{M: 1 << 50, K: 5}, bloomproof.Recycling{Sigma: 7, Retain: true, FreshPositions: true}},
		// Numbers of set bits that matter have probabilities below the range of float64.
		{bloomproof.Geometry{M: 400, K: 300}, bloomproof.Recycling{Sigma: 30, TwoPhase: true, FreezeBefore: true, FreshPositions: true}},
		{bloomproof.Geometry{M: 400, K: 300}, bloomproof.Recycling{Sigma: 30, TwoPhase: true, FreezeBefore: true}},
	} {
		all = append(all, fault.Case{Name: fmt.Sprint(x.g, x.r), Of: func() (any, error) {
			c, err := New(x.g, x.r)
			if err != nil {
				return nil, err
			}
			ln, err := c.LogFPR()
			if err != nil {
				return nil, err
			}
			answer := []any{c.FPR(), ln, c.Capacity(), c.Bound()}
			for _, b := range []uint64{1, 3, 6} {
				y, err := c.State(b)
				if err != nil {
					return nil, err
				}
				answer = append(answer, y)
				if x.r.Messages > 0 {
					continue
				}
				if y, err = c.MessagesFrom(b); err != nil {
					return nil, err
				}
				z, err := c.Frozen(x.r.Sigma+b, false)
				if err != nil {
					return nil, err
				}
				answer = append(answer, y, z)
			}
			return answer, nil
		}})
	}
	search := func(name string, of func() (any, error)) {
		all = append(all, fault.Case{Name: name, Of: of})
	}
	search("MostMessages", func() (any, error) {
		o, err := MostMessages(bloomproof.Geometry{M: 80, K: 3}, bloomproof.Recycling{Retain: true}, 0.05)
		return o, err
	})
	search("LeastBits", func() (any, error) {
		o, err := LeastBits(bloomproof.Geometry{K: 3}, 12, bloomproof.Recycling{}, 0.05)
		return o, err
	})
	for _, v := range []Naive{naiveWorst, naiveOracle, naiveAverage} {
		search("NaiveRate "+string(v), func() (any, error) {
			f, err := NaiveRate(bloomproof.Geometry{M: 80, K: 3}, 12, v)
			return f, err
		})
		for _, k := range []int{0, 3} {
			search(fmt.Sprintf("NaiveMessages %s, k = %d", v, k), func() (any, error) {
				o, err := NaiveMessages(bloomproof.Geometry{M: 80, K: k}, v, true, 0.05)
				return o, err
			})
		}
	}
	t.Log(fault.Each(t, longtest.More(30, 1000), all))
}
