package approx

import (
	"errors"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// A geometry of a hashing that has no entry in the look-up, or of blocks, is refused by
// name by every function that takes one.
func TestUnknownHashing(t *testing.T) {
	all := hashings
	hashings = []*hashing{&standardHashing, &classicHashing}
	defer func() { hashings = all }()
	calls := map[string]func(g bloomproof.Geometry) error{
		"FPR":             func(g bloomproof.Geometry) error { _, err := FPR(g, 3); return err },
		"Complement":      func(g bloomproof.Geometry) error { _, err := Complement(g, 3); return err },
		"LogFPR":          func(g bloomproof.Geometry) error { _, err := LogFPR(g, 3); return err },
		"Bound":           func(g bloomproof.Geometry) error { _, err := Bound(bloomproof.BoundUpper, g, 3); return err },
		"EntropyPerBit":   func(g bloomproof.Geometry) error { _, err := EntropyPerBit(g, 3); return err },
		"SetBitsMean":     func(g bloomproof.Geometry) error { _, err := SetBitsMean(g, 3); return err },
		"SetBitsVariance": func(g bloomproof.Geometry) error { _, err := SetBitsVariance(g, 3); return err },
		"EstimateItems":   func(g bloomproof.Geometry) error { _, err := EstimateItems(g, 3); return err },
		"Efficiency":      func(g bloomproof.Geometry) error { _, err := Efficiency(g, 3); return err },
		"PeakEfficiency":  func(g bloomproof.Geometry) error { _, _, err := PeakEfficiency(g); return err },
		"CorrectRate": func(g bloomproof.Geometry) error {
			_, err := CorrectRate(g, 3, bloomproof.Literal)
			return err
		},
		"OptimalK":  func(g bloomproof.Geometry) error { g.K = 0; _, err := OptimalK(g, 3); return err },
		"MostItems": func(g bloomproof.Geometry) error { _, err := MostItems(g, 0.1); return err },
		"LeastBits": func(g bloomproof.Geometry) error { g.M = 0; _, err := LeastBits(g, 3, 0.1); return err },
	}
	for name, call := range calls {
		for _, bad := range []struct {
			param string
			g     bloomproof.Geometry
		}{
			{"hashing", bloomproof.Geometry{M: 64, K: 4, Hashing: bloomproof.Partitioned}},
			{"block", bloomproof.Geometry{M: 1024, K: 4, Block: 512}},
		} {
			switch name {
			case "FPR", "Complement", "LogFPR", "Efficiency", "OptimalK", "MostItems", "LeastBits", "EstimateItems", "Bound":
				if bad.param == "block" {
					continue // answered: TestBlocked, TestBlockSearch
				}
			}
			var p *bloomproof.ParamError
			if err := call(bad.g); !errors.As(err, &p) || p.Param != bad.param {
				t.Errorf("%s(%v): %v, want a ParamError of %s", name, bad.g, err, bad.param)
			}
		}
		if err := call(bloomproof.Geometry{M: 64, K: 4}); err != nil {
			t.Errorf("%s: %v for standard hashing", name, err)
		}
	}
}

// A kind of bound that says nothing of a hashing is refused by name.
func TestBoundOfOtherHashing(t *testing.T) {
	for _, h := range hashings {
		for kind := range boundFormulas {
			_, err := Bound(kind, bloomproof.Geometry{M: 1 << 20, K: 4, Hashing: h.is}, 1<<17)
			var p *bloomproof.ParamError
			if refused := errors.As(err, &p) && p.Param == "bound"; err != nil && !refused || refused != (h.refuse(kind) != nil) {
				t.Errorf("Bound(%v) of %v hashing: %v", kind, h.is, err)
			}
		}
	}
	var p *bloomproof.ParamError
	if _, err := Bound("none", bloomproof.Geometry{M: 8, K: 1}, 1); !errors.As(err, &p) || p.Param != "bound" {
		t.Errorf("Bound of no name: %v", err)
	}
}
