package exact

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// Growing describes a growing filter. Such a filter is a chain of filters, called layers. Its false-positive rate stays
// below a limit, however many keys arrive. The layers are numbered from 0. Layer i is planned for Items*Growth^i keys.
// Its planned rate is Rate*(1-Tighten)*Tighten^i. These rates add up to Rate.
type Growing struct {
	Hashing bloomproof.Hashing
	Items   uint64   // number of keys of the first layer, at least 1
	Rate    *big.Rat // the largest false-positive rate, above 0 and below 1
	Growth  uint64   // ratio of the numbers of keys of consecutive layers: at least 1, usually 2
	Tighten *big.Rat // ratio of the rates of consecutive layers, above 0 and below 1: usually 1/2 to 9/10
	Block   uint64   // bits of a block: 0 for none, or a power of two from 64 to 4096, with Standard or Partitioned
}

// maxGrowing is the largest number of bits that all layers together may have, as in kernel.NewGrowing.
const maxGrowing = 1 << 48

func (d Growing) check() error {
	if _, err := fillLawOf(bloomproof.Geometry{M: bloomproof.MaxK, K: 1, Hashing: d.Hashing}); err != nil {
		return err
	}
	if err := d.checkBlock(); err != nil {
		return err
	}
	switch one := big.NewRat(1, 1); {
	case d.Items < 1 || d.Items > maxGrowing:
		return &bloomproof.ParamError{Param: "items", Value: d.Items, Want: "between 1 and 2^48"}
	case d.Rate == nil || d.Rate.Sign() <= 0 || d.Rate.Cmp(one) >= 0:
		return &bloomproof.ParamError{Param: "rate", Value: d.Rate, Want: "above 0 and below 1"}
	case d.Growth < 1 || d.Growth > 1<<16:
		return &bloomproof.ParamError{Param: "growth", Value: d.Growth, Want: "between 1 and 65536"}
	case d.Tighten == nil || d.Tighten.Sign() <= 0 || d.Tighten.Cmp(one) >= 0:
		return &bloomproof.ParamError{Param: "tighten", Value: d.Tighten, Want: "above 0 and below 1"}
	}
	return nil
}

// Layers returns the layers of a growing filter. It returns as many layers as fit into 2^48 bits together, but at most
// bloomproof.MaxLayers. The list ends earlier if the next layer would need more than bloomproof.MaxK positions for an
// item.
//
// A layer of m bits and k positions closes before the next key could raise its false-positive rate to more than
// (Sigma/m)^k. Then the next layer opens. Layers computes the number Sigma of set bits in integer arithmetic. It
// ensures that (Sigma/m)^k is at most the planned rate of the layer. Therefore, until the last layer is full, the
// filter contains a new key with probability at most Rate. This is true for any keys. It does not require that the
// positions in different layers are independent.
//
// The mean number of keys that a layer takes until it closes is close to the planned number. Without blocks the
// difference is at most one key. The reason is that the formula for the coupon collector's problem gives this mean.
// With blocks the difference is a few keys in a thousand. In a given filter, a layer may close a little sooner or later
// than planned. GrowingFPR encloses the expected rate after n keys.
//
// Source: the chain of filters is from Almeida, Baquero, Preguica and Hutchison, Scalable Bloom Filters (2007). The
// rule that closes a layer by its number of set bits comes from this package, and not from that paper. This rule
// guarantees the bound of the rate.
// Domain: the comments of the fields state which values they may have. The field Hashing must be Standard, Classic or
// Partitioned. For Classic, blocks are not permitted.
// Cost: about a hundred products for each layer. The factors are integers with k log2 m bits.
// Errors: *bloomproof.ParamError. This error is also returned if the first layer alone would need more than 2^48 bits,
// or more than bloomproof.MaxK positions.
func (d Growing) Layers() ([]bloomproof.Layer, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	var layers []bloomproof.Layer
	rate := new(big.Rat).Sub(big.NewRat(1, 1), d.Tighten)
	rate.Mul(rate, d.Rate)
	for n, left := d.Items, uint64(maxGrowing); len(layers) < bloomproof.MaxLayers; n *= d.Growth {
		l, ok := layerFor(d.Hashing, n, rate, left)
		if d.Block != 0 {
			l, ok = blockedLayerFor(d.Hashing, d.Block, n, rate, left)
		}
		if !ok {
			break
		}
		layers = append(layers, l)
		left -= l.M
		if n > left/d.Growth { // each key needs at least one bit
			break
		}
		rate = new(big.Rat).Mul(rate, d.Tighten)
	}
	if len(layers) == 0 {
		return nil, &bloomproof.ParamError{Param: "items", Value: d.Items,
			Want: fmt.Sprintf("a number for which a layer of at most 2^48 bits and %d positions an item keeps the rate", bloomproof.MaxK)}
	}
	return layers, nil
}

