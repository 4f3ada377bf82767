package approx

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
	"github.com/bloomproof/bloomproof/verify/longtest"
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
	const nodes = 2048
	var squares [nodes]float64 // sin^2(theta)
	for j := range squares {
		sin := math.Sin(math.Pi * (float64(j) + 0.5) / nodes)
		squares[j] = sin * sin
	}
	for k := 2; k <= 4096; k += longtest.More(1+k/64, 1) {
		kf := float64(k)
		// The circle of a standard filter: worst at n = 2.
		balls := 2 * kf
		sizes := 0.0 // the mean of e^(-(N/2) sin^2(theta/2)) over the circle
		for _, square := range squares {
			sizes += math.Exp(-balls/2*square) / nodes
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
			central := (16 + 1.9*kf) + shift*(mostShift*kf+1) + (2 + 1 + 1.02 + 1 + 1) + kf + 2.1 + 0.6 + centralLeftOut()*centralEnd/fm.Unit
			if stated := 38 + 7.1*kf; !(central <= stated && stated*fm.Unit <= standardHashing.rateError(k)) {
				t.Errorf("k = %d: the parts of standardCentral are %.6g u, above the bound", k, central)
			}
			inE, inH := classicInduced()
			load := (centralLoad*(3*kf+0.5) + kf) / kf // the largest n for m = 4k, if n need not be an integer
			w, power := 0.0, load/2
			for i := 1; i <= mostEven; i++ {
				power /= (3.5*kf + 0.5) * (3.5*kf + 0.5)
				w += power * powerSums()[k][i] / float64(i)
			}
			relative := classicShiftError()
			c := (inE+4)*mostDegree + 16 + 1.9*kf + 2 + mostEven/2.0 + 2 + 0.1
			central = (mostCancelled+kf/64)*c + relative*w + 2.1
			written := (mostCancelled+kf/64)*(39.3+1.9*kf) + 0.51*kf + 2.1
			if stated := 94 + 7*kf; !(central <= written && written <= stated && stated*fm.Unit <= classicHashing.rateError(k)) {
				t.Errorf("k = %d: the parts of classicCentral are %.6g u, %.6g u in its comment, above the bound", k, central, written)
			}
			if !(inE <= 12 && inH <= 15 && w <= 0.035*kf && relative <= 14.3 && relative*w <= 0.51*kf) {
				t.Errorf("k = %d: the errors of e(l) and h(l) are %.4g l u and %.4g l u, w is %.4g k with the error %.4g u", k, inE, inH, w/kf, relative)
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

// centralLeftOut returns the largest sum of the terms that standardCentral leaves out, in units of centralEnd times the
// sum. It tries computed terms before the last one, in the same units.
func centralLeftOut() float64 {
	const inner = 1.01 * innerEnd / centralEnd
	worst := 0.0
	for before := 1.0 / 64; before <= 64; before += 1.0 / 64 {
		last := min(before/2, 1)
		last = min(last+inner, last*(1+1.01/3))
		worst = max(worst, last*last/(before-last))
	}
	return worst
}

// classicInduced returns the errors of e(l) and h(l) in classicCentral, divided by l u h(l), for the worst l. It counts
// how often each term is rounded in the order in which the code adds the terms.
func classicInduced() (e, h float64) {
	ofE, ofH := []float64{0}, []float64{0}
	for l := 1; l <= mostEven; l++ {
		var inE, inH float64
		for i := 1; i <= l; i++ {
			same := l / 2                     // the number of terms with signs like that of i
			at := (i+1)/2 + (i+1)%2*((l+1)/2) // the place of i in the sum for h: odd i come first
			if i%2 == 1 {
				same = (l + 1) / 2
			}
			rounded := func(place, terms int) float64 { return float64(min(terms-1, terms-place+1)) }
			term := 3*float64(i) + 2.01 + 1
			inE = max(inE, term+ofE[l-i]+rounded((i+1)/2, same))
			inH = max(inH, term+ofH[l-i]+rounded(at, l))
		}
		ofE, ofH = append(ofE, inE+2), append(ofH, inH+1)
		e, h = max(e, ofE[l]/float64(l)), max(h, ofH[l]/float64(l))
	}
	return e, h
}

// classicShiftError returns the relative error of w in classicCentral in units of u, for terms that decrease as slowly
// as possible.
func classicShiftError() float64 {
	sum, term := 3+2.01, 1.0
	for i := 2; term > centralEnd; i++ {
		term /= 49
		sum += term*float64(3*(i-1)+1) + min(1, term/fm.Unit)
	}
	return sum + term/48/fm.Unit
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
