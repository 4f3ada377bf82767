package exact_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

func growingLayer(h bloomproof.Hashing, m uint64, k int, sigma uint64) bloomproof.Layer {
	return bloomproof.Layer{Geometry: bloomproof.Geometry{M: m, K: k, Hashing: h}, Sigma: sigma}
}

// growingChain is the filter's law once more: the chain over the bits of every layer, in rationals. A state has
// the bits of the closed layers too.
func growingChain(layers []bloomproof.Layer, n int) *big.Rat {
	one := big.NewRat(1, 1)
	type state [4]int // 1 + the bits of each layer in use
	in := func(l bloomproof.Layer, b int) *big.Rat {
		r := big.NewRat(1, 1)
		for j := range l.K {
			taken := 0
			if l.Hashing == bloomproof.Classic {
				taken = j
			}
			r.Mul(r, big.NewRat(int64(max(0, b-taken)), int64(int(l.M)-taken)))
		}
		return r
	}
	// miss returns the probability that none of the first layers contains a new key.
	miss := func(s state, layers []bloomproof.Layer) *big.Rat {
		d := big.NewRat(1, 1)
		for i, l := range layers {
			if s[i] > 0 {
				d.Mul(d, new(big.Rat).Sub(one, in(l, s[i]-1)))
			}
		}
		return d
	}
	add := func(p map[state]*big.Rat, s state, x *big.Rat) {
		if p[s] == nil {
			p[s] = new(big.Rat)
		}
		p[s].Add(p[s], x)
	}
	p := map[state]*big.Rat{{1}: one}
	for range n {
		next := map[state]*big.Rat{}
		for s, x := range p {
			open := 0
			for open+1 < len(layers) && s[open+1] > 0 {
				open++
			}
			l, b := layers[open], s[open]-1
			passed := miss(s, layers[:open])
			add(next, s, new(big.Rat).Mul(x, new(big.Rat).Sub(one, passed)))
			after := map[int]*big.Rat{b: new(big.Rat).Mul(x, passed)}
			for j := range l.K {
				taken := 0
				if l.Hashing == bloomproof.Classic {
					taken = j
				}
				drawn := map[int]*big.Rat{}
				for b, x := range after {
					for to, chance := range map[int]int64{b: int64(b - taken), b + 1: int64(int(l.M) - b)} {
						if chance > 0 {
							if drawn[to] == nil {
								drawn[to] = new(big.Rat)
							}
							drawn[to].Add(drawn[to], new(big.Rat).Mul(x, big.NewRat(chance, int64(int(l.M)-taken))))
						}
					}
				}
				after = drawn
			}
			for b, x := range after {
				to := s
				to[open] = b + 1
				if b > int(l.Sigma)-l.K && open+1 < len(layers) {
					to[open+1] = 1
				}
				add(next, to, x)
			}
		}
		p = next
	}
	sum := new(big.Rat)
	for s, x := range p {
		sum.Add(sum, new(big.Rat).Mul(x, new(big.Rat).Sub(one, miss(s, layers))))
	}
	return sum
}

// growingOutcomes counts all outcomes of the hashing of n keys and one more, for two layers with standard
// hashing and at most 8 bits, as the filter itself would treat them.
func growingOutcomes(layers [2]bloomproof.Layer, n int) *big.Rat {
	masks := [2][]int{}
	for i, l := range layers {
		masks[i] = []int{0}
		for range l.K {
			var longer []int
			for _, mask := range masks[i] {
				for p := range int(l.M) {
					longer = append(longer, mask|1<<p)
				}
			}
			masks[i] = longer
		}
	}
	var hits, all int64
	var key func(left int, used []int)
	key = func(left int, used []int) {
		for _, a := range masks[0] {
			for _, b := range masks[1] {
				mask := [2]int{a, b}
				in := false
				for i := range used {
					in = in || mask[i]&^used[i] == 0
				}
				if left == 0 {
					all++
					if in {
						hits++
					}
					continue
				}
				next := append([]int(nil), used...)
				if !in {
					open := len(next) - 1
					next[open] |= mask[open]
					set := 0
					for x := next[open]; x != 0; x &= x - 1 {
						set++
					}
					if open == 0 && set > int(layers[0].Sigma)-layers[0].K {
						next = append(next, 0)
					}
				}
				key(left-1, next)
			}
		}
	}
	key(n, []int{0})
	return big.NewRat(hits, all)
}

