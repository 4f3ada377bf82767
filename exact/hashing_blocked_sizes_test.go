package exact

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// blockShapes are small blocks of every hashing.
var blockShapes = []bloomproof.Geometry{
	{Block: 8}, {Block: 8, Hashing: bloomproof.Classic}, {Block: 12, Hashing: bloomproof.Partitioned},
	{Block: 16}, {Block: 16, Hashing: bloomproof.Classic}, {Block: 16, Hashing: bloomproof.Partitioned},
}

// TestBlockSizesBruteForce compares the searches with all k, n and m around, by rationals.
func TestBlockSizesBruteForce(t *testing.T) {
	for _, shape := range blockShapes {
		if shape.Block > 12 && !longtest.Enabled() {
			continue
		}
		of, err := sizerOf(bloomproof.Geometry{M: shape.Block, K: 1, Hashing: shape.Hashing, Block: shape.Block}, 60)
		if err != nil {
			t.Fatal(err)
		}
		const mostK = 32
		allBlocks, allN := []uint64{1, 2, 7, 3, 20}, []uint64{1, 2, 3, 5, 20, 9, 33}
		for _, blocks := range allBlocks[:longtest.More(3, len(allBlocks))] {
			for _, n := range allN[:longtest.More(5, len(allN))] {
				g := shape
				g.M = blocks * g.Block
				var best *big.Rat
				first, last := 0, 0
				for k := 1; k <= mostK; k++ {
					if !of.allows(g.M, k) {
						continue
					}
					g.K = k
					f := rationalOf(g, n)
					switch {
					case best == nil || f.Cmp(best) < 0:
						best, first, last = f, k, k
					case f.Cmp(best) == 0:
						last = k
					}
				}
				g.K = 0
				o, err := OptimalK(g, n, 60)
				if err != nil || o.Assumes != "" || o.Geometry.K != first || o.Last != last && last < mostK || !o.Rate.Contains(best) {
					t.Errorf("OptimalK(%v, %d) = %v, %v; want k = %d to %d", g, n, o, err, first, last)
				}
				targets := []*big.Rat{best, big.NewRat(1, 2), big.NewRat(1, 10), big.NewRat(1, 300)}
				if n != allN[0] {
					targets = targets[:1] // the others are the same for each n
				}
				for _, p := range targets {
					if p.Cmp(big.NewRat(1, 1)) >= 0 {
						continue
					}
					most, err := MostItems(g, p, 60)
					if err != nil || most.Assumes != "" {
						t.Fatalf("MostItems(%v, %v) = %v, %v", g, p, most, err)
					}
					for at := most.N; at <= most.N+1; at++ {
						any := false
						for k := 1; k <= mostK && at > 0; k++ {
							if g.K = k; of.allows(g.M, k) {
								any = any || rationalOf(g, at).Cmp(p) <= 0
							}
						}
						if at > 0 && any != (at == most.N) {
							t.Errorf("MostItems(%v, %v) = %d, and with %d items it is %v", g, p, most.N, at, any)
						}
					}
					g.K = 0
				}
			}
		}
		for _, n := range []uint64{0, 1, 4, 15} {
			for _, p := range []*big.Rat{big.NewRat(1, 2), big.NewRat(1, 7), big.NewRat(1, 30)} {
				g := shape
				for _, g.K = range []int{0, 1, 4} {
					o, err := LeastBits(g, n, p, 60)
					if err != nil || o.Geometry.M%g.Block != 0 || o.Geometry.M == 0 {
						t.Fatalf("LeastBits(%v, %d, %v) = %v, %v", g, n, p, o, err)
					}
					for m := o.Geometry.M - min(o.Geometry.M-g.Block, g.Block); m <= o.Geometry.M && n > 0; m += g.Block {
						any := false
						for k := 1; k <= mostK; k++ {
							if at := (bloomproof.Geometry{M: m, K: k, Hashing: g.Hashing, Block: g.Block}); (g.K == 0 || g.K == k) && of.allows(m, k) {
								any = any || rationalOf(at, n).Cmp(p) <= 0
							}
						}
						if any != (m == o.Geometry.M) {
							t.Errorf("LeastBits(%v, %d, %v) = %d, and %d bits do: %v", g, n, p, o.Geometry.M, m, any)
						}
					}
				}
			}
		}
	}
}

