package exact

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
)

// This file computes the layers of growing filters with blocks. The type kernel.GrowingFilter closes a layer by a rule
// that guarantees a rate of at most (sigma/m)^k. The rate of a block of s bits with b set bits is at most (b/s)^k. The
// rule uses the mean of (b/s)^k over the blocks. Let x be the greatest increase of this mean that the next key can
// cause. The layer closes when the mean plus x exceeds (sigma/m)^k. The functions of this file compute in float64 how
// many keys a layer takes until it closes.

// These are the smallest and the largest number of bits that a block may have in package kernel.
const (
	leastBlock = 64
	mostBlock  = 4096
)

// checkBlock checks the block size d.Block. If d.Hashing does not permit this size, checkBlock returns a ParamError.
func (d Growing) checkBlock() error {
	switch {
	case d.Block == 0:
		return nil
	case d.Hashing != bloomproof.Standard && d.Hashing != bloomproof.Partitioned:
		return &bloomproof.ParamError{Param: "block", Value: d.Block, Want: "0 in layers with " + d.Hashing.String() + " hashing"}
	case d.Block < leastBlock || d.Block > mostBlock || d.Block&(d.Block-1) != 0:
		return &bloomproof.ParamError{Param: "block", Value: d.Block, Want: "0 or a power of two from 64 to 4096"}
	}
	return nil
}

// bitsOfBlock considers a block with the given number of items. It returns the mean and the variance of the number of
// its set bits.
func bitsOfBlock(g bloomproof.Geometry, items float64) (mean, variance float64) {
	k, parts := float64(g.K), 1.0
	if g.Hashing == bloomproof.Partitioned { // k independent slices; each item sets one bit in each slice
		k, parts = 1, float64(g.K)
	}
	s := float64(g.Block) / parts
	clear, pair := math.Exp(items*k*math.Log1p(-1/s)), 0.0
	if s > 2 {
		pair = math.Exp(items * k * math.Log1p(-2/s))
	}
	mean = s * (1 - clear)
	variance = max(0, s*clear*(1-clear)+s*(s-1)*(pair-clear*clear))
	return parts * mean, parts * variance
}

// blockMean approximates E[(b/s)^k]. Here b is the number of set bits of a block that has s bits and holds the given
// number of items. The function treats b as if it had a lognormal distribution.
func blockMean(g bloomproof.Geometry, items float64) float64 {
	mean, variance := bitsOfBlock(g, items)
	if mean == 0 {
		return 0
	}
	k := float64(g.K)
	return min(1, math.Exp(k*math.Log(mean/float64(g.Block))+k*(k-1)/2*math.Log1p(variance/(mean*mean))))
}

// loadOf returns approximations of two numbers. Let b be the number of set bits in a block of s bits. The result "mean"
// is the mean of (b/s)^k over the blocks after n items. The result "next" is the greatest increase of this mean that
// one further item can cause. The increase is greatest if the item falls into the fullest block. Let t(x) be the
// probability that a given block has more than x items. Let B be the number of blocks. loadOf estimates the number of
// items in the fullest block. The estimate is the smallest x with t(x) < 1/(2B).
func loadOf(g bloomproof.Geometry, n float64) (mean, next float64) {
	blocks := float64(g.M / g.Block)
	lambda := n / blocks
	last := math.Ceil(lambda + 12*math.Sqrt(lambda) + 20)
	tail := 1.0 // the probability that a block has more than c items
	fullest := -1.0
	logN, _ := math.Lgamma(n + 1)
	for c := 0.0; c <= min(n, last); c++ {
		p := 1.0
		if blocks > 1 {
			logC, _ := math.Lgamma(c + 1)
			logRest, _ := math.Lgamma(n - c + 1)
			p = math.Exp(logN - logC - logRest - c*math.Log(blocks) + (n-c)*math.Log1p(-1/blocks))
			if n > 1e6 { // the difference of the logarithms would lose digits, so the Poisson distribution is used
				p = math.Exp(c*math.Log(lambda) - lambda - logC)
			}
		} else if c < n {
			continue
		}
		mean += p * blockMean(g, c)
		if tail -= p; fullest < 0 && tail*blocks < 0.5 {
			fullest = c
		}
	}
	if fullest < 0 {
		fullest = min(n, last)
	}
	most, variance := bitsOfBlock(g, fullest)
	s, k := float64(g.Block), math.Min(float64(g.K), float64(g.Block))
	most = min(most+math.Sqrt(variance), s-k)
	next = math.Pow((most+k)/s, float64(g.K)) - math.Pow(most/s, float64(g.K)) + 0x1p-60*k
	return mean, next / blocks
}

// keysOfBlocks returns the approximate number of keys that a layer takes until it closes. It returns 0 if the first key
// of the layer would already exceed the limit.
func keysOfBlocks(l bloomproof.Layer) float64 {
	limit := math.Exp(float64(l.K) * math.Log(float64(l.Sigma)/float64(l.M)))
	closed := func(n float64) bool {
		mean, next := loadOf(l.Geometry, n)
		return mean+next > limit
	}
	if closed(0) {
		return 0
	}
	lo, hi := 0.0, 1.0
	for !closed(hi) {
		lo, hi = hi, 2*hi
	}
	for hi-lo > 0.25 && hi-lo > lo*1e-7 {
		if mid := (lo + hi) / 2; closed(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo + 1
}

// blockedLayerFor does the same as layerFor for layers with blocks. It tries every number of positions that the hashing
// permits, up to a little more than log2(1/rate).
func blockedLayerFor(h bloomproof.Hashing, block, n uint64, rate *big.Rat, most uint64) (best bloomproof.Layer, ok bool) {
	log := logOf(rate)
	around := int(-log / math.Ln2)
	for k := 1; k <= min(around+2, bloomproof.MaxK, int(block)); k++ {
		if h == bloomproof.Partitioned && block%uint64(k) != 0 {
			continue
		}
		fill := math.Exp(log / float64(k))
		if ok && float64(k)*float64(n)/-math.Log1p(-fill) > float64(best.M) {
			continue // even without blocks this k would need more bits
		}
		// The first guess assumes a layer of many blocks. In a layer of few blocks, the mean number of keys in a block
		// is smaller.
		g := bloomproof.Geometry{M: block << 20, K: k, Hashing: h, Block: block}
		guess := math.Ceil(float64(n) / keysOfBlocks(bloomproof.Layer{Geometry: g, Sigma: uint64(fill * float64(g.M))}) * (1 << 20))
		for blocks := max(1, guess); blocks*float64(block) <= float64(most); {
			g.M = uint64(blocks) * block
			if ok && g.M >= best.M {
				break
			}
			l := bloomproof.Layer{Geometry: g, Sigma: mostSigma(g, rate, fill)}
			if l.Sigma >= uint64(k) {
				if keys := keysOfBlocks(l); keys >= float64(n) {
					best, ok = l, true
					break
				} else if keys > 0 {
					blocks = max(blocks+1, math.Ceil(blocks*(1+(float64(n)/keys-1)/2)))
					continue
				}
			}
			blocks = max(blocks+1, math.Ceil(blocks*1.1))
		}
	}
	return best, ok
}