// The chain in rationals is the count of all outcomes, to the last digit, and both are in the enclosure.
func TestGrowingFPROutcomes(t *testing.T) {
	for _, layers := range [][2]bloomproof.Layer{
		{growingLayer(bloomproof.Standard, 2, 1, 1), growingLayer(bloomproof.Standard, 3, 1, 2)},
		{growingLayer(bloomproof.Standard, 3, 1, 2), growingLayer(bloomproof.Standard, 2, 2, 2)},
		{growingLayer(bloomproof.Standard, 3, 2, 2), growingLayer(bloomproof.Standard, 2, 1, 2)},
		{growingLayer(bloomproof.Standard, 2, 2, 2), growingLayer(bloomproof.Standard, 3, 2, 3)},
	} {
		for n := range longtest.More(3, 5) {
			if outcomes := float64(layers[0].K*2 + layers[1].K*2); n > 3 && outcomes > 4 {
				continue
			}
			want := growingOutcomes(layers, n)
			if got := growingChain(layers[:], n); got.Cmp(want) != 0 {
				t.Errorf("%v, n=%d: the chain gives %v, all outcomes %v", layers, n, got, want)
			}
			rate, err := exact.GrowingFPR(layers[:], uint64(n))
			if err != nil || !rate.Contains(want) {
				t.Errorf("%v, n=%d: %v, %v, want %v", layers, n, rate, err, want)
			}
		}
	}
}

// The enclosure contains the rate of the whole chain, and is as narrow as it is said to be.
func TestGrowingFPRChain(t *testing.T) {
	for _, c := range []struct {
		layers []bloomproof.Layer
		width  float64
	}{
		{[]bloomproof.Layer{growingLayer(bloomproof.Standard, 20, 3, 10)}, 1e-12},
		{[]bloomproof.Layer{growingLayer(bloomproof.Standard, 12, 1, 4), growingLayer(bloomproof.Standard, 20, 1, 8)}, 1e-12},
		{[]bloomproof.Layer{growingLayer(bloomproof.Standard, 16, 2, 8), growingLayer(bloomproof.Standard, 32, 3, 16), growingLayer(bloomproof.Standard, 48, 4, 24)}, 0.25},
		{[]bloomproof.Layer{growingLayer(bloomproof.Classic, 16, 2, 8), growingLayer(bloomproof.Standard, 32, 3, 16), growingLayer(bloomproof.Classic, 48, 4, 24)}, 0.25},
	} {
		for _, n := range []int{1, 2, 5, 9, 14, longtest.More(3, 30)} {
			rate, err := exact.GrowingFPR(c.layers, uint64(n))
			want := growingChain(c.layers, n)
			if err != nil || !rate.Contains(want) {
				t.Errorf("%v, n=%d: %v, %v, want %v", c.layers, n, rate, err, want.FloatString(20))
			}
			lo, _ := rate.Lo().Float64()
			if hi, _ := rate.Hi().Float64(); hi-lo > c.width*hi {
				t.Errorf("%v, n=%d: %v", c.layers, n, rate)
			}
		}
	}
}

// A layer alone is a filter.
func TestGrowingFPROne(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		l := growingLayer(h, 5000, 7, 2500)
		for _, n := range []uint64{1, 50, longtest.More[uint64](60, 2000)} {
			one, err := exact.GrowingFPR([]bloomproof.Layer{l}, n)
			rate, _, errFPR := exact.FPR(l.Geometry, n, 53, exact.Auto)
			if err != nil || errFPR != nil || !one.Overlaps(rate) || one.RelBits() < 30 {
				t.Errorf("%v, n=%d: %v, %v; the filter has %v", l, n, one, err, rate)
			}
		}
	}
}

