package conform

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/internal/sequential"
)

// The constant "ulps" is an upper bound of the relative error that float64 arithmetic causes in the probabilities
// computed here.
const ulps = 1e-11

// A model describes the declared structure of a filter. The filter consists of blocks, and each block is a filter of
// shape g. Each item is in one of the blocks.
type model struct {
	blocks uint64
	g      bloomproof.Geometry
	own    bool // true if the filter is not a Bloom filter; g then only says how many items to add
}

func (d model) hashing() hashing { return hashings[d.g.Hashing] }

func (d model) m() uint64 { return d.blocks * d.g.M }

// String returns, for example, "standard m=1024 k=7".
func (d model) String() string {
	if d.own {
		return fmt.Sprintf("m=%d k=%d", d.g.M, d.g.K)
	}
	if d.blocks == 1 {
		return d.g.String()
	}
	return fmt.Sprintf("blocks=%d of %v", d.blocks, d.g)
}

// A value of the type "between" is a range from lo to hi. The range contains a number that is not known exactly, for
// example because of rounding.
type between struct{ lo, hi float64 }

func near(x float64) between { return between{max(0, x*(1-ulps)), min(1, x*(1+ulps))} }

// The method "fill" returns a range that contains the probability that a given bit is set after n items.
func (d model) fill(n uint64) between {
	hit := d.hashing().hit(float64(d.g.M), float64(d.g.K)) // the probability of a hit by an item in the same block as the bit
	return near(-math.Expm1(float64(n) * math.Log1p(-hit/float64(d.blocks))))
}

// The method "rate" returns a range that contains the expected false-positive rate after n items.
func (d model) rate(n uint64) (between, error) {
	g := d.g
	if d.blocks > 1 {
		g.M, g.Block = d.m(), d.g.M
	}
	e, _, err := exact.FPR(g, n, 64, exact.Auto)
	if err != nil {
		return between{}, fmt.Errorf("rate of %v after %d items: %w", d, n, err)
	}
	return near(e.Float64()), nil
}

// The method "units" describes the number of set bits as a sum of negatively associated variables in [0, 1]. The result
// "count" is the number of these variables. Each variable stands for the same number of bits. This number is the result
// "bits".
func (d model) units() (count, bits float64) {
	if d.blocks == 1 {
		return float64(d.g.M), 1
	}
	return float64(d.blocks), float64(d.g.M)
}

// The method "possible" returns the least and the largest number of bits that can be set after n >= 1 items.
func (d model) possible(n uint64) (least, most float64) {
	least = float64(d.g.K)
	if d.hashing().coincide {
		least = 1
	}
	return least, min(float64(d.m()), float64(n)*float64(d.g.K))
}

// setBits returns a range. With probability at least 1 - tau, the number of set bits is in this range.
func (d model) setBits(n uint64, tau float64) (between, error) {
	p := d.fill(n)
	count, bits := d.units()
	lo, hi, err := sequential.CountRange(count, p.lo, p.hi, tau)
	if err != nil {
		return between{}, err
	}
	byBlock, err := d.inEach(n, tau, model.setBits)
	if blocks := float64(d.blocks); (byBlock.hi-byBlock.lo)*blocks < (hi-lo)*bits { // shards are an example
		lo, hi, bits = byBlock.lo, byBlock.hi, blocks
	}
	least, most := d.possible(n)
	return between{max(lo*bits, least), min(hi*bits, most)}, err
}

// Consider a property of a block that grows with the number of items in the block. An example is the number of set
// bits. The method inEach returns a range for this property. With probability at least 1 - tau, the values of all
// blocks are in this range. The argument "of" is a function. It computes such a range for a single block with n items.
// The result can be wrong only in two events. Each event has a probability of at most tau/2. First, the number of items
// in a block may lie outside a range of the binomial distribution. Second, the property of a block may lie outside the
// range that the passed function computes.
func (d model) inEach(n uint64, tau float64, of func(block model, n uint64, tau float64) (between, error)) (between, error) {
	if d.blocks == 1 {
		return between{0, math.Inf(1)}, nil
	}
	blocks := float64(d.blocks)
	share := near(1 / blocks)
	few, many, err := sequential.CountRange(float64(n), share.lo, share.hi, tau/2/blocks)
	if err != nil {
		return between{}, err
	}
	block := model{blocks: 1, g: d.g}
	var out between
	if few = math.Floor(few); few >= 1 {
		b, err := of(block, uint64(few), tau/2/blocks)
		if err != nil {
			return between{}, err
		}
		out.lo = b.lo
	}
	b, err := of(block, max(1, uint64(math.Ceil(many))), tau/2/blocks)
	out.hi = b.hi
	return out, err
}

// rateOf returns the false-positive rate of a filter without blocks that has x set bits. In a partitioned filter, x/k
// bits are set in each slice.
func (d model) rateOf(x float64) float64 { return d.hashing().rateOf(x, float64(d.g.M), d.g.K) }

// The method "spread" returns a range for the rate of a filter with n items, given its set bits. With probability at
// least 1 - tau, the rate is in this range.
func (d model) spread(n uint64, tau float64) (between, error) {
	if d.blocks > 1 {
		f, err := d.rate(n)
		if err != nil {
			return between{}, err
		}
		lo, hi, err := sequential.CountRange(float64(d.blocks), f.lo, f.hi, tau)
		if err != nil {
			return between{}, err
		}
		byBlock, err := d.inEach(n, tau, model.spread)
		if blocks := float64(d.blocks); byBlock.hi-byBlock.lo > (hi-lo)/blocks {
			return between{lo / blocks, hi / blocks}, err
		}
		return byBlock, err
	}
	if d.hashing().slices { // the range must hold for every slice
		p, s := d.fill(n), float64(d.g.M)/float64(d.g.K)
		lo, hi, err := sequential.CountRange(s, p.lo, p.hi, tau/float64(d.g.K))
		return between{d.rateOf(math.Floor(lo) * float64(d.g.K)), d.rateOf(math.Ceil(hi) * float64(d.g.K))}, err
	}
	x, err := d.setBits(n, tau)
	return between{d.rateOf(math.Floor(x.lo)) * (1 - ulps), min(1, d.rateOf(math.Ceil(x.hi))*(1+ulps))}, err
}

// The method "load" returns a number of items, which is at least 1. With about this number of items, the rate is
// nearest to target. The result only selects a case to test, so it need not be exact.
func (d model) load(target float64) uint64 {
	m, k := float64(d.m()), float64(d.g.K)
	return max(1, uint64(math.Round(math.Log1p(-math.Pow(target, 1/k))/math.Log1p(-1/m)/k)))
}
