package recycling

import (
	"math"
	"math/big"
	mathbits "math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// The chain of no_copy_over.go hash by hash, for bit-bounded filters that do not retain: a
// few products by a word for each state and position, all terms positive. While the positions
// of an arrival are placed, let G_h(x,y) be the expected number of times in a cycle that x and
// y bits are set, h positions placed, and all of them in F, and H_h(x,y) that not all are in F.
// With l = 0 standard and h-1 classic for the positions that the next one avoids, b = x+y,
//
//	(m-l) G_h(x,y) = (x-l) G(x,y) + (f-x+1) G(x-1,y)                            of h-1,
//	(m-l) H_h(x,y) = (b-l) H(x,y) + y G(x,y) + (f-x+1) H(x-1,y) + (m-f-y+1) (G+H)(x,y-1),
//
// G_0 = V, the arrivals at a state, H_0 = 0. What ends as G_k is not recorded and leaves x and
// y as they were; what ends as H_k is recorded. With S what comes to H_k(x,y) from elsewhere,
//
//	V = ([x = y = 0] + S)/r,   r = 1 - rho(f) - rho(b) + rho(x).
//
// # Errors
//
// All numbers are fixed-point and rounded down, r up, so V is a lower bound, and so is the
// probability of each end, H_k beyond sigma. What all rounding lost is what the ends lack to
// 1: lost is the mass e at some state, and V lacks the arrivals that would come of e, in all
// at most L = (sigma+1) max 1/r, since each arrival that is recorded sets a bit.

// apartHashLimit bounds the states of all cycles times k times words, 40 ns each.
const apartHashLimit = 1 << 29

// hashedApart reports whether c is computed here: where the chain of starts has no zeros.
func (c *Cycle) hashedApart() bool {
	return c.r.Rule == bloomproof.BitBounded && !c.r.Retain && c.r.Sigma >= 2*uint64(c.g.K) && c.r.Sigma+uint64(c.g.K) < c.g.M
}

// apartHashSteps returns the steps of that, and the bits it loses.
func (c *Cycle) apartHashSteps(prec uint) (steps float64, work uint) {
	m, k, sigma := float64(c.g.M), float64(c.g.K), float64(c.r.Sigma)
	work = prec + uint(k*math.Log2(m/(sigma+1-k))) + uint(4*mathbits.Len64(c.g.M)+2*mathbits.Len(uint(c.g.K))) + 16
	return sigma * sigma / 2 * k * k * float64(words(work)+1), work
}

// apartPair is G and H at one state, for h = 0..k.
type apartPair struct{ all, rest []fixed }

// followHashes returns the sums over a cycle that begins with f frozen bits, and the distribution of
// those that freeze at its end, the likeliest first.
func (c *Cycle) followHashes(f uint64, work uint) (arrivals, repeats *interval.Interval, ends []*interval.Interval) {
	m, k, sigma := c.g.M, c.g.K, c.r.Sigma
	w := newHashChain(c.g, work)
	ulp := -64 * w.n
	rows := [2][]apartPair{make([]apartPair, sigma+uint64(k)+2), make([]apartPair, sigma+uint64(k)+2)}
	for i := range rows {
		for y := range rows[i] {
			for range k + 1 {
				rows[i][y].all = append(rows[i][y].all, make(fixed, w.n+1))
				rows[i][y].rest = append(rows[i][y].rest, make(fixed, w.n+1))
			}
		}
	}
	none := make(fixed, w.n+1)
	rho := make([]*big.Int, sigma+1) // rounded down, less than k ulps lost
	weight := func(b uint64) *big.Int {
		z := make(fixed, w.n+1)
		z[w.n] = 1
		for h := range k {
			p := c.g.placed(h)
			z.muladd(z, b-min(b, p), nil, 0, m-p, w.t)
		}
		return z.int(new([]big.Word))
	}
	for b := range rho {
		rho[b] = weight(uint64(b))
	}
	unit := new(big.Int).Lsh(integer.One, uint(64*w.n))
	hold := new(big.Int).Sub(unit, weight(f))
	all, again, least := new(big.Int), new(big.Int), new(big.Int).Set(unit)
	r, v, t := new(big.Int), new(big.Int), new(big.Int)
	after := c.r.Freeze == bloomproof.FreezeAfter
	law := make([]*big.Int, k) // FreezeAfter: sigma+1..
	for i := range law {
		law[i] = new(big.Int)
	}
	fi := field.Intervals(work)
	ends = make([]*interval.Interval, k)
	for i := range ends {
		ends[i] = fi.Int(0)
	}
	edge := c.edge()
	tails := map[uint64]*interval.Interval{} // P[sigma exceeded from an edge]
	for _, b := range edge {
		sum := fi.Int(0)
		for x, p := range transitions(fi, c.g, b, k) {
			if b+uint64(x) > sigma {
				sum.Add(sum, p)
			}
		}
		tails[b] = sum
	}
	g, h2 := make(fixed, w.n+1), make(fixed, w.n+1)
	for x := range min(f, sigma+uint64(k)) + 1 {
		now, before := rows[x&1], rows[x&1^1]
		for y := range min(m-f, sigma+uint64(k)-x) + 1 {
			b := x + y
			at := now[y]
			place := func() {
				for h := range k {
					p := c.g.placed(h)
					left := m - p
					up, across := none, none // G, H of x-1
					if x > 0 {
						up, across = before[y].all[h], before[y].rest[h]
					}
					at.all[h+1].muladd(at.all[h], x-min(x, p), up, min(f-x+1, left), left, w.t)
					g.muladd(at.rest[h], b-min(b, p), at.all[h], min(y, left), left, w.t)
					clear(h2)
					if y > 0 {
						h2.plus(now[y-1].all[h], now[y-1].rest[h])
					}
					h2.muladd(across, min(f-x+1, left), h2, min(m-f-y+1, left), left, w.t)
					at.rest[h+1].plus(g, h2)
				}
			}
			clear(at.all[0])
			clear(at.rest[0])
			place()
			s := at.rest[k]
			if b > sigma {
				l := law[b-sigma-1]
				l.Add(l, s.int(&w.ws))
				continue
			}
			if b == 0 {
				s[w.n]++
			}
			r.Sub(hold, rho[b])
			r.Add(r, rho[x])
			r.Add(r, t.SetInt64(int64(k)))
			if r.Cmp(least) < 0 {
				least.Set(r)
			}
			v.Quo(v.Lsh(s.int(&w.ws), uint(64*w.n)), r)
			all.Add(all, v)
			again.Add(again, t.Mul(v, t.Sub(unit, r)))
			at.all[0].set(v, w.buf)
			place()
			if tail, edge := tails[b]; edge && !after {
				p := fi.Zero().Set(tail) // less what is all in F
				ways, taus := choices(fi, f-x, k), transitions(fi, c.g, x, k)
				inside := choices(fi, m-x, k)
				for q := range taus {
					if b+uint64(q) > sigma {
						inF := fi.Zero().Quo(taus[q], inside[q])
						p.Sub(p, inF.Mul(inF, ways[q]))
					}
				}
				p.Mul(p, fi.Zero().SetScaled(v, v, ulp))
				ends[sigma-b].Add(ends[sigma-b], p)
			}
		}
	}
	lack := new(big.Int).Set(unit)
	for _, l := range law {
		lack.Sub(lack, l)
	}
	// L: least is at most 3k ulps more than the least r.
	least.Sub(least, big.NewInt(int64(3*k)))
	longest := new(big.Int).Mul(unit, integer.Uint(sigma+1))
	longest.Quo(longest, least)
	longest.Add(longest, integer.One)
	missing := longest.Mul(longest, lack)
	arrivals = fi.Zero().SetScaled(all, t.Add(all, missing), ulp)
	missing.Add(missing, t.Mul(all, big.NewInt(int64(3*k))).Rsh(t, uint(64*w.n)))
	missing.Add(missing, t.Mul(missing, big.NewInt(int64(3*k))).Rsh(t, uint(64*w.n)))
	missing.Add(missing, integer.One)
	repeats = fi.Zero().SetScaled(again, t.Add(again, missing.Lsh(missing, uint(64*w.n))), 2*ulp)
	slack := fi.Zero().SetScaled(new(big.Int), lack, ulp)
	for i := range ends {
		if after {
			ends[i].SetScaled(law[i], law[i], ulp)
		}
		ends[i].Add(ends[i], slack)
	}
	return arrivals, repeats, ends
}

// plus sets z to x + y.
func (z fixed) plus(x, y fixed) {
	var carry uint64
	for i := range z {
		z[i], carry = mathbits.Add64(x[i], y[i], carry)
	}
}

// apartHashes returns the expected repeats and arrivals of a cycle in the long run.
func (c *Cycle) apartHashes(work uint) (repeats, arrivals *interval.Interval) {
	f := field.Intervals(work)
	var starts []uint64
	for i := range min(uint64(c.g.K), c.r.Sigma+1) {
		if c.r.Freeze == bloomproof.FreezeAfter {
			starts = append(starts, c.r.Sigma+1+i)
		} else {
			starts = append(starts, c.r.Sigma-i)
		}
	}
	chain := make([][]*interval.Interval, len(starts))
	all, again := make([]*interval.Interval, len(starts)), make([]*interval.Interval, len(starts))
	for i, frozen := range starts {
		all[i], again[i], chain[i] = c.followHashes(frozen, work)
	}
	repeats, arrivals = f.Int(0), f.Int(0)
	sum, t := f.Int(0), f.Zero()
	for i, p := range stationary(f, chain) {
		sum.Add(sum, p)
		repeats.Add(repeats, t.Mul(p, again[i]))
		arrivals.Add(arrivals, t.Mul(p, all[i]))
	}
	return repeats.Quo(repeats, sum), arrivals.Quo(arrivals, sum)
}
