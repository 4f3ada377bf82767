package exact

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestSureBlocksBruteForce holds the rates that filters with blocks keep to the enumeration of all
// outcomes: a share c of them keeps them.
func TestSureBlocksBruteForce(t *testing.T) {
	for _, g := range []bloomproof.Geometry{
		{M: 8, K: 2, Block: 4}, {M: 9, K: 2, Block: 3, Hashing: bloomproof.Classic}, {M: 8, K: 2, Block: 4, Hashing: bloomproof.Partitioned}, {M: 6, K: 3, Block: 2},
	} {
		blocks, block := split(g)
		var masks []uint32 // alike likely
		for i := range blocks {
			for _, mask := range outcomes.Masks(block) {
				masks = append(masks, mask<<(i*g.Block))
			}
		}
		states := map[uint32]*big.Int{0: big.NewInt(1)}
		for n := range uint64(longtest.More(4, 9)) {
			all := new(big.Int)
			for _, x := range states {
				all.Add(all, x)
			}
			for _, c := range []*big.Rat{big.NewRat(1, 100), big.NewRat(1, 2), big.NewRat(999, 1000)} {
				e, err := RateQuantile(g, n, c, 60)
				r, ok := e.Rat()
				if err != nil || !ok {
					t.Fatalf("%v n=%d c=%v: %v, %v", g, n, c, e, err)
				}
				within := new(big.Int)
				for state, x := range states {
					hits := int64(0)
					for _, mask := range masks {
						if mask&^uint32(state) == 0 {
							hits++
						}
					}
					if big.NewRat(hits, int64(len(masks))).Cmp(r) <= 0 {
						within.Add(within, x)
					}
				}
				if share := new(big.Rat).SetFrac(within, all); share.Cmp(c) < 0 {
					t.Errorf("%v n=%d: %v of the filters have a rate of at most %v, want %v", g, n, share.FloatString(6), e, c)
				}
			}
			next := map[uint32]*big.Int{}
			for state, x := range states {
				for _, mask := range masks {
					if next[state|mask] == nil {
						next[state|mask] = new(big.Int)
					}
					next[state|mask].Add(next[state|mask], x)
				}
			}
			states = next
		}
	}
}

// TestBlockMoments holds the moments of a block to the exact chain of its set bits.
func TestBlockMoments(t *testing.T) {
	for _, block := range []bloomproof.Geometry{{M: 40, K: 3}, {M: 40, K: 3, Hashing: bloomproof.Classic}, {M: 40, K: 5, Hashing: bloomproof.Partitioned}} {
		h, err := named(block.Hashing)
		if err != nil {
			t.Fatal(err)
		}
		m := blocked{h}.moments(block)
		for n := 1; n < 8; n++ {
			got, err := m.at(n)
			if err != nil {
				t.Fatal(err)
			}
			mean, _, err := FPR(block, uint64(n), 60, Auto)
			if err != nil || math.Abs(got[1]/mean.Float64()-1) > 1e-12 {
				t.Errorf("%v n=%d: the mean rate is %v, want %v, %v", block, n, got[1], mean, err)
			}
			second, err := h.secondMoment(block, uint64(n), 60)
			if err != nil || math.Abs(got[2]/second.Float64()-1) > 1e-12 {
				t.Errorf("%v n=%d: the second moment is %v, want %v, %v", block, n, got[2], second, err)
			}
		}
	}
}

// TestLoadsEnd compares the number of items at which a list of loads ends with the first number from which each
// probability is below half of the one before it. With a large margin, no other condition has an effect. For some of the
// filters, one of the probabilities is exactly half of the one before it.
func TestLoadsEnd(t *testing.T) {
	defer precision.Starve(precision.Starving{Guard: -1, Margin: 0x1p900})()
	g := bloomproof.Geometry{M: 256, K: 3, Block: 16}
	law, err := lawOf(g)
	if err != nil {
		t.Fatal(err)
	}
	_, block := split(g)
	m := law.(blocked).moments(block)
	for _, x := range []struct{ blocks, n uint64 }{{3, 7}, {3, 8}, {5, 3}, {5, 4}, {2, 1}, {9, 30}} {
		want := min(2, x.n) // a block without an item adds nothing, so the list does not end before 2
		for want < x.n && 2*(x.n-want) >= (want+1)*(x.blocks-1) {
			want++
		}
		if p, _, err := m.loads(x.blocks, x.n); err != nil || uint64(len(p)) != want {
			t.Errorf("%d items in %d blocks: %d loads, %v, want %d", x.n, x.blocks, len(p), err, want)
		}
	}
}

