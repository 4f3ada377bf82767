package approx

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

// TestRateErrorsDerivedTwice adds up the parts of the error bounds of the rates again, as the comments of the methods
// give them. A bound must be at least the sum, and less than twice as large. Package verify does the same for the
// bounds that approx returns.
func TestRateErrorsDerivedTwice(t *testing.T) {
	within := func(name string, k int, stated, again float64) {
		t.Helper()
		if share := stated / again; !(share >= 1-1e-9 && share < 2) {
			t.Errorf("%s, k = %d: stated are %.6g u, the parts are %.6g u: %.3f times that", name, k, stated/fm.Unit, again/fm.Unit, share)
		}
	}
	for k := 2; k <= 4096; k++ {
		kf := float64(k)
		// The circle of a standard filter: worst at n = 2.
		balls := 2 * kf
		sizes := 0.0 // the mean of e^(-(N/2) sin^2(theta/2)) over the circle
		const nodes = 2048
		for j := range nodes {
			sin := math.Sin(math.Pi * (float64(j) + 0.5) / nodes)
			sizes += math.Exp(-balls/2*sin*sin) / nodes
		}
		cancels := sizes * math.Sqrt(2*math.Pi*balls) / 0.9
		each := 30 + 28*math.Sqrt(kf/2) + 11*math.Sqrt(kf)
		within("standard", k, standardHashing.rateError(k), (30+cancels*each)*fm.Unit)
		// The circle of a classic filter: 4u for each pole, twice 8u sqrt(2k) at most for delta and ln G, and 30u in front.
		each = 4*kf + 8*math.Sqrt(2*kf)
		within("classic", k, classicHashing.rateError(k), (30+1.3*each+2*math.Sqrt(kf))*fm.Unit)
		// Few balls: the terms and the additions of both sums, the powers, the quotient and the product. The mean of
		// N-X is at most 128 127/(2 512).
		if sparse := (2*(2*128*127/1024.0+3) + 2*mostSparse + 2*kf + 3) * fm.Unit; k <= occupancy.MostBalls && !(sparse <= standardHashing.rateError(k) && sparse <= (170+2*kf)*fm.Unit) {
			t.Errorf("k = %d: the parts of standardSparse are %.6g u, above the bound", k, sparse/fm.Unit)
		}
		if sparse := (3*mostSparseN + 5*kf + 2) * fm.Unit; k <= mostSparseK && !(sparse <= classicHashing.rateError(k)) {
			t.Errorf("k = %d: the parts of classicSparse are %.6g u, above the bound", k, sparse/fm.Unit)
		}
		// The alternating sums: clears, the probabilities of Y, the conversion, the product, and the sum over y.
		if k <= occupancy.TableK {
			clear := math.Exp2(-47) / fm.Unit
			if small := (clear + 0.1 + 4*kf + 4 + 2 + 2 + kf) * fm.Unit; !(small <= standardHashing.rateError(k) && small <= (73+5*kf)*fm.Unit) {
				t.Errorf("k = %d: the parts of standardSmall are %.6g u, above the bound", k, small/fm.Unit)
			}
			if large := (16 + 16 + 1) * 1.5 * fm.Unit; !(large <= classicHashing.rateError(k)) {
				t.Errorf("k = %d: the parts of classicLarge are %.6g u, above the bound", k, large/fm.Unit)
			}
			// The sums of positive terms: the mean of j, its factors, the table, the product, the ends and the additions.
			mean := kf * (1.5/math.Tanh(1.5) - 1) / 2
			inner := 5*mean + 1.01 + 1 + 0.1 + float64(mostTerms(k))/2 + 1
			if stated := 4 + float64(mostTerms(k))/2 + 1.65*kf; !(inner <= stated && stated <= 16.1+1.9*kf) {
				t.Errorf("k = %d: the parts of centralSum are %.6g u, above the bound", k, inner)
			}
			const least = 4 // m >= 4k
			logs := -math.Log1p(-1.0/(2*least))/(1.0/(2*least))*1.0/(2*least) + (centralLoad*(least-0.5)+1)/(2*least-1)
			shift := 3 + 4.1*logs
			central := (16 + 1.9*kf) + shift*(mostShift*kf+1) + (2 + 1 + 1.02 + 1 + 1) + kf + 2.1 + 0.6 + 0.1
			if stated := 38 + 7.1*kf; !(central <= stated && stated*fm.Unit <= standardHashing.rateError(k)) {
				t.Errorf("k = %d: the parts of standardCentral are %.6g u, above the bound", k, central)
			}
			induced := 0.0 // the errors of e(l) and h(l), divided by u h(l)
			table := []float64{0}
			for l := 1; l <= mostEven; l++ {
				worst := 0.0
				for i := 1; i <= l; i++ {
					worst = max(worst, float64(3*i+2)+table[l-i]+1)
				}
				table = append(table, worst+float64(l)/2+1+2)
				induced = max(induced, table[l]/float64(l))
			}
			c := (induced+4)*mostDegree + 16 + 1.9*kf + 2 + mostEven/2.0 + 2 + 0.1
			front := 8*0.041*kf + 2.1
			central = (mostCancelled+kf/64)*c + front
			if stated := 94 + 7*kf; !(induced <= 17 && central <= stated && stated*fm.Unit <= classicHashing.rateError(k)) {
				t.Errorf("k = %d: the parts of classicCentral are %.6g u, above the bound", k, central)
			}
			if small := (clear + 0.1 + 2) * fm.Unit; !(small <= classicHashing.rateError(k)) {
				t.Errorf("k = %d: the parts of classicSmall are %.6g u, above the bound", k, small/fm.Unit)
			}
		}
		// Two words until the result.
		within("partitioned", k, partitionedHashing.rateError(k), 2*fm.Unit)
		// A block: 3u for each draw of j+2 keys, 12u for each of their weights, and 4ku for the bits of a key.
		b := blockSearch{in: &standardHashing, most: uint64(10 + k%7)}
		most := float64(b.most)
		table := (3*kf*(most+2) + 12*(most+2) + 4*kf) * fm.Unit
		within("blocks", k, b.rateError(k), max(table, standardHashing.rateError(k)+2*fm.Unit))
	}
	// A complement f/(1-f) <= 1.55 times as much, and 1.6 (100+...) or 40u near 1.
	within("complement", 1, complementFactor*fm.Unit, math.Exp(-0.5)/(1-math.Exp(-0.5))*fm.Unit)
	within("complement near 1", 1, complementError, 40*fm.Unit)
}

