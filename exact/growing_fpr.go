package exact

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// GrowingFPR encloses the expected false-positive rate of a growing filter (kernel.GrowingFilter) after n different
// keys were added. This rate is the probability that the filter contains one more key, which was not added. All
// positions are assumed to be independent, including the positions of one key in different layers. A key that some
// layer already contains is not added. The last layer takes every key that the earlier layers do not contain.
//
// Computing with a higher precision would not reduce the width of the enclosure. The layers before the open layer are
// closed. A key reaches the open layer if no closed layer contains it. The probability of this event is D, the product
// of (1 - r_j) over the closed layers j. Let b_j be the number of set bits of layer j at the time when the layer
// closed. Then r_j is the conditional rate of layer j, given b_j. Each b_j is at least Sigma_j - k_j + 1 and at most
// Sigma_j. These limits give a lower and an upper bound of D. If more keys reach the open layer, the filter's rate does
// not become smaller. Therefore the upper bound of D gives the upper end of the enclosure. The lower bound of D gives
// the lower end. Both ends are computed by a Markov chain, whose state consists of the open layer and its number of set
// bits. The rate of a closed layer is computed from the number of bits that were set when it closed. Until the first
// layer closes, only rounding errors contribute to the width of the enclosure. For k = 1 this is true after every
// number of keys.
//
// For a closed layer with Partitioned hashing, r_j is at most (Sigma_j/m_j)^k_j. This would be the rate of the layer if
// all its slices were equally full. An inequality for moments gives a lower bound of r_j. With a tiny probability, r_j
// is below this bound. This probability is added to the upper end.
//
// Source: derived here. The transition probabilities come from the recursion of Burns. This recursion adds one key at a
// time. The derivation for Partitioned hashing is in growing_sliced.go.
// Domain: 1 to bloomproof.MaxLayers valid layers with Standard, Classic or Partitioned hashing and without blocks; any
// n.
// Error: the ends are computed in float64. Rounding causes a relative error of about 4nk*2^-53, and the ends are moved
// outward by this error. The ends are also moved outward by a bound of the sum of the omitted terms. This sum is less
// than 1e-28 n. With Partitioned hashing it is less than 1e-34 k n^2.
// Cost: about n k sqrt(m) operations. With Partitioned hashing the cost is about 5000 m sqrt(m/k) operations. At most
// 2^33 operations are permitted.
// Errors: *bloomproof.ParamError; bloomproof.ErrTooCostly above this limit; bloomproof.ErrRange for rates below 1e-200.
func GrowingFPR(layers []bloomproof.Layer, n uint64) (Enclosure, error) {
	rates, err := GrowingFPRs(layers, []uint64{n})
	if err != nil {
		return Enclosure{}, err
	}
	return rates[0], nil
}

// GrowingFPRs returns the results of GrowingFPR for several numbers of keys. The list ns of these numbers must be in
// rising order. It takes only as long as one call of GrowingFPR for the last number.
//
// Errors: as for GrowingFPR; also *bloomproof.ParamError if a number in ns is less than the number before it.
func GrowingFPRs(layers []bloomproof.Layer, ns []uint64) ([]Enclosure, error) {
	if err := checkLayers(layers); err != nil {
		return nil, err
	}
	if !slices.IsSorted(ns) {
		return nil, &bloomproof.ParamError{Param: "n", Value: ns, Want: "in rising order"}
	}
	chain := make([]growingLayer, len(layers))
	for i, l := range layers {
		h, err := hashingOf(l.Geometry)
		if err != nil {
			return nil, err
		}
		chain[i] = growingLayer{m: float64(l.M), k: l.K, sigma: float64(l.Sigma), last: i == len(layers)-1}
		if bits, slices := h.slices(l.Geometry); slices > 1 {
			chain[i].slice = float64(bits)
		}
		if !h.collides() {
			chain[i].drawn = 1
		}
	}
	rates := make([]Enclosure, len(ns))
	none, _ := slices.BinarySearch(ns, 1)
	for i := range none {
		rates[i] = exactlyInt(0, 53)
	}
	if none == len(ns) {
		return rates, nil
	}
	if err := sliceLayers(chain, ns[len(ns)-1]); err != nil {
		return nil, err
	}
	low, _, err := growingRate(chain, ns[none:], false)
	if err != nil {
		return nil, err
	}
	high, _, err := growingRate(chain, ns[none:], true)
	if err != nil {
		return nil, err
	}
	for i := range low {
		if rates[none+i], err = NewEnclosure(big.NewFloat(low[i]), big.NewFloat(min(high[i], 1))); err != nil {
			return nil, err
		}
	}
	return rates, nil
}

