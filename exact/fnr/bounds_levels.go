package fnr

import (
	"math"

	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// A value of the type "levels" describes how an array fills with set bits during a cycle. All its numbers depend on the
// number i of recorded messages. They are computed as in fill.go, but in float64. One position of a message changes the
// distribution of the number B of set bits. The probability of each value of B is divided among several values of B.
// The weights in this division are positive and add up to 1. So this step does not enlarge the total error. Each
// position adds 5 rounding errors, because the weights are rounded. A subtraction adds 2 rounding errors and the errors
// of its two terms. A sum of n terms adds n rounding errors.
type levels struct {
	fits, lucky []float64 // v_i = P[i messages fit], and the probability that i fit and one more sets no bit
	off         float64   // bounds the error of each number in fits and lucky
	rest        float64   // bounds the sum of v_i over the i that were not computed
	mean        float64   // approximate mean of J, the number of distinct messages of a cycle
	loud, quiet ends      // the sums of u_i = v_i - lucky_i and of lucky_i over all i; with retaining over i >= 1
}

// The computation stops at a certain number of recorded messages. A cycle can also reach larger numbers of recorded
// messages. This adds at most levelsRest arrivals to the mean length of a cycle. Weights below the constant "trimmed"
// are replaced by 0. The constant levelsLimit is the largest number of steps that the computation may take. A step
// takes about 2 ns.
const (
	levelsRest  = 1e-9
	trimmed     = 0x1p-150
	levelsLimit = 1 << 32
)

// A span holds a part of the distribution of the number of set bits. The element p[i] is the weight of first+i set
// bits.
type span struct {
	first uint64
	p     []float64
}

// The method "trim" removes negligible weights at both ends of a span.
func (x span) trim() span {
	for len(x.p) > 0 && x.p[0] < trimmed {
		x.p, x.first = x.p[1:], x.first+1
	}
	for len(x.p) > 0 && x.p[len(x.p)-1] < trimmed {
		x.p = x.p[:len(x.p)-1]
	}
	return x
}

// The method "add" adds two spans: each number of set bits gets the sum of its weights in x and y.
func (x span) add(y span) span {
	switch {
	case len(x.p) == 0:
		return y
	case len(y.p) == 0:
		return x
	case x.first > y.first:
		x, y = y, x
	}
	n := max(uint64(len(x.p)), y.first-x.first+uint64(len(y.p)))
	sum := make([]float64, n)
	copy(sum, x.p)
	for l, p := range y.p {
		sum[y.first-x.first+uint64(l)] += p
	}
	return span{x.first, sum}
}

// The method "levels" returns a value of the type "levels" that describes the filter. The argument "arrives" is the
// probability that an arrival is a new message.
func (c *System) levels(arrives float64) (*levels, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	g, r := c.g, c.r
	k, m := uint64(g.K), float64(g.M)
	most, bits := float64(r.Sigma), float64(r.Sigma)
	if r.Messages > 0 {
		most, bits = float64(r.Messages), float64(r.Messages-1)*float64(k)
	}
	// The variable "bits" is an upper bound of the number of set bits. So a message sets a bit with probability at
	// least 1 - (bits/m)^k.
	sets := -math.Expm1(float64(k)*math.Log(bits/m)) * (1 - roundingSpare())
	if bits >= m || sets <= 0 {
		return nil, refuse.Undefined("bounds of the rates", "the filter can fill up and never recycle")
	}
	longest := (most + 1) / sets * (1 + roundingSpare()) // bounds the mean number of messages of a cycle
	// The function "full" returns the probability that all positions of a message are set, if l bits are set.
	full := func(l uint64) float64 {
		p := 1.0
		for t := range k {
			p *= float64(l-min(l, g.placed(t))) / float64(g.M-g.placed(t))
		}
		return p
	}
	x := &levels{}
	rows := []span{{0, []float64{1}}}
	steps, widest := 0.0, 0
	sumFits, sumLucky, last := 0.0, 0.0, 0.0
	for {
		fits, lucky := 0.0, 0.0
		for _, row := range rows {
			for l, p := range row.p {
				fits += p
				lucky += float64(p * full(row.first+uint64(l)))
			}
			steps += 4 * float64(len(row.p)) * float64(k)
			widest = max(widest, len(row.p))
		}
		if steps > levelsLimit {
			return nil, refuse.TooCostly("the bits through a cycle", steps, levelsLimit)
		}
		if last = fits; fits*longest/arrives < levelsRest {
			break
		}
		x.fits, x.lucky = append(x.fits, fits), append(x.lucky, lucky)
		sumFits, sumLucky = sumFits+fits, sumLucky+lucky
		next := make([]span, len(rows), len(rows)+1)
		for s, row := range rows {
			all := c.placeAll(row)
			if r.Messages == 0 {
				if fit := r.Sigma + 1 - min(r.Sigma+1, all.first); fit < uint64(len(all.p)) {
					all.p = all.p[:fit]
				}
				next[s] = all.trim()
				continue
			}
			none := span{row.first, make([]float64, len(row.p))}
			for l, p := range row.p {
				none.p[l] = p * full(row.first+uint64(l))
				all.p[l] = max(all.p[l]-none.p[l], 0)
			}
			next[s] = next[s].add(none.trim())
			if uint64(s)+1 == r.Messages {
				continue
			}
			if s+1 == len(next) {
				next = append(next, span{})
			}
			next[s+1] = next[s+1].add(all.trim())
		}
		rows = next
	}
	n := float64(len(x.fits))
	x.off = (16*float64(k)*(n+1)+4*float64(widest*len(rows)))*unit() + trimmed*steps
	x.rest = (last + x.off) * longest * (1 + roundingSpare())
	x.mean = sumFits
	if r.Retain { // the first message, which sets a bit, arrived at the end of the previous cycle
		sumFits--
	}
	off := n*x.off + 4*n*unit()*sumFits
	x.loud = around(sumFits-sumLucky, off)
	x.quiet = around(sumLucky, off)
	x.loud.high, x.quiet.high = x.loud.high+x.rest, x.quiet.high+x.rest
	return x, nil
}

// Suppose that a message is recorded. The argument "row" is the distribution of the number of set bits before that. The
// method placeAll returns the distribution after the k positions of the message have been set. The first entry of both
// spans is for the same number of set bits.
func (c *System) placeAll(row span) span {
	p := make([]float64, len(row.p)+c.g.K)
	copy(p, row.p)
	for t := range c.g.K {
		placed := c.g.placed(uint64(t))
		left := float64(c.g.M - placed)
		for l := len(row.p) + t; l >= 0; l-- {
			set := row.first + uint64(l)
			if set > c.g.M {
				continue
			}
			p[l] *= float64(set-min(set, placed)) / left
			if l > 0 {
				p[l] += float64(p[l-1] * (float64(c.g.M-(set-1)) / left))
			}
		}
	}
	return span{row.first, p}
}
