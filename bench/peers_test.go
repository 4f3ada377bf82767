package bench

import (
	"fmt"
	"math"
	"testing"
)

// Every peer finds what was added and sets k bits per key: a benchmark against a
// broken or misconfigured peer would mean nothing. Filters are overfull here (7 of 8
// bits set), since near its optimum the rate hardly tells k from k-1: it is 0.39 for
// k = 7 but 0.33 for 6 and 0.46 for 8.
func TestPeers(t *testing.T) {
	m := Sizes[0].M
	n, probes := 3*Items(m), uint64(200_000)
	want := math.Pow(-math.Expm1(-K*float64(n)/float64(m)), K)
	// Seven standard deviations of the count of positives; that of the rate given the
	// fill is below a tenth of that.
	slack := 7 * math.Sqrt(want*(1-want)/float64(probes))
	for _, p := range Peers() {
		f, err := p.New(m, K)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		Add(f, 0, n)
		if found := Count(f, 0, n); found != n {
			t.Errorf("%s: found %d of %d keys", p.Name, found, n)
		}
		rate := float64(Count(f, FirstMiss, FirstMiss+probes)) / float64(probes)
		t.Logf("%s: rate %.4f, model %.4f", p.Name, rate, want)
		if math.Abs(rate-want) > slack {
			t.Errorf("%s: rate %.4f, want %.4f within %.4f", p.Name, rate, want, slack)
		}
	}
}

// Items sets half of the bits.
func TestItems(t *testing.T) {
	for _, s := range Sizes {
		if fill := -math.Expm1(-K * float64(Items(s.M)) / float64(s.M)); math.Abs(fill-0.5) > 1e-4 {
			t.Errorf("%s: fill %v", s.Name, fill)
		}
	}
}

// filled holds the filters that BenchmarkContains has filled, so that hit and miss
// share them.
var filled = map[string]Filter{}

func fill(b *testing.B, p Peer, s Size) (Filter, uint64) {
	n := Items(s.M)
	if testing.Short() {
		n = min(n, 1<<16)
	}
	name := p.Name + s.Name
	if filled[name] == nil {
		f, err := p.New(s.M, K)
		if err != nil {
			b.Fatal(err)
		}
		Add(f, 0, n)
		filled[name] = f
	}
	return filled[name], n
}

func BenchmarkContains(b *testing.B) {
	for _, keys := range []string{"hit", "miss"} {
		for _, s := range Sizes {
			for _, p := range Peers() {
				b.Run(fmt.Sprintf("keys=%s/size=%s/impl=%s", keys, s.Name, p.Name), func(b *testing.B) {
					f, n := fill(b, p, s)
					buf := make([]byte, 8)
					first, i := uint64(0), uint64(0)
					if keys == "miss" {
						first = FirstMiss
					}
					for b.Loop() {
						Key(buf, first+i)
						f.Contains(buf)
						if i++; i == n {
							i = 0
						}
					}
				})
			}
		}
	}
}

// BenchmarkAdd adds fresh keys, and starts over with an empty filter when half of
// the bits are set.
func BenchmarkAdd(b *testing.B) {
	for _, s := range Sizes {
		for _, p := range Peers() {
			b.Run(fmt.Sprintf("size=%s/impl=%s", s.Name, p.Name), func(b *testing.B) {
				var f Filter
				buf := make([]byte, 8)
				n, i := Items(s.M), uint64(0)
				for b.Loop() {
					if i%n == 0 {
						b.StopTimer()
						var err error
						if f, err = p.New(s.M, K); err != nil {
							b.Fatal(err)
						}
						b.StartTimer()
					}
					Key(buf, i)
					f.Add(buf)
					i++
				}
			})
		}
	}
}
