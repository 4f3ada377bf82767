package fuzz

import (
	"testing"

	"github.com/bloomproof/bloomproof/verify/model"
)

// FuzzRecycling decodes data into operations on a recycling filter of any rule, and after each
// operation compares this filter with its model and with a concurrent filter.
func FuzzRecycling(f *testing.F) {
	f.Fuzz(func(t *testing.T, m uint16, k, hashing, scheme, rule uint8, bound uint16, data []byte) {
		g, most := small(m, k, hashing, data)
		rules := model.Rules(uint64(bound), uint64(bound))
		r := rules[int(rule)%len(rules)]
		run, err := model.NewConcurrentRecyclingRun(g, r, options(scheme))
		if err != nil {
			if possible(g) && r.Validate(g) == nil {
				t.Fatalf("%v %v: %v", g, r, err)
			}
			return
		}
		if err := play(model.Decode(data), most, run); err != nil {
			t.Fatalf("%v %v: %v", g, r, err)
		}
	})
}