// growingLayer holds one layer of the filter. It also holds the probabilities of those states of the Markov chain in
// which this layer is open. Suppose that b bits are set, and that the first j positions of a key hit set bits. Then the
// next position hits a set bit with probability (b-j*drawn)/(m-j*drawn). The field "drawn" is 1 if the positions of a
// key are distinct, and 0 otherwise.
type growingLayer struct {
	m, sigma, drawn float64
	k               int
	last            bool

	// The next two fields are used only for a layer with several slices. The field "slice" is the number of bits of a
	// slice. The field "sliced" holds the precomputed probabilities of the layer. The state of such a layer is a number
	// of keys. This number includes the keys that would have reached the layer if the layer had not closed.
	slice  float64
	sliced *slicedLayer

	// The next three fields give the distribution of the state while the layer is open: p[i] is the probability of the
	// state lo+i. If the layer has one slice, the state is the number of set bits. Let e be the probability that an
	// earlier layer contains a new key. Let e_i be the mean of e, given that the state is lo+i. Then v[i] is p[i] e_i.
	lo   int
	p, v []float64
}

// The method "rate" returns the probability that a layer with b set bits contains a new key.
func (l *growingLayer) rate(b float64) float64 {
	r := 1.0
	for j := range l.k {
		x := float64(j) * l.drawn
		r *= max(0, b-x) / (l.m - x)
	}
	return r
}

const (
	// growingWork is the largest number of operations that growingRate may take. This number of operations takes about
	// half a minute.
	growingWork = 1 << 33
	// growingLeast is the smallest probability that is kept. Smaller probabilities are dropped from both ends of the
	// distribution of a layer's state.
	growingLeast = 1e-35
)

func growingTooCostly(n uint64) error {
	return fmt.Errorf("bloomproof: %w: the rate of a growing filter after %d keys takes more than 2^33 operations", bloomproof.ErrTooCostly, n)
}

// For the layers with several slices, sliceLayers computes the probabilities that are needed for n keys.
func sliceLayers(layers []growingLayer, n uint64) error {
	if err := fault.Part(); err != nil {
		return err
	}
	work, keys := 0.0, float64(n)
	for i := range layers {
		l := &layers[i]
		if l.slice > 0 && keys > 0 && !l.last {
			work += slicedWork(l.slice, l.k, int(l.sigma)-l.k, keys)
		}
		keys -= 0.8 * -l.m / float64(l.k) * math.Log1p(-min(1-1/l.m, (l.sigma-float64(l.k))/l.m))
	}
	if work > growingWork {
		return growingTooCostly(n)
	}
	work = 0
	for i := range layers {
		l := &layers[i]
		switch {
		case l.slice == 0:
			continue
		case l.last:
			l.sliced = &slicedLayer{s: l.slice, k: l.k}
			continue
		}
		var ok bool
		l.sliced, ok = newSlicedLayer(l.slice, l.k, int(l.sigma)-l.k, n, func(now float64) bool { return work+now > growingWork })
		if !ok {
			return growingTooCostly(n)
		}
		work += l.sliced.touched
		if l.sliced.first == 0 { // no later layer opens
			for j := i + 1; j < len(layers); j++ {
				if layers[j].slice > 0 {
					layers[j].sliced = &slicedLayer{s: layers[j].slice, k: layers[j].k}
				}
			}
			break
		}
	}
	return nil
}

