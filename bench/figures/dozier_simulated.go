package main

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"path/filepath"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// Figures 3 to 5 of Dozier-FP, section V-A: models and simulation.
//
// As in the paper: M = 1000 bits in all, colliding hash functions, not retaining; epochs
// of 100,000 arrivals (figure 5: 1,000,000), drawn uniformly from a pool of 1000 messages;
// 99 % intervals over the epochs. Ours have hash functions of their own; they are 35, 50
// to 100, and 14 in figures 3, 4 and 5, where the paper has 7, 10 and 14. It does not say
// which k it took, nor which arrivals figure 5 has: k = 3 and, there, new messages only.
//
// The rate is per cycle-new arrival: of the arrivals of messages that no array has
// recorded, the share called a repeat. A recycle ends in the arrival that triggers it.
const (
	dozierBits = 1000
	dozierK    = 3
	dozierPool = 1000
)

// cycleFPR returns the exact rate of all-new traffic at each x.
func cycleFPR(g bloomproof.Geometry, at []float64, rule func(x uint64) bloomproof.Recycling) ([]float64, error) {
	var rates []float64
	for _, x := range at {
		c, err := exact.NewCycle(g, rule(uint64(x)))
		if err != nil {
			return nil, err
		}
		f, err := c.FPR(64)
		if err != nil {
			return nil, err
		}
		rates = append(rates, f.Float64())
	}
	return rates, nil
}

// simulated is a set of points: the real filter on arrivals of one kind.
type simulated struct {
	column, name string
	color        color.Color
	traffic      sim.Traffic
	epochs       int
	epoch        uint64 // arrivals of each
}

// points simulates at each x.
func (s simulated) points(g bloomproof.Geometry, at []float64, rule func(x uint64) bloomproof.Recycling) (series, error) {
	out := series{column: s.column, name: s.name, color: s.color}
	for _, x := range at {
		runs, err := sim.Run(context.Background(),
			sim.Setting{Geometry: g, Rule: rule(uint64(x)), Traffic: s.traffic},
			sim.Plan{Runs: s.epochs, Arrivals: uint64(s.epochs) * s.epoch, Seed: uint64(x)})
		if err != nil {
			return series{}, err
		}
		r, err := sim.Rate(runs, (*sim.Tally).PerCycleNew, 0.99)
		if err != nil {
			return series{}, err
		}
		out.y, out.low, out.high = append(out.y, r.Mean), append(out.low, r.Low), append(out.high, r.High)
	}
	return out, nil
}

// steps returns from, from+by, ... up to to.
func steps(from, to, by int) (at []float64) {
	for x := from; x <= to; x += by {
		at = append(at, float64(x))
	}
	return at
}

// onePhase draws figure 3: the rate f_sigma^1 (18) of one array against sigma.
func onePhase(dir string, epoch uint64) error {
	g := bloomproof.Geometry{M: dozierBits, K: dozierK}
	rule := func(sigma uint64) bloomproof.Recycling { return bloomproof.Recycling{Sigma: sigma} }
	at := steps(100, 800, 50)
	model, err := cycleFPR(g, at, rule)
	if err != nil {
		return err
	}
	pool, err := uniformPool()
	if err != nil {
		return err
	}
	points, err := simulated{"measured_pool", "simulated, pool of 1000, 99 % interval", orange, pool, 35, epoch}.points(g, at, rule)
	if err != nil {
		return err
	}
	return chart{
		title:   fmt.Sprintf("Dozier-FP, figure 3: one phase, M = %d bits, k = %d", dozierBits, dozierK),
		xColumn: "sigma", x: "sigma, bits set beyond which the filter recycles", y: "rate per cycle-new arrival",
		at: at, logY: true,
		series: []series{
			{column: "f_sigma", name: "exact model, f of (18)", color: blue, y: model},
			points,
		},
		ratioTo: "f_sigma", ratio: "rate / exact model", ratioMin: 0.9, ratioMax: 1.1,
	}.save(filepath.Join(dir, "dozier-fp-3"))
}

// uniformPool is the arrivals of the paper: every one is a message of the pool.
func uniformPool() (sim.Traffic, error) {
	return sim.Workload(bloomproof.Workload{Popularity: bloomproof.Uniform(dozierPool), Repeat: 1})
}

// twoPhase draws figure 4: the rate f_sigma^2 of two arrays of M/2 bits that see the same
// positions of a message, with copy-over and frozen before the trigger's bits, as (24)
// has it.
//
// (26) multiplies as if the two arrays were independent. They are not: a message whose
// positions lie in few distinct bits is likelier to be found in both. And the model,
// printed or corrected, is one of new messages: with repeats, a message that only the
// frozen array knows is recorded in the active one again, which makes the arrays alike.
func twoPhase(dir string, epoch uint64) error {
	g := bloomproof.Geometry{M: dozierBits / 2, K: dozierK}
	rule := func(sigma uint64) bloomproof.Recycling {
		return bloomproof.Recycling{Sigma: sigma, Phases: bloomproof.TwoPhase, Freeze: bloomproof.FreezeBefore}
	}
	at := steps(50, 400, 50)
	model, err := cycleFPR(g, at, rule)
	if err != nil {
		return err
	}
	var printed []float64
	for _, sigma := range at {
		f, err := printedTwoPhase(g, uint64(sigma))
		if err != nil {
			return err
		}
		printed = append(printed, f)
	}
	pool, err := uniformPool()
	if err != nil {
		return err
	}
	allNew, err := simulated{"measured_new", "simulated, new messages only", green, sim.AllNew(), 50, epoch}.points(g, at, rule)
	if err != nil {
		return err
	}
	repeats, err := simulated{"measured_pool", "simulated, pool of 1000", orange, pool, 100, epoch}.points(g, at, rule)
	if err != nil {
		return err
	}
	return chart{
		title:   fmt.Sprintf("Dozier-FP, figure 4: two phases, M = 2 x %d bits, k = %d", g.M, dozierK),
		xColumn: "sigma", x: "sigma, bits set of one array beyond which the filter recycles", y: "rate per cycle-new arrival",
		at: at, logY: true,
		series: []series{
			{column: "f_sigma", name: "exact model of new messages", color: blue, y: model},
			{column: "printed_26", name: "(26) as printed", color: gray, dash: true, y: printed},
			allNew, repeats,
		},
		ratioTo: "f_sigma", ratio: "rate / exact model", ratioMin: 0.9, ratioMax: 1.1,
	}.save(filepath.Join(dir, "dozier-fp-4"))
}

// printedTwoPhase is (26) as printed: 1 - (1-f1) (1 - sum of F_i rho(i)).
func printedTwoPhase(g bloomproof.Geometry, sigma uint64) (float64, error) {
	c, err := exact.NewCycle(g, bloomproof.Recycling{Sigma: sigma})
	if err != nil {
		return 0, err
	}
	f, err := c.FPR(64)
	if err != nil {
		return 0, err
	}
	frozen := 0.0
	for i := sigma - uint64(g.K) + 1; i <= sigma; i++ {
		p, err := c.Frozen(i, bloomproof.FreezeBefore, 64)
		if err != nil {
			return 0, err
		}
		frozen += p.Float64() * math.Pow(float64(i)/float64(g.M), float64(g.K))
	}
	return 1 - (1-f.Float64())*(1-frozen), nil
}
