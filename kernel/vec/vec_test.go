package vec

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// messages returns messages of every kind on m bits, with k to most, or to fewer unless
// tests are long.
func messages(m uint64, most int) []Message {
	var out []Message
	most = min(most, longtest.Of(14, 20, most))
	for _, k := range []int{1, 2, 3, 7, 8, 11, 12, 13, 14, 20, 64, 65, 130, 200} {
		if k <= most {
			out = append(out, Message{m, k, false})
			if uint64(k) <= m {
				out = append(out, Message{m, k, true})
			}
		}
	}
	return out
}

// firsts returns states of a filter of m bits at which n states can begin: at both ends,
// and between.
func firsts(m uint64, n int) []uint64 {
	last := m + 1 - uint64(n)
	list := []uint64{0, 1, 2, 5, m / 1000, m / 3, m / 2, last - min(last, 1), last}
	list = slices.DeleteFunc(list, func(i uint64) bool { return i > last })
	slices.Sort(list)
	return slices.Compact(list)
}

var bitses = []uint64{1, 2, 3, 5, 12, 13, 64, 100, 1000, 1 << 20, 8_388_608, 1_000_003, 1<<40 + 1, 1<<53 - 1, 1 << 53}

// TestRows holds Rows to the exact numbers, to the stated bound, and to +0 where they are
// 0.
func TestRows(t *testing.T) {
	worst := 0.0 // error over bound
	for _, m := range bitses {
		for _, x := range messages(m, 64) {
			n := int(min(m+1, 3))
			for _, first := range firsts(m, n) {
				dst := make([]float64, (x.K+1)*n)
				for i := range dst {
					dst[i] = math.NaN()
				}
				x.Rows(dst, first)
				floor := 0.0
				if x.K > 12 {
					floor = float64(x.K*x.K) * 0x1p-1071
				}
				for j := range n {
					for d, want := range tau(x, first+uint64(j)) {
						got := dst[d*n+j]
						if want.Sign() == 0 && math.Float64bits(got) != 0 {
							t.Errorf("%+v: tau(%d, %d) = %g, want 0", x, first+uint64(j), d, got)
							continue
						}
						e := units(got, want, want, floor) / float64(4*x.K)
						worst = max(worst, e)
						if e > 1 {
							t.Errorf("%+v: tau(%d, %d) = %g, want %g: %.2f of the bound", x, first+uint64(j), d, got, want, e)
						}
					}
				}
			}
		}
	}
	t.Logf("at most %.2f of the bound", worst)
}

// weights returns n numbers of either sign.
func weights(r *rand.Rand, n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = r.NormFloat64() * math.Ldexp(1, -r.IntN(30))
	}
	return w
}

// TestSums holds Sums to the exact numbers, to the stated bound.
func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for _, m := range bitses {
		for _, x := range messages(m, 20) {
			n := int(min(m+1, 1+r.Uint64N(20)))
			for _, first := range firsts(m, n) {
				w := weights(r, n)
				want, scale := make([]*big.Float, x.K+1), make([]*big.Float, x.K+1)
				for d := range want {
					want[d], scale[d] = number(0), number(0)
				}
				for j, v := range w {
					for d, p := range tau(x, first+uint64(j)) {
						term := product(p, big.NewFloat(v))
						want[d] = sum(want[d], term)
						scale[d] = sum(scale[d], term.Abs(new(big.Float).Copy(term)))
					}
				}
				got := make([]float64, x.K+1)
				x.Sums(got, w, first)
				floor := 1.0 // of very small numbers, as the comment of Sums states it
				for _, v := range w {
					floor = max(floor, math.Abs(v))
				}
				floor *= float64(n*x.K*x.K) * 0x1p-1060
				for d := range got {
					e := units(got[d], want[d], scale[d], floor) / (float64(4*x.K) + float64(n)/8 + 4)
					worst = max(worst, e)
					if e > 1 {
						t.Errorf("%+v: %d states from %d on, d = %d: %g, want %g: %.2f of the bound", x, n, first, d, got[d], want[d], e)
					}
				}
			}
		}
	}
	t.Logf("at most %.2f of the bound", worst)
}