// slicedChain is the law of a filter with partitioned layers once more: the chain over the set bits of every slice of the
// layers in use, in rationals. A state is one byte for each slice.
func slicedChain(layers []bloomproof.Layer, n int) *big.Rat {
	one := big.NewRat(1, 1)
	begin := make([]int, len(layers)+1) // of the slices of a layer
	for i, l := range layers {
		begin[i+1] = begin[i] + l.K
	}
	hit := func(s string, i int) *big.Rat {
		r, bits := big.NewRat(1, 1), int64(layers[i].M)/int64(layers[i].K)
		for _, b := range []byte(s[begin[i]:begin[i+1]]) {
			r.Mul(r, big.NewRat(int64(b), bits))
		}
		return r
	}
	miss := func(s string, used int) *big.Rat {
		d := big.NewRat(1, 1)
		for i := range used {
			d.Mul(d, new(big.Rat).Sub(one, hit(s, i)))
		}
		return d
	}
	inUse := func(s string) int {
		for i := range layers {
			if begin[i+1] == len(s) {
				return i + 1
			}
		}
		panic(s)
	}
	add := func(p map[string]*big.Rat, s string, x *big.Rat) {
		if x.Sign() == 0 {
			return
		}
		if p[s] == nil {
			p[s] = new(big.Rat)
		}
		p[s].Add(p[s], x)
	}
	p := map[string]*big.Rat{string(make([]byte, layers[0].K)): one}
	for range n {
		next := map[string]*big.Rat{}
		for s, x := range p {
			used := inUse(s)
			l := layers[used-1]
			passed := miss(s, used-1)
			add(next, s, new(big.Rat).Mul(x, new(big.Rat).Sub(one, passed)))
			bits := int64(l.M) / int64(l.K)
			after := map[string]*big.Rat{s: new(big.Rat).Mul(x, passed)}
			for j := begin[used-1]; j < begin[used]; j++ {
				drawn := map[string]*big.Rat{}
				for s, x := range after {
					b := int64(s[j])
					add(drawn, s, new(big.Rat).Mul(x, big.NewRat(b, bits)))
					add(drawn, s[:j]+string([]byte{s[j] + 1})+s[j+1:], new(big.Rat).Mul(x, big.NewRat(bits-b, bits)))
				}
				after = drawn
			}
			for s, x := range after {
				set := 0
				for _, b := range []byte(s[begin[used-1]:]) {
					set += int(b)
				}
				if set > int(l.Sigma)-l.K && used < len(layers) {
					s += string(make([]byte, layers[used].K))
				}
				add(next, s, x)
			}
		}
		p = next
	}
	sum := new(big.Rat)
	for s, x := range p {
		sum.Add(sum, new(big.Rat).Mul(x, new(big.Rat).Sub(one, miss(s, inUse(s)))))
	}
	return sum
}

