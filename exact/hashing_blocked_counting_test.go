package exact

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
)

// correctMixture returns the mean of the correct rates of the item's block over the other items
// in it.
func correctMixture(t *testing.T, g bloomproof.Geometry, n uint64, inc bloomproof.Increment, prec uint) Enclosure {
	t.Helper()
	blocks, block := split(g)
	sum := interval.New(prec)
	for i := range n {
		p := new(big.Rat).SetInt(new(big.Int).Binomial(int64(n-1), int64(i)))
		for j := range n - 1 {
			if j < i {
				p.Mul(p, new(big.Rat).SetFrac64(1, int64(blocks)))
			} else {
				p.Mul(p, new(big.Rat).SetFrac64(int64(blocks-1), int64(blocks)))
			}
		}
		e, err := CorrectRate(block, i+1, inc, prec)
		if err != nil {
			t.Fatal(err)
		}
		x := interval.New(prec).SetRat(p)
		sum.Add(sum, x.Mul(x, e.interval()))
	}
	return around(sum)
}

// The correct rate of counting filters with blocks meets the mixture over the items of a block,
// whose rates are those without blocks.
func TestBlocksCorrectRate(t *testing.T) {
	const prec = 70
	check := func(g bloomproof.Geometry, n uint64) {
		for inc := bloomproof.Distinct; inc <= bloomproof.Literal; inc++ {
			want := correctMixture(t, g, n, inc, prec+20)
			if e, err := CorrectRate(g, n, inc, prec); err != nil || !e.Overlaps(want) || e.RelBits() < prec {
				t.Errorf("%v, n=%d, %v: %v, %v; the mixture is %v", g, n, inc, e, err, want)
			}
		}
	}
	outcomes.EachShape(6, func(block bloomproof.Geometry) {
		for _, blocks := range []uint64{1, 2, 3} {
			for _, n := range []uint64{1, 2, 5} {
				check(blocksOf(blocks, block), n)
			}
		}
	})
	for _, g := range []bloomproof.Geometry{
		{M: 128 * 4, K: 5, Block: 128}, {M: 64 * 1000, K: 12, Block: 64},
		{M: 128 * 3, K: 8, Block: 128, Hashing: bloomproof.Partitioned},
	} {
		check(g, 60)
	}
	// Beyond any mixture: what is hit twice is told wrong.
	g := bloomproof.Geometry{M: 1 << 40, K: 7, Block: 128}
	distinct, err1 := CorrectRate(g, 1<<35, bloomproof.Distinct, prec)
	literal, err2 := CorrectRate(g, 1<<35, bloomproof.Literal, prec)
	if order, decided := literal.Cmp(distinct); err1 != nil || err2 != nil || !decided || order >= 0 || literal.RelBits() < prec {
		t.Errorf("%v: literal %v, %v, distinct %v, %v", g, literal, err2, distinct, err1)
	}
}
