package main

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/like"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/stat"
)

var growingCommand = command{
	name:    "growing",
	summary: "a filter that grows: its layers, the rate it never exceeds, and what growth costs",
	about: `
Designs a filter for keys of unknown number (kernel.NewGrowing): a chain of filters, its
layers. Layer i, from 0 on, is made for n GROWTH^i keys and has the rate
(1-TIGHTEN) TIGHTEN^i times -fpr: these rates have the sum -fpr. A layer closes, and the
next one opens, before it can have more than sigma set bits, so the rate is at most the
sum of (sigma/m)^k, whatever the keys are, until the last layer is full. The last layer
takes whatever comes. There are as many layers as 2^48 bits hold, and at most 64. With
-block a layer closes by the set bits of each block, before its rate can be above
(sigma/m)^k, with the same promise.

The first table has the layers: bits and keys are those of all layers so far, and one is
how many times as many bits they have as one filter made for that number of keys. The second
has the expected rate after some numbers of keys, between lo and hi: -after, or the keys for
which the first layers are made, as far as these can be computed in about a minute. Before
the first layer closes, lo and hi differ by roundings; then the unknown rate of closed
layers makes them differ by more. With blocks, and where the enclosure would take too long,
filters with random hashes are simulated: lo and hi are then the 99 % interval of their mean
rate. The law says which. Where neither is possible, - (in JSON null) stands, and why.`,
	example: `
  $ bloomproof growing -n 1000 -fpr 0.01 -digits 6 -after 1000,2000,5000 -layers 4
  growing  standard, growth 2, tighten 0.8: 33 layers
  rate     at most 0.00999257 until the layers are full, at about 8589934591000 keys
  proof    a layer never has more than sigma set bits, whatever its keys are

  layer  m       k   sigma  bits    keys   one
  0      12960   9   6497   12960   1000   1.351
  1      26829   9   13120  39789   3000   1.382
  2      55510   10  28516  95299   7000   1.419
  3      114650  10  57597  209949  15000  1.459

  keys  lo             hi             law
  1000  0.00194609     0.00194610     enclosed
  2000  0.00199532909  0.00199533113  enclosed
  5000  0.00357900893  0.00357901163  enclosed`,
	flags: []flagSpec{
		{"n", "ITEMS", "keys for which the first layer is made, 1 to 2^48"},
		{"fpr", "RATE", "the rate that is never exceeded, a decimal above 0 and below 1"},
		{"growth", "G", "how many times as many keys each layer is for, 1 to 65536 (default 2)"},
		{"tighten", "T", "the rate of a layer over that of the one before, a decimal above 0 and below 1\n(default 0.8)"},
		hashingFlag, growingBlockFlag,
		{"after", "LIST", "numbers of keys to compute the rate for: up to 16, separated by commas\n(default: the keys for which the first layers are made)"},
		{"layers", "L", "how many layers to show, 1 to 64 (default 6)"},
		digitsFlag,
	},
	run: growing,
}

type growingReport struct {
	Hashing bloomproof.Hashing `json:"hashing"`
	Block   count              `json:"block"` // 0 if the filter has no blocks
	N       count              `json:"n"`
	Target  string             `json:"target"` // the text of -fpr
	Growth  count              `json:"growth"`
	Tighten string             `json:"tighten"`
	Bound   enclosure          `json:"bound"` // an upper bound of the rate over all layers
	Proof   string             `json:"proof"`
	Made    int                `json:"layers_made"`
	Room    count              `json:"room"` // keys of all layers; the bound holds for about as many
	Layers  []growingLayer     `json:"layers"`
	After   []growingRate      `json:"after"`
}

// growingLayer is a layer of a growing filter. It has the total numbers of bits and keys of the layers up to this one.
type growingLayer struct {
	M     count  `json:"m"`
	K     int    `json:"k"`
	Sigma count  `json:"sigma"`
	Bits  count  `json:"bits"`
	Keys  count  `json:"keys"`
	One   *count `json:"one"`   // bits of a single filter for the same number of keys; nil if no such filter exists
	Ratio string `json:"ratio"` // Bits divided by One; "" if One is nil
}

// growingRate is the rate of a growing filter after a number of added keys.
type growingRate struct {
	N       count      `json:"n"`
	FPR     *enclosure `json:"fpr"`
	Law     like.Law   `json:"law,omitempty"`     // whether the rate is enclosed, or simulated with 99 % confidence
	Refused string     `json:"refused,omitempty"` // why there is no rate
}

// The method "take" stores the rate r in its receiver, rounded to the given number of digits.
func (a *growingRate) take(r like.Rate, digits int) error {
	d, err := between(r, digits)
	a.FPR, a.Law, a.Refused = &d, r.Law, ""
	return err
}

const (
	mostAfter     = 16
	defaultAfter  = 4
	defaultLayers = 6
)

