package approx

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// binomialLaw returns the probabilities of Bin(n, 1/blocks), by the convolution of single trials.
func binomialLaw(n, blocks uint64) []float64 {
	p := make([]float64, n+1)
	p[0] = 1
	q := 1 / float64(blocks)
	for i := range int(n) {
		for j := i + 1; j > 0; j-- {
			p[j] = p[j]*(1-q) + p[j-1]*q
		}
		p[0] *= 1 - q
	}
	return p
}

// TestLoadsOf compares the numbers of items of a block, and the logarithms of their probabilities, with the rules in the
// comment of loadsOf. The logarithms are at most 1.2e-9 below those of the probabilities, and never above them.
func TestLoadsOf(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 44))
	ones, unlikely := 0, 0
	for range longtest.More(60, 600) {
		blocks := 2 + r.Uint64N(1+r.Uint64N(60))
		n := 1 + r.Uint64N(1+r.Uint64N(700))
		p := binomialLaw(n, blocks)
		start := n / blocks
		mean := float64(start)
		next := mean + 8*math.Sqrt(mean+1)
		var want []uint64
		for j := n; j >= 1; j-- {
			if p[j]/p[start] < 1e-295 {
				continue // so few blocks have so many items
			}
			if at := float64(j); j == 1 || at <= next && at >= mean-4*math.Sqrt(mean+1) {
				want = append(want, j)
				next = at - math.Sqrt(mean+1)/2
			}
		}
		var got []uint64
		for _, l := range loadsOf(n, blocks) {
			got = append(got, l.items)
			tail := 0.0
			for _, x := range p[l.items:] {
				tail += x
			}
			if off := math.Log(tail) - l.ln; !(off > 0.8e-9 && off < 1.2e-9) {
				t.Errorf("n = %d, %d blocks: ln P[N >= %d] is %.15g, a lower bound is %.15g", n, blocks, l.items, math.Log(tail), l.ln)
			}
			if tail < 1e-12 {
				unlikely++
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("n = %d, %d blocks: %v, by the rules %v", n, blocks, got, want)
		}
		if len(want) > 0 && want[len(want)-1] == 1 {
			ones++
		}
	}
	if ones < 10 || unlikely < 10 {
		t.Errorf("%d lists end with 1, %d numbers of items are unlikely", ones, unlikely)
	}
}

// TestEachLoad checks the order of the calls, each weight, and each bound of the weights left out.
func TestEachLoad(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 45))
	type call struct {
		items   uint64
		w, left float64
	}
	for range longtest.More(60, 600) {
		blocks := 2 + r.Uint64N(1+r.Uint64N(60))
		n := 1 + r.Uint64N(1+r.Uint64N(300))
		p := binomialLaw(n, blocks)
		start := n / blocks
		stop := math.Exp(-60 * r.Float64())
		calls := map[bool][]call{}
		eachLoad(n, blocks, func(j uint64, w, left float64, up bool) bool {
			if up && len(calls[false]) > 0 {
				t.Errorf("n = %d, %d blocks: a call for %d items comes too late", n, blocks, j)
			}
			calls[up] = append(calls[up], call{j, w, left})
			return left > stop
		})
		for _, up := range []bool{true, false} {
			j, left := int(start), math.Inf(1)
			if !up {
				j--
			}
			for i, c := range calls[up] {
				next, rest := 0.0, 0.0 // the next weight, and the weights left out
				if up {
					for _, x := range p[j+1:] {
						rest += x / p[start]
					}
					if j < int(n) {
						next = p[j+1] / p[start]
					}
				} else {
					for _, x := range p[:j] {
						rest += x / p[start]
					}
					if j > 0 {
						next = p[j-1] / p[start]
					}
				}
				w := p[j] / p[start]
				if c.items != uint64(j) || !(math.Abs(c.w/w-1) < 1e-11) || left <= stop {
					t.Errorf("n = %d, %d blocks, up %t: call %d is for %d items with the weight %.15g, want %d with %.15g", n, blocks, up, i, c.items, c.w, j, w)
				}
				left = math.Inf(1)
				if next < w {
					left = next / (1 - next/w) // a geometric series
				}
				if near := math.Abs(next/w-1) < 1e-9; !near && c.left != left && !(math.Abs(c.left/left-1) < 1e-6) || c.left < rest*(1-1e-9) {
					t.Errorf("n = %d, %d blocks, up %t, %d items: the bound of the weights left out is %.15g, computed again %.15g, and they are %.15g", n, blocks, up, j, c.left, left, rest)
				}
				if left = c.left; up {
					j++
				} else {
					j--
				}
			}
			if left > stop && j >= 0 && j <= int(n) {
				t.Errorf("n = %d, %d blocks, up %t: no call for %d items, and the weights left out may add up to %g", n, blocks, up, j, left)
			}
		}
	}
}