// TestAdvance holds Advance to sums of exact products, over several messages.
func TestAdvance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	worst := 0.0
	for _, m := range []uint64{1, 2, 3, 12, 30, 100, 1 << 53} {
		for _, x := range messages(m, 70) {
			for _, first := range firsts(m, 1) {
				n := int(min(m-first+1, 1+r.Uint64N(20)))
				p := make([]float64, n)
				for i := range p {
					p[i] = r.Float64()
				}
				if r.Uint32()&1 != 0 {
					clear(p[1:])
				}
				const sent = 2
				want := make([]*big.Float, n)
				for j := range p {
					want[j] = new(big.Float).SetPrec(prec).SetFloat64(p[j])
				}
				var step [][]*big.Float // tau of each state
				for j := range p {
					step = append(step, tau(x, first+uint64(j)))
				}
				for range sent {
					next := make([]*big.Float, n)
					for j := range next {
						next[j] = number(0)
					}
					for j := range want {
						for d, q := range step[j] {
							if j+d < n {
								next[j+d] = sum(next[j+d], product(want[j], q))
							}
						}
					}
					want = next
					x.Advance(p, first)
				}
				for j := range p {
					floor := sent * float64(x.K*x.K) * 0x1p-1071
					e := units(p[j], want[j], want[j], floor) / float64(sent*4*x.K)
					worst = max(worst, e)
					if e > 1 || math.Signbit(p[j]) {
						t.Errorf("%+v: %d states from %d on, %d: %g, want %g: %.2f of the bound", x, n, first, j, p[j], want[j], e)
					}
				}
			}
		}
	}
	t.Logf("at most %.2f of the bound", worst)
}

// TestAdvanceBlocks asserts that passes in blocks do what one step after the other does
// to all states.
func TestAdvanceBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 1023, 1024, 1025, 3000} {
		for _, x := range []Message{{5000, 7, false}, {5000, 130, false}, {5000, 130, true}} {
			got, want := make([]float64, n), make([]float64, n)
			for i := range got {
				got[i] = r.Float64()
			}
			copy(want, got)
			const first = 300
			x.Advance(got, first)
			unit := x.unit()
			for q := range x.K {
				for j := n - 1; j >= 0; j-- {
					set, scale := x.set(uint64(first+j), q, unit), x.scale(q, unit)
					left := 0.0
					if j > 0 {
						left = want[j-1]
					}
					want[j] = float64((float64(want[j]*set) + float64(left*(float64(x.M-first-uint64(j)+1)*unit))) * scale)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v: %d states differ", x, n)
			}
		}
	}
}

// visits returns what Visits should, from exact tau.
func visits(x Message, v []float64) []*big.Float {
	in := make([]*big.Float, len(v))
	for b := range v {
		in[b] = new(big.Float).SetPrec(prec).SetFloat64(v[b])
	}
	for b := range v {
		p := tau(x, uint64(b))
		in[b] = ratio(in[b], new(big.Float).SetPrec(prec).Sub(number(1), p[0]))
		for d := 1; d <= x.K && b+d < len(v); d++ {
			in[b+d] = sum(in[b+d], product(in[b], p[d]))
		}
	}
	return in
}

// TestVisits holds Visits to the exact numbers, from an empty filter and from any state.
func TestVisits(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	worst, most := 0.0, 0.0
	for _, m := range []uint64{1, 2, 3, 12, 13, 64, 200, 500, 1<<53 - 1} {
		for _, x := range messages(m, 65) {
			n := int(min(m, longtest.More[uint64](120, 250)))
			v := make([]float64, n)
			v[0] = 1
			if r.Uint32()&1 != 0 {
				for i := range min(n, 20) {
					v[i] = r.Float64()
				}
			}
			want, entered := visits(x, v), max(1, total(v))
			x.Visits(v)
			for b := range v {
				floor := float64(x.K*x.K) * 0x1p-1060
				if x.K > asm.TransitionMaxK {
					floor += float64(x.K) * 0x1p-997
				}
				floor *= entered * float64(b+1) * float64(m) / float64(m-uint64(b))
				e := units(v[b], want[b], want[b], floor)
				worst = max(worst, e/float64(25*x.K*(b+1)))
				most = max(most, e)
				if e > float64(25*x.K*(b+1)) {
					t.Errorf("%+v: V(%d) = %g, want %g: %.0f u", x, b, v[b], want[b], e)
				}
			}
		}
	}
	t.Logf("at most %.2f of the bound, %.0f u", worst, most)
}