// growingProof is the printed text that says why the bound of the rate holds.
const growingProof = "proven: a layer never has more than sigma set bits, whatever its keys are"

// For filters with blocks, a report contains the text growingBlockProof instead of growingProof.
const growingBlockProof = "proven: a layer closes before a key could bring the rate that its blocks' set bits give above (sigma/m)^k"

// growingBlockFlag replaces blockFlag in a command without the flag -m. In other commands the block size must divide m.
var growingBlockFlag = flagSpec{blockFlag.name, blockFlag.arg, "bits of a block, a power of two from 64 to 4096: a key has its k positions in one block\n(default 0: no blocks)"}

func growing(c *call) (report, error) {
	c.need("n", "fpr")
	d := exact.Growing{Items: c.number("n", 1, 1<<48, 1), Growth: c.number("growth", 1, 1<<16, 2)}
	var target, tighten string
	d.Rate, target = c.positive("fpr")
	d.Tighten, tighten = big.NewRat(4, 5), "0.8"
	if c.has("tighten") {
		d.Tighten, tighten = c.positive("tighten")
	}
	c.enum("hashing", &d.Hashing)
	d.Block = c.block()
	ns := c.list("after", 1<<64-1, mostAfter)
	shown := int(c.number("layers", 1, bloomproof.MaxLayers, defaultLayers))
	digits := c.digits()
	if c.err != nil {
		return nil, c.err
	}
	defer newProgress(c.stderr).clock("computing")()
	layers, err := d.Layers()
	var bad *bloomproof.ParamError
	if errors.As(err, &bad) && bad.Param == "items" {
		err = &usageError{"n", messageOf(bad)}
	}
	if err != nil {
		return nil, err
	}
	r := growingReport{Hashing: d.Hashing, Block: count(d.Block), N: count(d.Items), Target: target, Growth: count(d.Growth), Tighten: tighten, Proof: growingProof, Made: len(layers)}
	if d.Block != 0 {
		r.Proof = growingBlockProof
	}
	for i, n := 0, d.Items; i < len(layers); i, n = i+1, n*d.Growth {
		r.Room += count(n) // the sum is below 2^49, because each key takes a bit
	}
	bound, err := exact.GrowingBound(layers, exact.PrecFor(digits))
	if err != nil {
		return nil, err
	}
	if r.Bound, err = enclose(bound, digits); err != nil {
		return nil, err
	}
	var bits, keys uint64
	for i, n := 0, d.Items; i < min(shown, len(layers)); i, n = i+1, n*d.Growth {
		l := layers[i]
		bits, keys = bits+l.M, keys+n
		row := growingLayer{M: count(l.M), K: l.K, Sigma: count(l.Sigma), Bits: count(bits), Keys: count(keys)}
		one, err := exact.LeastBits(bloomproof.Geometry{Hashing: d.Hashing, Block: d.Block}, keys, d.Rate, 53)
		switch {
		case errors.Is(err, bloomproof.ErrTooCostly), errors.Is(err, bloomproof.ErrRange):
		case err != nil:
			return nil, err
		default:
			m := count(one.Geometry.M)
			row.One, row.Ratio = &m, bitsPerKey(row.Bits, m)
		}
		r.Layers = append(r.Layers, row)
		if !c.has("after") && i < defaultAfter {
			ns = append(ns, keys)
		}
	}
	r.After, err = ratesAfter(layers, ns, digits)
	return r, err
}

// The list ns has numbers of keys. For each number n, the function ratesAfter returns the rate after n keys. It
// computes an enclosure of a rate if this is possible. Otherwise it simulates the rate.
func ratesAfter(layers []bloomproof.Layer, ns []uint64, digits int) ([]growingRate, error) {
	slices.Sort(ns)
	ns = slices.Compact(ns)
	all := make([]growingRate, len(ns))
	for i, n := range ns {
		all[i].N = count(n)
	}
	known := len(ns)
	for ; known > 0; known-- {
		rates, err := exact.GrowingFPRs(layers, ns[:known])
		var unknown *bloomproof.ParamError
		switch {
		case errors.As(err, &unknown):
			known = 1
			continue
		case errors.Is(err, bloomproof.ErrTooCostly), errors.Is(err, bloomproof.ErrRange):
			continue
		case err != nil:
			return nil, err
		}
		for i := range rates {
			if err := all[i].take(like.Rate{Law: like.Enclosed, Proven: &rates[i]}, digits); err != nil {
				return nil, err
			}
		}
		break
	}
	return all, simulateGrowth(layers, all[known:], digits)
}

// These are the limits of simulateGrowth.
const (
	growingInsertions = 1 << 25 // insertions into all filters, which take some seconds
	growingBits       = 1 << 30 // the most bits of a filter, 128 MiB
	fewestGrowing     = 10      // the least number of filters
	mostGrowing       = 1000
	growingConfidence = 0.99
)

