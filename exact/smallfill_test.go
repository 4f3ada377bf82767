package exact

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// momentCase is E[(X/m)^r] of the balls.
type momentCase struct {
	m     uint64
	balls *big.Int
	r     int
}

// TestMomentChoice holds the choice between the sums of moment, in both directions, where
// they differ by a factor of 3 or more.
func TestMomentChoice(t *testing.T) {
	for _, c := range []struct {
		momentCase
		prec  uint
		small bool
	}{
		// the benchmarks
		{momentCase{1 << 30, integer.Product(5e7, 15), 15}, PrecFor(50), false},
		{momentCase{1 << 40, integer.Product(3e10, 40), 40}, PrecFor(50), false},
		{momentCase{1 << 40, integer.Product(3e10, 40), 40}, PrecFor(1000), false},
		{momentCase{1024, integer.Product(5, 133), 133}, PrecFor(50), false},
		{momentCase{1<<64 - 1, integer.Product(1<<20, 1000), 1000}, PrecFor(50), true},
		// nearly empty
		{momentCase{1<<62 - 1, integer.Product(1, 1000), 1000}, 50, true},
		{momentCase{1<<64 - 1, integer.Product(1, 4096), 4096}, 1, true},
		{momentCase{1<<64 - 1, integer.Product(1, 4096), 4096}, 5000, true},
		{momentCase{1<<64 - 1, integer.Product(1<<40, 4096), 8192}, PrecFor(50), true},
		{momentCase{1 << 40, big.NewInt(1 << 34), 1000}, PrecFor(50), true},
		{momentCase{8000, big.NewInt(5), 8192}, PrecFor(50), true}, // r > m
		// the sum cancels little, or the precision outweighs what cancels
		{momentCase{1 << 40, big.NewInt(1 << 42), 1000}, PrecFor(50), false},
		{momentCase{1 << 40, big.NewInt(1 << 42), 4096}, PrecFor(50), false},
		{momentCase{1 << 40, big.NewInt(1 << 34), 400}, 4000, false},
		{momentCase{1<<64 - 1, integer.Product(1<<64-1, 4096), 4096}, PrecFor(50), false},
		{momentCase{2, integer.Product(1<<64-1, 4096), 1}, PrecFor(50), false},
		// min(r, N) >= m: i = m is no case of the positive sum
		{momentCase{4096, integer.Product(1, 4096), 4096}, PrecFor(50), false},
		{momentCase{5, big.NewInt(5), 8192}, PrecFor(50), false},
	} {
		if got := smallFillServes(c.m, c.balls, c.r, c.prec); got != c.small {
			t.Errorf("m=%d N=%v r=%d at %d bits: the positive sum is taken: %v, want %v; costs %.2g and %.2g", c.m, c.balls, c.r, c.prec,
				got, c.small, smallFillCost(c.m, c.balls, c.r, c.prec), differenceCost(c.m, c.balls, c.r, c.prec))
		}
	}
}