// TestVisitsMany holds Visits to the exact numbers for so many positions that most probabilities are below the range of
// float64.
func TestVisitsMany(t *testing.T) {
	for _, x := range []Message{{8, 1100, false}, {20, 500, false}, {200, 190, true}} {
		v := make([]float64, min(x.M, 20))
		v[0] = 1
		want := visits(x, v)
		x.Visits(v)
		for b := range v {
			floor := float64((b+1)*x.K) * float64(x.M) / float64(x.M-uint64(b)) * 0x1p-996
			if e := units(v[b], want[b], want[b], floor); e > float64(25*x.K*(b+1)) {
				t.Errorf("%+v: V(%d) = %g, want %g: %.0f u", x, b, v[b], want[b], e)
			}
		}
	}
}

// TestVisitsForms asserts that visits by rows, over many blocks, and by positions agree,
// and that what enters a cycle leaves it.
func TestVisitsForms(t *testing.T) {
	const m = 20000
	for _, x := range []Message{{m, 1, false}, {m, 7, false}, {m, 12, false}, {m, 8, true}} {
		v, w := make([]float64, m-10), make([]float64, m-10)
		v[0], w[0] = 1, 1
		x.Visits(v)
		x.visitsByPosition(w)
		for b := range v {
			if e := math.Abs(v[b]/w[b]-1) * 0x1p53; e > 200 {
				t.Fatalf("%+v: V(%d) = %g by rows, %g by positions: %.0f u", x, b, v[b], w[b], e)
			}
		}
		// The filter recycles when more than 10000 bits are set.
		left := 0.0
		for b := 10000 - x.K + 1; b <= 10000; b++ {
			for d, p := range tau(x, uint64(b)) {
				if f, _ := p.Float64(); b+d > 10000 {
					left += v[b] * f
				}
			}
		}
		if math.Abs(left-1) > 1e-12 {
			t.Errorf("%+v: %g cycles end for one that begins", x, left)
		}
		if x.K == 1 {
			for b := range v {
				if math.Abs(v[b]*float64(m-b)/m-1) > 1e-12 {
					t.Fatalf("V(%d) = %g, want %g", b, v[b], m/float64(m-b))
				}
			}
		}
	}
}

// TestVisitsLarge holds the visits of a large filter, both ways, to m/(K (m-b)), from
// which they differ by less than 2^-100 once the cycle's beginning is forgotten: the
// roundings of a million states do not add up.
func TestVisitsLarge(t *testing.T) {
	const m = 1_000_003
	v := make([]float64, m*9/10)
	for _, k := range longtest.More([]int{3, 12}, []int{1, 3, 8, 12}) {
		x := Message{M: m, K: k}
		for name, f := range map[string]func([]float64){"rows": x.Visits, "positions": x.visitsByPosition} {
			clear(v)
			v[0] = 1
			f(v)
			worst := 0.0
			for b := m / 4; b < len(v); b++ {
				worst = max(worst, math.Abs(v[b]*float64(k)*float64(m-b)/m-1)*0x1p53)
			}
			if worst > 130 {
				t.Errorf("k = %d by %s: %.0f u", k, name, worst)
			}
		}
	}
}

// TestVisitsPath asserts which way is taken for how many positions: their results agree,
// but not to the last bit.
func TestVisitsPath(t *testing.T) {
	for _, x := range []Message{{5000, 8, false}, {5000, 12, true}, {5000, 13, false}} {
		var v [3][]float64
		for i, f := range []func([]float64){x.Visits, func(v []float64) { x.visitsByRows(host.Auto, v) }, x.visitsByPosition} {
			v[i] = make([]float64, 1000)
			v[i][0] = 1
			if i != 1 || x.K <= 12 {
				f(v[i])
			}
		}
		if rows, positions := slices.Equal(v[0], v[1]), slices.Equal(v[0], v[2]); rows != (x.K <= 12) || positions == rows {
			t.Errorf("%+v: by rows %v, by positions %v", x, rows, positions)
		}
	}
}