// TestExaggeratedOver compares the conditions under which a sum over blocks ends with the comment of blockedRate. The
// sums, the weight and the last rate are drawn.
func TestExaggeratedOver(t *testing.T) {
	r, between := exaggerating(t, 46)
	scaled := func(x float64) fm.Scaled { return fm.Double{Hi: x}.Scale() }
	decides := map[string]int{}
	for range longtest.More(4000, 40000) {
		hits, all := between(1e-40, 1), between(1, 100)
		if r.IntN(2) == 0 {
			hits = between(0.5, 1)
		}
		if r.IntN(9) == 0 {
			hits = 0
		}
		misses := []float64{0, 1e-30, 0.25, 1}[r.IntN(4)]
		last := below1(fm.Double{Hi: between(1e-40, 0.4)}.Scale())
		switch r.IntN(4) {
		case 0:
			last = near1(between(1e-40, 0.4))
		case 1:
			last = near1([]float64{0, 1}[r.IntN(2)])
		}
		w, quotient := math.Pow(2, -40-40*r.Float64()), r.Float64()*1.1
		tiny := scaled(w)
		if r.IntN(3) == 0 { // the weight is so small that the logarithm decides
			tiny = fm.Double{Hi: w}.Scale().Times(fm.Double{Hi: 0x1p-500}).Times(fm.Double{Hi: 0x1p-500})
			tiny = tiny.Times(fm.Double{Hi: math.Pow(2, 60*r.Float64()-60)})
		}
		up := r.IntN(2) == 0
		s := blockedSum{all: fm.Double{Hi: all}, hits: scaled(hits), misses: scaled(misses), last: last}
		ln := tiny.Ln() - math.Log1p(-quotient) // of the remaining weights
		lnHits, lnMisses := ln, ln
		if up {
			lnMisses += last.complement.Ln()
		} else {
			lnHits += last.scaled().Ln()
		}
		near := false
		negligible := func(ln, sum float64, name string) bool {
			bySum := sum > 0 && ln-math.Log(sum) <= -60*math.Ln2
			byAll := ln-math.Log(all) <= -760
			near = near || math.Abs(ln-math.Log(sum)+60*math.Ln2) < 1e-9 || math.Abs(ln-math.Log(all)+760) < 1e-9
			if bySum {
				decides[name+" by the sum"]++
			} else if byAll {
				decides[name+" by the weights"]++
			}
			return bySum || byAll || math.IsInf(ln, -1)
		}
		a, b := negligible(lnHits, hits, "hits"), negligible(lnMisses, misses, "misses")
		want := quotient < 1 && a && b
		if a != b && quotient < 1 {
			decides["one of them"]++
		}
		if got := s.over(tiny, quotient, up); got != want && !near {
			t.Errorf("hits %v, misses %v, weights %v, w = %v, quotient %v, up %t, last %v: over is %t", hits, misses, all, tiny, quotient, up, last, got)
		}
	}
	if len(decides) != 5 || decides["one of them"] < 50 {
		t.Errorf("the conditions decided so often: %v", decides)
	}
}

// TestBlockedKinds checks for which kinds Bound is defined with blocks, by the table in the comment of Bound.
func TestBlockedKinds(t *testing.T) {
	kinds := map[bloomproof.Hashing][]bloomproof.Bound{
		bloomproof.Standard:    {bloomproof.BoundBloom, bloomproof.BoundExponential, bloomproof.BoundLower, bloomproof.BoundUpper, bloomproof.BoundPartitioned},
		bloomproof.Classic:     {bloomproof.BoundLower, bloomproof.BoundLowerClassic, bloomproof.BoundUpper, bloomproof.BoundPartitioned},
		bloomproof.Partitioned: {bloomproof.BoundBloom, bloomproof.BoundExponential, bloomproof.BoundLower, bloomproof.BoundLowerClassic, bloomproof.BoundUpper, bloomproof.BoundPartitioned},
	}
	for h, defined := range kinds {
		for kind := range boundFormulas {
			x, err := Bound(kind, bloomproof.Geometry{M: 1024, K: 4, Hashing: h, Block: 128}, 60)
			var param *bloomproof.ParamError
			if slices.Contains(defined, kind) {
				if err != nil || !(x > 0 && x < 1) {
					t.Errorf("%v, %s: %v, %v", h, kind, x, err)
				}
			} else if !errors.As(err, &param) || param.Param != "bound" || !strings.Contains(param.Want, string(bloomproof.BoundUpper)) {
				t.Errorf("%v, %s: %v, %v, but this kind is not defined with blocks", h, kind, x, err)
			}
		}
	}
	// 5 does not divide the 128 bits of a block, whether or not it divides the number of items.
	for _, n := range []uint64{60, 61} {
		if x, err := Bound(bloomproof.BoundPartitioned, bloomproof.Geometry{M: 1024, K: 5, Block: 128}, n); !errors.Is(err, bloomproof.ErrUndefined) || x != 0 {
			t.Errorf("%d items: %v, %v", n, x, err)
		}
	}
}

// TestBlockedFound checks that searches for filters with blocks return the rate that FPR computes, although they compare
// rates of tables.
func TestBlockedFound(t *testing.T) {
	differs := 0
	for _, n := range []uint64{50, 200, 1000, 3000} {
		g := bloomproof.Geometry{M: 1 << 14, Block: 128}
		o, err := OptimalK(g, n)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := FPR(o.Geometry, n); err != nil || o.Rate != want || o.Geometry.Block != 128 || o.N != n {
			t.Errorf("%d items: %+v, FPR is %v, %v", n, o, want, err)
		}
		h, err := searched(bloomproof.Geometry{M: g.M, K: 1, Block: 128})
		if err != nil {
			t.Fatal(err)
		}
		if h.rateOf(g.M, n, o.Geometry.K).float64() != o.Rate {
			differs++
		}
	}
	if differs == 0 {
		t.Error("the rates of tables are the same: the test does not show which ones are returned")
	}
}
