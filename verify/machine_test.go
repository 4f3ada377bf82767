package verify_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/internal/property"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
)

// applier is a run of package model.
type applier interface{ Apply(model.Op) error }

// follow does at most 40 operations on what opens without error, and returns the first
// difference between a filter and its model.
func follow(run applier, err error, ops []model.Op) (bool, error) {
	if err != nil {
		return false, err
	}
	for i, op := range ops[:min(len(ops), 40)] {
		if err := run.Apply(op); err != nil {
			return false, fmt.Errorf("operation %d of %v: %w", i, ops, err)
		}
	}
	return true, nil
}

// Law: whatever its geometry, rule and counters, a filter does what its model does, and a
// concurrent one the same, in every program. The tests of package kernel have more
// programs on fewer shapes.
//
// Claims: none of a paper's; the semantics are those of package kernel.
func TestGeneratedFiltersFollowTheirModels(t *testing.T) {
	const maxM, maxK = 300, 12
	program := gen.SliceOfN(longtest.More(40, 80), gen.UInt8())
	options := func(seed uint64) kernel.Options {
		if seed%3 == 0 {
			return kernel.Keyed([]byte{1, byte(seed), 15: 0})
		}
		return kernel.Options{Seed: seed}
	}
	seeds := verify.GenSize(0, math.MaxUint64)
	property.Check(t, "filters and concurrent filters", prop.ForAll(
		func(g bloomproof.Geometry, seed uint64, data []byte) (bool, error) {
			run, err := model.NewConcurrentFilterRun(g, options(seed))
			return follow(run, err, model.Decode(data))
		}, verify.GenGeometry(maxM, maxK), seeds, program))
	property.Check(t, "counting filters", prop.ForAll(
		func(g bloomproof.Geometry, inc bloomproof.Increment, width, seed uint64, data []byte) (bool, error) {
			run, err := model.NewCountingRun(g, model.Counters{Width: 2 << width, Increment: inc}, options(seed))
			return follow(run, err, model.DecodeCounting(data))
		}, verify.GenGeometry(maxM, maxK), verify.GenEnum[bloomproof.Increment](), verify.GenSize(1, 4), seeds, program))
	recycles := uint64(0)
	property.Check(t, "recycling filters and concurrent ones", prop.ForAll(
		func(f verify.RecyclingCase, seed uint64, data []byte) (bool, error) {
			run, err := model.NewConcurrentRecyclingRun(f.Geometry, f.Recycling, options(seed))
			ok, err := follow(run, err, model.Decode(data))
			if ok {
				recycles += run.Cycle()
			}
			return ok, err
		}, verify.GenRecyclingCase(maxM, maxK), seeds, program))
	if recycles < 100 {
		t.Errorf("%d recycles in all", recycles)
	}
}

// Law: of any filter, rule and workload, package approx says nothing or probabilities and
// a length of at least one arrival, each up to its bound.
//
// Claims: none of a paper's; it is what package approx states of itself.
func TestForecastsOfGeneratedWorkloads(t *testing.T) {
	answers := map[approxfnr.Model]int{}
	property.Check(t, "forecasts are probabilities", prop.ForAll(
		func(f verify.RecyclingCase, w bloomproof.Workload) (bool, error) {
			c, err := approxfnr.New(f.Geometry, f.Recycling, w)
			if err != nil {
				return true, nil // which approx's tests are about
			}
			for _, m := range []approxfnr.Model{verify.ModelNamed("lower"), verify.ModelNamed("replacement"), approxfnr.Model("fluid")} {
				x, err := c.Predict(m)
				if err != nil {
					continue
				}
				answers[m]++
				for _, p := range []float64{x.FNR, x.Lucky, x.FPR, x.FPRPerNew, x.FPRPerCycleNew} {
					if !(p >= 0 && p <= 1+x.Bound) {
						return false, fmt.Errorf("%v: %+v", m, x)
					}
				}
				if !(x.Cycle >= 1-x.Bound) || math.IsInf(x.Cycle, 0) || !(x.Bound >= 0) {
					return false, fmt.Errorf("%v: %+v", m, x)
				}
			}
			return true, nil
		}, verify.GenRecyclingCase(300, 8), verify.GenWorkload(40)))
	t.Logf("answers: %v", answers)
	if len(answers) < 3 {
		t.Errorf("answers: %v", answers)
	}
}
