package verify

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
)

// What approx says of whether a filter can come to recycle no more is what the chains of
// package exact show, for every rule of tiny filters.
//
// Claims: none of a paper's, which do not know that a filter may recycle no more.
func TestFNRAbsorbs(t *testing.T) {
	count, n := map[bool]int{}, 0
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for m := uint64(1); m <= 4; m++ {
			for k := 1; k <= 3; k++ {
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				for sigma := range m {
					for _, r := range model.Rules(sigma, sigma+1) {
						if r.Validate(g) != nil || !r.FreshPositions && (m > 3 || k > 2) {
							continue
						}
						for _, w := range []bloomproof.Workload{
							{Popularity: bloomproof.Uniform(1), Repeat: 0},
							{Popularity: bloomproof.Uniform(1), Repeat: 0.5},
							{Popularity: bloomproof.Uniform(1), Repeat: 1},
							{Popularity: bloomproof.Zipf(1, 2), Repeat: 1},
						} {
							if n++; !longtest.Enabled() && (m > 3 || w.Popularity.D > 1 || n%5 != 0) {
								continue
							}
							f, err := approxfnr.New(g, r, w)
							if err != nil {
								t.Fatal(err)
							}
							e, err := exactfnr.New(g, r, w)
							if err != nil {
								t.Fatal(err)
							}
							x, err := e.Rates(30)
							if err != nil {
								t.Fatal(g, r, w, err)
							}
							want := x.Absorbing.Float64() > 0
							if f.CanAbsorb() != want {
								t.Errorf("%v, %v, %v: absorbing %t, the chain says %t", g, r, w, f.CanAbsorb(), want)
							}
							count[want]++
						}
					}
				}
			}
		}
	}
	if count[true] == 0 || count[false] == 0 {
		t.Errorf("%d absorbing, %d not", count[true], count[false])
	}
}
