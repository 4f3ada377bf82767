package kernel

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// GrowingFilter is a Bloom filter for a number of keys that is not known beforehand. It is a chain of filters, its
// layers, which are filled one after the other. Use NewGrowing. exact.Growing computes layers whose false-positive rate
// stays below a limit, however many keys are added.
//
// A key that some layer contains is not added again. Any other key is added to the open layer, the last one in use. The
// open layer closes when a further key could bring its rate above (Sigma/m)^k, where Sigma, m and k are those of the
// layer. The next layer then opens, and its memory is allocated. A layer without blocks closes when more than Sigma - k
// bits are set. With blocks, closing depends on how many bits are set in each block, as docs/format.md says. So Rate is
// at most the sum of (Sigma_i/m_i)^k_i over the layers, whatever the keys are, and not only on average. The last layer
// takes all further keys. Rate may then exceed this bound, which Overfull reports.
//
// A key is hashed once. Its positions in layer i follow from another hash, derive(h, i) of docs/format.md. This hash is
// uniform, and the positions of different layers are drawn independently. In the first layer a key has the same
// positions as in a Filter.
type GrowingFilter struct {
	plan   []bloomproof.Layer
	layers []*growingLayer // the layers in use; the last one is open
}

// growingLayer is a layer in use. A layer with blocks also has a load (blockLoad).
type growingLayer struct {
	*Filter
	load *blockLoad
}

// NewGrowing returns an empty filter of these layers, which are used one after the other.
// Domain: 1 to bloomproof.MaxLayers layers, each valid, with at most 2^48 bits in all. Memory: that of the layers in
// use.
// Errors: *bloomproof.ParamError for invalid layers or o, and when the host cannot hold the first layer.
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

// checkPlan returns a ParamError if these layers are outside the domain of NewGrowing.
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

// The method open returns the open layer and its number; it panics when no constructor made the filter.
func (f *GrowingFilter) open() (*growingLayer, int) {
	if len(f.layers) == 0 {
		mustBeMade(nil)
	}
	i := len(f.layers) - 1
	return f.layers[i], i
}

// Layers returns all layers, including those not yet in use.
func (f *GrowingFilter) Layers() []bloomproof.Layer { return slices.Clone(f.plan) }

// LayerBits returns the number of set bits of each layer in use. The last layer is open.
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

// Add records key and reports whether it was not yet contained; if it was, the filter does not change. If the host
// refuses the memory of the next layer, the open layer stays open, and each Add asks for the memory again.
// Cost: the cost of Contains, and O(k) in addition. When a layer opens, the cost of New is added.
func (f *GrowingFilter) Add(key []byte) bool {
	l, _ := f.open()
	return f.AddHash(l.hash.hash(key))
}

// AddHash is Add for a ready-made hash.
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

// Contains reports whether key is contained. The answer is always true for a key that was added. For any other key it
// is true with probability Rate.
// Cost: O(k) for each layer in use.
func (f *GrowingFilter) Contains(key []byte) bool {
	l, _ := f.open()
	return f.ContainsHash(l.hash.hash(key))
}

// ContainsHash is Contains for a ready-made hash.
func (f *GrowingFilter) ContainsHash(h Hash) bool {
	_, last := f.open()
	for i := last; i >= 0; i-- { // the largest layer has the most keys
		if f.layers[i].ContainsHash(h.inCycle(uint64(i))) {
			return true
		}
	}
	return false
}

// The method room returns how many keys the open layer can surely take before it closes. With blocks it returns 1 if
// the layer can take one more key, and 0 otherwise. A closed layer has room 0.
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

// The method grow opens the next layer if the open layer must be closed, a next layer exists, and the host has memory
// for it.
func (f *GrowingFilter) grow() {
	if l, i := f.open(); f.room() == 0 && i+1 < len(f.plan) {
		if next, err := f.layer(i+1, l.hash, l.im); err == nil {
			f.layers = append(f.layers, next)
		}
	}
}

// The method layer returns a new, empty layer i.
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

// layerOf returns layer i, whose bits are those of the given filter.
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
// Cost: O(k) a key for each layer in use; no allocation when dst has room, k <= 64 and no layer opens.
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

// addAll adds the hashes h, at most hashBlock, and sets out[i] to whether h[i] was not contained. It adds only as many
// hashes at a time as the open layer can take before it must close.
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
// Cost: O(k) a key for each layer in use; no allocation when dst has room and k <= 64.
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

// lookUpAll sets out[i] to whether h[i] is contained in one of the first layers; the argument layers says in how many.
// There may be at most hashBlock hashes.
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

// Rate returns the probability that a new key is contained given the present bits. It is 1 - product of (1 - r_i) over
// the layers in use, where r_i is Filter.Rate of layer i. It is at most the sum of (Sigma_i/m_i)^k_i over the layers
// unless the filter is Overfull.
// Error: relative, at most (2k+4) 2^-53 for each layer, for rates above 1e-300.
// Cost: the cost of Filter.Rate for each layer in use.
func (f *GrowingFilter) Rate() (rate float64) {
	for _, l := range f.layers {
		rate += float64((1 - rate) * l.Rate())
	}
	return rate
}

// Overfull reports whether a layer is fuller than its Sigma allows, so that Rate may be above what the layers promise.
// This happens to the last layer. It also happens to a layer if the host refuses the memory for the next one.
func (f *GrowingFilter) Overfull() bool {
	for i, l := range f.layers {
		if l.load != nil && l.load.over() || l.load == nil && l.bits > f.plan[i].Sigma {
			return true
		}
	}
	return false
}

// Items estimates from the set bits how many distinct keys were added. It is the sum over the layers of Filter.Items /
// (1 - r), where r is the Rate of the layers before it. The division by 1 - r is needed because a share r of the keys
// was already contained in the earlier layers and was therefore not added to this one. When all bits of a layer are set
// the estimate has no bound: bounded is then false and n is 0.
// Cost: the same as for Rate.
func (f *GrowingFilter) Items() (n float64, bounded bool) {
	n, bounded, _ = f.estimate()
	return n, bounded
}

// estimate returns the results of Items and of Rate.
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

// Clear removes all keys; only the first layer is then in use.
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

// Clone returns an independent copy.
func (f *GrowingFilter) Clone() *GrowingFilter {
	c := &GrowingFilter{slices.Clone(f.plan), slices.Clone(f.layers)}
	for i, l := range f.layers {
		c.layers[i] = &growingLayer{l.Filter.Clone(), l.load.clone()}
	}
	return c
}

// Equal reports whether f and g have the same layers with the same bits in use, and the same hash scheme, seed or key.
// Such filters behave identically from then on.
// Cost: O(m/64).
func (f *GrowingFilter) Equal(g *GrowingFilter) bool {
	return slices.Equal(f.plan, g.plan) && slices.EqualFunc(f.layers, g.layers, func(x, y *growingLayer) bool { return x.Filter.Equal(y.Filter) })
}

// String returns the number of layers in use, the open layer, the scheme and the number of set bits.
func (f *GrowingFilter) String() string {
	if len(f.layers) == 0 {
		return "no layers"
	}
	l, i := f.open()
	return fmt.Sprintf("layer %d of %d: %v %v bits=%d", i+1, len(f.plan), f.plan[i], l.hash.scheme, f.Bits())
}
