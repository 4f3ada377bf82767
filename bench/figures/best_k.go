package main

import (
	"encoding/binary"
	"fmt"
	"image/color"
	"math"
	"path/filepath"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
)

// The filter of Burns, section 3.4: small enough that the textbook approximation is
// visibly wrong and its best k, (m/n) ln 2 = 11, is not the best.
const (
	bestKBits  = 64
	bestKItems = 4
	bestKMost  = 20 // largest k drawn
	probes     = 100
)

// point is one k of the figure.
type point struct {
	k                 int
	standard, classic float64 // exact
	bloom             float64 // approximation
	measured          [2]mean // standard, classic: the real filter
}

// mean is an average over filters with its standard error.
type mean struct{ value, err float64 }

// z is the 99 % quantile of |N(0,1)|.
const z = 2.576

// bestK draws the rate against k for exact models, approximation and real filter.
func bestK(dir string, filters int) error {
	points, err := bestKPoints(filters)
	if err != nil {
		return err
	}
	ks := column(points, func(p point) float64 { return float64(p.k) })
	return chart{
		title:   fmt.Sprintf("False-positive rate of m = %d bits with n = %d items", bestKBits, bestKItems),
		xColumn: "k", x: "k, positions per item", y: "rate",
		at: ks, xMax: bestKMost + 0.5, // room for the last label
		logY: true,
		series: []series{
			{column: "exact_standard", name: "exact, standard", color: blue, y: column(points, func(p point) float64 { return p.standard })},
			{column: "exact_classic", name: "exact, classic", color: orange, y: column(points, func(p point) float64 { return p.classic })},
			{column: "bloom", name: "Bloom's approximation", color: gray, dash: true, y: column(points, func(p point) float64 { return p.bloom })},
			measured(points, 0, "measured_standard", "kernel, standard, 99 % interval", blue),
			measured(points, 1, "measured_classic", "kernel, classic, 99 % interval", orange),
		},
	}.save(filepath.Join(dir, "best-k"))
}

func measured(points []point, i int, name, legend string, c color.Color) series {
	at := func(errs float64) []float64 {
		return column(points, func(p point) float64 { return p.measured[i].value + errs*p.measured[i].err })
	}
	return series{column: name, name: legend, color: c, y: at(0), low: at(-z), high: at(z)}
}

func bestKPoints(filters int) ([]point, error) {
	var points []point
	for k := 1; k <= bestKMost; k++ {
		pt := point{k: k}
		for i, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
			g := bloomproof.Geometry{M: bestKBits, K: k, Hashing: h}
			e, _, err := exact.FPR(g, bestKItems, 64, exact.Auto)
			if err != nil {
				return nil, err
			}
			*[]*float64{&pt.standard, &pt.classic}[i] = e.Float64()
			if pt.measured[i], err = measure(g, filters); err != nil {
				return nil, err
			}
		}
		var err error
		if pt.bloom, err = approx.Bloom(bestKBits, bestKItems, k); err != nil {
			return nil, err
		}
		points = append(points, pt)
	}
	return points, nil
}

// measure returns the mean rate of independently seeded filters, each of which holds
// the same items and answers the same probes. No two geometries share a seed, so the
// points are independent.
func measure(g bloomproof.Geometry, filters int) (mean, error) {
	sum, squares := 0.0, 0.0
	for i := range uint64(filters) {
		seed := i<<16 | uint64(g.K)<<8 | uint64(g.Hashing)
		f, err := kernel.New(g, kernel.Options{Seed: seed})
		if err != nil {
			return mean{}, err
		}
		var key [8]byte
		for i := range uint64(bestKItems) {
			binary.LittleEndian.PutUint64(key[:], i)
			f.Add(key[:])
		}
		found := 0.0
		for i := range uint64(probes) {
			binary.LittleEndian.PutUint64(key[:], bestKItems+i)
			if f.Contains(key[:]) {
				found++
			}
		}
		sum += found / probes
		squares += (found / probes) * (found / probes)
	}
	n := float64(filters)
	variance := (squares - sum*sum/n) / (n - 1)
	return mean{sum / n, math.Sqrt(variance / n)}, nil
}

// column returns one number of each point.
func column(points []point, of func(point) float64) []float64 {
	var y []float64
	for _, p := range points {
		y = append(y, of(p))
	}
	return y
}