// checkLayers returns a ParamError if the given layers cannot form a growing filter.
func checkLayers(layers []bloomproof.Layer) error {
	if len(layers) < 1 || len(layers) > bloomproof.MaxLayers {
		return &bloomproof.ParamError{Param: "layers", Value: len(layers), Want: fmt.Sprintf("1 to %d of them", bloomproof.MaxLayers)}
	}
	for _, l := range layers {
		if err := l.Validate(); err != nil {
			return err
		}
		if _, err := fillLawOf(l.Geometry); err != nil {
			return err
		}
	}
	return nil
}

// GrowingBound returns an upper bound of the rate of a growing filter. The bound is valid for any keys if the last
// layer is not full. It is the sum of (Sigma_i/m_i)^k_i over the layers i. Each layer contains a new key with a certain
// probability. The probability that at least one layer contains it is at most the sum of these probabilities. A layer
// of m bits and k positions with at most Sigma set bits contains a new key with probability (Sigma/m)^k or less.
//
// Source: the union bound.
// Domain: 1 to bloomproof.MaxLayers valid layers with Standard, Classic or Partitioned hashing; prec is from 1 to
// MaxPrec.
// Error: relative width at most 2^-prec.
// Cost: O(log k) products for each layer.
// Errors: *bloomproof.ParamError.
func GrowingBound(layers []bloomproof.Layer, prec uint) (Enclosure, error) {
	if err := checkLayers(layers); err != nil {
		return Enclosure{}, err
	}
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, err
	}
	return ziv(prec, prec+precision.Spare, func(work uint) *interval.Interval {
		sum := interval.New(work)
		for _, l := range layers {
			fill := interval.New(work).SetUint64(l.Sigma)
			fill.Quo(fill, interval.New(work).SetUint64(l.M))
			sum.Add(sum, fill.PowInt(fill, big.NewInt(int64(l.K))))
		}
		return sum
	})
}

// layerFor returns the layer with the fewest bits for about n keys at the given rate. It tries numbers of positions
// close to log2(1/rate). The result ok is false if the layer would need too many positions or more than "most" bits.
func layerFor(h bloomproof.Hashing, n uint64, rate *big.Rat, most uint64) (best bloomproof.Layer, ok bool) {
	log := logOf(rate)
	around := int(-log / math.Ln2)
	for k := max(1, around-1); k <= min(around+2, bloomproof.MaxK); k++ {
		fill := math.Exp(log / float64(k))
		for m := math.Ceil(float64(k) * float64(n) / -math.Log1p(-fill)); m <= float64(most); {
			g := bloomproof.Geometry{M: (uint64(m) + uint64(k) - 1) / uint64(k) * uint64(k), K: k, Hashing: h}
			if g.M > most {
				break
			}
			sigma := mostSigma(g, rate, fill)
			if keys := keysOf(g, sigma); keys < float64(n) {
				m = float64(g.M) + math.Ceil(float64(m*(float64(n)-keys)/float64(n)/2))
				continue
			}
			if !ok || g.M < best.M {
				best, ok = bloomproof.Layer{Geometry: g, Sigma: sigma}, true
			}
			break
		}
	}
	return best, ok
}

// logOf returns an approximation of the natural logarithm of a rate.
func logOf(rate *big.Rat) float64 {
	mant := new(big.Float)
	exp := new(big.Float).SetRat(rate).MantExp(mant)
	x, _ := mant.Float64()
	return math.Log(x) + float64(exp)*math.Ln2
}

// mostSigma returns the largest number sigma of set bits with (sigma/m)^k <= rate. It returns 0 if no sigma >= k
// satisfies this inequality. The search starts at sigma = fill*m.
func mostSigma(g bloomproof.Geometry, rate *big.Rat, fill float64) uint64 {
	k := big.NewInt(int64(g.K))
	power := func(x uint64) *big.Int { return new(big.Int).Exp(new(big.Int).SetUint64(x), k, nil) }
	bound := new(big.Int).Mul(rate.Num(), power(g.M)) // the condition is sigma^k den <= num m^k
	keeps := func(sigma uint64) bool { return new(big.Int).Mul(power(sigma), rate.Denom()).Cmp(bound) <= 0 }
	sigma := min(uint64(fill*float64(g.M)), g.M)
	for step := uint64(1); !keeps(sigma); step *= 2 {
		sigma -= min(step, sigma)
	}
	step := uint64(1)
	for ; sigma+step <= g.M && keeps(sigma+step); step *= 2 {
		sigma += step
	}
	for ; step > 0; step /= 2 {
		if sigma+step <= g.M && keeps(sigma+step) {
			sigma += step
		}
	}
	if sigma < uint64(g.K) {
		return 0
	}
	return sigma
}

// A layer takes keys until more than sigma - k bits are set. The function keysOf approximates the mean number of these
// keys.
func keysOf(g bloomproof.Geometry, sigma uint64) float64 {
	if sigma < uint64(g.K) {
		return 0
	}
	m, k := float64(g.M), float64(g.K)
	c := float64(sigma) - k
	return (float64(-m*math.Log1p(-(c+1)/(m+0.5))) + (k-1)/2) / k
}