// simulateGrowth simulates filters to find the rates in the list "all". The list must be ordered by the number of keys.
// It fills filters with random hashes, and computes the rate of each filter from its set bits. It stores the mean and
// its 99 % interval by Student's t distribution. Some simulations would take too long. It then stores the reason in the
// field Refused.
func simulateGrowth(layers []bloomproof.Layer, all []growingRate, digits int) error {
	for i := range all {
		all[i].Refused = fmt.Sprintf("takes a simulation of more than %d insertions or 2^30 bits", growingInsertions)
	}
	for len(all) > 0 && all[len(all)-1].N > growingInsertions/fewestGrowing {
		all = all[:len(all)-1]
	}
	plan, bits := layers[:0:0], uint64(0)
	for _, l := range layers {
		if bits += l.M; bits > growingBits {
			break
		}
		plan = append(plan, l)
	}
	if len(all) == 0 || len(plan) == 0 {
		return nil
	}
	filters := min(mostGrowing, max(fewestGrowing, growingInsertions/max(1, uint64(all[len(all)-1].N))))
	rates := make([][][2]float64, len(all))
	rng := rand.New(rand.NewPCG(1, 0))
	var hashes []kernel.Hash
	var fresh []bool
	for range filters {
		f, err := kernel.NewGrowing(plan, kernel.Options{})
		if err != nil {
			return err
		}
		n := uint64(0)
		for i := range all {
			for n < uint64(all[i].N) {
				hashes = hashes[:0]
				for ; n < uint64(all[i].N) && len(hashes) < 1024; n++ {
					hashes = append(hashes, kernel.Hash{H0: rng.Uint64(), H1: rng.Uint64()})
				}
				fresh = f.AddBatch(fresh[:0], kernel.KeysOf(hashes))
			}
			if len(plan) < len(layers) && len(f.LayerBits()) == len(plan) { // the next layer might be open
				all = all[:i]
				break
			}
			rates[i] = append(rates[i], [2]float64{f.Rate(), 1})
		}
	}
	for i := range all {
		mean, low, high, err := stat.RatioInterval(rates[i], growingConfidence)
		if err != nil {
			return err
		}
		if err := all[i].take(like.Rate{Law: like.Simulated, Simulated: &sim.Interval{Mean: mean, Low: max(0, low), High: min(1, high)}}, digits); err != nil {
			return err
		}
	}
	return nil
}

func (r growingReport) print(w io.Writer) {
	fmt.Fprintf(w, "growing\t%v%s, growth %d, tighten %s: %d layers\n", r.Hashing, ofBlock(r.Block), r.Growth, r.Tighten, r.Made)
	fmt.Fprintf(w, "rate\tat most %s until the layers are full, at about %d keys\nproof\t%s\n\n", r.Bound.Hi, r.Room, strings.TrimPrefix(r.Proof, "proven: "))
	fmt.Fprint(w, "layer\tm\tk\tsigma\tbits\tkeys\tone\n")
	for i, l := range r.Layers {
		one := "-"
		if l.One != nil {
			one = l.Ratio
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t%s\n", i, l.M, l.K, l.Sigma, l.Bits, l.Keys, one)
	}
	fmt.Fprint(w, "\nkeys\tlo\thi\tlaw\n")
	for _, a := range r.After {
		if a.FPR == nil {
			fmt.Fprintf(w, "%d\t-\t-\tnone: %s\n", a.N, a.Refused)
			continue
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", a.N, a.FPR.Lo, a.FPR.Hi, a.Law)
	}
}

// The method "positive" returns the value of a flag as an exact number and as text. The value must be a decimal in
// (0, 1).
func (in *inputs) positive(name string) (*big.Rat, string) {
	r, text := in.fraction(name)
	if in.has(name) && r.Sign() == 0 {
		in.fail(&bloomproof.ParamError{Param: name, Value: text, Want: "above 0 and below 1"})
	}
	return r, text
}

// The value of the flag must be a list of numbers from 0 to hi, separated by commas. The method "list" returns these
// numbers. It returns an empty list if the flag was not given.
func (in *inputs) list(name string, hi uint64, most int) (all []uint64) {
	if !in.has(name) {
		return nil
	}
	text := in.values[name].text
	parts := strings.Split(text, ",")
	if len(parts) > most {
		in.fail(&bloomproof.ParamError{Param: name, Value: strconv.Itoa(len(parts)) + " numbers", Want: fmt.Sprintf("at most %d numbers", most)})
		return nil
	}
	for _, part := range parts {
		n, err := parseNumber(part)
		if err != nil || n > hi || len(part) > 1 && part[0] == '0' { // refuse 1,000, which would mean 1 and 0
			in.fail(&bloomproof.ParamError{Param: name, Value: text, Want: fmt.Sprintf("whole numbers up to %s, separated by commas, such as 1000,2e3,64Ki", limit(hi))})
			return nil
		}
		all = append(all, n)
	}
	return all
}
