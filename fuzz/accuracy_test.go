package fuzz

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/accuracy"
)

// FuzzAccuracy compares every function of package approx with its witness in package exact,
// within the error that its comment states.
func FuzzAccuracy(f *testing.F) {
	groups := append(accuracy.Bounds(),
		accuracy.Rate(bloomproof.Standard), accuracy.Rate(bloomproof.Classic), accuracy.Rate(bloomproof.Partitioned),
		accuracy.SetBits(bloomproof.Standard), accuracy.SetBits(bloomproof.Classic), accuracy.SetBits(bloomproof.Partitioned),
		accuracy.CorrectRate(bloomproof.Distinct), accuracy.CorrectRate(bloomproof.Literal))
	rates := len(groups)
	groups = append(groups, accuracy.Recyclings(1<<12)...)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		which := s.below(len(groups))
		p := accuracy.Point{K: s.below(48) + 1, M: max(1, s.near(64))}
		if which >= rates { // a chain of all states
			p.K, p.M = p.K%12+1, p.M%(1<<13)+1
		}
		if s.bool() { // k divides m
			p.M = max(1, p.M/uint64(p.K)) * uint64(p.K)
		}
		if p.N = s.near(64); s.bool() { // as many items as m has room for, and as a size has above
			p.N = uint64(min(float64(p.M)/float64(p.K)*8*s.unit(12), 1<<63))
		}
		results, err := groups[which].Check(p, 70)
		if err != nil {
			t.Fatal(err)
		}
		cases.Add(uint64(len(results)))
	})
}
