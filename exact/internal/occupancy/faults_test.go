package occupancy

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// faultsOfOne limits how many parts of one computation TestFaults lets fail.
const faultsOfOne = 3

// TestFaults lets a part of each computation fail. Then the computation must fail too.
func TestFaults(t *testing.T) {
	var all []starved.Fallible
	add := func(name string, of func(bits uint) (any, error)) {
		all = append(all, starved.Fallible{Name: name, Of: of, Fixed: true}) // the callers check the precision
	}
	o := Distribution{M: 60, N: big.NewInt(12), K: 3, Out: 7}
	add("Below", func(bits uint) (any, error) { return o.Below(27, bits) })
	add("belowIntegral", func(bits uint) (any, error) { return o.belowIntegral(27, bits) })
	add("Exactly", func(bits uint) (any, error) { return o.Exactly(27, bits) })
	add("Hit", func(bits uint) (any, error) {
		return Distribution{M: 9, N: big.NewInt(5), K: 1}.Hit(2, []*interval.Interval{interval.New(60).SetUint64(1)}, bits)
	})
	add("a slice", func(bits uint) (any, error) {
		p, err := Slices{S: 3, N: 2, K: 2}.at(interval.New(80).SetRat(big.NewRat(1, 3)), bits, 80)
		if err != nil {
			return nil, err
		}
		return p.slack, nil
	})
	least := 2
	if longtest.Enabled() {
		least = 4
		window := Distribution{M: 40, N: big.NewInt(50), K: 1}
		add("windowIntegral", func(bits uint) (any, error) { return window.windowIntegral(26, 28, bits) })
		add("integral of slices", func(bits uint) (any, error) { return Slices{S: 6, N: 5, K: 2}.integral(6, false, bits) })
		add("FullRatio", func(bits uint) (any, error) { return Distribution{M: 12, N: big.NewInt(14), K: 1}.FullRatio(bits) })
		add("Slope", func(uint) (any, error) { return Distribution{M: 5000, N: big.NewInt(900), K: 4}.Slope(2600, 1) })
		add("Slope of slices", func(uint) (any, error) { return Slices{S: 10, N: 15, K: 40}.Slope(311) }) // by integrals
		add("Below of a sparse pair", func(bits uint) (any, error) { return Pair{900, [2]uint64{40, 30}}.Below(1, bits) })
		add("Below of a pair", func(bits uint) (any, error) { return Pair{40, [2]uint64{30, 20}}.Below(9, bits) })
		add("Quantile of a pair", func(uint) (any, error) { return Pair{40, [2]uint64{30, 20}}.Quantile(big.NewRat(1, 2)) })
		add("Exactly of a pair", func(bits uint) (any, error) { return Pair{10, [2]uint64{6, 5}}.Exactly(2, bits) })
	}
	faulty := starved.Faulty{Most: longtest.More(1, faultsOfOne), Record: longtest.More("testdata/costly.txt", "")}
	if n := faulty.Check(t, all); n < least {
		t.Errorf("only %d faults", n)
	}
}
