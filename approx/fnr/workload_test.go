package fnr

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/ref"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// smallTraffic is workloads of few messages, of each kind of popularity and arrivals.
func smallTraffic() []bloomproof.Workload {
	popularities := []bloomproof.Popularity{
		bloomproof.Uniform(1), bloomproof.Uniform(4), bloomproof.Zipf(1, 5), bloomproof.Zipf(2.5, 3),
		bloomproof.BiUniform(2, 0.3, 5), bloomproof.Weights([]float64{8, 4, 4, 1, 0}), bloomproof.Weights([]float64{1, 0, 0}),
	}
	var all []bloomproof.Workload
	for _, q := range popularities {
		list := make([]float64, q.D)
		for i := range list {
			list[i] = float64(i*i%3) + 0.5
		}
		for _, w := range []bloomproof.Workload{
			{}, {Arrivals: bloomproof.ArrivalUniform}, {Arrivals: bloomproof.ArrivalLast}, {Arrivals: bloomproof.ArrivalFirst},
			{ArrivalWeights: list},
		} {
			for _, repeat := range []float64{0, 0.25, 0.9, 1} {
				w.Popularity, w.Repeat = q, repeat
				all = append(all, w)
			}
		}
	}
	return all
}

// dumbLaws returns popularity and entry law as they are written.
func dumbLaws(w bloomproof.Workload) (q, zeta []float64) {
	d := int(w.Popularity.D)
	q, zeta = make([]float64, d), make([]float64, d)
	sum, entries := 0.0, 0.0
	for i := range d {
		q[i] = w.Popularity.Weight(uint64(i))
		sum += q[i]
		if w.ArrivalWeights != nil {
			entries += w.ArrivalWeights[i]
		}
	}
	for i := range d {
		q[i] /= sum
		switch {
		case w.ArrivalWeights != nil:
			zeta[i] = w.ArrivalWeights[i] / entries
		case w.Arrivals == bloomproof.ArrivalPopularity:
			zeta[i] = q[i]
		case w.Arrivals == bloomproof.ArrivalUniform:
			zeta[i] = 1 / float64(d)
		}
	}
	switch w.Arrivals {
	case bloomproof.ArrivalFirst:
		zeta[0] = 1
	case bloomproof.ArrivalLast:
		zeta[d-1] = 1
	}
	return q, zeta
}

// TestArrival follows the arrival process itself, over all sets of ranks whose messages are
// disabled.
func TestArrival(t *testing.T) {
	for _, w := range smallTraffic() {
		q, zeta := dumbLaws(w)
		d := len(q)
		law := make([]float64, 1<<d)
		law[0] = 1
		x, err := newTraffic(w)
		if err != nil {
			t.Fatal(err)
		}
		g := x.nothing()
		for j := range 9 {
			want := make([]float64, d)
			missing := 0.0
			for set, p := range law {
				for i := range d {
					if set>>i&1 == 0 {
						want[i] += p
						missing += p * q[i]
					}
				}
			}
			for i := range g {
				if math.Abs(g[i]-want[i]) > 1e-14 {
					t.Fatalf("%v: after %d arrivals rank %d is unrecorded with probability %v, want %v", w, j, i, g[i], want[i])
				}
			}
			if got := x.arrival(g); math.Abs(got-missing) > 1e-14 {
				t.Fatalf("%v: after %d arrivals R is %v, want %v", w, j, got, missing)
			}
			next := make([]float64, 1<<d)
			for set, p := range law {
				for i := range d {
					next[set|1<<i] += p * w.Repeat * q[i]
					before, after := set&(1<<i-1), set>>i
					next[(before|1<<i|after<<(i+1))&(1<<d-1)] += p * (1 - w.Repeat) * zeta[i]
				}
			}
			law = next
		}
	}
}

// TestArrivals takes four arrivals at a time.
func TestArrivals(t *testing.T) {
	for _, w := range smallTraffic() {
		x, err := newTraffic(w)
		if err != nil {
			t.Fatal(err)
		}
		one, four := x.nothing(), x.nothing()
		for range 5 {
			missing := x.arrivals(four)
			for j, got := range missing {
				if want := x.arrival(one); math.Abs(got-want) > 1e-15 {
					t.Errorf("%v: arrival %d of 4 is missing with probability %v, want %v", w, j, got, want)
				}
			}
			for i := range one {
				if math.Abs(one[i]-four[i]) > 1e-15 {
					t.Errorf("%v: rank %d is unrecorded with probability %v, want %v", w, i, four[i], one[i])
				}
			}
		}
	}
}

// TestArrivalNotSubnormal runs until every probability would be one.
func TestArrivalNotSubnormal(t *testing.T) {
	for _, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Uniform(3), Repeat: 1},
		{Popularity: bloomproof.Zipf(2, 40), Repeat: 0.5, Arrivals: bloomproof.ArrivalLast},
		{Popularity: bloomproof.Zipf(200, 40), Repeat: 0.01, Arrivals: bloomproof.ArrivalFirst},
	} {
		x, err := newTraffic(w)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]float64{x.q, x.zeta} {
			for i, p := range list {
				if p != 0 && p < 0x1p-1022 {
					t.Fatalf("%v: rank %d has %v", w, i, p)
				}
			}
		}
		g := x.nothing()
		for j := range 5000 {
			x.arrival(g)
			for i, p := range g {
				if p != 0 && p < faint {
					t.Fatalf("%v: after %d arrivals rank %d has %v", w, j, i, p)
				}
			}
		}
	}
}

// The weights of Zipf's law are within what their error is derived to be.
func TestWeightError(t *testing.T) {
	const prec = 160
	r := rand.New(rand.NewPCG(1, 4))
	worst := 0.0
	for i := range longtest.More(400, 4000) {
		alpha := 32 * r.Float64()
		if i%4 == 0 {
			alpha = float64(1 + r.IntN(32)) // 0 is the uniform law
		}
		p := bloomproof.Zipf(alpha, mostRanks)
		j := uint64(math.Exp(math.Log(mostRanks) * r.Float64()))
		want := ref.Exp(ref.Neg(ref.Mul(ref.Float(prec, alpha), ref.Log(ref.Uint(prec, j+1)))))
		if v, _ := want.Float64(); v < 0x1p-1000 {
			continue
		}
		e, most := ref.ErrorInU(p.Weight(j), want), weightError(p)
		if worst = max(worst, e/most); !(e <= most) {
			t.Errorf("(%d)^-%v is off by %.3g u, stated are %.3g", j+1, alpha, e, most)
		}
	}
	t.Logf("the largest error is %.2g of what is stated", worst)
}