// TestMomentSums compares the two sums where both can be computed, each at a low and a
// high precision: around the crossover, and at the corners.
func TestMomentSums(t *testing.T) {
	cases := []momentCase{
		{1 << 62, big.NewInt(1), 60},                      // one ball
		{1<<64 - 1, big.NewInt(59), 60},                   // N < r
		{1<<64 - 1, big.NewInt(60), 60},                   // N = r
		{1<<64 - 1, big.NewInt(61), 60},                   // N > r
		{61, big.NewInt(1000), 60},                        // m = r+1, full
		{61, big.NewInt(60), 100},                         // m = N+1, r > m
		{1<<64 - 1, integer.Product(1<<63, 4096), 2},      // N huge, full
		{1<<64 - 1, integer.Product(1<<52, 4096), 50},     // N huge, half full
		{1<<64 - 1, integer.Product(1<<20, 200), 200},     // p = 1e-11
		{1<<64 - 1, new(big.Int).Set(integer.One), 1},     // r = 1
		{2, big.NewInt(900), 1},                           // certainly full
		{1<<63 + 5, big.NewInt(1<<63 - 1), 7},             // N = 2^63-1
		{1<<63 + 5, new(big.Int).Lsh(integer.One, 63), 7}, // N = 2^63
	}
	for _, r := range []int{5, 40, 133} {
		for _, perUrn := range []uint{1, 4, 16, 64, 128, 256, 1024} { // /128
			cases = append(cases, momentCase{1 << 13, big.NewInt(int64(perUrn) << 6), r}, momentCase{1 << 40, big.NewInt(int64(perUrn) << 33), r})
		}
	}
	for i, c := range cases {
		if i > 12 && i%longtest.More(5, 1) != 0 {
			continue
		}
		precs := []uint{1, 60}
		if i%2 > 0 && !longtest.Enabled() {
			precs = precs[1:]
		}
		if longtest.Enabled() || i%8 == 0 {
			precs = append(precs, 400)
		}
		if c.r <= 60 && longtest.Enabled() {
			precs = append(precs, 2000)
		}
		fine, err3 := momentKSum(c.m, c.balls, c.r, precs[len(precs)-1]+64)
		for _, prec := range precs {
			pos, err := momentSmallFill(c.m, c.balls, c.r, prec)
			alt, err2 := momentKSum(c.m, c.balls, c.r, prec)
			if err != nil || err2 != nil || err3 != nil || pos.RelBits() < int(prec) || !pos.Overlaps(alt) || !pos.Overlaps(fine) {
				t.Errorf("m=%d N=%v r=%d at %d bits: %v, %v and %v, %v", c.m, c.balls, c.r, prec, pos, err, alt, err2)
			}
			// Enclosures are rounded to prec bits; a bound missed in the last of work bits
			// shows before that, against a value known much better.
			if raw := smallFillSum(c.m, c.balls, c.r, prec+40); !raw.Valid() || !around(raw).Overlaps(fine) {
				t.Errorf("m=%d N=%v r=%d in %d bits: %v does not overlap %v", c.m, c.balls, c.r, prec+40, around(raw), fine)
			}
			if prec == 60 && (longtest.Enabled() || i%4 == 0) {
				if finer, err := momentSmallFill(c.m, c.balls, c.r, 300); err != nil || !finer.Overlaps(pos) || !finer.Overlaps(fine) {
					t.Errorf("m=%d N=%v r=%d: %v at 300 bits, %v at 60, %v", c.m, c.balls, c.r, finer, pos, err)
				}
			}
		}
	}
}

// TestSmallFillRational compares with the rational for all small m, N and r.
func TestSmallFillRational(t *testing.T) {
	most := longtest.Of(7, 8, 10)
	for m := 2; m <= most; m++ {
		for n := 1; n <= most+2; n++ {
			for r := 1; r <= most+2; r++ {
				if min(n, r) >= m {
					continue
				}
				want := momentRational(uint64(m), n, r)
				for _, prec := range []uint{1, 20, 200} {
					e, err := momentSmallFill(uint64(m), big.NewInt(int64(n)), r, prec)
					if err != nil || !e.Contains(want) || e.RelBits() < int(prec) {
						t.Fatalf("m=%d N=%d r=%d at %d bits: %v, %v; the rational is %v", m, n, r, prec, e, err, want)
					}
					if raw := smallFillSum(uint64(m), big.NewInt(int64(n)), r, prec+30); !raw.ContainsRat(want) {
						t.Fatalf("m=%d N=%d r=%d in %d bits: %v; the rational is %v", m, n, r, prec+30, around(raw), want)
					}
				}
			}
		}
	}
}