// growingRate returns a bound of the rate for each number of keys in the list ns. This list is in rising order. If the
// argument "upper" is true, these are upper bounds. Otherwise they are lower bounds. The result "work" is the number of
// operations that were needed.
func growingRate(layers []growingLayer, ns []uint64, upper bool) (rates []float64, work float64, err error) {
	if err := fault.Part(); err != nil {
		return nil, 0, err
	}
	layers = append([]growingLayer(nil), layers...)
	most, least, maxK := make([]float64, len(layers)), 1.0, 0
	cut, left, roundings := 0.0, 0.0, 0.0
	passed := make([]float64, len(layers)) // for each layer with several slices, the probability that it has closed
	for i := range layers {                // most and least bound D; the margin 2^-40 far exceeds the rounding errors
		l := &layers[i]
		most[i] = least
		at, err := l.sigma, -precision.Margin(0x1p-40)
		if upper {
			at, err = l.sigma-float64(l.k)+1, precision.Margin(0x1p-40)
		}
		r := l.rate(at)
		if l.sliced != nil { // the rate is largest if the slices are equally full
			if r = math.Exp(float64(l.k) * math.Log(l.sigma/l.m)); upper {
				r = l.sliced.least
			}
			left += l.sliced.cut
			roundings += l.sliced.terms
		}
		least = min(1, least*(1-r)*(1+err))
		maxK = max(maxK, l.k)
	}
	layers[0].p, layers[0].v = []float64{1}, []float64{0}
	done, last := uint64(0), ns[len(ns)-1]
	tooCostly := growingTooCostly(last)
	if growingWorkAhead(layers, last) > growingWork {
		return nil, work, tooCostly
	}
	for _, n := range ns {
		for ; done < n; done++ {
			for i := len(layers) - 1; i >= 0; i-- {
				l := &layers[i]
				if len(l.p) == 0 {
					continue
				}
				if work += float64(len(l.p)+l.k) * float64(l.k); work > growingWork {
					return nil, work, tooCostly
				}
				// If a layer has several slices, its state is a number of keys. These keys reached the layer before the
				// key that is now added. The layer can close with this key.
				if l.sliced != nil && !l.last {
					passed[i] += l.closeSliced(&layers[i+1], most[i])
				}
				l.step(most[i])
				if l.sliced == nil && !l.last {
					l.close(&layers[i+1])
				}
				cut += l.trim()
				if l.sliced != nil && !l.last { // drops states in which the layer is hardly ever open
					for n := len(l.p); n > 0 && l.sliced.over(l.lo+n-1); n-- {
						cut += growingLeast
						l.p, l.v = l.p[:n-1], l.v[:n-1]
					}
				}
			}
		}
		sum, terms := 0.0, 0
		for i := range layers {
			l := &layers[i]
			for j, p := range l.p {
				if l.sliced != nil {
					open, hit := l.sliced.opened(l.lo+j, l.last)
					sum += float64(l.v[j]*max(0, open-hit)) + float64(p*hit)
					continue
				}
				r := l.rate(float64(l.lo + j))
				sum += l.v[j]*(1-r) + p*r
			}
			terms += len(l.p)
		}
		// Each term of the sum is affected by 4k+3 roundings for each key. For each layer that closes, there are 5k+10
		// additional roundings. The rate causes 5k+10 roundings too. The sum causes one further rounding for each of
		// its terms.
		k := float64(maxK)
		relative := 1.01 * 0x1p-53 * (float64(n)*(4*k+3) + float64(len(layers)+1)*(5*k+10) + float64(terms) + roundings)
		if sum < 1e-200 {
			return nil, work, fmt.Errorf("bloomproof: %w: a rate below 1e-200", bloomproof.ErrRange)
		}
		rate := max(0, sum*(1-relative)-1.01*left-1e-280)
		if upper {
			rate = sum*(1+relative) + 1.01*(cut+left) + 1e-280
			for i, p := range passed {
				if p > 0 { // adds the probability that the rate of the layer is below its lower bound least
					rate += 1.01 * min(p+left, layers[i].sliced.leastCut)
				}
			}
		}
		rates = append(rates, rate)
	}
	return rates, work, nil
}

// growingWorkAhead estimates the number of operations of growingRate. So a computation that would take too long can be
// refused before it begins. The estimate is more often too low than too high. It assumes normal distributions for two
// numbers. One is the number of set bits of an open layer. The other is the number of keys that a layer receives until
// it closes. The means and variances of these numbers are computed for independent positions. All values with a
// probability above growingLeast lie within a little more than 11 standard deviations of the mean.
func growingWorkAhead(layers []growingLayer, n uint64) (work float64) {
	const steps, deviations = 32, 11
	opens, spread := 0.0, 0.0 // the number of keys after which a layer opens: its mean and its standard deviation
	for i := range layers {
		l := &layers[i]
		k, least := float64(l.k), l.m*0x1p-53
		bits := func(keys float64) (mean, deviation, slope float64) {
			x := max(0, keys) * k / l.m
			e := math.Exp(-x)
			return -l.m * math.Expm1(-x), math.Sqrt(l.m * e * max(0, 1-(1+x)*e)), k * e
		}
		closes, late, end, most := float64(n), spread, float64(n), l.m
		if !l.last {
			most = l.sigma
			keys := -l.m * math.Log(max(least, l.m-l.sigma)/l.m) / k
			_, deviation, slope := bits(keys)
			closes, late = opens+keys, math.Hypot(spread, deviation/slope)
			end = min(end, closes+deviations*late)
		}
		begin := max(0, opens-deviations*spread)
		if begin >= end {
			break
		}
		for step := range steps {
			at := begin + (end-begin)*(float64(step)+0.5)/steps
			mean, deviation, slope := bits(at - opens)
			side := deviations * math.Hypot(deviation, spread*slope)
			width := min(mean+side, most, at*k) - max(0, mean-side)
			if l.slice > 0 { // the state is a number of keys
				width = min(2*deviations*spread, at)
			}
			work += (end - begin) / steps * (max(1, width) + k) * k
		}
		opens, spread = closes, late
	}
	return work
}

