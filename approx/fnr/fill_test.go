package fnr

import (
	"math"
	"math/big"
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// messagesOf counts, for each set of positions, the sequences of k positions that have it, and all
// sequences.
func messagesOf(g bloomproof.Geometry) (sets map[uint]int64, all int64) {
	sets, all = map[uint]int64{0: 1}, 1
	for q := range int64(g.K) {
		more := map[uint]int64{}
		for set, count := range sets {
			for b := range g.M {
				if g.Hashing != bloomproof.Classic || set>>b&1 == 0 {
					more[set|1<<b] += count
				}
			}
		}
		sets = more
		if g.Hashing == bloomproof.Classic {
			all *= int64(g.M) - q
		} else {
			all *= int64(g.M)
		}
	}
	return sets, all
}

// listedFilling is filled for i messages with every pattern of bits apart. It counts sequences of
// positions in whole numbers, so that no order of a map rounds differently.
func listedFilling(g bloomproof.Geometry, r bloomproof.Recycling, rows int) []filled {
	type state struct {
		set  uint
		loud uint64
	}
	sets, all := messagesOf(g)
	within := map[uint]int64{} // the messages whose positions are all set
	for set := range uint(1) << g.M {
		for other, count := range sets {
			if other&^set == 0 {
				within[set] += count
			}
		}
	}
	now, ways := map[state]*big.Int{{}: big.NewInt(1)}, big.NewInt(1)
	times := func(x *big.Int, n int64) *big.Int { return new(big.Int).Mul(x, big.NewInt(n)) }
	var out []filled
	for range rows {
		var fits, lucky, unlucky, ends, luckyBefore, luckyAfter, unluckyBefore, unluckyAfter big.Int
		next := map[state]*big.Int{}
		for s, count := range now {
			fits.Add(&fits, count)
			for m, each := range sets {
				n, both := state{s.set | m, s.loud}, times(count, each)
				if n.set == s.set {
					lucky.Add(&lucky, both)
				} else {
					unlucky.Add(&unlucky, both)
					n.loud++
				}
				over := n.loud == r.Messages
				if r.Messages == 0 {
					over = uint64(bits.OnesCount(n.set)) > r.Sigma
				}
				if !over {
					if next[n] == nil {
						next[n] = new(big.Int)
					}
					next[n].Add(next[n], both)
					continue
				}
				ends.Add(&ends, both)
				luckyBefore.Add(&luckyBefore, times(both, within[s.set]))
				unluckyBefore.Add(&unluckyBefore, times(both, all-within[s.set]))
				luckyAfter.Add(&luckyAfter, times(both, within[n.set]))
				unluckyAfter.Add(&unluckyAfter, times(both, all-within[n.set]))
			}
		}
		one := times(ways, all)
		two := times(one, all)
		ratio := func(x, y *big.Int) float64 { q, _ := new(big.Rat).SetFrac(x, y).Float64(); return q }
		out = append(out, filled{
			fits: ratio(&fits, ways), lucky: ratio(&lucky, one), unlucky: ratio(&unlucky, one), ends: ratio(&ends, one),
			luckyBefore: ratio(&luckyBefore, two), luckyAfter: ratio(&luckyAfter, two),
			unluckyBefore: ratio(&unluckyBefore, two), unluckyAfter: ratio(&unluckyAfter, two),
		})
		now, ways = next, one
	}
	return out
}

// A filling is what the list of all patterns of bits says, in both rules and hashings.
func TestFillingByPatterns(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, k := range []int{1, 2, 3} {
			g := bloomproof.Geometry{M: 6, K: k, Hashing: h}
			for bound := range uint64(6) {
				rules := []bloomproof.Recycling{{Sigma: bound}}
				if r := (bloomproof.Recycling{Messages: bound + 1}); !message.Fills(g, r.Messages) {
					rules = append(rules, r)
				}
				for _, r := range rules {
					f, err := newFilling(g, r)
					if err != nil {
						t.Fatal(err)
					}
					sum := 0.0
					for _, row := range f.rows {
						sum += row.ends
					}
					if math.Abs(sum-1) > f.err {
						t.Errorf("%v %v: cycles end with probability 1%+.1g", g, r, sum-1)
					}
					for i, want := range listedFilling(g, r, 6) {
						var got filled
						if i < len(f.rows) {
							got = f.rows[i]
						}
						for what, x := range map[string][2]float64{
							"v": {got.fits, want.fits}, "v gamma": {got.lucky, want.lucky}, "u": {got.unlucky, want.unlucky},
							"r": {got.ends, want.ends}, "r gF before": {got.luckyBefore, want.luckyBefore},
							"r gF after":      {got.luckyAfter, want.luckyAfter},
							"r (1-gF) before": {got.unluckyBefore, want.unluckyBefore},
							"r (1-gF) after":  {got.unluckyAfter, want.unluckyAfter},
						} {
							if math.Abs(x[0]-x[1]) > f.err*x[1] {
								t.Errorf("%v %v: %s_%d = %g, listed %g, bound %.1g", g, r, what, i, x[0], x[1], f.err)
							}
						}
					}
				}
			}
		}
	}
}