// TestSureBlocksSimulated draws filters with blocks: at least a share c keeps the rate, and the
// rate is near that which they do keep.
func TestSureBlocksSimulated(t *testing.T) {
	runs := longtest.Of(200, 1000, 10_000)
	c := big.NewRat(9, 10)
	for _, x := range []struct {
		blocks, block, k, n uint64
		near                float64 // of the rate kept over the quantile
	}{{100, 64, 4, 800, 1.3}, {300, 128, 10, 2000, 2}} {
		g := bloomproof.Geometry{M: x.blocks * x.block, K: int(x.k), Block: x.block}
		e, err := RateQuantile(g, x.n, c, 60)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.NewPCG(3, 4)
		draw := func(n uint64) uint64 { return random.Uint64() >> 32 * n >> 32 } // uniform up to n/2^32
		rates := make([]float64, runs)
		set, bits := make([]uint8, g.M), make([]int, x.blocks)
		for i := range rates {
			clear(set)
			clear(bits)
			for range x.n {
				b := draw(x.blocks)
				for range x.k {
					at := b*x.block + draw(x.block)
					bits[b] += int(1 - set[at])
					set[at] = 1
				}
			}
			for _, b := range bits {
				rates[i] += math.Pow(float64(b)/float64(x.block), float64(x.k)) / float64(x.blocks)
			}
		}
		slices.Sort(rates)
		// Five standard deviations of the number of filters below the quantile.
		at := float64(runs) * 0.9
		spread := 5 * math.Sqrt(at*0.1)
		low, high := rates[int(at-spread)], rates[min(runs-1, int(at+spread))]
		name := fmt.Sprintf("%v n=%d", g, x.n)
		if kept := e.Float64(); kept < low || kept > x.near*high {
			t.Errorf("%s: the rate kept is %v, nine tenths of the filters have at most %v to %v", name, kept, low, high)
		}
		t.Logf("%s: kept %.4g, simulated %.4g to %.4g", name, e.Float64(), low, high)
	}
}

// TestSureBlocks holds sizes to the rates that they keep.
func TestSureBlocks(t *testing.T) {
	c, f := big.NewRat(999, 1000), big.NewRat(1, 1000)
	g := bloomproof.Geometry{Block: 512}
	o, rate, err := SureBits(g, 100_000, f, c, 60)
	if err != nil {
		t.Fatal(err)
	}
	mean, err := LeastBits(g, 100_000, f, 60)
	if more := float64(o.Geometry.M) / float64(mean.Geometry.M); err != nil || rate.Float64() > 0.001 || more < 1 || more > 1.03 {
		t.Errorf("SureBits is %v with %v; LeastBits %v, %v", o, rate, mean, err)
	}
	less := o.Geometry
	less.M -= less.Block
	if r, err := RateQuantile(less, 100_000, c, 60); err != nil || r.Float64() <= 0.001 {
		t.Errorf("a block less keeps %v, %v", r, err)
	}
	items, _, err := SureItems(o.Geometry, f, c, 60)
	if err != nil || items.N < 100_000 || items.N > 100_100 {
		t.Errorf("SureItems is %d, %v", items.N, err)
	}
	best, kept, err := SureK(bloomproof.Geometry{M: o.Geometry.M, Block: 512}, 100_000, c, 60)
	if err != nil || best.Geometry.K != o.Geometry.K || !kept.Overlaps(rate) {
		t.Errorf("SureK is %v with %v, %v", best, kept, err)
	}
	one := bloomproof.Geometry{M: 128, K: 4, Block: 128}
	r, err := RateQuantile(one, 12, c, 60)
	one.Block = 0
	if want, err2 := RateQuantile(one, 12, c, 60); err != nil || err2 != nil || !r.Overlaps(want) {
		t.Errorf("one block keeps %v, %v; the filter %v, %v", r, err, want, err2)
	}
	var bad *bloomproof.ParamError
	if _, err := RateQuantile(bloomproof.Geometry{M: 128, K: 5, Block: 64}, 10, new(big.Rat), 60); !errors.As(err, &bad) || bad.Param != "confidence" {
		t.Errorf("a confidence of 0: %v", err)
	}
	if _, err := RateQuantile(bloomproof.Geometry{M: 100, K: 5, Block: 64}, 10, c, 60); !errors.As(err, &bad) {
		t.Errorf("a part of a block: %v", err)
	}
}
