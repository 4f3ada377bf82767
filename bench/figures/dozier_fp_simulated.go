package main

import (
	"fmt"
	"image/color"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// This file draws figures 3 to 5 of Dozier-FP, section V-A, with models and simulations.
//
// The following settings are those of the paper. Filters have M = 1000 bits in total, positions of a message may
// collide, and filters are not retaining. Epochs have 100,000 arrivals (figure 5: 1,000,000), drawn uniformly from a
// pool of 1000 messages. The 99 % confidence intervals are computed from the differences between epochs. Here each
// epoch has its own hash function. There are 35 epochs in figure 3, 50 to 100 in figure 4 and 14 in figure 5. In the
// paper the numbers of epochs are 7, 10 and 14. The paper states neither the k nor the kind of arrivals of figure 5.
// Here k = 3, and figure 5 has only new messages.
//
// An arrival is cycle-new if no array has recorded its message. The rate is the share of the cycle-new arrivals that
// the filter calls repeats.
const (
	dozierBits = 1000
	dozierK    = 3
	dozierPool = 1000
)

// cycleFPR returns the exact rate at each x if all arrivals are new.
func cycleFPR(g bloomproof.Geometry, at []float64, rule func(x uint64) bloomproof.Recycling) ([]float64, error) {
	var rates []float64
	for _, x := range at {
		c, err := exactrecycling.New(g, rule(uint64(x)))
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

// The type simulated describes simulations of the filter on arrivals of one kind.
type simulated struct {
	column, name string
	color        color.Color
	workload     bloomproof.Workload
	epochs       int
	epoch        uint64 // the number of arrivals of each epoch
}

// points returns a series with a simulation at each x.
func (s simulated) points(g bloomproof.Geometry, at []float64, rule func(x uint64) bloomproof.Recycling) (series, error) {
	out := series{column: s.column, name: s.name, color: s.color}
	for _, x := range at {
		plan := sim.Plan{Runs: s.epochs, Arrivals: uint64(s.epochs) * s.epoch, Seed: uint64(x)}
		err := out.simulate(g, rule(uint64(x)), s.workload, plan, (*sim.Tally).PerCycleNew)
		if err != nil {
			return series{}, err
		}
	}
	return out, nil
}

// The function steps returns increasing numbers. The first number is the argument named from, and the distance between
// two neighbours is the argument named by. No number exceeds the argument named to.
func steps(from, to, by int) (at []float64) {
	for x := from; x <= to; x += by {
		at = append(at, float64(x))
	}
	return at
}

// onePhase draws figure 3: the rate f_sigma^1 of one array, equation (18), as a function of sigma.
func onePhase(to plan) error {
	g := bloomproof.Geometry{M: dozierBits, K: dozierK}
	rule := func(sigma uint64) bloomproof.Recycling { return bloomproof.Recycling{Sigma: sigma} }
	at := steps(100, 800, 50)
	model, err := cycleFPR(g, at, rule)
	if err != nil {
		return err
	}
	points, err := simulated{"measured_pool", "simulated, pool of 1000, 99 % interval", orange, uniformPool, 35, to.epoch}.points(g, at, rule)
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
	}.save(to.base("dozier-fp-3"))
}

var (
	// uniformPool is the workload of the paper, in which every arrival is a message of the pool.
	uniformPool = bloomproof.Workload{Popularity: bloomproof.Uniform(dozierPool), Repeat: 1}
	// newMessages is a workload without repeats, in which every message is new.
	newMessages = bloomproof.Workload{Popularity: bloomproof.Uniform(1)}
)

// twoPhase draws figure 4: the rate f_sigma^2 of two arrays of M/2 bits. A message has the same positions in both
// arrays. As in equation (24), there is copy-over, and the frozen array does not have the bits of the triggering
// message.
//
// Equation (26) multiplies two probabilities as if the two arrays were independent. They are not independent, because a
// message with few distinct positions is more likely to be found in both. Moreover, the model is for new messages only,
// both as printed in the paper and as corrected here. With repeats, a message that only the frozen array contains is
// recorded again in the active array, which makes the two arrays similar.
func twoPhase(to plan) error {
	g := bloomproof.Geometry{M: dozierBits / 2, K: dozierK}
	rule := func(sigma uint64) bloomproof.Recycling {
		return bloomproof.Recycling{Sigma: sigma, TwoPhase: true, FreezeBefore: true}
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
	allNew, err := simulated{"measured_new", "simulated, new messages only", green, newMessages, 50, to.epoch}.points(g, at, rule)
	if err != nil {
		return err
	}
	repeats, err := simulated{"measured_pool", "simulated, pool of 1000", orange, uniformPool, 100, to.epoch}.points(g, at, rule)
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
	}.save(to.base("dozier-fp-4"))
}

// printedTwoPhase returns the rate 1 - (1-f1) (1-S), which is equation (26) of Dozier-FP as printed. Here f1 is the
// rate of one array. Let F_i be the probability that the frozen array has i set bits. Then S is the sum of F_i*(i/M)^k
// over all i.
func printedTwoPhase(g bloomproof.Geometry, sigma uint64) (float64, error) {
	c, err := exactrecycling.New(g, bloomproof.Recycling{Sigma: sigma})
	if err != nil {
		return 0, err
	}
	f, err := c.FPR(64)
	if err != nil {
		return 0, err
	}
	frozen := 0.0
	for i := sigma - uint64(g.K) + 1; i <= sigma; i++ {
		p, err := c.Frozen(i, true, 64)
		if err != nil {
			return 0, err
		}
		frozen += p.Float64() * math.Pow(float64(i)/float64(g.M), float64(g.K))
	}
	return 1 - (1-f.Float64())*(1-frozen), nil
}

// messageBounded draws figure 5: the rate of a filter that recycles at the N-th message that sets a bit. It also draws
// f_o of equation (2) and f_a of equation (3), which the paper intends as lower bounds of this rate. Both are functions
// of the rates f_1, ..., f_N, where equation (1) defines f_i. Each of f_o and f_a is drawn twice. The first curve has n
// = i-1 messages in the formula for f_i. The second curve has n = i messages, as the paper prints the formula.
func messageBounded(to plan) error {
	g := bloomproof.Geometry{M: dozierBits, K: dozierK}
	rule := func(n uint64) bloomproof.Recycling {
		return bloomproof.Recycling{Messages: n}
	}
	at := steps(50, 330, 40)
	var model []float64
	for _, n := range at {
		c, err := approxrecycling.New(g, rule(uint64(n)))
		if err != nil {
			return err
		}
		model = append(model, c.FPR())
	}
	var oracle, actual, printedOracle, printedActual []float64
	for _, n := range at {
		for _, v := range []struct {
			to    *[]float64
			of    func([]float64) float64
			first uint64
		}{
			{&oracle, average, 0}, {&actual, odds, 0}, {&printedOracle, average, 1}, {&printedActual, odds, 1},
		} {
			var f []float64
			for i := range uint64(n) {
				fi, err := approx.Bound(bloomproof.BoundBloom, g, v.first+i)
				if err != nil {
					return err
				}
				f = append(f, fi)
			}
			*v.to = append(*v.to, v.of(f))
		}
	}
	points, err := simulated{"measured_new", "simulated, new messages only", orange, newMessages, 14, 10 * to.epoch}.points(g, at, rule)
	if err != nil {
		return err
	}
	return chart{
		title:   fmt.Sprintf("Dozier-FP, figure 5: one phase, M = %d bits, k = %d", dozierBits, dozierK),
		xColumn: "n", x: "N, the bit-setting message that makes the filter recycle", y: "rate per cycle-new arrival",
		at: at, logY: true,
		series: []series{
			{column: "f", name: "exact model", color: blue, y: model},
			{column: "f_a", name: "f_a (3)", color: green, y: actual},
			{column: "f_o", name: "f_o (2)", color: purple, y: oracle},
			{column: "printed_f_a", name: "f_a as printed, f_i at n = i", color: green, dash: true, y: printedActual},
			{column: "printed_f_o", name: "f_o as printed", color: purple, dash: true, y: printedOracle},
			points,
		},
		ratioTo: "f", ratio: "rate / exact model", ratioMin: 0.8, ratioMax: 1.1,
	}.save(to.base("dozier-fp-5"))
}

// average returns the mean of the rates f_1, ..., f_N, which is equation (2) of the paper Dozier-FP.
func average(f []float64) float64 {
	sum := 0.0
	for _, x := range f {
		sum += x
	}
	return sum / float64(len(f))
}

// odds returns the value of equation (3) of the paper Dozier-FP. Let a cycle end with the N-th message that sets a bit.
// Between the (i-1)-th and the i-th of these N messages, the mean number of messages that set no bit is f_i/(1-f_i).
// The result is the share of the messages that set no bit among all messages of a cycle.
func odds(f []float64) float64 {
	hits := 0.0
	for _, x := range f {
		hits += x / (1 - x)
	}
	return hits / (float64(len(f)) + hits)
}
