package kernel

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// GrowingFilter is a Bloom filter for a number of keys that is not known in advance. It is a chain of filters, which
// are called its layers and are filled one after the other. Use NewGrowing to make one. The function exact.Growing
// computes suitable layers. With these layers, the false-positive rate of the filter never exceeds a given limit,
// however many keys are added.
//
// A key that is contained in a layer is not added again. Any other key is added to the open layer, which is the last
// layer in use. Each layer has three numbers: Sigma, m and k. The open layer closes when one more key could bring its
// false-positive rate above (Sigma/m)^k. Then the next layer opens, and its memory is allocated. A layer without blocks
// closes when more than Sigma - k bits are set. For a layer with blocks, the decision depends on the number of set bits
// in each block. The page docs/format.md states the rule. So Rate is at most the sum of (Sigma_i/m_i)^k_i over all
// layers i. This holds for every set of keys, not only on average. The last layer does not close, so it takes all
// further keys. Rate may then be above this sum. The method Overfull reports this.
//
// A key is hashed once. In the first layer, a key has the same positions as in a Filter. Its positions in layer i
// follow from another hash, which docs/format.md calls derive(h, i). This hash is uniform, and the positions in
// different layers are independent.
type GrowingFilter struct {
	plan   []bloomproof.Layer
	layers []*growingLayer // the layers in use; the last one is open
}

// growingLayer is a layer whose memory is allocated. If the layer has blocks, its field "load" is not nil.
type growingLayer struct {
	*Filter
	load *blockLoad
}

// NewGrowing returns an empty filter with the given layers, which are used one after the other.
// Domain: 1 to bloomproof.MaxLayers layers, each valid, with at most 2^48 bits in all.
// Memory: the memory of the layers in use.
// Errors: *bloomproof.ParamError if a layer or o is invalid, or if the host has too little memory for the first layer.
func NewGrowing(layers []bloomproof.Layer, o Options) (*GrowingFilter, error) {
	if err := checkPlan(layers); err != nil {
		return nil, err
	}
	hash, im, err := o.open()
	if err != nil {
		return nil, err
	}
	f := &GrowingFilter{plan: slices.Clone(layers)}
	first, err := f.layer(0, hash, im)
	if err != nil {
		return nil, err
	}
	f.layers = []*growingLayer{first}
	return f, nil
}

// checkPlan returns a ParamError if the given layers are outside the domain of NewGrowing.
func checkPlan(layers []bloomproof.Layer) error {
	if len(layers) < 1 || len(layers) > bloomproof.MaxLayers {
		return &bloomproof.ParamError{Param: "layers", Value: len(layers), Want: fmt.Sprintf("1 to %d of them", bloomproof.MaxLayers)}
	}
	left := uint64(maxM)
	for _, l := range layers {
		if err := l.Validate(); err != nil {
			return err
		}
		if _, err := layoutOf(l.Geometry); err != nil {
			return err
		}
		if l.Block != 0 {
			if err := checkBlockRoom(l); err != nil {
				return err
			}
		}
		if l.M > left {
			return &bloomproof.ParamError{Param: "m", Value: l.M, Want: fmt.Sprintf("at most 2^48 = %d in all layers", uint64(maxM))}
		}
		left -= l.M
	}
	return nil
}

// The method "open" returns the open layer and its number. The filter must come from a constructor. Otherwise the
// method panics.
func (f *GrowingFilter) open() (*growingLayer, int) {
	if len(f.layers) == 0 {
		mustBeMade(nil)
	}
	i := len(f.layers) - 1
	return f.layers[i], i
}

// Layers returns all layers, including those that are not in use yet.
func (f *GrowingFilter) Layers() []bloomproof.Layer { return slices.Clone(f.plan) }

// LayerBits returns the number of set bits in each layer in use. The last of these layers is the open one.
func (f *GrowingFilter) LayerBits() []uint64 {
	all := make([]uint64, len(f.layers))
	for i, l := range f.layers {
		all[i] = l.bits
	}
	return all
}

// Hasher returns the hasher of the filter's keys.
func (f *GrowingFilter) Hasher() Hasher {
	l, _ := f.open()
	return l.hash
}

// Add adds key if the filter does not contain key, and then returns true. Otherwise Add changes nothing and returns
// false. The host may refuse to provide memory for the next layer. Then the open layer stays open, and each further Add
// asks for the memory again.
// Cost: the cost of Contains plus O(k). If the next layer opens, the cost of New is added.
func (f *GrowingFilter) Add(key []byte) bool {
	l, _ := f.open()
	return f.AddHash(l.hash.hash(key))
}

// AddHash does the same as Add, for a key that is already hashed.
func (f *GrowingFilter) AddHash(h Hash) bool {
	l, i := f.open()
	if f.ContainsHash(h) {
		return false
	}
	if h = h.inCycle(uint64(i)); l.load != nil {
		l.addToBlock(h)
	} else {
		l.AddHash(h)
	}
	f.grow()
	return true
}

