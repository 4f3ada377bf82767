package exact

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// setBitsLaws returns P[X = b] for 0 to most items, the last block aside from the others: of i
// items in it, Bin(n, 1/B), the others have n-i.
func setBitsLaws(g bloomproof.Geometry, most int) [][]*big.Rat {
	blocks, block := split(g)
	one := make([][]*big.Rat, most+1)
	for n := range one {
		switch s := int(block.M); g.Hashing {
		case bloomproof.Classic:
			one[n] = outcomes.Chain(s, n, g.K)
		case bloomproof.Standard:
			one[n] = outcomes.Chain(s, n*g.K, 1)
		default:
			one[n] = outcomes.SliceChain(s/g.K, n, g.K)
		}
	}
	laws := one
	for b := int64(2); b <= int64(blocks); b++ {
		next := make([][]*big.Rat, most+1)
		for n := range next {
			next[n] = make([]*big.Rat, int(b)*int(block.M)+1)
			for i := range next[n] {
				next[n][i] = new(big.Rat)
			}
			for i := range n + 1 {
				p := new(big.Rat).SetInt(integer.Binomial(uint64(n), i))
				p.Mul(p, ratPow(big.NewRat(1, b), i))
				p.Mul(p, ratPow(big.NewRat(b-1, b), n-i))
				for x, px := range one[i] {
					for y, py := range laws[n-i] {
						t := new(big.Rat).Mul(px, py)
						next[n][x+y].Add(next[n][x+y], t.Mul(t, p))
					}
				}
			}
		}
		laws = next
	}
	return laws
}

// TestBlockItemsInterval compares the moments with those of the distribution, by convolution, and
// demands that no number of items is left out whose tails are both above alpha/2.
func TestBlockItemsInterval(t *testing.T) {
	most := longtest.More(6, 30)
	alpha, half := big.NewRat(1, 10), big.NewRat(1, 20)
	for _, c := range []struct {
		blocks uint64
		block  bloomproof.Geometry
	}{
		{1, bloomproof.Geometry{M: 6, K: 2}}, {2, bloomproof.Geometry{M: 1, K: 3}}, {2, bloomproof.Geometry{M: 5, K: 2}},
		{3, bloomproof.Geometry{M: 4, K: 3}}, {2, bloomproof.Geometry{M: 9, K: 1}},
		{2, bloomproof.Geometry{M: 7, K: 3, Hashing: bloomproof.Classic}}, {3, bloomproof.Geometry{M: 2, K: 2, Hashing: bloomproof.Classic}},
		{2, bloomproof.Geometry{M: 8, K: 2, Hashing: bloomproof.Partitioned}}, {3, bloomproof.Geometry{M: 3, K: 3, Hashing: bloomproof.Partitioned}},
	} {
		g := blocksOf(c.blocks, c.block)
		laws := setBitsLaws(g, most)
		l := blocked{mustHashing(t, c.block)}
		below, above := make([][]*big.Rat, len(laws)), make([][]*big.Rat, len(laws))
		for n, p := range laws {
			below[n], above[n] = tailSums(p)
		}
		for n, p := range laws {
			mean := new(big.Rat)
			for x, px := range p {
				mean.Add(mean, new(big.Rat).Mul(px, big.NewRat(int64(g.M)-int64(x), 1)))
			}
			moment := new(big.Rat)
			for x, px := range p {
				d := new(big.Rat).Sub(big.NewRat(int64(g.M)-int64(x), 1), mean)
				moment.Add(moment, d.Mul(ratPow(d, tailOrder), px))
			}
			u, v := l.unsetMoment(g, uint64(n))
			width := new(big.Float).Sub(v.Hi(), v.Lo())
			if !u.ContainsRat(mean) || !v.ContainsRat(moment) || width.Cmp(big.NewFloat(0x1p-40)) > 0 {
				t.Errorf("%v, n=%d: mean %v, moment %v; want %v, %v", g, n, u, v, mean.FloatString(12), moment.FloatString(12))
			}
		}
		for b := range g.M + 1 {
			if !longtest.Enabled() && b%2 > 0 && b < g.M-1 || checkBits(l, g, b) != nil {
				continue
			}
			low, high, unbounded, err := ItemsInterval(g, b, alpha)
			if err != nil || unbounded != (b == g.M) {
				t.Fatalf("ItemsInterval(%v, %d): %v", g, b, err)
			}
			for n := range laws {
				in := low <= uint64(n) && (unbounded || uint64(n) <= high)
				if !in && below[n][b].Cmp(half) > 0 && above[n][b].Cmp(half) > 0 {
					t.Errorf("%v, %d bits: %d items are not in %d to %d", g, b, n, low, high)
				}
			}
		}
	}
}

func mustHashing(t *testing.T, g bloomproof.Geometry) hashing {
	t.Helper()
	h, err := hashingOf(g)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestBlockItemsIntervalWidth holds the interval to its width beside that of a filter without blocks.
func TestBlockItemsIntervalWidth(t *testing.T) {
	alpha := big.NewRat(1, 20)
	for _, g := range []bloomproof.Geometry{
		{M: 1 << 12, K: 8, Block: 512}, {M: 1 << 20, K: 6, Block: 512}, {M: 1 << 12, K: 6, Block: 512, Hashing: bloomproof.Classic},
		{M: 1 << 20, K: 8, Block: 256, Hashing: bloomproof.Partitioned},
	} {
		if g.M > 1<<12 && g.Hashing == bloomproof.Standard && !longtest.Enabled() {
			continue
		}
		b := g.M / 2
		low, high, _, err := ItemsInterval(g, b, alpha)
		whole := bloomproof.Geometry{M: g.M, K: g.K} // its set bits vary as much, nearly
		wholeLow, wholeHigh, _, errWhole := ItemsInterval(whole, b, alpha)
		n, errItems := EstimateItems(g, b, 53)
		ratio := float64(high-low) / float64(wholeHigh-wholeLow)
		if err != nil || errWhole != nil || errItems != nil || ratio < 1.3 || ratio > 1.7 || n.Float64() < float64(low) || n.Float64() > float64(high) {
			t.Errorf("%v: %d to %d about %v, without blocks %d to %d: %.3g times as wide, %v", g, low, high, n, wholeLow, wholeHigh, ratio, err)
		}
	}
}