// TestBlockEstimate compares the estimate with its definition, the probability of a bit counted
// over all outcomes of an item in a block.
func TestBlockEstimate(t *testing.T) {
	outcomes.EachShape(8, func(block bloomproof.Geometry) {
		if math.Pow(float64(block.M), float64(block.K)) > 1e4 {
			return
		}
		masks := outcomes.Masks(block)
		set := 0
		for _, mask := range masks {
			set += int(mask & 1)
		}
		c := float64(set) / float64(len(masks))
		for _, blocks := range []uint64{1, 2, 5, 1 << 40} {
			g := block
			g.Block, g.M = block.M, blocks*block.M
			for _, b := range []uint64{uint64(block.K), g.M / 2, g.M - 1} {
				if b >= g.M || b < uint64(block.K) {
					continue
				}
				left := math.Log(float64(g.M-b) / float64(g.M))
				if b < g.M/2 {
					left = math.Log1p(-float64(b) / float64(g.M))
				}
				want := left / math.Log1p(-c/float64(blocks))
				e, err := EstimateItems(g, b, 60)
				const close = 1e-13 // of want: some roundings of a float64
				if err != nil || math.Abs(e.Float64()-want) > close*want || e.RelBits() < 60 {
					t.Errorf("EstimateItems(%v, %d) = %v, %v; want %v", g, b, e, err, want)
				}
			}
		}
	})
}

// TestBlockSizesAtTheEnds asks for the best k where bits are few, nearly all set, or one block.
func TestBlockSizesAtTheEnds(t *testing.T) {
	for _, c := range []struct {
		g       bloomproof.Geometry
		n       uint64
		k, last int
	}{
		{bloomproof.Geometry{M: 30, Block: 1}, 10, 1, bloomproof.MaxK}, // any k sets the one bit
		{bloomproof.Geometry{M: 1e6, Block: 1}, 1e5, 1, bloomproof.MaxK},
		{bloomproof.Geometry{M: 40960, Block: 4096}, 1e9, 1, 1},
		{bloomproof.Geometry{M: 10 << 20, Block: 1 << 20}, 1<<64 - 1, 1, 1},
		{bloomproof.Geometry{M: 40960, Block: 4096, Hashing: bloomproof.Partitioned}, 1 << 40, 1, 1},
		{bloomproof.Geometry{M: 1024, Block: 1024}, 100, 7, 7}, // one block: the plain filter
	} {
		o, err := OptimalK(c.g, c.n, 53)
		if err != nil || o.Geometry.K != c.k || o.Last != c.last || o.Assumes != "" {
			t.Errorf("OptimalK(%v, %d) = %v to %d, %v, %v; want %d to %d", c.g, c.n, o, o.Last, o.Assumes, err, c.k, c.last)
		}
	}
	// One block is no block, and the arithmetic of the largest does not wrap.
	for _, m := range []uint64{64, 1 << 40, 1<<64 - 1} {
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
			g := bloomproof.Geometry{M: m, K: 3, Hashing: h}
			plain, _, err := FPR(g, 100, 53, Auto)
			g.Block = m
			one, _, errOne := FPR(g, 100, 53, Auto)
			if err != nil || errOne != nil || !plain.Overlaps(one) {
				t.Errorf("FPR(%v, 100) = %v, %v; without a block %v, %v", g, one, errOne, plain, err)
			}
		}
	}
	// A complement below the exponents of a floating-point number is refused.
	if _, err := Complement(bloomproof.Geometry{M: 1 << 10, K: 2, Block: 512}, 1<<60, 53); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("Complement of a filter whose bits are all set: %v", err)
	}
}

// TestLikelyLoads compares the probabilities of likelyLoads with rationals. They must be lower bounds. Unless they are
// tiny, they must also be close to the probabilities.
func TestLikelyLoads(t *testing.T) {
	for _, x := range []struct{ n, blocks uint64 }{{1, 2}, {9, 2}, {9, 5}, {40, 3}, {100, 7}} {
		all := likelyLoads(x.n, x.blocks)
		exactly := make([]*big.Rat, x.n+1) // P[N = i]
		others := new(big.Int).SetUint64(x.blocks - 1)
		for i := range exactly {
			ways := integer.Binomial(x.n, i)
			ways.Mul(ways, integer.Power(others, x.n-uint64(i)))
			exactly[i] = new(big.Rat).SetFrac(ways, integer.Power(integer.Uint(x.blocks), x.n))
		}
		for _, load := range all {
			atLeast := new(big.Rat)
			for _, p := range exactly[load.items:] {
				atLeast.Add(atLeast, p)
			}
			log := func(r *big.Rat) *interval.Interval {
				y := interval.New(200).SetRat(r)
				return y.Log(y)
			}
			if load.logP.Lo().Cmp(log(atLeast).Hi()) > 0 {
				t.Errorf("%d of %d items, %d blocks: %v is above the logarithm of %v", load.items, x.n, x.blocks, load.logP, atLeast)
			}
			few := new(big.Rat).SetFrac64(1, 1<<20) // so rare, the rounding errors count
			off := interval.New(200).Sub(log(atLeast), load.logP)
			if hi, _ := off.Hi().Float64(); atLeast.Cmp(few) > 0 && hi > 1e-9 {
				t.Errorf("%d of %d items, %d blocks: %v is %v below", load.items, x.n, x.blocks, load.logP, hi)
			}
		}
	}
}
