package kernel_test

import (
	"runtime"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/model"
)

// fewBits decodes a filter of up to 2^11 bits, or of as many as a slice for each position.
func fewBits(m uint16, k, hashing uint8) bloomproof.Geometry {
	g := bloomproof.Geometry{M: uint64(m)%2048 + 1, K: int(k)%70 + 1, Hashing: bloomproof.Hashing(hashing % 3)}
	if g.Hashing != bloomproof.Standard {
		g.M *= uint64(g.K)
	}
	return g
}

// FuzzAdders lets goroutines, each with its own program, share a concurrent filter of any shape: no
// bit is lost or counted twice, and some order of events explains everything that the goroutines
// see.
func FuzzAdders(f *testing.F) {
	f.Fuzz(func(t *testing.T, m uint16, k, hashing, workers, steps, keys uint8, seed uint64) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
		g := fewBits(m, k, hashing)
		f := mustNew(t, g, kernel.Options{}).Concurrent()
		if err := examineAdding(restingFilter{f}, g, int(workers)%6+1, int(steps)%64+1, uint64(keys)+1, seed); err != nil {
			t.Fatalf("%v: %v", g, err)
		}
	})
}

// FuzzObservers lets goroutines, each with its own program, share a concurrent recycling filter of
// any rule: no recorded message is forgotten within its cycle, each cycle ends by one trigger at
// the bound, and each bit, message and arrival is counted in one cycle.
func FuzzObservers(f *testing.F) {
	f.Fuzz(func(t *testing.T, m uint16, k, hashing, rule, bound, workers, steps, keys uint8, seed uint64) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
		g := fewBits(m, k, hashing)
		rules := model.Rules(uint64(bound)*g.M/512, uint64(bound)%32+1)
		r := rules[int(rule)%len(rules)]
		most := (r.Messages + 1) * uint64(g.K) // bits of an array
		if r.Messages == 0 {
			most = r.Sigma + uint64(g.K)
		}
		if r.Messages > 0 && most >= g.M || r.NoCopyOver && 2*most >= g.M || r.Validate(g) != nil {
			return // its cycles can come to no end, and there is nothing to account for
		}
		e := &observing{g: g, r: r, keys: 20*uint64(keys) + 1}
		single := mustNewRecycling(t, g, r, kernel.Options{})
		single.OnRecycle = e.onRecycle
		c := single.Concurrent()
		e.f = restingRecycling{c}
		for id := uint64(1) << 50; c.State().Cycle < 2; id++ { // examine expects two cycles
			e.note([]uint64{id}, []kernel.Observation{c.ObserveHash(idHash(id))})
		}
		if err := e.examine(int(workers)%6+1, int(steps)%64+1, seed); err != nil {
			t.Fatalf("%v %v: %v", g, r, err)
		}
	})
}