// TestSumsOrder asserts that the sums have the order that is stated, over many blocks.
func TestSumsOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const n, first = 10_000, 54_321
	w := weights(r, n)
	for _, x := range []Message{{100_000, 3, false}, {100_000, 15, false}, {100_000, 5, true}, {100_000, 300, false}} {
		part := make([]float64, 8*(x.K+1))
		if x.K <= asm.TransitionMaxK && !x.Distinct {
			unit := x.unit()
			scale := 1 / (float64(x.M) * unit)
			asm.TransitionSumsPortable(part, w, x.K, first*unit, float64(x.M-first)*unit, unit, scale*scale*scale)
		} else {
			rows := make([]float64, x.K+1)
			for j, v := range w {
				x.Rows(rows, first+uint64(j))
				for d, p := range rows {
					part[8*d+j%8] += float64(p * v)
				}
				if x.K == 300 && j == 100 { // enough, and slow
					w = w[:j+1]
					break
				}
			}
		}
		got := make([]float64, x.K+1)
		x.Sums(got, w, first)
		for d := range got {
			p := part[8*d:]
			want := ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]))
			if got[d] != want {
				t.Errorf("%+v: d = %d: %g, want %g", x, d, got[d], want)
			}
		}
	}
}

// TestImplsAgree asserts that every method gives the same bits on every implementation.
func TestImplsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	impls := host.Runs(host.Transition)
	t.Logf("implementations: %v", impls)
	for range longtest.More(100, 200) {
		m := 1 + r.Uint64N(1<<(1+r.IntN(53)))
		x := Message{M: m, K: 1 + r.IntN(20), Distinct: r.Uint32()&1 != 0}
		x.K = int(min(uint64(x.K), m))
		n := int(min(m, 1+r.Uint64N(3000)))
		first := r.Uint64N(m - uint64(n) + 1)
		w := weights(r, n)
		p := make([]float64, n)
		for i := range p {
			p[i] = r.Float64()
		}
		var all [][]float64
		for _, im := range impls {
			rows := make([]float64, (x.K+1)*min(n, 100))
			x.rowsBy(im, rows, first)
			sums := make([]float64, x.K+1)
			x.sumsBy(im, sums, w, first)
			after := slices.Clone(p)
			x.advanceBy(im, after, first)
			seen := slices.Clone(p)
			x.visitsBy(im, seen)
			all = append(all, slices.Concat(rows, sums, after, seen))
		}
		for i, got := range all {
			for j, want := range all[len(all)-1] {
				if math.Float64bits(got[j]) != math.Float64bits(want) {
					t.Fatalf("%v: %+v, %d states from %d on: value %d is %g, portable gives %g", impls[i], x, n, first, j, got[j], want)
				}
			}
		}
	}
}

// TestBits asserts that every build on every architecture gives the same bits: a product
// that one of them fuses with a sum shows here.
func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	h := fnv.New64a()
	for _, x := range []Message{{1_000_003, 1, false}, {1_000_003, 8, false}, {5000, 12, false}, {5000, 20, false}, {1000, 70, false}, {5000, 7, true}, {1000, 40, true}} {
		rows, sums := make([]float64, 50*(x.K+1)), make([]float64, x.K+1)
		x.Rows(rows, x.M/3)
		w, p, v := make([]float64, 500), make([]float64, 500), make([]float64, 500)
		for i := range w {
			w[i], p[i] = r.Float64()-0.5, r.Float64()
		}
		v[0] = 1
		x.Sums(sums, w, x.M/2)
		x.Advance(p, x.M/2)
		x.Visits(v)
		for _, f := range slices.Concat(rows, sums, p, v) {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)))
		}
	}
	if got, want := h.Sum64(), uint64(0x7193311fc27cdc5b); got != want {
		t.Errorf("digest %#x, want %#x", got, want)
	}
}

// TestRowsBlocks asserts that many states at once are the same as one after the other.
func TestRowsBlocks(t *testing.T) {
	for _, x := range []Message{{100_000, 3, false}, {100_000, 20, false}, {100_000, 8, true}} {
		const n, first = 9000, 40_000
		all, one := make([]float64, n*(x.K+1)), make([]float64, x.K+1)
		x.Rows(all, first)
		for j := 0; j < n; j += 7 {
			x.Rows(one, first+uint64(j))
			for d, p := range one {
				if all[d*n+j] != p {
					t.Fatalf("%+v: tau(%d, %d) = %g and %g", x, first+j, d, all[d*n+j], p)
				}
			}
		}
	}
}

