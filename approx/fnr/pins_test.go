package fnr

import (
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// R(l) by classes and nodes is the sum over the messages.
func TestDraws(t *testing.T) {
	for _, q := range []bloomproof.Popularity{
		bloomproof.Uniform(1), bloomproof.Uniform(2), bloomproof.Uniform(5000), bloomproof.Zipf(1, 5000), bloomproof.Zipf(0.3, 3000),
		bloomproof.Zipf(2, 300), bloomproof.Zipf(40, 3), bloomproof.BiUniform(5, 0.1, 3000),
	} {
		const most = 20000
		c, err := New(bloomproof.Geometry{M: 8, K: 1}, bloomproof.Recycling{}, bloomproof.Workload{Popularity: q, Repeat: 1})
		if err != nil {
			t.Fatal(err)
		}
		list, err := c.traffic()
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.drawn(list, most)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []int{0, 1, 2, 7, 50, 400, 3000, most - 1} {
			want, missing := 0.0, 0.0
			for i, p := range list.q {
				miss := 1 - p
				if p > 0.5 {
					miss = 0
					for j, other := range list.q {
						if j != i {
							miss += other
						}
					}
				}
				x := math.Pow(miss, float64(l))
				want += p * x
				missing += x
			}
			if missing < 0.5 {
				break
			}
			if math.Abs(got[l]-want) > 1e-12*want {
				t.Errorf("%v: R(%d) = %g, want %g: off by %.2g", q, l, got[l], want, got[l]/want-1)
			}
		}
	}
}

// A million messages are a thousand nodes.
func BenchmarkPins(b *testing.B) {
	for _, d := range []uint64{1e3, 1e5, 1e6} {
		b.Run(fmt.Sprintf("m=100000/D=%d", d), func(b *testing.B) {
			for b.Loop() {
				c, err := New(bloomproof.Geometry{M: 100000, K: 7}, bloomproof.Recycling{Sigma: 50000, FreshPositions: true},
					bloomproof.Workload{Popularity: bloomproof.Zipf(1, d), Repeat: 0.9})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := c.Predict(modelPins); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