// The method "step" updates the distribution of the layer's state when one more key is added. The filter adds this key
// to the layer with probability d.
func (l *growingLayer) step(d float64) {
	if l.sliced != nil {
		l.p, l.v = append(l.p, 0), append(l.v, 0)
		for i := len(l.p) - 1; i >= 0; i-- {
			l.p[i] *= 1 - d
			l.v[i] *= 1 - d
			if i > 0 {
				l.p[i] += float64(d * l.p[i-1])
				l.v[i] += float64(d * l.v[i-1])
			}
		}
		return
	}
	var oldP, oldV []float64
	if d < 1 {
		oldP, oldV = append(oldP, l.p...), append(oldV, l.v...)
	}
	for j := range l.k {
		x := float64(j) * l.drawn
		inverse := 1 / (l.m - x)
		l.p, l.v = append(l.p, 0), append(l.v, 0)
		p, v := l.p, l.v
		for i := len(p) - 1; i >= 0; i-- {
			b := float64(l.lo + i)
			stay := max(0, b-x) * inverse
			p[i] *= stay
			v[i] *= stay
			if i > 0 {
				set := max(0, l.m-b+1) * inverse
				p[i] += float64(p[i-1] * set)
				v[i] += float64(v[i-1] * set)
			}
		}
	}
	if d < 1 {
		for i := range l.p {
			l.p[i] *= d
			l.v[i] *= d
		}
		for i := range oldP {
			l.p[i] += float64((1 - d) * oldP[i])
			l.v[i] += float64((1 - d) * oldV[i])
		}
	}
}

// The method "close" handles all states in which the layer has more than Sigma - k set bits. It moves their
// probabilities to the state in which the next layer is open and empty.
func (l *growingLayer) close(next *growingLayer) {
	stay := max(0, int(l.sigma)-l.k+1-l.lo)
	if stay >= len(l.p) {
		return
	}
	var p, v float64
	for i := stay; i < len(l.p); i++ {
		r := l.rate(float64(l.lo + i))
		p += l.p[i]
		v += float64(l.v[i]*(1-r)) + float64(l.p[i]*r)
	}
	l.p, l.v = l.p[:stay], l.v[:stay]
	next.begin(p, v)
}

// closeSliced does the same as the method "close" for a layer with several slices. It is called for each key before the
// method "step" is called. The key reaches the layer with probability d. The result p is the probability that the layer
// closes when this key is added.
func (l *growingLayer) closeSliced(next *growingLayer, d float64) (p float64) {
	v := 0.0
	for i := range l.p {
		if e, ok := l.sliced.entry(l.lo + i + 1); ok {
			closes, hits := d*l.sliced.closes[e], d*l.sliced.hits[e]
			p += float64(l.p[i] * closes)
			v += float64(l.v[i]*max(0, closes-hits)) + float64(l.p[i]*hits)
		}
	}
	next.begin(p, v)
	return p
}

// The method "begin" adds p and v to the entries of l.p and l.v for the empty layer.
func (l *growingLayer) begin(p, v float64) {
	if p == 0 {
		return
	}
	if len(l.p) == 0 {
		l.lo = 0
	} else if l.lo > 0 {
		zeros := make([]float64, l.lo)
		l.p, l.v = append(zeros, l.p...), append(make([]float64, l.lo), l.v...)
		l.lo = 0
	}
	if len(l.p) == 0 {
		l.p, l.v = append(l.p, 0), append(l.v, 0)
	}
	l.p[0] += p
	l.v[0] += v
}

// The method "trim" drops probabilities below growingLeast from both ends of the distribution. It returns the sum of
// the dropped probabilities.
func (l *growingLayer) trim() (cut float64) {
	for len(l.p) > 0 && l.p[len(l.p)-1] < growingLeast {
		cut += l.p[len(l.p)-1]
		l.p, l.v = l.p[:len(l.p)-1], l.v[:len(l.p)-1]
	}
	for len(l.p) > 0 && l.p[0] < growingLeast {
		cut += l.p[0]
		l.p, l.v, l.lo = l.p[1:], l.v[1:], l.lo+1
	}
	return cut
}
