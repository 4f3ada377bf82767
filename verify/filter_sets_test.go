package verify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
)

// TestFilterSets compares the AND and OR of real filters, whose sets share items, with
// their exact laws: mean and variance of the number of set bits, and the rate. Seeds are
// fixed; a right filter would fail for one seed in about 10^5 (5 standard deviations).
//
// Claims: burns.eq49, burns.eq50, burns.3.1.union.
func TestFilterSets(t *testing.T) {
	const (
		own1, own2, shared = 40, 70, 25
		rounds             = 400
	)
	for _, g := range []bloomproof.Geometry{
		{M: 1000, K: 5}, {M: 1000, K: 5, Hashing: bloomproof.Classic}, {M: 1000, K: 5, Hashing: bloomproof.Partitioned},
	} {
		r := rand.New(rand.NewPCG(7, uint64(g.Hashing)))
		var and, or sample
		for range rounds {
			a, err := kernel.New(g, kernel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			b := a.Clone()
			add := func(n int, to ...*kernel.Filter) {
				for range n {
					h := kernel.Hash{H0: r.Uint64(), H1: r.Uint64()}
					for _, f := range to {
						f.AddHash(h)
					}
				}
			}
			add(own1, a)
			add(own2, b)
			add(shared, a, b)
			both, either := a.Clone(), a
			if err := both.Intersect(b); err != nil {
				t.Fatal(err)
			}
			if err := either.Union(b); err != nil {
				t.Fatal(err)
			}
			and.add(both)
			or.add(either)
		}
		items := []uint64{own1 + shared, own2 + shared}
		and.compare(t, "AND", g,
			func() (mean, variance exact.Enclosure, err error) {
				return exact.IntersectionBits(g, items, shared, 60)
			},
			func() (exact.Enclosure, error) { return exact.IntersectionFPR(g, items, shared, 60) })
		const all = own1 + own2 + shared
		or.compare(t, "OR", g,
			func() (mean, variance exact.Enclosure, err error) { return exact.SetBits(g, all, 60) },
			func() (exact.Enclosure, error) { f, _, err := exact.FPR(g, all, 60, exact.Auto); return f, err })
	}
}

// sample holds numbers of set bits, and rates, of filters.
type sample struct{ bits, rates []float64 }

func (s *sample) add(f *kernel.Filter) {
	s.bits = append(s.bits, float64(f.Bits()))
	s.rates = append(s.rates, f.Rate())
}

func (s *sample) compare(t *testing.T, what string, g bloomproof.Geometry, setBits func() (mean, variance exact.Enclosure, err error), rate func() (exact.Enclosure, error)) {
	t.Helper()
	mean, variance, err := setBits()
	if err != nil {
		t.Fatal(err)
	}
	fpr, err := rate()
	if err != nil {
		t.Fatal(err)
	}
	moments := func(xs []float64, about float64) (mean, square float64) {
		for _, x := range xs {
			mean += x / float64(len(xs))
			square += (x - about) * (x - about) / float64(len(xs))
		}
		return mean, square
	}
	const sigmas = 5
	n := float64(len(s.bits))
	mu, v, f := mean.Float64(), variance.Float64(), fpr.Float64()
	gotMean, gotV := moments(s.bits, mu)
	if math.Abs(gotMean-mu) > sigmas*math.Sqrt(v/n) {
		t.Errorf("%s of %v: %v bits in the mean, exact %v", what, g, gotMean, mu)
	}
	if math.Abs(gotV-v) > sigmas*v*math.Sqrt(2/n) {
		t.Errorf("%s of %v: variance %v of the bits, exact %v", what, g, gotV, v)
	}
	if gotRate, square := moments(s.rates, f); math.Abs(gotRate-f) > sigmas*math.Sqrt(square/n) {
		t.Errorf("%s of %v: rate %v, exact %v", what, g, gotRate, f)
	}
	t.Logf("%s of %v: mean %.6g (exact %.6g), variance %.4g (%.4g)", what, g, gotMean, mu, gotV, v)
}
