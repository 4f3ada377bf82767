package like

import (
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// All first words of w bits.
func TestRotatedIsEnumerated(t *testing.T) {
	useful := 0
	for _, l := range []rotated{
		{8, 1, 0x95}, {8, 2, 0x2b}, {uint(longtest.More(9, 13)), 1, 0x72d5}, {uint(longtest.More(9, 14)), 3, 0x1b},
	} {
		for m := uint64(1); m <= 8; m++ {
			for k := 1; k <= 4; k++ {
				var keys [][]uint64
				for first := range uint64(1) << l.w {
					var pos []uint64
					for x, i := first, 0; i < k; i++ {
						pos = append(pos, x*m>>l.w)
						x = (x<<l.r | x>>(l.w-l.r)) + l.factor*first
						x &= 1<<l.w - 1
					}
					keys = append(keys, pos)
				}
				law := l.law(m, k)
				checkPairs(t, "rotated", law, m, k, keys)
				for i, want := range rates(int(m), 4, keys) {
					e, err := l.rate(bloomproof.Geometry{M: m, K: k}, uint64(i+1), 60)
					if err != nil || !contains(e, want) {
						t.Fatalf("%+v m=%d k=%d n=%d: %v, %v; enumeration gives %v", l, m, k, i+1, e, err, want.FloatString(9))
					}
					if e.Lo().Sign() > 0 && e.Hi().Cmp(big.NewFloat(1)) < 0 {
						useful++
					}
				}
			}
		}
	}
	t.Logf("%d cases with two bounds", useful)
	if useful < 100 {
		t.Errorf("%d cases have two bounds", useful)
	}
}

// The points in rectangles of tiny lattices.
func TestLatticePoints(t *testing.T) {
	near, all := 0, 0
	for _, c := range []struct{ step, factor, modulus int64 }{{1, 5, 64}, {1, 1, 31}, {1, 12, 101}, {4, 3, 64}, {1, 0, 7}, {1, 100, 101}} {
		in := map[[2]int64]bool{}
		const span = 300
		for i := int64(0); i*c.step < span; i++ {
			for v := i * c.step * c.factor % c.modulus; v < span; v += c.modulus {
				in[[2]int64{i * c.step, v}] = true
			}
		}
		l := lattice{big.NewInt(c.step), big.NewInt(c.factor), big.NewInt(c.modulus)}
		for _, a := range []int64{1, 3, 17, 60, 200} {
			for _, b := range []int64{1, 5, 30, 100, 250} {
				lo, hi := l.points(big.NewInt(a), big.NewInt(b))
				for _, at := range [][2]int64{{0, 0}, {1, 7}, {13, 2}, {50, 49}} {
					count := int64(0)
					for u := at[0]; u < at[0]+a; u++ {
						for v := at[1]; v < at[1]+b; v++ {
							if in[[2]int64{u, v}] {
								count++
							}
						}
					}
					if at[0]+a > span || at[1]+b > span {
						continue
					}
					if x := big.NewRat(count, 1); x.Cmp(lo) < 0 || x.Cmp(hi) > 0 {
						t.Errorf("%+v: %d points in %d x %d at %v, bounds %v and %v", c, count, a, b, at, lo.FloatString(2), hi.FloatString(2))
					}
				}
				low, _ := lo.Float64()
				high, _ := hi.Float64()
				if all++; low > 0 && math.Abs(high/low-1) < 0.5 {
					near++
				}
			}
		}
	}
	t.Logf("%d of %d with near bounds", near, all)
	if near < 10 {
		t.Error("the bounds are far apart")
	}
}
