package like

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// All first states modulo small primes, and some other hashes.
func TestGeneratedIsEnumerated(t *testing.T) {
	useful := 0
	for _, l := range []generated{
		{31, 3, 1, nil}, {127, 3, 2, [][2]uint64{{1, 3}, {0, 0}, {126, 124}}}, {uint64(longtest.More(251, 1021)), 6, 1, [][2]uint64{{0, 0}}},
	} {
		for m := uint64(1); m <= 8; m++ {
			for k := 1; k <= 4; k++ {
				var keys [][]uint64
				add := func(state uint64) {
					var pos []uint64
					for range k {
						pos = append(pos, l.at(state, m))
						state = state * l.factor % l.prime
					}
					keys = append(keys, pos)
				}
				for first := uint64(1); first < l.prime; first++ {
					for range l.each {
						add(first)
					}
				}
				for _, x := range l.others {
					add(x[0])
				}
				checkPairs(t, "generated", l.law(m), m, k, keys)
				if k <= 2 {
					w := l.table(m, k)
					for _, pos := range keys {
						w[pos[0]][pos[k-1]]--
					}
					for u, row := range w {
						for v, left := range row {
							if left != 0 {
								t.Fatalf("%+v m=%d k=%d: %d at %d, %d are left", l, m, k, int64(left), u, v)
							}
						}
					}
				}
				for i, want := range rates(int(m), 4, keys) {
					e, err := l.rate(bloomproof.Geometry{M: m, K: k}, uint64(i+1), 60)
					if err != nil || !contains(e, want) || k <= 2 && e.RelBits() < 60 {
						t.Fatalf("%+v m=%d k=%d n=%d: %v, %v; enumeration gives %v", l, m, k, i+1, e, err, want.FloatString(9))
					}
					if k > 2 && e.Lo().Sign() > 0 && e.Hi().Cmp(big.NewFloat(1)) < 0 {
						useful++
					}
				}
			}
		}
	}
	t.Logf("%d cases of more than two positions with two bounds", useful)
}

// The generator as the source has it, from all kinds of hashes: the table knows each pair of its first positions.
func TestGeneratorOfPostgreSQL(t *testing.T) {
	states := map[[2]uint64]int{}
	const p = 1<<31 - 1
	start := func(hash int32) (x [2]uint64) {
		next := hash%0x7ffffffe + 1
		for i := range x {
			next = 16807*(next%127773) - 2836*(next/127773)
			if next < 0 {
				next += p
			}
			x[i] = uint64(next)
		}
		return x
	}
	// Where the remainder is not injective: about 0, the ends, and p-1 of both signs.
	for _, hash := range []int32{0, -1, 1, -2, p, p - 1, -p, 1 - p, -p - 1, 2, 3 - p, 2 - p} {
		states[start(hash)]++
	}
	for _, x := range parkMiller.others {
		if states[x] < 1 {
			t.Errorf("no hash has the states %v", x)
		}
	}
	for x := range states {
		if x[1] != x[0]*16807%p {
			t.Errorf("%v: not a multiple", x)
		}
	}
	sum := uint64(0)
	for _, row := range parkMiller.table(80, 2) {
		for _, x := range row {
			sum += x
		}
	}
	if sum != 1<<32 {
		t.Errorf("%d hashes", sum)
	}
}
