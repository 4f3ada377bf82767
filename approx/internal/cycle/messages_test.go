package cycle

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestMessagesCut cuts off so much of the distribution of the set bits that the bound of its effect shows. It compares
// the error bound with the formula in the comments of messages.go, and with the change of the results.
func TestMessagesCut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 50))
	shows := map[string]float64{}
	for range longtest.More(150, 1500) {
		g := bloomproof.Geometry{M: 12 + r.Uint64N(200), K: 1 + r.IntN(4), Hashing: []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic}[r.IntN(2)]}
		x := bloomproof.Recycling{Messages: 2 + r.Uint64N(g.M/uint64(g.K)), Retain: r.IntN(3) == 0, FreshPositions: r.IntN(2) == 0, FreezeBefore: r.IntN(2) == 0}
		if message.Fills(g, x.Messages) {
			continue // an array can hold all bits
		}
		cut := math.Exp(-25 * r.Float64())
		n, f, err := messagesTo(g, x, cut)
		if err != nil {
			t.Fatal(err)
		}
		whole, _, err := Messages(g, x)
		if err != nil {
			t.Fatal(err)
		}
		// The distribution is followed a second time, in full, and its ends are cut off in the same way.
		k, messages := float64(g.K), float64(x.Messages)
		law := make([]float64, g.M+1)
		for i, p := range n.Enter.Law {
			law[n.Enter.First+uint64(i)] = p
		}
		visits := make([]float64, g.M+1)
		few, many := 0.0, 0.0
		from := uint64(0)
		if x.Retain {
			from = 1
		}
		trim := func(law []float64) {
			most := 0.0
			for _, p := range law {
				most = max(most, p)
			}
			below := true // until the first entry that is kept
			for i, p := range law {
				if p >= cut*most {
					below = false
				} else if below {
					few += p
					law[i] = 0
				}
			}
			for i := len(law) - 1; law[i] < cut*most; i-- {
				many += law[i]
				law[i] = 0
			}
		}
		arrive := func(law []float64) []float64 {
			all, stay := make([]float64, len(law)), make([]float64, len(law)) // with and without a new bit
			for b, p := range law {
				if p > 0 {
					stay[b] = p / message.Miss(g, uint64(b))
				}
			}
			for q := range g.K {
				taken := float64(message.Taken(g, q))
				for b := len(law) - 1; b >= 0; b-- {
					set := max(float64(b)-taken, 0) / (float64(g.M) - taken)
					all[b] *= set
					if b > 0 {
						free := float64(g.M-uint64(b-1)) / (float64(g.M) - taken)
						all[b] += (all[b-1] + stay[b-1]) * free
					}
				}
				for b := range stay {
					stay[b] *= max(float64(b)-taken, 0) / (float64(g.M) - taken)
				}
			}
			return all
		}
		for i := from; ; i++ {
			for b, p := range law {
				if p > 0 {
					visits[b] += p / message.Miss(g, uint64(b))
				}
			}
			if i+1 == x.Messages {
				break
			}
			law = arrive(law)
			trim(law)
		}
		lost, left := many, few // the error bound is computed before the last message
		if !x.FreezeBefore {
			law = arrive(law)
			trim(law)
		}
		arrivals, positives := 0.0, 0.0
		for b, v := range visits {
			arrivals += v
			positives += v * message.HitAt(g, uint64(b)).Float64()
		}
		last := (x.Messages - 1) * uint64(g.K) // at most so many bits are set before the last message
		beyond := lost * messages / message.Miss(g, last)
		terms := map[string]float64{"few": 3 * left, "arrivals": beyond / arrivals}
		if positives > 0 {
			terms["positives"] = beyond / positives * message.HitAt(g, last).Float64()
		}
		starts := 1 + 2*float64(len(n.Enter.Law)-1)
		want := fm.Unit * (2*(7*k+10)*messages*starts + 4*k + 150) // roundings
		for _, v := range terms {
			want += v
		}
		for name, v := range terms {
			shows[name] = max(shows[name], v/want)
		}
		what := []any{g, x, cut}
		if many != f.Lost && !(math.Abs(f.Lost/many-1) < 1e-9) {
			t.Errorf("%v: %g is cut off at the upper end, computed again %g", what, f.Lost, many)
		}
		if !(math.Abs(n.Err/want-1) < 1e-9) {
			t.Errorf("%v: the error bound is %.12g, computed again %.12g", what, n.Err, want)
		}
		if off := math.Abs(n.Arrivals/whole.Arrivals - 1); !(off <= n.Err+whole.Err) {
			t.Errorf("%v: the mean number of arrivals changes by %g, the bound is %g", what, off, n.Err)
		}
		if n.Recorded != n.Arrivals || !(math.Abs(n.Arrivals/arrivals-1) < 1e-11) {
			t.Errorf("%v: %.15g arrivals of %.15g, computed again %.15g", what, n.Recorded, n.Arrivals, arrivals)
		}
		if p := n.Positives.Float64(); p != positives && !(math.Abs(p/positives-1) < 1e-10) {
			t.Errorf("%v: %.15g false positives, computed again %.15g", what, p, positives)
		}
	}
	for _, name := range []string{"few", "arrivals", "positives"} {
		if !(shows[name] > 0.1) {
			t.Errorf("%s is at most %.2g of the error bound", name, shows[name])
		}
	}
}
