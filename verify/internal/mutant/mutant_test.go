package mutant_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
)

func hashes(n int) []kernel.Hash {
	r := rand.New(rand.NewPCG(1, 1))
	out := make([]kernel.Hash, n)
	for i := range out {
		out[i] = kernel.Hash{H0: r.Uint64(), H1: r.Uint64()}
	}
	return out
}

// Apart from its fault, which never makes it forget, a mutant is a filter.
func TestMutantsAreFilters(t *testing.T) {
	for _, m := range mutant.All() {
		for _, g := range []bloomproof.Geometry{{M: 1, K: 1}, {M: 1, K: 5}, {M: 257, K: 1}, {M: 257, K: 7}, {M: 4096, K: 40}} {
			f, err := m.New(g)
			if err != nil {
				t.Fatalf("%s %v: %v", m.Name, g, err)
			}
			set := map[uint64]bool{}
			for i, h := range hashes(20) {
				before := len(set)
				positions := m.Positions(nil, g, h)
				if len(positions) != g.K {
					t.Fatalf("%s %v: %d positions", m.Name, g, len(positions))
				}
				for _, p := range positions {
					if p >= g.M {
						t.Fatalf("%s %v: position %d", m.Name, g, p)
					}
					set[p] = true
				}
				if newly := f.AddHash(h); newly != (len(set) > before) {
					t.Errorf("%s %v: item %d: AddHash says %t", m.Name, g, i, newly)
				}
				if f.Bits() != uint64(len(set)) {
					t.Errorf("%s %v: %d bits, want %d", m.Name, g, f.Bits(), len(set))
				}
				if !f.ContainsHash(h) {
					t.Errorf("%s %v: item %d is not contained", m.Name, g, i)
				}
			}
			f.Clear()
			if f.Bits() != 0 || f.ContainsHash(hashes(1)[0]) {
				t.Errorf("%s %v: not empty after Clear", m.Name, g)
			}
		}
	}
}

// Each fault is the one that its name says.
func TestFaults(t *testing.T) {
	g := bloomproof.Geometry{M: 96, K: 8}
	byName := map[string]mutant.Mutant{}
	for _, m := range mutant.All() {
		byName[m.Name] = m
	}
	places := make([]int, g.M)
	for _, h := range hashes(20000) {
		p := byName["double hashing"].Positions(nil, g, h)
		for j := range p {
			if want := (h.H0%g.M + uint64(j)*(h.H1%g.M)) % g.M; p[j] != want {
				t.Fatalf("double hashing: position %d is %d, want %d", j, p[j], want)
			}
		}
		short := byName["one probe too few"]
		if add, probe := short.Positions(nil, g, h), short.Probes(nil, g, h); !slices.Equal(add[:7], probe) {
			t.Fatalf("one probe too few: %v added, %v looked up", add, probe)
		}
		if p := byName["same bit twice"].Positions(nil, g, h); p[6] != p[7] {
			t.Fatalf("same bit twice: %v", p)
		}
		for _, p := range byName["modulo of a short word"].Positions(nil, g, h) {
			places[p]++
		}
	}
	// 128 words on 96 positions: the first 32 get two each, about 2500 of 160000.
	for p, count := range places {
		want := 1250
		if p < 32 {
			want = 2500
		}
		if count < want*4/5 || count > want*6/5 { // 7 standard deviations
			t.Errorf("modulo: position %d came %d times, want about %d", p, count, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, row := range []struct {
		g     bloomproof.Geometry
		param string
	}{
		{bloomproof.Geometry{M: 0, K: 1}, "m"},
		{bloomproof.Geometry{M: 1 << 40, K: 1}, "m"},
		{bloomproof.Geometry{M: 8, K: 0}, "k"},
		{bloomproof.Geometry{M: 8, K: 2, Hashing: bloomproof.Classic}, "hashing"},
	} {
		var p *bloomproof.ParamError
		if _, err := mutant.All()[0].New(row.g); !errors.As(err, &p) || p.Param != row.param {
			t.Errorf("%v: error %v, want one about %s", row.g, err, row.param)
		}
	}
}

func Example() {
	for _, m := range mutant.All() {
		fmt.Printf("%s: %s %v\n", m.Name, m.Law, m.Deviation)
	}
	// Output:
	// double hashing: rate above
	// one probe too few: rate above
	// modulo of a short word: place below
	// same bit twice: repeats above
}

func TestRecyclingErrors(t *testing.T) {
	for _, row := range []struct {
		g     bloomproof.Geometry
		r     bloomproof.Recycling
		param string
	}{
		{bloomproof.Geometry{M: 0, K: 1}, bloomproof.Recycling{}, "m"},
		{bloomproof.Geometry{M: 1 << 40, K: 1}, bloomproof.Recycling{}, "m"},
		{bloomproof.Geometry{M: 8, K: 1}, bloomproof.Recycling{Sigma: 8}, "sigma"},
	} {
		var p *bloomproof.ParamError
		if _, err := mutant.NewRecycling(row.g, row.r, mutant.Faultless, nil); !errors.As(err, &p) || p.Param != row.param {
			t.Errorf("%v %v: error %v, want one about %s", row.g, row.r, err, row.param)
		}
	}
}

// A filter that recycles too early, beside one that keeps the rule: more than sigma bits.
func ExampleNewRecycling() {
	g, r := bloomproof.Geometry{M: 16, K: 2}, bloomproof.Recycling{Sigma: 4}
	for _, fault := range []mutant.Fault{mutant.Faultless, mutant.ReachedRecycles} {
		f, err := mutant.NewRecycling(g, r, fault, func(e kernel.CycleState) { fmt.Println(e.Bits, "bits") })
		if err != nil {
			fmt.Println(err)
			return
		}
		for i := uint64(0); f.State().Cycle == 0; i++ {
			f.ObserveHash(kernel.Hash{H0: i << 40})
		}
	}
	// Output:
	// 5 bits
	// 4 bits
}
