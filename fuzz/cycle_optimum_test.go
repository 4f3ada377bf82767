package fuzz

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/exact"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// FuzzCycleOptimum asks for the threshold that lets a recycling filter take the most messages
// at a rate, and for the fewest bits that take so many: where the answer is certain, the
// certified rate keeps the one asked for and that of the next threshold does not, and the
// filter of the fewest bits is one that takes the most messages of its size.
func FuzzCycleOptimum(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		h, m, k := bloomproof.Hashing(s.below(2)), s.near(8)+1, s.below(6)
		r, p := decodeRule(s, m), s.unit(16)
		r.Sigma, r.Messages = 0, 0
		if r.TwoPhase && m < 3 {
			k = max(k, 1) // the search for the best k takes seconds where a cycle has one message
		}
		fewest, n := s.below(4) == 3, uint64(s.byte())+1
		var o approxrecycling.Optimum
		var err error
		name := fmt.Sprintf("%v m %d k %d %v p %v", h, m, k, r, p)
		if fewest {
			name += fmt.Sprintf(" n %d", n)
			o, err = approxrecycling.LeastBits(bloomproof.Geometry{K: k, Hashing: h}, n%40+1, r, max(p, 1e-3))
		} else {
			o, err = approxrecycling.MostMessages(bloomproof.Geometry{M: m, K: k, Hashing: h}, r, p)
		}
		var bad *bloomproof.ParamError
		switch {
		case errors.As(err, &bad), errors.Is(err, bloomproof.ErrUndefined), errors.Is(err, bloomproof.ErrTooCostly), errors.Is(err, bloomproof.ErrRange):
			return
		case err != nil:
			t.Fatalf("%s: %v", name, err)
		case !(o.Rate >= 0) || !(o.Capacity >= 0) || k > 0 && o.K != k || o.Sigma >= o.M:
			t.Fatalf("%s: %+v", name, o)
		}
		cases.Add(1)
		if fewest {
			p = max(p, 1e-3)
			same, err := approxrecycling.MostMessages(bloomproof.Geometry{M: o.M, K: o.K, Hashing: h}, r, p)
			if err != nil || same.Sigma != o.Sigma || same.Capacity != o.Capacity || o.Capacity < float64(n%40+1)*(1-1e-9) {
				t.Fatalf("%s: %+v, but of %d bits %+v, %v", name, o, o.M, same, err)
			}
		}
		if !o.Certain || r.TwoPhase && (o.M > 40 || o.K > 3) || o.M > 300 {
			return
		}
		rate := func(sigma uint64) (exact.Enclosure, bool) {
			r.Sigma = sigma
			c, err := exactrecycling.New(bloomproof.Geometry{M: o.M, K: o.K, Hashing: h}, r)
			if err != nil {
				t.Fatalf("%s: %+v: %v", name, o, err)
			}
			return asked(t, name, 60, c.FPR)
		}
		limit, part := new(big.Rat).SetFloat64(p), longtest.Part(2, data...)
		if part(0) {
			if e, ok := rate(o.Sigma); ok {
				if order, decided := cmpRat(e, limit); decided && order > 0 {
					t.Fatalf("%s: %+v, exactly %v", name, o, e)
				}
			}
		}
		if part(1) && o.Sigma+1 < o.M {
			if e, ok := rate(o.Sigma + 1); ok {
				if order, decided := cmpRat(e, limit); decided && order < 0 {
					t.Fatalf("%s: %+v, but one threshold higher %v", name, o, e)
				}
			}
		}
	})
}