// TestClearErrorsDerivedTwice adds up the parts of the error of clears again, with the sizes of the terms that a filter
// has, for the worst filters of its domain.
func TestClearErrorsDerivedTwice(t *testing.T) {
	worst, worstLn := 0.0, 0.0
	for k := 1; k <= occupancy.TableK; k++ {
		for _, size := range []float64{1, float64(k)} {
			for m := math.Max(leastClear, 4*float64(k)); m < 1e5; m *= 1.3 {
				const first = 5 // -ln g(1)
				count := -first / math.Log1p(-size/m)
				ln, step, off := -float64(first), -float64(first), 0.0
				offStep := 0.0
				for j := 1; j < k; j++ {
					i := float64(j)
					s := size / 2 / ((m-i)*(m-size-i+1) - size/2)
					if s > 1.0/190 {
						t.Fatalf("m=%v k=%d size=%v: s is 1/%v", m, k, size, 1/s)
					}
					e := 2 * count * math.Atanh(s)
					step -= e
					ln += step
					offStep += e * math.Exp2(-81.9)
					off += offStep
					total := off + math.Exp2(-84)*first*(i+1) + math.Exp2(-95)*-ln
					worstLn = max(worstLn, total/(math.Exp2(-83.9)*-ln+math.Exp2(-77.3)*first))
					if ln > lastClear {
						worst = max(worst, (total+math.Exp2(-76)+math.Exp2(-113))/math.Exp2(-74))
					}
				}
			}
		}
	}
	if !(worstLn <= 1) || !(worst <= 1 && worst > 0.25) {
		t.Errorf("the parts are up to %.3f of the bound of ln g(j), and up to %.3f of that of g(j)", worstLn, worst)
	}
}
