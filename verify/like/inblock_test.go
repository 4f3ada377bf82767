package like

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Blocks of 2 and 4 bits, with all words of a start and of a block and a step.
func TestInBlockIsEnumerated(t *testing.T) {
	exactly, all := 0, 0
	for _, size := range []uint64{2, 4} {
		for h := uint(3); h <= uint(longtest.More(4, 6)); h++ {
			law := &inBlock{size: size, offset: growing, shares: multiplyShifted(size, h)}
			for blocks := uint64(1); blocks*size <= 8; blocks++ {
				for k := 1; k <= 5; k++ {
					var keys [][]uint64
					for start := range size {
						for word := range uint64(1) << h {
							var pos []uint64
							h1, h2 := start, word
							for i := range uint64(k) {
								h1, h2 = h1+h2, h2+i+1
								pos = append(pos, word*blocks>>h*size+h1%size)
							}
							keys = append(keys, pos)
						}
					}
					for i, want := range rates(int(blocks*size), 4, keys) {
						e, err := law.rate(bloomproof.Geometry{M: blocks * size, K: k}, uint64(i+1), 60)
						if err != nil || !contains(e, want) {
							t.Fatalf("%d blocks of %d bits, h=%d k=%d n=%d: %v, %v; enumeration gives %v", blocks, size, h, k, i+1, e, err, want.FloatString(9))
						}
						even := blocks&(blocks-1) == 0 && blocks*size <= 1<<h
						if even && e.RelBits() < 60 {
							t.Errorf("%d blocks of %d bits, h=%d k=%d n=%d: %v", blocks, size, h, k, i+1, e)
						}
						if all++; even {
							exactly++
						}
					}
				}
			}
		}
	}
	t.Logf("%d cases, %d of them exact", all, exactly)
}

// All words of which some bits are start and step in blocks of 2 and 4 bits, and the remainder is the block.
func TestInBlockByRemaindersIsEnumerated(t *testing.T) {
	exactly, narrow := 0, 0
	for _, c := range []struct {
		start, step uint // their places in the word
		bits        uint // of each
		free        []uint
	}{
		{0, 2, 1, []uint{1, 3, 4}}, {1, 3, 1, []uint{0, 2, 4, 5}}, {0, 3, 2, []uint{2, 5, 6}}, {0, 4, 1, []uint{1, 2, 3}},
	} {
		size := uint64(1) << c.bits
		law := &inBlock{size: size, offset: func(step uint64, i int) uint64 { return uint64(i) * step }, shares: remainders(c.free)}
		for blocks := uint64(1); blocks*size <= 8; blocks++ {
			for k := 1; k <= 3; k++ {
				var keys [][]uint64
				for word := range uint64(1) << (2*c.bits + uint(len(c.free))) {
					var pos []uint64
					for i := range uint64(k) {
						pos = append(pos, word%blocks*size+(word>>c.start+i*(word>>c.step))%size)
					}
					keys = append(keys, pos)
				}
				for i, want := range rates(int(blocks*size), 4, keys) {
					e, err := law.rate(bloomproof.Geometry{M: blocks * size, K: k}, uint64(i+1), 60)
					if err != nil || !contains(e, want) {
						t.Fatalf("%+v: %d blocks of %d bits, k=%d n=%d: %v, %v; enumeration gives %v", c, blocks, size, k, i+1, e, err, want.FloatString(9))
					}
					if e.RelBits() >= 60 {
						exactly++
					}
					if e.RelBits() >= 2 {
						narrow++
					}
				}
			}
		}
		if _, err := law.shares(1 << len(c.free)); err == nil {
			t.Errorf("%+v: more blocks than a start and a step reach", c)
		}
	}
	t.Logf("%d narrow enclosures, %d of them exact", narrow, exactly)
	if exactly < 40 || narrow < 60 {
		t.Errorf("%d enclosures are narrow and %d exact", narrow, exactly)
	}
}

// One block with the steps of double hashing has the rate of package exact.
func TestInBlockAgreesWithExact(t *testing.T) {
	for _, c := range []struct {
		of     bloomproof.Hashing
		offset func(step uint64, i int) uint64
	}{
		{bloomproof.DoubleZero, func(step uint64, i int) uint64 { return uint64(i) * step }},
		{bloomproof.EnhancedDouble, func(step uint64, i int) uint64 { return uint64(i)*step + uint64(i*i*i-i)/6 }},
	} {
		law := &inBlock{size: 64, offset: c.offset, shares: multiplyShifted(64, 32)}
		for _, n := range []uint64{1, 9, 40} {
			want, _, err := exact.FPR(bloomproof.Geometry{M: 64, K: 6, Hashing: c.of}, n, 60, exact.Auto)
			if err != nil {
				t.Fatal(err)
			}
			e, err := law.rate(bloomproof.Geometry{M: 64, K: 6}, n, 60)
			if err != nil || !e.Overlaps(want) || e.RelBits() < 60 {
				t.Errorf("%v n=%d: %v, %v; package exact has %v", c.of, n, e, err, want)
			}
		}
	}
}

// The rate of blobloom is within what was simulated of it.
func TestBlobloomIsSimulated(t *testing.T) {
	for _, c := range []struct {
		m uint64
		k int
		n uint64
	}{{512, 4, 60}, {512 * 8, 7, 400}, {512 * 31, 4, 2000}} {
		g, err := blobloom.Geometry(c.m, c.k)
		if err != nil {
			t.Fatal(err)
		}
		e, err := blobloomSteps.rate(g, c.n, 60)
		if err != nil {
			t.Fatal(err)
		}
		x, err := simulate(g, c.n, blobloom.twin, uint64(longtest.More(300_000, 20_000_000)))
		if err != nil {
			t.Fatal(err)
		}
		half := (x.High - x.Low) / 2 // 2.6 standard errors
		if mid := e.Float64(); mid < x.Low-half || mid > x.High+half {
			t.Errorf("m=%d k=%d n=%d: %v, simulated %v", c.m, c.k, c.n, e, x)
		}
		lo, _ := e.Lo().Rat(nil)
		t.Logf("m=%d k=%d n=%d: %v, %d bits, simulated %.6f to %.6f", c.m, c.k, c.n, e, e.RelBits(), x.Low, x.High)
		if lo.Cmp(big.NewRat(0, 1)) <= 0 {
			t.Errorf("m=%d: no lower bound", c.m)
		}
	}
}
