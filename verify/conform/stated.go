package conform

import (
	"errors"
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/sequential"
)

// tolerance is the relative error that a filter's own rate, estimate and sizes may have: one part in
// twenty, which is far above rounding and too little to mislead who sizes a filter.
const tolerance = 0.05

// statedShapes are large, so that chance moves what a filter states by little.
var statedShapes = []bloomproof.Geometry{{M: 1 << 16, K: 3}, {M: 1 << 18, K: 7}}

// statedRate holds Rate against the rate of the bits that there are, where they can be
// counted, or may be; and RateFor against the exact rate.
func (x *examination) statedRate(l Law) {
	if x.s.RateFor != nil && x.s.OwnRate == nil {
		for _, s := range []bloomproof.Geometry{{M: 32, K: 10}, {M: 64, K: 3}, {M: 1024, K: 4}, {M: 1 << 16, K: 7}, {M: 1 << 23, K: 10}} {
			_, d, ok := x.open(s.M, s.K)
			if !ok {
				continue
			}
			for _, n := range []uint64{0, 1, d.load(0.01), d.load(0.3)} {
				x.where = fmt.Sprintf("%v, %d items", d, n)
				want, err := d.rate(n)
				if err != nil {
					x.note("%v", err)
					continue
				}
				x.told[l] = true
				if got := x.s.RateFor(d.m(), d.g.K, n); !(got >= want.lo*(1-tolerance) && got <= want.hi*(1+tolerance)+1e-12) {
					x.found(l, "a rate of %.6g is expected, it is %.6g", got, want.lo)
					return
				}
			}
		}
	}
	if x.s.Rate == nil {
		return
	}
	for i, s := range statedShapes {
		f, d, ok := x.open(s.M, s.K)
		if !ok {
			continue
		}
		x.told[l] = true
		x.where = fmt.Sprintf("%v, empty", d)
		if r := x.s.Rate(f); !(r >= 0 && r <= 1e-12) {
			x.found(l, "a rate of %v is stated", r)
			return
		}
		keys := x.random(uint64(i) + 0x5a7e)
		for _, target := range []float64{0.02, 0.5} {
			n := d.load(target)
			x.fillWith(f, keys, keys.next, n-keys.next)
			keys.next = n
			x.where = fmt.Sprintf("%v, %d random keys", d, n)
			may, err := d.spread(n, x.alpha)
			if d.own {
				r := x.s.OwnRate(f, n)
				may, err = between{r, r}, nil
			}
			if err != nil {
				x.note("%v", err)
				continue
			}
			got := x.s.Rate(f)
			if !(got >= may.lo*(1-tolerance) && got <= may.hi*(1+tolerance)) {
				x.found(l, "a rate of %.6g is stated, it is %.6g to %.6g", got, may.lo, may.hi)
				return
			}
		}
	}
}

// items holds the estimate against the number of keys, as near as the number of set bits
// can tell it.
func (x *examination) items(l Law) {
	if x.s.Items == nil || x.s.OwnRate != nil {
		return
	}
	for i, s := range statedShapes {
		f, d, ok := x.open(s.M, s.K)
		if !ok {
			continue
		}
		x.told[l] = true
		x.where = fmt.Sprintf("%v, empty", d)
		if e := x.s.Items(f); !(math.Abs(e) < 0.5) {
			x.found(l, "%v items are estimated", e)
			return
		}
		keys := x.random(uint64(i) + 0x17e5)
		for _, fill := range []float64{0.1, 0.5} {
			n := max(1, uint64(-math.Log1p(-fill)*float64(d.m())/float64(d.g.K)))
			x.fillWith(f, keys, keys.next, n-keys.next)
			keys.next = n
			x.where = fmt.Sprintf("%v, %d random keys", d, n)
			// The share of set bits is near p, and the number of items near the n of that share.
			p := d.fill(n)
			count, _ := d.units()
			lo, hi, err := sequential.CountRange(count, p.lo, p.hi, x.alpha)
			if err != nil {
				x.note("%v", err)
				continue
			}
			atMost := float64(n) * math.Log1p(-hi/count) / math.Log1p(-p.hi)
			atLeast := float64(n) * math.Log1p(-lo/count) / math.Log1p(-p.lo)
			if got := x.s.Items(f); !(got >= atLeast*(1-tolerance) && got <= atMost*(1+tolerance)) {
				x.found(l, "%.6g items are estimated; the bits may tell of %.6g to %.6g", got, atLeast, atMost)
				return
			}
		}
	}
	if f, d, ok := x.open(64, 3); ok {
		keys := x.random(0xf111)
		x.fillWith(f, keys, 0, 1000)
		x.where = fmt.Sprintf("%v, 1000 random keys", d)
		if e := x.s.Items(f); !(e >= 0) {
			x.found(l, "%v items are estimated, though all bits are set", e)
		}
	}
}

// sizing holds the advice against the exact rate, and against the memory of the best filter
// there can be, n log2(1/rate)/ln 2 bits.
func (x *examination) sizing(l Law) {
	if x.s.Size == nil || x.s.OwnRate != nil {
		return
	}
	if _, err := x.s.New(64, 1); errors.Is(err, errNoNew) {
		return // no filter can be made of the advice
	}
	for _, n := range []uint64{10, 1000, 1 << 20} {
		for _, rate := range []float64{0.3, 0.01, 1e-6} {
			x.where = fmt.Sprintf("%d items at a rate of %g", n, rate)
			m, k := x.s.Size(n, rate)
			if m < 1 || k < 1 {
				x.found(l, "m=%d k=%d is advised", m, k)
				return
			}
			if m > 1<<32 || k > 1000 {
				x.found(l, "m=%d k=%d is advised, which is wasteful", m, k)
				return
			}
			_, d, err := x.make(m, k)
			if err != nil {
				x.note("m=%d k=%d %v", m, k, err)
				x.found(l, "m=%d k=%d is advised, which New refuses", m, k)
				return
			}
			got, err := d.rate(n)
			if err != nil {
				x.note("%v", err)
				continue
			}
			x.told[l] = true
			best, most := -float64(n)*math.Log2(rate)/math.Ln2, 1.5
			if x.s.BlockBits > 0 {
				most = 3 // what blocks cost at low rates
			}
			switch {
			case got.lo > rate*(1+tolerance):
				x.found(l, "m=%d k=%d is advised, whose rate is %.4g", m, k, got.lo)
			case float64(m) > most*best+512+float64(x.s.BlockBits):
				x.found(l, "m=%d k=%d is advised, which is wasteful: %.0f bits do", m, k, best)
			default:
				continue
			}
			return
		}
	}
}