// TestFillSums compares each series with its rational and holds the two bounds that the
// proof gives: at most 2c roundings, and a rest below 2^-work.
func TestFillSums(t *testing.T) {
	const m, balls, r, work = 30, 40, 9, 50
	series, depth := fillSums(m, big.NewInt(balls), r, r, work)
	number := make([]*big.Int, r+1) // S(t, i), row by row
	for i := range number {
		number[i] = new(big.Int)
	}
	number[0].SetInt64(1)
	sums := make([]big.Rat, r+1)
	for at := 1; at <= balls; at++ {
		for i := r; i >= 1; i-- {
			number[i].Mul(number[i], big.NewInt(int64(i))).Add(number[i], number[i-1])
		}
		number[0].SetInt64(0)
		for i := 1; i <= min(at, r); i++ {
			if at == r && series[i].weight.Cmp(new(big.Float).SetInt(number[i])) != 0 {
				t.Errorf("S(%d,%d) = %v, want %v", r, i, &series[i].weight, number[i])
			}
			h := new(big.Rat).SetFrac(new(big.Int).Mul(number[i], integer.Binomial(balls, at)), integer.Power(big.NewInt(int64(m-i)), uint64(at-i)))
			sums[i].Add(&sums[i], h)
		}
	}
	c := int64(7*depth + 3*r + 3)
	slack := new(big.Rat).SetFrac(big.NewInt(4*c+1), integer.Power(big.NewInt(2), work))
	for i := 1; i <= r; i++ {
		got, _ := series[i].sum.Rat(nil)
		off := new(big.Rat).Sub(&sums[i], got)
		if off.Sign() < 0 || off.Quo(off, got).Cmp(slack) > 0 {
			t.Errorf("series of i=%d: %v, true %v", i, got, &sums[i])
		}
	}
}

// TestNegligible lists what ends a series.
func TestNegligible(t *testing.T) {
	f := big.NewFloat
	for _, c := range []struct {
		term, before, sum float64
		want              bool
	}{
		{0, 1, 1, true},
		{0x1p-46, 0x1p-45, 1, true},
		{0x1p-46, 0x1.24p-46, 1, false}, // 7/8 of before is less
		{0x1p-46, 0x1.25p-46, 1, true},
		{0x1p-45, 0x1p-40, 1, false}, // still too large
		{0x1p-46, 0x1p-47, 1, false}, // rising
	} {
		if got := negligible(f(c.term), f(c.before), f(c.sum), 40); got != c.want {
			t.Errorf("%v after %v in %v: negligible %v", c.term, c.before, c.sum, got)
		}
	}
}

// TestNearlyEmpty brackets rates that would take the alternating sum minutes: N balls fall
// into N urns with probability 1 - N(N-1)/(2m) at least, and into no more, so that
//
//	(1 - N(N-1)/(2m)) (N/m)^r <= E[(X/m)^r] <= (N/m)^r.
func TestNearlyEmpty(t *testing.T) {
	bracket := func(name string, e Enclosure, err error, m uint64, balls *big.Int, r int) {
		t.Helper()
		const work = 120
		n := interval.New(work).SetInt(balls)
		urns := interval.New(work).SetUint64(m)
		high := interval.New(work).Quo(n, urns)
		high.PowInt(high, big.NewInt(int64(r)))
		low := interval.New(work).Mul(n, n)
		low.Quo(low, urns)
		low.Sub(interval.New(work).SetUint64(1), low)
		low.Mul(low, high)
		if err != nil || e.Lo().Cmp(high.Hi()) > 0 || e.Hi().Cmp(low.Lo()) < 0 || e.RelBits() < 60 {
			t.Errorf("%s: %v with %d bits, %v; between %v and %v", name, e, e.RelBits(), err, around(low), around(high))
		}
	}
	k := longtest.More(600, 4096)
	const m = 1<<64 - 1
	for _, n := range []uint64{1, 1 << 10} {
		e, _, err := FPR(bloomproof.Geometry{M: m, K: k}, n, 60, routeDifference)
		bracket("FPR", e, err, m, integer.Product(n, k), k)
	}
	e, err := SecondMoment(bloomproof.Geometry{M: m, K: k / 2}, 3, 60)
	bracket("SecondMoment", e, err, m, integer.Product(3, k/2), k)
	e, err = moment(m, big.NewInt(7), 2*k, 60)
	bracket("moment", e, err, m, big.NewInt(7), 2*k)
}
