package occupancy

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// recordedBits is the precision, in bits, of the enclosures with recorded widths.
const recordedBits = 2

// TestRecordedWidths compares the widths of sums and integrals of few bits with recorded widths. With few bits, the terms
// and the parts of the path that are left out are a large part of a width. Other tests check that the enclosures hold.
// This test shows a bound that changes by mistake.
func TestRecordedWidths(t *testing.T) {
	record := starved.OpenWidths(t, "testdata/widths.txt", longtest.Enabled())
	add := func(answer string, of func(bits uint) (*interval.Interval, error)) {
		x, err := of(recordedBits)
		if err != nil {
			t.Errorf("%s: %v", answer, err)
			return
		}
		record.Width(answer, "width", x)
	}
	for _, o := range []Distribution{{M: 40, N: big.NewInt(50), K: 1}, {M: 60, N: big.NewInt(12), K: 3}, {M: 60, N: big.NewInt(12), K: 3, Out: 7}} {
		mean := uint64(27)
		for name, of := range map[string]func(bits uint) (*interval.Interval, error){
			"Below":         func(bits uint) (*interval.Interval, error) { return o.Below(mean, bits) },
			"belowIntegral": func(bits uint) (*interval.Interval, error) { return o.belowIntegral(mean, bits) },
			"belowSum":      func(bits uint) (*interval.Interval, error) { return o.belowSum(mean, bits), nil },
			"EmptiesSum":    func(bits uint) (*interval.Interval, error) { return o.EmptiesSum(mean, false, 0, bits), nil },
			"Exactly":       func(bits uint) (*interval.Interval, error) { return o.Exactly(mean, bits) },
			"rough":         func(uint) (*interval.Interval, error) { return o.rough(mean), nil },
		} {
			add(fmt.Sprintf("%s of %v", name, o), of)
		}
		if o.Out == 0 {
			p, err := o.windowIntegral(mean-1, mean+1, recordedBits)
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range append(p, o.emptiesList(mean-1, mean+1, recordedBits)...) {
				record.Width(fmt.Sprintf("window of %v, number %d", o, i), "width", x)
			}
		}
	}
	s := Slices{S: 6, N: 5, K: 2}
	o := Pair{40, [2]uint64{40, 20}}
	for name, of := range map[string]func(bits uint) (*interval.Interval, error){
		"Below of slices":      func(bits uint) (*interval.Interval, error) { return s.integral(6, false, bits) },
		"Exactly of slices":    func(bits uint) (*interval.Interval, error) { return s.integral(6, true, bits) },
		"emptiesSum of slices": func(bits uint) (*interval.Interval, error) { return s.emptiesSum(6, false, bits), nil },
		"meetings of slices":   func(bits uint) (*interval.Interval, error) { return s.meetings(4, false, bits), nil },
		"spread of slices":     func(bits uint) (*interval.Interval, error) { return s.spread(bits), nil },
		"rough of slices":      func(uint) (*interval.Interval, error) { return s.rough(6), nil },
		"Exactly of a pair":    func(bits uint) (*interval.Interval, error) { return (Pair{10, [2]uint64{6, 5}}).Exactly(2, bits) },
		"Within of a pair":     func(bits uint) (*interval.Interval, error) { return (Pair{10, [2]uint64{6, 5}}).Within(bits) },
		"mixture of a pair":    func(bits uint) (*interval.Interval, error) { return o.mixture(10, bits) },
	} {
		add(name, of)
	}
	recordNodes(t, record)
	record.End()
}

// recordNodes compares bounds of errors that are far below the width of an answer.
func recordNodes(t *testing.T, record *starved.Widths) {
	for _, o := range []Distribution{{M: 40, N: big.NewInt(50), K: 1}, {M: 1 << 20, N: big.NewInt(1 << 19), K: 2}} {
		for _, count := range []int{1, 2, 25} {
			const work, wide = 20, 1000 // v has a width of 1000 units of 2^-work
			z := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(o.M))
			v := interval.NewComplex(work).SetReal(interval.New(work).SetScaled(big.NewInt(1<<work-wide), big.NewInt(1<<work), -work))
			z.Im.SetUint64(3)
			sums := make([]big.Int, count)
			missed := o.addNode(sums, 15, z, v, true, work)
			record.Bound(fmt.Sprintf("node of %v", o), fmt.Sprintf("sums%d", count), float64(missed.Int64()))
			record.Bound(fmt.Sprintf("node of %v", o), fmt.Sprintf("sum%d", count), float64(sums[count-1].Int64()))
		}
	}
	again := Distribution{M: 1200, N: big.NewInt(300), K: 1} // here the first number of nodes is too small
	for _, bits := range []uint{20, 23} {
		x, err := again.exactlyIntegral(246, nil, bits)
		if err != nil {
			t.Fatal(err)
		}
		record.Width("more nodes", fmt.Sprint(bits), x)
	}
	x, err := Slices{S: 2, N: 10, K: 2}.integral(3, false, recordedBits) // here too
	if err != nil {
		t.Fatal(err)
	}
	record.Width("more nodes", "slices", x)
	large := Distribution{M: 1 << 16, N: big.NewInt(1 << 15), K: 2} // more nodes than the least number
	_, p, err := large.Window(recordedBits, nil)
	if err != nil {
		t.Fatal(err)
	}
	record.Width("window", "width", p[len(p)/2])
	for _, cut := range []int{0, 1, 5} {
		func() {
			defer precision.Starve(precision.Starving{Guard: -1, Cut: cut})()
			for i, x := range (Distribution{M: 40, N: big.NewInt(50), K: 1}).emptiesList(26, 28, recordedBits) {
				record.Width(fmt.Sprintf("list, number %d", i), fmt.Sprintf("cut%d", cut), x)
			}
			p, err := Distribution{M: 40, N: big.NewInt(50), K: 1}.windowIntegral(26, 28, recordedBits)
			if err != nil {
				t.Fatal(err)
			}
			record.Width("window with aliases", fmt.Sprintf("cut%d", cut), p[1])
			for _, rho := range []float64{0.25, 0.75} {
				s := Slices{S: 6, N: 5, K: 2}
				const bits, work = 4, 80
				p, err := s.at(interval.New(work).SetEnds(big.NewFloat(rho), big.NewFloat(rho)), bits, work)
				if err != nil {
					t.Fatal(err)
				}
				slack, _ := p.slack.Hi().Float64()
				record.Bound(fmt.Sprintf("slack for rho=%g", rho), fmt.Sprintf("cut%d", cut), slack)
				if p, err = s.at(interval.New(work).SetEnds(big.NewFloat(rho), big.NewFloat(rho+0.01)), bits, work); err != nil {
					t.Fatal(err)
				}
				record.Width(fmt.Sprintf("slack for rho=%g to %g", rho, rho+0.01), fmt.Sprintf("cut%d", cut), p.slack)
			}
		}()
	}
}
