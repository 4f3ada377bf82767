package main

import (
	"fmt"
	"image/color"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// This file draws figures 9 and 10 of Burns: the efficiency (n/m) log2(1/f) as a function of the number of items.

const (
	efficiencyBits = 100
	efficiencyMost = 20 // the largest k, except for the best k of classic filters
)

func burnsStandardEfficiency(to plan) error {
	return efficiencies(to, "burns-9", "Burns, figure 9", bloomproof.Standard)
}

func burnsClassicEfficiency(to plan) error {
	return efficiencies(to, "burns-10", "Burns, figure 10", bloomproof.Classic, efficiencyBits/2)
}

// The function efficiencies draws a curve for each k, and marks its peak.
func efficiencies(to plan, name, title string, h bloomproof.Hashing, more ...int) error {
	c := chart{
		title:   fmt.Sprintf("%s: efficiency of %s filters of m = %d bits; peaks are marked", title, h, efficiencyBits),
		xColumn: "n", x: "n, items", y: "efficiency",
		at: steps(1, 300, 1), logX: true, yMin: 0, yMax: 1,
	}
	var ks []int
	for k := 1; k <= efficiencyMost; k++ {
		ks = append(ks, k)
	}
	for _, k := range append(ks, more...) {
		g := bloomproof.Geometry{M: efficiencyBits, K: k, Hashing: h}
		top, err := exact.PeakEfficiency(bloomproof.Geometry{M: g.M, K: k, Hashing: h}, 64)
		if err != nil {
			return err
		}
		tone := fade(k)
		line := series{column: fmt.Sprintf("k_%d", k), name: fmt.Sprintf("k = %d, peak %.4f at n = %d", k, top.Efficiency.Float64(), top.N), color: tone}
		peak := series{column: fmt.Sprintf("k_%d_peak", k), color: tone, points: true, unlisted: true}
		for _, n := range c.at {
			e, err := exact.Efficiency(g, uint64(n), 64)
			if err != nil {
				return err
			}
			line.y = append(line.y, e.Float64())
			peak.y = append(peak.y, only(uint64(n) == top.N, e.Float64()))
		}
		c.series = append(c.series, line, peak)
	}
	return c.save(to.base(name))
}

// fade returns the colour of the curve for k. It goes from dark blue (k = 1) to orange (k = efficiencyMost), and is red
// for a larger k.
func fade(k int) color.Color {
	if k > efficiencyMost {
		return red
	}
	at := func(a, b uint8) uint8 { return uint8(int(a) + (int(b)-int(a))*(k-1)/(efficiencyMost-1)) }
	return color.RGBA{at(0, 240), at(40, 160), at(130, 30), 255}
}
