package approx

import (
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// TestRefusals gives each exported function arguments just outside of its domain. It compares the texts of the errors.
// At the limits of the domain, the function must return an answer.
func TestRefusals(t *testing.T) {
	const (
		m       = "bloomproof: m must be between 1 and 2^64-1, got 0"
		k       = "bloomproof: k must be between 1 and 4096, got %d"
		kOrBest = "bloomproof: k must be between 1 and 4096, or 0 for the best, got %d"
		p       = "bloomproof: p must be between 0 and 1, exclusive, got %v"
		sought  = "bloomproof: %s must be 0, which is looked for, got %d"
		block   = "bloomproof: block must be 0: package approx has this for filters without blocks, got 64"
		unknown = "bloomproof: hashing must be one of standard, classic, partitioned in package approx, got double"
	)
	blocks := bloomproof.Geometry{M: 128, K: 3, Block: 64}
	check := func(call string, err error, want string) {
		t.Helper()
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v, want the error %q", call, err, want)
		}
	}
	type function struct {
		name string
		of   func(g bloomproof.Geometry) error
	}
	one := func(name string, of func(bloomproof.Geometry, uint64) (float64, error)) function {
		return function{name, func(g bloomproof.Geometry) error { _, err := of(g, 3); return err }}
	}
	all := []function{
		one("FPR", FPR), one("Complement", Complement), one("LogFPR", LogFPR), one("EstimateItems", EstimateItems), one("Efficiency", Efficiency),
		one("SetBitsMean", SetBitsMean), one("SetBitsVariance", SetBitsVariance), one("EntropyPerBit", EntropyPerBit),
		{"Bound", func(g bloomproof.Geometry) error { _, err := Bound(bloomproof.BoundUpper, g, 3); return err }},
		{"CorrectRate", func(g bloomproof.Geometry) error { _, err := CorrectRate(g, 3, bloomproof.Literal); return err }},
		{"Exponential", func(g bloomproof.Geometry) error { _, _, err := Exponential(g, 3); return err }},
		{"PeakEfficiency", func(g bloomproof.Geometry) error { _, _, err := PeakEfficiency(g); return err }},
		{"MostItems", func(g bloomproof.Geometry) error { _, err := MostItems(g, 0.1); return err }},
		{"LeastBits", func(g bloomproof.Geometry) error { g.M = 0; _, err := LeastBits(g, 3, 0.1); return err }},
	}
	for _, f := range all {
		sizes := f.name == "MostItems" || f.name == "LeastBits"
		for _, x := range []struct {
			g    bloomproof.Geometry
			want string
		}{
			{bloomproof.Geometry{M: 0, K: 1}, m}, {bloomproof.Geometry{M: 5000, K: -1}, k}, {bloomproof.Geometry{M: 5000, K: 0}, k},
			{bloomproof.Geometry{M: 5000, K: 1}, ""}, {bloomproof.Geometry{M: 1 << 20, K: 4096}, ""}, {bloomproof.Geometry{M: 1 << 20, K: 4097}, k},
			{bloomproof.Geometry{M: 100, K: 2, Hashing: bloomproof.Double}, unknown},
		} {
			want := x.want
			switch {
			case f.name == "LeastBits" && want == m, sizes && x.g.K == 0:
				want = ""
			case x.g.K == 4096 && (sizes || f.name == "CorrectRate" || f.name == "PeakEfficiency"):
				continue // it takes half a second
			case want == k && sizes:
				want = fmt.Sprintf(kOrBest, x.g.K)
			case want == k:
				want = fmt.Sprintf(k, x.g.K)
			}
			check(fmt.Sprint(f.name, " of ", x.g), f.of(x.g), want)
		}
	}
	for _, f := range all[5:8] { // without formulas for blocks
		check(f.name+" with blocks", f.of(blocks), block)
	}
	check("CorrectRate with blocks", all[9].of(blocks), block)
	plain, classic := bloomproof.Geometry{M: 64, K: 3}, bloomproof.Geometry{M: 64, K: 3, Hashing: bloomproof.Classic}
	_, err := EntropyPerBit(classic, 3)
	check("EntropyPerBit", err, "bloomproof: hashing must be standard: the formula is that of a standard filter, got classic")
	for bits, want := range map[uint64]string{0: "", 63: "", 64: "approx: undefined here", 65: "bloomproof: bits must be at most m, got 65"} {
		n, err := EstimateItems(plain, bits)
		check(fmt.Sprint("EstimateItems for ", bits), err, want)
		if bits == 0 && n != 0 {
			t.Errorf("no set bits: %v items", n)
		}
	}
	for n, want := range map[uint64]string{0: "bloomproof: n must be at least 1, got 0", 1: ""} {
		for _, inc := range []bloomproof.Increment{bloomproof.Distinct, bloomproof.Literal} {
			_, err := CorrectRate(plain, n, inc)
			check(fmt.Sprint("CorrectRate for ", n), err, want)
		}
	}
	_, err = CorrectRate(plain, 3, bloomproof.Literal+1)
	check("CorrectRate", err, fmt.Sprintf("bloomproof: increment must be one of distinct, literal, got %v", bloomproof.Literal+1))
	for g, want := range map[bloomproof.Geometry]string{
		plain:   "one of bloom, exponential, taylor, lower, lower_simple, upper, partitioned, bose_upper for standard hashing",
		classic: "one of lower, lower_simple, lower_classic, upper, partitioned for classic hashing",
	} {
		_, err := Bound("none", g, 3)
		check("Bound", err, fmt.Sprintf("bloomproof: bound must be %s, got none", want))
	}
	for _, x := range []struct {
		p    float64
		want string
	}{{math.Nextafter(0, 1), ""}, {math.Nextafter(1, 0), ""}, {0, p}, {1, p}, {-0.5, p}, {math.NaN(), p}} {
		want := x.want
		if want != "" {
			want = fmt.Sprintf(p, x.p)
		}
		_, err := MostItems(plain, x.p)
		check(fmt.Sprint("MostItems for ", x.p), err, want)
		_, err = LeastBits(bloomproof.Geometry{K: 300}, 1, x.p)
		check(fmt.Sprint("LeastBits for ", x.p), err, want)
	}
	_, err = LeastBits(plain, 3, 0.1)
	check("LeastBits for some m", err, fmt.Sprintf(sought, "m", 64))
	_, err = OptimalK(plain, 3)
	check("OptimalK for some k", err, fmt.Sprintf(sought, "k", 3))
	_, err = OptimalK(bloomproof.Geometry{M: 64, K: -1}, 3)
	check("OptimalK for a negative k", err, fmt.Sprintf(sought, "k", -1))
	_, err = MostItems(bloomproof.Geometry{M: 1 << 63, K: 1}, 1-0x1p-53)
	check("MostItems of many", err, "n is 2^64-1 or more: approx: beyond the range of its type")
	_, err = LeastBits(bloomproof.Geometry{K: 1}, 1<<63, 0.3)
	check("LeastBits for many", err, "m is above 2^64-1: approx: beyond the range of its type")
}
