package approx

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestFaults lets one of the parts fail from which a number is computed. Then this number must not be returned.
func TestFaults(t *testing.T) {
	plain, blocks := bloomproof.Geometry{M: 1000, K: 5}, bloomproof.Geometry{M: 1024, K: 3, Block: 128}
	slices := bloomproof.Geometry{M: 1000, K: 5, Hashing: bloomproof.Partitioned}
	one := func(x any, err error) (any, error) { return x, err }
	var all []fault.Case
	add := func(name string, of func() (any, error)) { all = append(all, fault.Case{Name: name, Of: of}) }
	for _, g := range []bloomproof.Geometry{plain, blocks, slices} {
		at := fmt.Sprint(" of ", g)
		add("FPR"+at, func() (any, error) { return one(FPR(g, 90)) })
		add("Complement"+at, func() (any, error) { return one(Complement(g, 90)) })
		add("LogFPR"+at, func() (any, error) { return one(LogFPR(g, 90)) })
		add("Bound"+at, func() (any, error) { return one(Bound(bloomproof.BoundUpper, g, 90)) })
		add("Efficiency"+at, func() (any, error) { return one(Efficiency(g, 90)) })
		add("MostItems"+at, func() (any, error) { return one(MostItems(g, 0.02)) })
		some, free, none := g, g, g
		some.M, free.K, none.M, none.K = 0, 0, 0, 0
		add("LeastBits"+at, func() (any, error) { return one(LeastBits(some, 90, 0.02)) })
		add("OptimalK"+at, func() (any, error) { return one(OptimalK(free, 90)) })
		add("MostItems for any k"+at, func() (any, error) { return one(MostItems(free, 0.02)) })
		for _, p := range []float64{0.4, 0.1, 0.02, 1e-5} {
			for _, n := range []uint64{3, 90} {
				add(fmt.Sprintf("LeastBits for any k, p = %v, n = %d%s", p, n, at), func() (any, error) { return one(LeastBits(none, n, p)) })
			}
		}
		add("LeastBits for no item"+at, func() (any, error) { return one(LeastBits(none, 0, 0.02)) })
		if g.Block > 0 {
			continue
		}
		add("SetBitsMean"+at, func() (any, error) { return one(SetBitsMean(g, 90)) })
		add("SetBitsVariance"+at, func() (any, error) { return one(SetBitsVariance(g, 90)) })
		if g.Hashing == bloomproof.Standard {
			add("EntropyPerBit"+at, func() (any, error) { return one(EntropyPerBit(g, 90)) })
		}
		add("EstimateItems"+at, func() (any, error) { return one(EstimateItems(g, 300)) })
		add("CorrectRate"+at, func() (any, error) { return one(CorrectRate(g, 90, bloomproof.Literal)) })
		add("Exponential"+at, func() (any, error) {
			rate, gap, err := Exponential(g, 90)
			return [2]float64{rate, gap}, err
		})
		add("PeakEfficiency"+at, func() (any, error) {
			e, n, err := PeakEfficiency(g)
			return []any{e, n}, err
		})
	}
	t.Log(fault.Each(t, longtest.More(20, 1000), all))
}