// The enclosure with partitioned layers contains the rate of the whole chain; one slice is the standard filter, for which
// both chains are the same to the last digit.
func TestGrowingFPRSliced(t *testing.T) {
	one := []bloomproof.Layer{growingLayer(bloomproof.Standard, 4, 1, 2), growingLayer(bloomproof.Standard, 6, 1, 3)}
	for n := range 6 {
		if a, b := growingChain(one, n), slicedChain(one, n); a.Cmp(b) != 0 {
			t.Errorf("n=%d: %v and %v", n, a, b)
		}
	}
	for _, c := range []struct {
		layers []bloomproof.Layer
		width  float64
	}{
		{[]bloomproof.Layer{growingLayer(bloomproof.Partitioned, 18, 3, 9)}, 1e-12},
		{[]bloomproof.Layer{growingLayer(bloomproof.Partitioned, 12, 2, 5), growingLayer(bloomproof.Partitioned, 20, 2, 20)}, 0.3},
		{[]bloomproof.Layer{growingLayer(bloomproof.Partitioned, 6, 2, 4), growingLayer(bloomproof.Partitioned, 8, 2, 8)}, 0.6},
		{[]bloomproof.Layer{growingLayer(bloomproof.Partitioned, 16, 2, 16), growingLayer(bloomproof.Partitioned, 12, 3, 6), growingLayer(bloomproof.Partitioned, 20, 2, 10)}, 0.5},
		{[]bloomproof.Layer{growingLayer(bloomproof.Partitioned, 24, 3, 12), growingLayer(bloomproof.Partitioned, 32, 2, 16)}, 0.3},
	} {
		worst := 0.0
		ns := []int{1, 2, 4, 7, longtest.More(3, 20)}
		if c.layers[0].M == 6 {
			ns = append(ns, 40, longtest.More(60, 300)) // by then it is certainly closed
		}
		for _, n := range ns {
			rate, err := exact.GrowingFPR(c.layers, uint64(n))
			want := slicedChain(c.layers, n)
			if err != nil || !rate.Contains(want) {
				t.Errorf("%v, n=%d: %v, %v, want %v", c.layers, n, rate, err, want.FloatString(20))
			}
			lo, _ := rate.Lo().Float64()
			hi, _ := rate.Hi().Float64()
			worst = max(worst, (hi-lo)/hi)
		}
		t.Logf("%v: width %.2g", c.layers, worst)
		if worst > c.width {
			t.Errorf("%v: width %v", c.layers, worst)
		}
	}
}

// A partitioned layer alone is a filter, before and after its sigma; beside a layer that never opens, too.
func TestGrowingFPRSlicedOne(t *testing.T) {
	l := growingLayer(bloomproof.Partitioned, 7000, 7, 3500)
	for _, n := range []uint64{1, 50, 400, longtest.More[uint64](600, 3000)} {
		one, err := exact.GrowingFPR([]bloomproof.Layer{l}, n)
		rate, _, errFPR := exact.FPR(l.Geometry, n, 53, exact.Auto)
		if err != nil || errFPR != nil || !one.Overlaps(rate) || one.RelBits() < 25 {
			t.Errorf("n=%d: %v, %v; the filter has %v", n, one, err, rate)
		}
		if n > 500 {
			continue
		}
		two, err := exact.GrowingFPR([]bloomproof.Layer{l, l}, n)
		if err != nil || !two.Overlaps(rate) || two.RelBits() < 25 {
			t.Errorf("n=%d: %v, %v; the filter has %v", n, two, err, rate)
		}
	}
}

func TestGrowingFPRErrors(t *testing.T) {
	ok := growingLayer(bloomproof.Standard, 100, 3, 50)
	for _, row := range []struct {
		param  string
		layers []bloomproof.Layer
	}{
		{"layers", nil},
		{"sigma", []bloomproof.Layer{ok, growingLayer(bloomproof.Standard, 100, 3, 2)}},
		{"block", []bloomproof.Layer{{Geometry: bloomproof.Geometry{M: 1024, K: 3, Block: 512}, Sigma: 500}}},
		{"hashing", []bloomproof.Layer{growingLayer(bloomproof.Double, 99, 3, 50)}},
	} {
		var pe *bloomproof.ParamError
		if _, err := exact.GrowingFPR(row.layers, 3); !errors.As(err, &pe) || pe.Param != row.param {
			t.Errorf("%s: error %v", row.param, err)
		}
	}
	if _, err := exact.GrowingFPR([]bloomproof.Layer{ok}, 1<<63); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Error(err)
	}
	if _, err := exact.GrowingFPR([]bloomproof.Layer{growingLayer(bloomproof.Standard, 1<<40, 40, 1<<39)}, 1); !errors.Is(err, bloomproof.ErrRange) {
		t.Error(err)
	}
	if r, err := exact.GrowingFPR([]bloomproof.Layer{ok}, 0); err != nil || r.Sign() != 0 {
		t.Error(r, err)
	}
}
