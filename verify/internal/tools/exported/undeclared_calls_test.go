package exported

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/exact"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/internal/subjects"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/model"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/trace"
)

// calls has every exported function that takes a Geometry or a Hashing. Those that need
// more than ordinary arguments have a call written out.
var calls = map[string]any{
	"approx.Bound":           approx.Bound,
	"approx.Complement":      approx.Complement,
	"approx.CorrectRate":     approx.CorrectRate,
	"approx.Efficiency":      approx.Efficiency,
	"approx.EntropyPerBit":   approx.EntropyPerBit,
	"approx.EstimateItems":   approx.EstimateItems,
	"approx.Exponential":     approx.Exponential,
	"approx.FPR":             approx.FPR,
	"approx.LeastBits":       func(g bloomproof.Geometry) error { _, err := approx.LeastBits(anyM(g), 3, 0.01); return err },
	"approx.LogFPR":          approx.LogFPR,
	"approx.MostItems":       approx.MostItems,
	"approx.OptimalK":        func(g bloomproof.Geometry) error { _, err := approx.OptimalK(anyK(g), 3); return err },
	"approx.PeakEfficiency":  approx.PeakEfficiency,
	"approx.SetBitsMean":     approx.SetBitsMean,
	"approx.SetBitsVariance": approx.SetBitsVariance,

	"approx/fnr.Least":     func(g bloomproof.Geometry) error { _, err := approxfnr.Least(designs(g), 1<<10); return err },
	"approx/fnr.LeastBits": func(g bloomproof.Geometry) error { _, _, err := approxfnr.LeastBits(designs(g), 0.1); return err },
	"approx/fnr.New":       approxfnr.New,

	"approx/recycling.LeastBits": func(g bloomproof.Geometry) error {
		_, err := approxrecycling.LeastBits(anyM(g), 3, bloomproof.Recycling{}, 0.1)
		return err
	},
	"approx/recycling.MostMessages": func(g bloomproof.Geometry) error {
		_, err := approxrecycling.MostMessages(g, bloomproof.Recycling{}, 0.1)
		return err
	},
	"approx/recycling.NaiveMessages": func(g bloomproof.Geometry) error {
		_, err := approxrecycling.NaiveMessages(anyK(g), "worst", false, 0.1)
		return err
	},
	"approx/recycling.NaiveRate": approxrecycling.NaiveRate,
	"approx/recycling.New":       approxrecycling.New,

	"exact.ArrayEntropy":         exact.ArrayEntropy,
	"exact.Bound":                exact.Bound,
	"exact.Bounds":               exact.Bounds,
	"exact.Complement":           exact.Complement,
	"exact.CorrectRate":          exact.CorrectRate,
	"exact.CorrectRateBounds":    exact.CorrectRateBounds,
	"exact.Efficiency":           exact.Efficiency,
	"exact.EntropyPerBit":        exact.EntropyPerBit,
	"exact.EstimateIntersection": exact.EstimateIntersection,
	"exact.EstimateItems":        exact.EstimateItems,
	"exact.Excess":               exact.Excess,
	"exact.FPR":                  exact.FPR,
	"exact.IntersectionBits":     exact.IntersectionBits,
	"exact.IntersectionFPR":      exact.IntersectionFPR,
	"exact.ItemsInterval":        exact.ItemsInterval,
	"exact.LeastBits":            exact.LeastBits,
	"exact.LikelyItems":          exact.LikelyItems,
	"exact.LogFPR":               exact.LogFPR,
	"exact.MeanFPR":              exact.MeanFPR,
	"exact.MostItems":            exact.MostItems,
	"exact.OptimalK":             exact.OptimalK,
	"exact.PeakEfficiency":       exact.PeakEfficiency,
	"exact.RateQuantile":         exact.RateQuantile,
	"exact.RatioItems":           exact.RatioItems,
	"exact.Routes":               exact.Routes,
	"exact.SecondMoment":         exact.SecondMoment,
	"exact.SetBits":              exact.SetBits,
	"exact.SureBits":             exact.SureBits,
	"exact.SureItems":            exact.SureItems,
	"exact.SureK":                exact.SureK,
	"exact.TextbookK":            exact.TextbookK,

	"exact.GrowingBound": func(g bloomproof.Geometry) error {
		_, err := exact.GrowingBound([]bloomproof.Layer{{Geometry: g, Sigma: 400}}, 53)
		return err
	},
	"exact.GrowingFPRs": func(g bloomproof.Geometry) error {
		_, err := exact.GrowingFPRs([]bloomproof.Layer{{Geometry: g, Sigma: 400}}, []uint64{3})
		return err
	},
	"exact.GrowingFPR": func(g bloomproof.Geometry) error {
		_, err := exact.GrowingFPR([]bloomproof.Layer{{Geometry: g, Sigma: 400}}, 3)
		return err
	},

	"exact/fnr.New":              exactfnr.New,
	"exact/recycling.New":        exactrecycling.New,
	"exact/recycling.Transition": exactrecycling.Transition,

	"kernel.AppendPositions": func(g bloomproof.Geometry) error { _, err := kernel.AppendPositions(nil, g, kernel.Hash{}); return err },
	"kernel.New":             kernel.New,
	"kernel.NewCounting":     kernel.NewCounting,
	"kernel.NewGrowing": func(g bloomproof.Geometry) error {
		_, err := kernel.NewGrowing([]bloomproof.Layer{{Geometry: g, Sigma: 400}}, kernel.Options{})
		return err
	},
	"kernel.NewRecycling": kernel.NewRecycling,

	"verify.GenGeometry": func(g bloomproof.Geometry) error {
		verify.GenGeometry(0, 0, g.Hashing)
		return nil
	},
	"verify.GenLayer": func(g bloomproof.Geometry) error {
		verify.GenLayer(0, 0, g.Hashing)
		return nil
	},
	"verify/conform.Examine": func(g bloomproof.Geometry) error {
		_, err := conform.Examine(subjects.Filter(g.Hashing), conform.Options{Effort: 0.001, Laws: []conform.Law{"stated rate"}})
		return err
	},
	"verify/conform.ExamineProgram": func(g bloomproof.Geometry) error {
		_, err := conform.ExamineProgram(subjects.Filter(g.Hashing), nil)
		return err
	},

	"verify/model.NewConcurrentFilterRun":    model.NewConcurrentFilterRun,
	"verify/model.NewConcurrentRecyclingRun": model.NewConcurrentRecyclingRun,
	"verify/model.NewCounting":               func(g bloomproof.Geometry) error { model.NewCounting(g, model.Counters{Width: 4}); return nil },
	"verify/model.NewCountingRun":            model.NewCountingRun,
	"verify/model.NewFilter":                 func(g bloomproof.Geometry) error { model.NewFilter(g); return nil },
	"verify/model.NewFilterRun":              model.NewFilterRun,
	"verify/model.NewRecycling":              func(g bloomproof.Geometry) error { model.NewRecycling(g, bloomproof.Recycling{Sigma: 400}); return nil },
	"verify/model.NewRecyclingRun":           model.NewRecyclingRun,
	"verify/model.Positions":                 func(g bloomproof.Geometry) error { model.Positions(g, kernel.Hash{}); return nil },

	"verify/trace.NewReplicas": trace.NewReplicas,

	"verify/sim.Fill":         sim.Fill,
	"verify/sim.FillCounting": sim.FillCounting,
	"verify/sim.Run":          sim.Run,
}

