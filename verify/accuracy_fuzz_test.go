package verify_test

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
)

// FuzzAccuracy compares every function of package approx with its counterpart in package exact,
// within the error that its comment states.
func FuzzAccuracy(f *testing.F) {
	groups := append(accuracy.Bounds(),
		accuracy.Rate(bloomproof.Standard), accuracy.Rate(bloomproof.Classic), accuracy.Rate(bloomproof.Partitioned),
		accuracy.SetBits(bloomproof.Standard), accuracy.SetBits(bloomproof.Classic), accuracy.SetBits(bloomproof.Partitioned),
		accuracy.CorrectRate(bloomproof.Distinct), accuracy.CorrectRate(bloomproof.Literal))
	rates := len(groups)
	groups = append(groups, accuracy.Recyclings(1<<12)...)
	f.Fuzz(func(t *testing.T, which, mBits, k, nBits, edge uint8, data []byte) {
		group := int(which) % len(groups)
		p := fuzzedPoint(mBits, k, nBits, edge, data)
		if group >= rates { // a chain of all states, whose cost grows with both
			p.K, p.M = (p.K-1)%12+1, (p.M-1)%(1<<13)+1
		}
		if _, err := groups[group].Check(p, 70); err != nil {
			t.Fatal(err)
		}
	})
}
