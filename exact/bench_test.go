package exact

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
)

func BenchmarkFPR(b *testing.B) {
	for _, c := range []struct {
		m, n uint64
		k    int
		h    bloomproof.Hashing
	}{
		{1 << 23, 8e5, 7, bloomproof.Standard},
		{1 << 30, 5e7, 15, bloomproof.Standard},
		{1 << 40, 3e10, 40, bloomproof.Standard},
		{1024, 5, 133, bloomproof.Standard},
		{1<<63 + 1, 1 << 60, 40, bloomproof.Standard},
		{1<<64 - 1, 1 << 20, 1000, bloomproof.Standard},
		{1 << 40, 3e10, 40, bloomproof.Classic},
		{1 << 40, 3e10, 32, bloomproof.Partitioned},
	} {
		for _, digits := range []int{50, 1000} {
			b.Run(fmt.Sprintf("hashing=%v/m=%d/n=%d/k=%d/digits=%d", c.h, c.m, c.n, c.k, digits), func(b *testing.B) {
				g := bloomproof.Geometry{M: c.m, K: c.k, Hashing: c.h}
				for b.Loop() {
					if _, _, err := FPR(g, c.n, PrecFor(digits), Auto); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkLaw measures what the comments of Distribution and of the filters of sets say, for 50
// digits.
func BenchmarkLaw(b *testing.B) {
	prec := PrecFor(50)
	must := func(l Distribution, err error) Distribution {
		if err != nil {
			b.Fatal(err)
		}
		return l
	}
	balls := must(occupancyOf(1<<40, 1<<38))
	committees := must(committeeOf(1<<40, 7, 1<<36))
	few := must(occupancyOf(1<<63, 2000))
	meet := must(Intersection(1<<20, []Committees{{7, 1000}}, []Committees{{7, 1500}}))
	dense := must(occupancyOf(1000, 1000))
	g := bloomproof.Geometry{M: 1 << 30, K: 7}
	wide := bloomproof.Geometry{M: 1 << 30, K: 1000}
	items := []uint64{1e7, 2e7}
	for _, c := range []struct {
		name string
		f    func() (Enclosure, error)
	}{
		{"hit/balls/r=10", func() (Enclosure, error) { return balls.hit(10, prec, Auto) }},
		{"hit/balls/r=1000", func() (Enclosure, error) { return balls.hit(1000, prec, Auto) }},
		{"hit/balls/r=4096", func() (Enclosure, error) { return balls.hit(4096, prec, Auto) }},
		{"moment/committees/r=10", func() (Enclosure, error) { return committees.Moment(10, prec, Auto) }},
		{"moment/committees/r=1000", func() (Enclosure, error) { return committees.Moment(1000, prec, Auto) }},
		{"mean/committees", func() (Enclosure, error) { return committees.Mean(prec) }},
		{"variance/committees", func() (Enclosure, error) { return committees.Variance(prec) }},
		{"pmf/balls/i=200", func() (Enclosure, error) { return must(occupancyOf(1<<63, 200)).PMF(199, prec, Auto) }},
		{"pmf/balls/i=1999", func() (Enclosure, error) { return few.PMF(1999, prec, Auto) }},
		{"pmf/intersection/mean=70", func() (Enclosure, error) { return meet.PMF(70, prec, Auto) }},
		{"pmfs/balls/m=1000", func() (Enclosure, error) { p, err := dense.PMFs(prec); return p[600], err }},
		{"and/k=7", func() (Enclosure, error) { return IntersectionFPR(g, items, 0, prec) }},
		{"and/k=7/shared", func() (Enclosure, error) { return IntersectionFPR(g, items, 1e6, prec) }},
		{"and/k=1000", func() (Enclosure, error) { return IntersectionFPR(wide, []uint64{1e5, 2e5}, 0, prec) }},
		{"and/k=500/shared", func() (Enclosure, error) {
			return IntersectionFPR(bloomproof.Geometry{M: 1 << 30, K: 500}, []uint64{1e5, 2e5}, 1e4, prec)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