// TestExtremes asserts that no number is NaN, infinite or negative at the ends of the
// domain.
func TestExtremes(t *testing.T) {
	for _, x := range []Message{{1, 1, true}, {1, 300, false}, {2, 300, false}, {300, 300, true}, {MaxM, 300, false}, {MaxM, 300, true}, {MaxM, 12, false}} {
		n := int(min(x.M, 9))
		for _, first := range firsts(x.M, n) {
			rows := make([]float64, (x.K+1)*n)
			x.Rows(rows, first)
			sums, w := make([]float64, x.K+1), make([]float64, n)
			for i := range w {
				w[i] = 1
			}
			x.Sums(sums, w, first)
			p := slices.Clone(w)
			seen := make([]float64, n)
			seen[0] = 1
			if x.K == 300 { // Rows would take seconds
				x.K = int(min(MaxK, x.M))
			}
			x.Advance(p, first)
			x.Visits(seen)
			x.K = len(sums) - 1
			for i, v := range slices.Concat(rows, sums, p, seen) {
				if !(v >= 0) || math.IsInf(v, 0) {
					t.Fatalf("%+v from %d on: value %d is %g", x, first, i, v)
				}
			}
			if all := total(sums); math.Abs(all/float64(n)-1) > 1e-10 {
				t.Errorf("%+v from %d on: %g of %d states", x, first, all, n)
			}
		}
	}
}

func total(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// TestNothing asserts that no states are no mistake.
func TestNothing(t *testing.T) {
	x := Message{M: 10, K: 3}
	x.Rows(nil, 0)
	x.Advance(nil, 10)
	x.Visits(nil)
	sums := []float64{1, 2, 3, 4}
	x.Sums(sums, nil, 10)
	if !slices.Equal(sums, make([]float64, 4)) {
		t.Errorf("sums of nothing: %v", sums)
	}
}

// TestMisuse asserts that what is outside the domain panics, and that the message says
// what is wrong.
func TestMisuse(t *testing.T) {
	ok := Message{M: 10, K: 3}
	for _, c := range []struct {
		name string
		f    func()
		want string
	}{
		{"no bits", func() { Message{M: 0, K: 1}.Rows(nil, 0) }, "vec: 0 bits, want 1 to 2^53"},
		{"too many bits", func() { Message{M: 1<<53 + 1, K: 1}.Visits(nil) }, "vec: 9007199254740993 bits, want 1 to 2^53"},
		{"no positions", func() { Message{M: 1}.Advance(nil, 0) }, "vec: 0 positions, want 1 to 4096"},
		{"too many positions", func() { Message{M: 1, K: 4097}.Sums(nil, nil, 0) }, "vec: 4097 positions, want 1 to 4096"},
		{"positions on fewer bits", func() { Message{M: 5, K: 6, Distinct: true}.Advance(nil, 0) }, "vec: 6 distinct positions on 5 bits"},
		{"rows past the full filter", func() { ok.Rows(make([]float64, 8), 10) }, "vec: 2 states from 10 on, the last can be 10"},
		{"a state past it", func() { ok.Rows(make([]float64, 4), 11) }, "vec: 1 states from 11 on, the last can be 10"},
		{"rows far past it", func() { ok.Rows(make([]float64, 8), math.MaxUint64) }, "the last can be 10"},
		{"sums past it", func() { ok.Sums(make([]float64, 4), make([]float64, 3), 9) }, "vec: 3 states from 9 on, the last can be 10"},
		{"states past it", func() { ok.Advance(make([]float64, 12), 0) }, "vec: 12 states from 0 on, the last can be 10"},
		{"visits of a full filter", func() { ok.Visits(make([]float64, 11)) }, "vec: 11 states from 0 on, the last can be 9"},
		{"rows of unequal length", func() { ok.Rows(make([]float64, 7), 0) }, "vec: the rows' length is not a multiple of K+1"},
		{"a sum too few", func() { ok.Sums(make([]float64, 3), nil, 0) }, "vec: the sums' length is not K+1"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, c.want) {
					t.Errorf("%s: panic %q, want %q", c.name, got, c.want)
				}
			}()
			c.f()
		}()
	}
}

// TestAllocs asserts that nothing is allocated.
func TestAllocs(t *testing.T) {
	for _, x := range []Message{{1000, 8, false}, {1000, 20, false}, {1000, 8, true}, {1000, 64, false}} {
		rows, sums, w := make([]float64, 10*(x.K+1)), make([]float64, x.K+1), make([]float64, 300)
		w[0] = 1
		if n := testing.AllocsPerRun(5, func() {
			x.Rows(rows, 3)
			x.Sums(sums, w, 3)
			x.Advance(w, 0)
			x.Visits(w)
		}); n != 0 {
			t.Errorf("%+v: %g allocations", x, n)
		}
	}
}