// Contains reports whether one of the layers contains key. The answer is always true for a key that was added. For any
// other key the answer is true with the probability that Rate returns.
// Cost: O(k) for each layer in use.
func (f *GrowingFilter) Contains(key []byte) bool {
	l, _ := f.open()
	return f.ContainsHash(l.hash.hash(key))
}

// ContainsHash does the same as Contains, for a key that is already hashed.
func (f *GrowingFilter) ContainsHash(h Hash) bool {
	_, last := f.open()
	for i := last; i >= 0; i-- { // the largest layer has the most keys
		if f.layers[i].ContainsHash(h.inCycle(uint64(i))) {
			return true
		}
	}
	return false
}

// The method "room" returns how many keys the open layer can certainly take before it must close. For a layer with
// blocks, the method "room" returns 1 if the layer can take one more key, and otherwise 0. For a layer that must close
// it returns 0.
func (f *GrowingFilter) room() uint64 {
	l, i := f.open()
	if l.load != nil {
		if l.load.closed() {
			return 0
		}
		return 1
	}
	k, sigma := uint64(l.k), f.plan[i].Sigma
	if l.bits > sigma-k {
		return 0
	}
	return (sigma-k-l.bits)/k + 1
}

// The method "grow" opens the next layer if three conditions hold. The open layer has no room left. The plan has a next
// layer. The host provides memory for the next layer.
func (f *GrowingFilter) grow() {
	if l, i := f.open(); f.room() == 0 && i+1 < len(f.plan) {
		if next, err := f.layer(i+1, l.hash, l.im); err == nil {
			f.layers = append(f.layers, next)
		}
	}
}

// The method "layer" returns a new, empty layer with the number i.
func (f *GrowingFilter) layer(i int, hash Hasher, im impl) (*growingLayer, error) {
	l, err := layoutOf(f.plan[i].Geometry)
	if err != nil {
		return nil, err
	}
	a, err := l.newArray()
	if err != nil {
		return nil, err
	}
	return f.layerOf(i, newFilter(l, hash, im, a)), nil
}

// layerOf returns a layer with the number i and the bits of the given filter.
func (f *GrowingFilter) layerOf(i int, bits Filter) *growingLayer {
	l := &growingLayer{Filter: &bits}
	if l.size != 0 {
		l.load = newBlockLoad(f.plan[i])
		if l.bits > 0 {
			l.load.recount(l.words)
		}
	}
	return l
}

// AddBatch calls Add for each of the keys in turn and appends the results to dst.
// Cost: O(k) for each key and each layer in use. Nothing is allocated if k <= 64, no layer opens, and dst has room for
// the results.
func (f *GrowingFilter) AddBatch(dst []bool, keys Keys) []bool {
	l, _ := f.open()
	dst, out := extend(dst, keys.n)
	var buf [hashBlock]Hash
	for keys.n > 0 {
		h := keys.hash(&l.hash, l.im, buf[:])
		f.addAll(out[:len(h)], h)
		out, keys = out[len(h):], keys.after(len(h))
	}
	return dst
}

// addAll adds the keys with hashes h. It sets out[i] to true if h[i] was not contained before, and otherwise to false.
// There may be at most hashBlock hashes. It adds only as many keys at a time as the open layer can take before it must
// close.
func (f *GrowingFilter) addAll(out []bool, h []Hash) {
	var buf [hashBlock]Hash
	var set [hashBlock]bool
	for len(h) > 0 {
		open, last := f.open()
		if open.load != nil {
			f.lookUpAll(out, h, last)
			n := f.addAllToBlocks(out, h, last)
			f.grow()
			out, h = out[n:], h[n:]
			continue
		}
		n := len(h)
		if last+1 < len(f.plan) {
			n = int(min(uint64(n), max(1, f.room())))
		}
		f.lookUpAll(out[:n], h[:n], last)
		rest := buf[:0]
		for i := range n {
			if !out[i] {
				rest = append(rest, h[i].inCycle(uint64(last)))
			}
		}
		open.insertAll(open.im, &open.layout, set[:len(rest)], rest)
		added := set[:]
		for i := range n {
			if out[i] {
				out[i] = false
				continue
			}
			out[i], added = added[0], added[1:]
		}
		f.grow()
		out, h = out[n:], h[n:]
	}
}

// ContainsBatch appends to dst the result of Contains for each of the keys.
// Cost: O(k) for each key and each layer in use; no allocation if k <= 64 and dst has room for the results.
func (f *GrowingFilter) ContainsBatch(dst []bool, keys Keys) []bool {
	l, last := f.open()
	dst, out := extend(dst, keys.n)
	var buf [hashBlock]Hash
	for keys.n > 0 {
		h := keys.hash(&l.hash, l.im, buf[:])
		f.lookUpAll(out[:len(h)], h, last+1)
		out, keys = out[len(h):], keys.after(len(h))
	}
	return dst
}

