package approx

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// The rate of a filter of blocks is the mean of those of a block, with binomial probabilities
// computed as integers over B^n, where B is the number of blocks.
func TestBlocked(t *testing.T) {
	worst := 0.0
	for _, h := range everyHashing {
		for _, c := range []struct {
			blocks, block, n uint64
			k                int
		}{
			{1, 12, 5, 3}, {2, 12, 5, 3}, {2, 1, 9, 1}, {3, 4, 1, 4}, {7, 64, 60, 4}, {4, 512, 200, 8}, {64, 32, 700, 2},
			{5, 16, 400, 4}, {1000, 256, 3, 8}, {2, 8, 300, 8}, {16, 512, 40, 64},
		} {
			g := bloomproof.Geometry{M: c.blocks * c.block, K: c.k, Hashing: h, Block: c.block}
			if g.Validate() != nil {
				continue
			}
			const prec = 400
			num := func(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }
			hits, misses := num(0), num(0)
			all := num(0).SetInt(new(big.Int).Exp(new(big.Int).SetUint64(c.blocks), new(big.Int).SetUint64(c.n), nil)) // B^n
			w := new(big.Int).Exp(new(big.Int).SetUint64(c.blocks-1), new(big.Int).SetUint64(c.n), nil)                // a probability times B^n
			one := bloomproof.Geometry{M: c.block, K: c.k, Hashing: h}
			for j := uint64(0); j <= c.n; j++ {
				if c.blocks == 1 {
					w.SetInt64(0)
					if j == c.n {
						w.SetInt64(1)
					}
				}
				f, err := FPR(one, j)
				if err != nil {
					t.Fatal(err)
				}
				miss, _ := Complement(one, j)
				x := num(0).SetInt(w)
				x.Quo(x, all)
				hits.Add(hits, num(0).Mul(x, num(f)))
				misses.Add(misses, num(0).Mul(x, num(miss)))
				if c.blocks > 1 {
					w.Mul(w, new(big.Int).SetUint64(c.n-j))
					w.Quo(w, new(big.Int).SetUint64((j+1)*(c.blocks-1)))
				}
			}
			f, err := FPR(g, c.n)
			miss, errMiss := Complement(g, c.n)
			if err != nil || errMiss != nil {
				t.Fatalf("%v n=%d: %v, %v", g, c.n, err, errMiss)
			}
			for _, x := range []struct {
				got  float64
				want *big.Float
			}{{f, hits}, {miss, misses}} {
				want, _ := x.want.Float64()
				off := math.Abs(x.got-want) / want
				if worst = max(worst, off); off > 0x1p-48 {
					t.Errorf("%v n=%d: %v, want %v: off by %.2g", g, c.n, x.got, want, off)
				}
			}
		}
	}
	t.Logf("the largest difference is %.2g", worst)
	if _, err := FPR(bloomproof.Geometry{M: 1 << 63, K: 4000, Block: 1 << 43}, 1<<50); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Errorf("a filter of 2^30 items a block: %v, want bloomproof.ErrTooCostly", err)
	}
	// So many items that 1-f is below every positive float64.
	full := bloomproof.Geometry{M: 1 << 63, K: 4000, Block: 1 << 43}
	f, err := FPR(full, 1<<62)
	miss, errMiss := Complement(full, 1<<62)
	ln, errLn := LogFPR(full, 1<<62)
	if f != 1 || miss != 0 || ln != 0 || err != nil || errMiss != nil || errLn != nil {
		t.Errorf("full blocks: %v, %v, %v; %v, %v, %v", f, miss, ln, err, errMiss, errLn)
	}
	var p *bloomproof.ParamError
	if _, err := FPR(bloomproof.Geometry{M: 100, K: 4, Block: 33}, 1); !errors.As(err, &p) || p.Param != "block" {
		t.Errorf("blocks that do not divide the bits: %v", err)
	}
}