// The rows hold no denormals, are as narrow as is said, and what is cut off stays small; the
// sum of u_i is the number of arrivals that set a bit, which the chain over the bits knows.
func TestFillingRows(t *testing.T) {
	for _, c := range []struct {
		m, sigma, messages uint64
		k                  int
	}{{10000, 3000, 0, 5}, {100000, 50000, 0, 7}, {5000, 4990, 0, 3}, {3000, 1500, 0, 60}, {3000, 0, 150, 5}} {
		g := bloomproof.Geometry{M: c.m, K: c.k}
		r := bloomproof.Recycling{Sigma: c.sigma}
		if c.messages > 0 {
			r = bloomproof.Recycling{Messages: c.messages}
		}
		if !longtest.Enabled() && c.m > 10000 {
			continue
		}
		f, err := newFiller(g, r)
		if err != nil {
			t.Fatal(err)
		}
		widest, sum, left := 0, 0.0, 1.0
		for left > 0x1p-110 {
			for _, row := range f.lanes {
				for j, p := range row.p {
					if p < 0x1p-1022 && p != 0 {
						t.Fatalf("%v %v: psi(%d,%d) = %g", g, r, row.first+uint64(j), f.i, p)
					}
				}
				widest = max(widest, len(row.p))
			}
			x := f.next()
			sum += x.unlucky
			left = x.fits
		}
		if most := 7*math.Sqrt(float64(c.m)) + float64(c.k); float64(widest) > most {
			t.Errorf("%v %v: rows of %d states, want at most %.0f", g, r, widest, most)
		}
		if f.dropped > 2*fillCut*float64(f.i) {
			t.Errorf("%v %v: %g was cut off in %d rows", g, r, f.dropped, f.i)
		}
		want := float64(c.messages)
		if c.messages == 0 {
			v, err := cycle.Entry{First: 0, Law: []float64{1}}.Visits(g, c.sigma)
			if err != nil {
				t.Fatal(err)
			}
			want = 0
			for l, x := range v {
				want += x * f.miss[l]
			}
		}
		if math.Abs(sum/want-1) > 4*float64(c.k+2)*float64(f.i)*fm.Unit {
			t.Errorf("%v %v: the sum of u is %g, want %g", g, r, sum, want)
		}
	}
}

func TestFillingLimits(t *testing.T) {
	for _, c := range []struct {
		m uint64
		k int
		r bloomproof.Recycling
	}{
		{1<<64 - 1, 1, bloomproof.Recycling{Sigma: 1}},
		{1 << 40, 4096, bloomproof.Recycling{Sigma: 1 << 39}},
		{1 << 40, 7, bloomproof.Recycling{Messages: 1 << 36}},
		{8, 2, bloomproof.Recycling{Messages: 5}},
	} {
		if x, err := newFilling(bloomproof.Geometry{M: c.m, K: c.k}, c.r); err == nil {
			t.Errorf("m = %d, k = %d, %v: %d rows", c.m, c.k, c.r, len(x.rows))
		}
	}
	for _, c := range []struct {
		m uint64
		k int
	}{{1, 1}, {1, 4096}, {1 << 53, 4096}, {2, 3}} {
		x, err := newFilling(bloomproof.Geometry{M: c.m, K: c.k}, bloomproof.Recycling{})
		if err != nil || len(x.rows) != 1 || math.Abs(x.rows[0].ends-1) > 1e-12 {
			t.Errorf("m = %d, k = %d, sigma = 0: %+v, %v; the first message ends a cycle", c.m, c.k, x, err)
		}
	}
}