// lookUpAll sets out[i] to true if one of the first layers contains h[i], and otherwise to false. The argument "layers"
// is the number of these layers. There may be at most hashBlock hashes.
func (f *GrowingFilter) lookUpAll(out []bool, h []Hash, layers int) {
	clear(out)
	var buf [hashBlock]Hash
	var in [hashBlock]bool
	for i, l := range f.layers[:layers] {
		for j := range h {
			buf[j] = h[j].inCycle(uint64(i))
		}
		l.lookUpAll(l.im, &l.layout, in[:len(h)], buf[:len(h)])
		for j := range h {
			out[j] = out[j] || in[j]
		}
	}
}

// Bits returns the number of set bits of all layers in use.
func (f *GrowingFilter) Bits() (set uint64) {
	for _, l := range f.layers {
		set += l.bits
	}
	return set
}

// Rate returns the probability that a new key is found in the filter, given the bits that are set now. Let r_i be the
// result of Filter.Rate for layer i. Rate is 1 minus the product of all 1 - r_i over the layers i in use. If Overfull
// returns false, Rate is at most the sum of (Sigma_i/m_i)^k_i over all layers i.
// Error: for rates above 1e-300, the relative error is at most (2*k+4)*2^-53 for each layer.
// Cost: the cost of Filter.Rate for each layer in use.
func (f *GrowingFilter) Rate() (rate float64) {
	for _, l := range f.layers {
		rate += float64((1 - rate) * l.Rate())
	}
	return rate
}

// Overfull reports whether a layer has more set bits than its Sigma allows. Rate may then be above the limit for which
// the layers were chosen. Only two kinds of layers can become so full. One is the last of all layers. The other is a
// layer that must take further keys because there is no memory for the next layer.
func (f *GrowingFilter) Overfull() bool {
	for i, l := range f.layers {
		if l.load != nil && l.load.over() || l.load == nil && l.bits > f.plan[i].Sigma {
			return true
		}
	}
	return false
}

// Items estimates how many distinct keys were added. It uses the number of set bits in each layer. For each layer it
// divides the result of Filter.Items by 1 - r. Here r is the false-positive rate of all earlier layers together. It
// returns the sum of these quotients. A share r of the new keys are false positives of the earlier layers. So these
// keys were not added to this layer. The division by 1 - r takes these keys into account. If all bits of a layer are
// set, the number of keys has no upper bound. In that case the result "bounded" is false, and the result n is 0.
// Cost: the same as for Rate.
func (f *GrowingFilter) Items() (n float64, bounded bool) {
	n, bounded, _ = f.estimate()
	return n, bounded
}

// The method "estimate" returns the results of Items and of Rate.
func (f *GrowingFilter) estimate() (n float64, bounded bool, rate float64) {
	bounded = true
	for _, l := range f.layers {
		items, ok := l.Items()
		bounded = bounded && ok && rate < 1
		n += items / (1 - rate)
		rate += float64((1 - rate) * l.Rate())
	}
	if !bounded {
		n = 0
	}
	return n, bounded, rate
}

// Clear removes all keys. Afterwards only the first layer is in use.
func (f *GrowingFilter) Clear() {
	f.open()
	clear(f.layers[1:])
	f.layers = f.layers[:1]
	first := f.layers[0]
	first.Clear()
	if first.load != nil {
		first.load.load, first.load.most = wide{}, 0
	}
}

// Clone returns a copy that is independent of f.
func (f *GrowingFilter) Clone() *GrowingFilter {
	c := &GrowingFilter{slices.Clone(f.plan), slices.Clone(f.layers)}
	for i, l := range f.layers {
		c.layers[i] = &growingLayer{l.Filter.Clone(), l.load.clone()}
	}
	return c
}

// Equal reports whether f and g have the same list of layers, the same bits in the layers in use, and the same hash
// scheme, seed and key. If equal filters then receive the same calls, they give the same results.
// Cost: O(m/64).
func (f *GrowingFilter) Equal(g *GrowingFilter) bool {
	return slices.Equal(f.plan, g.plan) && slices.EqualFunc(f.layers, g.layers, func(x, y *growingLayer) bool { return x.Filter.Equal(y.Filter) })
}

// String returns a text with the number of layers in use, the open layer, the scheme and the number of set bits.
func (f *GrowingFilter) String() string {
	if len(f.layers) == 0 {
		return "no layers"
	}
	l, i := f.open()
	return fmt.Sprintf("layer %d of %d: %v %v bits=%d", i+1, len(f.plan), f.plan[i], l.hash.scheme, f.Bits())
}
