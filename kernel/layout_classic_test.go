package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// needlessShare is the most that may be the share of keys with 7 distinct draws of which
// mayRepeat says that they may repeat: sum (j/64)^2 over j < 7 is 2.2 %, and 10000 keys miss
// it by 0.15 %.
const needlessShare = 0.03

// TestMayRepeat asserts that no repeat among draws goes unseen, in small and in large
// filters, and that few keys without one are taken to have one.
func TestMayRepeat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const keys = 10000
	for _, m := range []uint64{64, 65, 129, 1 << 12, 1<<12 + 1, 1 << 20, 1 << 40} {
		for _, k := range []int{1, 2, 7, 16, 64} {
			l := mustLayout(bloomproof.Geometry{M: m, K: k, Hashing: bloomproof.Classic})
			pos := make([]uint64, k)
			needless := 0
			for range keys {
				h := Hash{r.Uint64(), r.Uint64()}
				positions(portable, pos, []Hash{h}, l.shape)
				switch may := l.mayRepeat(h); {
				case repeats(pos) && !may:
					t.Fatalf("m %d, k %d: the repeat among %v goes unseen", m, k, pos)
				case !repeats(pos) && may:
					needless++
				}
			}
			if k == 1 && needless > 0 || k == 7 && m >= 1<<20 && needless > needlessShare*keys {
				t.Errorf("m %d, k %d: %d of %d keys are taken to repeat a draw", m, k, needless, keys)
			}
		}
	}
}

// TestDrawsAreNotPositions asserts that a key is not contained when its draws are set and
// one repeats, so that a position is missing, and is when all positions are set.
func TestDrawsAreNotPositions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, k := range []int{2, 7, 16, 17, 64} {
		g := bloomproof.Geometry{M: 1 << 10, K: k, Hashing: bloomproof.Classic}
		for _, im := range Impls() {
			for range 5 {
				f, err := New(g, Options{Impl: im})
				if err != nil {
					t.Fatal(err)
				}
				draws := make([]uint64, k)
				h := Hash{r.Uint64(), r.Uint64()}
				for positions(portable, draws, []Hash{h}, f.shape); !repeats(draws); positions(portable, draws, []Hash{h}, f.shape) {
					h.H0++
				}
				f.insertAt(draws)
				assertAnswers(t, fmt.Sprintf("%v, %v: draws set", g, im), f, h, false)
				f.insertAt(f.appendPositions(nil, h))
				assertAnswers(t, fmt.Sprintf("%v, %v: positions set", g, im), f, h, true)
			}
		}
	}
}

// assertAnswers holds every form of a look-up of h to want.
func assertAnswers(t *testing.T, what string, f *Filter, h Hash, want bool) {
	t.Helper()
	keys := make([]Hash, 9)
	for i := range keys {
		keys[i] = h
	}
	c := f.Clone().Concurrent()
	got := []bool{f.ContainsHash(h), c.ContainsHash(h), f.contains(&f.layout, h)}
	got = c.ContainsBatch(f.ContainsBatch(got, KeysOf(keys)), KeysOf(keys))
	for i, is := range got {
		if is != want {
			t.Fatalf("%s: answer %d is %v, want %v", what, i, is, want)
		}
	}
}