// elsewhere are functions that this test does not call, each with the reason.
var elsewhere = map[string]string{
	"verify.Conformance":  "it fails the test that it is given with the error of Examine",
	"verify.FuzzFilter":   "it needs a fuzzing engine, and fails the target for a hashing without a name",
	"verify.GenRecycling": "the rules of a geometry follow from m and k alone",
}

// answersBlocks are the functions that have a formula for a filter with blocks.
var answersBlocks = []string{
	"approx.Bound", "approx.Complement", "approx.Efficiency", "approx.EstimateItems", "approx.FPR", "approx.LeastBits", "approx.LogFPR",
	"approx.MostItems", "approx.OptimalK",
	"exact.Bound", "exact.Bounds", "exact.Complement", "exact.CorrectRate", "exact.Efficiency", "exact.EstimateItems", "exact.FPR", "exact.GrowingBound", "exact.ItemsInterval",
	"exact.LeastBits", "exact.LogFPR", "exact.MeanFPR", "exact.MostItems", "exact.OptimalK", "exact.RateQuantile", "exact.Routes", "exact.SureBits", "exact.SureItems", "exact.SureK",
	"kernel.AppendPositions", "kernel.New", "kernel.NewCounting", "kernel.NewGrowing",
	"verify/model.NewConcurrentFilterRun", "verify/model.NewCounting", "verify/model.NewCountingRun", "verify/model.NewFilter", "verify/model.NewFilterRun", "verify/model.Positions",
	"verify/sim.Fill", "verify/sim.FillCounting",
}

// answersRates are the functions that have a formula for double hashing. (The simulators draw its
// positions for an ideal plan.)
var answersRates = []string{"exact.Complement", "exact.CorrectRate", "exact.Efficiency", "exact.FPR", "exact.LeastBits", "exact.LogFPR", "exact.MostItems", "exact.OptimalK", "exact.Routes"}

// hashingOnly are functions that take a hashing, and no geometry that could have blocks.
var hashingOnly = []string{
	"approx/fnr.Least", "approx/fnr.LeastBits",
	"verify.GenGeometry", "verify.GenLayer", "verify/conform.Examine", "verify/conform.ExamineProgram",
}

func designs(g bloomproof.Geometry) approxfnr.Designs {
	return approxfnr.Designs{Hashing: g.Hashing, K: g.K, Rules: []bloomproof.Recycling{{}}, Workload: bloomproof.Workload{Popularity: bloomproof.Zipf(1, 10), Repeat: 0.5}, Rate: 0.1}
}

// anyM and anyK leave out the number that a search looks for.
func anyM(g bloomproof.Geometry) bloomproof.Geometry { g.M = 0; return g }
func anyK(g bloomproof.Geometry) bloomproof.Geometry { g.K = 0; return g }
