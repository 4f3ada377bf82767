package truth

import (
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// A sample that is all messages counts as Truth and Counts do; one that is not counts of
// each of its messages what it counts alone.
func TestSample(t *testing.T) {
	hash := func(key uint64) kernel.Hash {
		rng := rand.NewPCG(key, 5)
		return kernel.Hash{H0: rng.Uint64(), H1: rng.Uint64()}
	}
	for _, rule := range []bloomproof.Recycling{
		{Sigma: 100}, {Sigma: 100, Retain: true}, {Sigma: 100, TwoPhase: true}, {Messages: 30, TwoPhase: true, NoCopyOver: true}, {Sigma: 100, TwoPhase: true, FreezeBefore: true},
	} {
		f, err := kernel.NewRecycling(bloomproof.Geometry{M: 256, K: 3}, rule, kernel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		const warmup = 500
		whole, bounded := NewSample(rule, 1<<20), NewSample(rule, MinSample)
		truth, counts := Of(rule), Counts{}
		alone := map[uint64]*Message{} // by print
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range 20_000 {
			key := uint64(1000 * rng.Float64() * rng.Float64())
			h := hash(key)
			o := f.ObserveHash(h)
			counted := i >= warmup
			whole.Observe(h, o, 0.5, counted)
			bounded.Observe(h, o, 0.5, counted)
			class := truth.Observe(key, o)
			m := alone[h.H0]
			if m == nil {
				m = &Message{print: h.H0}
				alone[h.H0] = m
			}
			if !counted {
				continue
			}
			counts.Add(class, o)
			switch {
			case class == New:
				m.New, m.FalsePositive, m.First = true, o.Repeat(), 0.5
			case class == Forgotten && o.Repeat():
				m.Lucky++
				m.Later += 0.5
			case class == Forgotten:
				m.FalseNegatives++
				m.Later += 0.5
			}
		}
		if got := whole.Counts(); got != counts || whole.Share() != 1 || whole.FalsePositives != float64(counts.FalsePositives) || whole.FalseNegatives != float64(counts.FalseNegatives) {
			t.Errorf("%v: %+v, want %+v", rule, got, counts)
		}
		held := 0
		bounded.Each(func(m *Message) {
			got := *m
			got.last = 0
			held++
			if want := *alone[m.print]; got != want || !bounded.sampled(m.print) {
				t.Errorf("%v: %+v, want %+v", rule, got, want)
			}
		})
		in := 0
		for print := range alone {
			if bounded.sampled(print) {
				in++
			}
		}
		if share := bounded.Share(); in != held || held < 10 || share > 0.25 || uint64(held)*messageBytes > MinSample {
			t.Errorf("%v: %d of %d messages, share %v of %d", rule, held, in, share, len(alone))
		}
		if bounded.Arrivals != counts.Arrivals || bounded.Positives != counts.TruePositives+counts.FalsePositives || bounded.Recycles != counts.Recycles || bounded.InCycle != 0 {
			t.Errorf("%v: %+v, want %+v", rule, bounded, counts)
		}
	}
}
