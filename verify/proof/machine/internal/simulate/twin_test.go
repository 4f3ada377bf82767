package simulate

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// flat is a memory of bytes.
type flat struct {
	p     *term.Pool
	bytes []byte
}

func (f flat) load(at *term.Term, bits int) *term.Term {
	var w [8]byte
	copy(w[:], f.bytes[at.Value:][:bits/8])
	return f.p.Value(bits, binary.LittleEndian.Uint64(w[:]))
}

func (f flat) store(at, v *term.Term) {
	var w [8]byte
	binary.LittleEndian.PutUint64(w[:], v.Value)
	copy(f.bytes[at.Value:][:v.Width/8], w[:])
}

func (f flat) clear(at, n *term.Term) { clear(f.bytes[at.Value:][:n.Value]) }

// A view is an argument that is part of another one of type []uint64, from an element on.
type view struct {
	of      string
	from, n int
}

// interpret runs a twin on values: []uint64, a view, float64, []bool, []uint8, int, uint64 or a structure's fields
// by "name.field". It changes the slices and returns the results, and whether all that the
// twin assumes was true.
func interpret(tb testing.TB, t *Twin, args map[string]any) (results []uint64, tail string, domain bool) {
	tb.Helper()
	p := term.NewPool()
	m := flat{p: p}
	in := inputs{p, map[string]*term.Term{}, map[string]int{}}
	at := map[string]int{}
	for name, a := range args {
		size, n := 1, 0
		at[name] = len(m.bytes)
		switch a := a.(type) {
		case []uint64:
			for _, w := range a {
				m.bytes = binary.LittleEndian.AppendUint64(m.bytes, w)
			}
			size, n = 8, len(a)
		case []uint8:
			m.bytes = append(m.bytes, a...)
			n = len(a)
		case []bool:
			m.bytes = append(m.bytes, make([]byte, len(a))...)
			n = len(a)
		case int:
			in.value[name] = p.Value(64, uint64(a))
			continue
		case view:
			continue
		case float64:
			in.value[name] = p.Value(64, math.Float64bits(a))
			continue
		case uint64:
			in.value[name] = p.Value(64, a)
			continue
		}
		in.value[name], in.value["len("+name+")"] = p.Value(64, uint64(at[name])), p.Value(64, uint64(n))
		in.slices[name] = size
	}
	for name, a := range args {
		if v, ok := a.(view); ok {
			in.value[name], in.value["len("+name+")"] = p.Value(64, uint64(at[v.of]+8*v.from)), p.Value(64, uint64(v.n))
			in.slices[name] = 8
		}
	}
	for _, r := range t.records { // their words are arbitrary at first
		in.value[r.name], in.value["len("+r.name+")"] = p.Value(64, uint64(len(m.bytes))), p.Value(64, uint64(r.n*r.words))
		in.slices[r.name] = 8
		for range r.n * r.words {
			m.bytes = binary.LittleEndian.AppendUint64(m.bytes, rand.Uint64())
		}
	}
	domain = true
	for _, a := range t.args {
		if in.value[a.name] == nil && structs[a.of] == nil {
			tb.Fatalf("%s has an argument %s", t.Name, a.name)
		}
	}
	err := t.run(in, state{vars: map[string]*term.Term{}, memory: m}, walk{
		loops: true,
		fork:  func(memory) memory { tb.Fatal("a branch is open"); return nil },
		end: func(e state) {
			for _, g := range e.given {
				domain = domain && g.Is(1)
			}
			for _, r := range e.results {
				results = append(results, r.Value)
			}
			tail = e.tail
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	for name, a := range args {
		switch a := a.(type) {
		case []uint64:
			for i := range a {
				a[i] = binary.LittleEndian.Uint64(m.bytes[at[name]+8*i:])
			}
		case []uint8:
			copy(a, m.bytes[at[name]:])
		case []bool:
			for i := range a {
				if b := m.bytes[at[name]+i]; b > 1 {
					tb.Fatalf("a truth value of %d", b)
				}
				a[i] = m.bytes[at[name]+i] == 1
			}
		}
	}
	return results, tail, domain
}

// probe is what the twins of probes and additions are compared on.
type probe struct {
	out                      []bool
	pairs                    []uint8
	words, pos, slices, h    []uint64
	k                        int
	span, step, h0, h1, side uint64
	ahead                    int
}

func (c probe) clone() probe {
	c.out, c.pairs = slices.Clone(c.out), slices.Clone(c.pairs)
	c.words, c.pos, c.slices = slices.Clone(c.words), slices.Clone(c.pos), slices.Clone(c.slices)
	return c
}

// TestTwinsArePortable asserts that each twin gives and stores what the portable function does,
// and that what it assumes is true, for all small shapes and random words.
func TestTwinsArePortable(t *testing.T) {
	type pair struct {
		names    string // of the twin's arguments
		portable func(c probe) []int
	}
	one := func(n int) []int { return []int{n} }
	containsOne := func(c probe) []int {
		return one(asm.ContainsPortable([]bool{false}, c.words, []uint64{c.h0, c.h1}, c.k, c.span, c.step))
	}
	all := map[string]pair{
		"ContainsAt":     {"out words pos k", func(c probe) []int { return one(asm.ContainsAtPortable(c.out, c.words, c.pos, c.k)) }},
		"AddAt":          {"out words pos k", func(c probe) []int { return one(asm.AddAtPortable(c.out, c.words, c.pos, c.k)) }},
		"AddSlicesAt":    {"out words pos slices", func(c probe) []int { return one(asm.AddSlicesAtPortable(c.out, c.words, c.pos, c.slices)) }},
		"ContainsPairAt": {"pairs pair pos k", func(c probe) []int { asm.ContainsPairAtPortable(c.pairs, c.words, c.pos, c.k); return nil }},
		"AddPairAt": {"pair pos side", func(c probe) []int {
			f, o := asm.AddPairAtPortable(c.words, c.pos, int(c.side))
			return []int{f, o}
		}},
		"Prefetch":      {"words pos", func(probe) []int { return nil }},
		"Contains":      {"out words h k span step", func(c probe) []int { return one(asm.ContainsPortable(c.out, c.words, c.h, c.k, c.span, c.step)) }},
		"ContainsRing":  {"out words h k span step", func(c probe) []int { return one(asm.ContainsPortable(c.out, c.words, c.h, c.k, c.span, c.step)) }},
		"ContainsRing8": {"out words h k span step", func(c probe) []int { return one(asm.ContainsPortable(c.out, c.words, c.h, c.k, c.span, c.step)) }},
		"ContainsPairRing": {"pairs pair h k span step", func(c probe) []int {
			asm.ContainsPairPortable(c.pairs, c.words, c.h, c.k, c.span, c.step)
			return nil
		}},
		"Add":               {"out words h k span step", func(c probe) []int { return one(asm.AddPortable(c.out, c.words, c.h, c.k, c.span, c.step)) }},
		"BlockAdd512":       {"out words h k ahead", func(c probe) []int { return one(asm.BlockAdd512Portable(c.out, c.words, c.h, c.k, c.ahead)) }},
		"BlockContains8x32": {"out words h ahead", func(c probe) []int { return one(asm.BlockContains8x32Portable(c.out, c.words, c.h, c.ahead)) }},
		"BlockAdd8x32":      {"out words h ahead", func(c probe) []int { return one(asm.BlockAdd8x32Portable(c.out, c.words, c.h, c.ahead)) }},
		"BlockContains8x64": {"out words h ahead", func(c probe) []int { return one(asm.BlockContains8x64Portable(c.out, c.words, c.h, c.ahead)) }},
		"BlockAdd8x64":      {"out words h ahead", func(c probe) []int { return one(asm.BlockAdd8x64Portable(c.out, c.words, c.h, c.ahead)) }},
		"Positions4":        {"dst h k span step", func(c probe) []int { return one(asm.PositionsPortable(c.pos, c.h, c.k, c.span, c.step)) }},
		"Positions8":        {"dst h k span step", func(c probe) []int { return one(asm.PositionsPortable(c.pos, c.h, c.k, c.span, c.step)) }},
		"Add8":              {"out words h k span step", func(c probe) []int { return one(asm.AddPortable(c.out, c.words, c.h, c.k, c.span, c.step)) }},
		"AddRing32":         {"out words h k span step", func(c probe) []int { return one(asm.AddPortable(c.out, c.words, c.h, c.k, c.span, c.step)) }},
		"AddRing128":        {"out words h k span step", func(c probe) []int { return one(asm.AddPortable(c.out, c.words, c.h, c.k, c.span, c.step)) }},
		"ContainsLevels":    {"out words h k span step", func(c probe) []int { return one(asm.ContainsPortable(c.out, c.words, c.h, c.k, c.span, c.step)) }},
		"ContainsWide8":     {"out words h k span step", func(c probe) []int { return one(asm.ContainsPortable(c.out, c.words, c.h, c.k, c.span, c.step)) }},
		"Contains8":         {"out words h k span step", func(c probe) []int { return one(asm.ContainsPortable(c.out, c.words, c.h, c.k, c.span, c.step)) }},
		"Contains16":        {"out words h k span step", func(c probe) []int { return one(asm.ContainsPortable(c.out, c.words, c.h, c.k, c.span, c.step)) }},
		"ContainsOne8":      {"words h0 h1 k span step", containsOne},
		"ContainsOne4":      {"words h0 h1 k span step", containsOne},
		"AddOne4": {"words h0 h1 k span step", func(c probe) []int {
			return one(asm.AddPortable([]bool{false}, c.words, []uint64{c.h0, c.h1}, c.k, c.span, c.step))
		}},
		"BlockContains512Words": {"out words h k ahead", func(c probe) []int { return one(asm.BlockContains512Portable(c.out, c.words, c.h, c.k, c.ahead)) }},
		"BlockAdd512Bits":       {"out words h k ahead", func(c probe) []int { return one(asm.BlockAdd512Portable(c.out, c.words, c.h, c.k, c.ahead)) }},
		"BlockContains512Seven": {"block h0 h1", func(c probe) []int {
			return one(asm.BlockContains512Portable([]bool{false}, c.words, []uint64{c.h0, c.h1}, c.k, 0))
		}},
		"BlockContains512Mask": {"block h0 h1", func(c probe) []int {
			return one(asm.BlockContains512Portable([]bool{false}, c.words, []uint64{c.h0, c.h1}, c.k, 0))
		}},
		"BlockAdd512Fill": {"block h0 h1", func(c probe) []int {
			return one(asm.BlockAdd512Portable([]bool{false}, c.words, []uint64{c.h0, c.h1}, c.k, 0))
		}},
		"BlockAdd512One": {"block h0 h1", func(c probe) []int {
			return one(asm.BlockAdd512Portable([]bool{false}, c.words, []uint64{c.h0, c.h1}, c.k, 0))
		}},
	}
	r := rand.New(rand.NewPCG(21, 4))
	for name, twin := range twins {
		if twin.tails || strings.HasPrefix(name, "Transition") { // TestStubsHash, TestTransitionsArePortable
			continue
		}
		f, ok := all[name]
		if !ok {
			t.Errorf("%s is compared with nothing", name)
			continue
		}
		rounds := longtest.Of(20, 100, 10000)
		for range rounds {
			c := draw(r)
			want := c.clone()
			results := f.portable(want)
			args := map[string]any{}
			for _, n := range strings.Fields(f.names) {
				args[strings.Replace(n, "pairs", "out", 1)] = map[string]any{
					"out": c.out, "pairs": c.pairs, "words": c.words, "pair": c.words, "pos": c.pos, "slices": c.slices, "dst": c.pos, "h": c.h, "k": c.k,
					"span": c.span, "step": c.step, "side": c.side, "h0": c.h0, "h1": c.h1, "ahead": c.ahead, "block": nil,
				}[n]
				if n == "block" {
					delete(args, "block")
					last := (uint64(c.k)-1)%7 + 1 // as NewBlockArray
					args["a.words"], args["a.blocks"], args["a.k"] = c.words, uint64(len(c.words)/8), c.k
					args["a.more"], args["a.mask"], args["a.fill"] = (uint64(c.k)-1)/7, uint64(1<<last-1), uint64(math.MaxUint64)<<(9*last)
				}
			}
			if f.names == "block h0 h1" && len(c.words) < 8 {
				continue
			}
			before := fmt.Sprintf("%+v", c)
			got, _, domain := interpret(t, twin, args)
			if !domain {
				t.Fatalf("%s: outside the domain: %s", name, before)
			}
			same := len(got) == len(results) && slices.Equal(c.out, want.out) && slices.Equal(c.pairs, want.pairs) &&
				slices.Equal(c.words, want.words) && slices.Equal(c.pos, want.pos) && slices.Equal(c.slices, want.slices)
			for i := range results {
				same = same && got[i] == uint64(results[i])
			}
			if !same {
				t.Fatalf("%s of %s: %v %+v, of the portable function %v %+v", name, before, got, c, results, want)
			}
		}
	}
}

// TestStubsHash asserts that the stubs hand keys of 8 bytes on with the hash that Go has of them,
// and no others; and which kernels words go to.
func TestStubsHash(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 5))
	for _, name := range []string{"containsKey", "addKey"} {
		for range 100 {
			key, flip, n, short, way := r.Uint64(), r.Uint64(), 7+r.Uint64N(3), r.Uint64N(2), r.Uint64N(7)
			got, to, _ := interpret(t, twins[name], map[string]any{
				"f": uint64(1), "key": []uint64{key}, "n": n, "f.flip": flip, "f.short": short, "f.way": way,
			})
			op, _ := strings.CutSuffix(name, "Key")
			if n != 8 || short == 0 {
				if to != "kernel."+op+"KeyRest" || len(got) > 0 {
					t.Fatalf("%s of %d bytes, %d: to %s", name, n, short, to)
				}
				continue
			}
			lo, hi := asm.HashFlipped(key ^ flip)
			if !slices.Equal(got, []uint64{1, lo, hi}) || (way == 0 || way == 6) != (to == "kernel."+op+"HashRest") {
				t.Fatalf("%s of %#x, way %d: %#x to %s, want %#x %#x", name, key, way, got, to, lo, hi)
			}
		}
	}
	for _, c := range []struct {
		best uint64
		n    int
		want string
	}{
		{1, 9, "kernel.countRest"}, {2, 9, "kernel/asm.CountPopcnt"}, {3, 15, "kernel/asm.CountPopcnt"}, {3, 16, "kernel/asm.CountAVX2"},
		{4, 0, "kernel/asm.CountAVX512"}, {4, 1<<17 + 1, "kernel.countRest"}, {4, 1 << 17, "kernel/asm.CountAVX512"},
	} {
		if _, to, _ := interpret(t, twins["countAuto"], map[string]any{"x": make([]uint64, c.n), "best": c.best}); to != c.want {
			t.Errorf("best %d, %d words: to %s, want %s", c.best, c.n, to, c.want)
		}
	}
}

// draw returns operands of every shape, with positions that repeat and words of any density.
func draw(r *rand.Rand) probe {
	word := func() uint64 {
		return []uint64{0, ^uint64(0), r.Uint64(), r.Uint64() | r.Uint64() | r.Uint64()}[r.IntN(4)]
	}
	many := func(n int, f func() uint64) []uint64 {
		out := make([]uint64, n)
		for i := range out {
			out[i] = f()
		}
		return out
	}
	c := probe{out: make([]bool, r.IntN(5)), words: many(2+r.IntN(40), word), h: many(r.IntN(9), word), k: 1 + r.IntN(17)}
	if r.IntN(6) == 0 { // more keys than a kernel has in a turn
		c.out, c.h = make([]bool, r.IntN(50)), many(r.IntN(100), word)
	}
	c.pairs = make([]uint8, len(c.out))
	bits := uint64(len(c.words)) / 2 * 64 // of one array of a pair
	c.pos = many(r.IntN(30), func() uint64 { return r.Uint64N(1 + r.Uint64N(bits)) })
	c.slices = many(1+r.IntN(6), word)
	c.step = r.Uint64N(bits/uint64(c.k)+1) * r.Uint64N(2) // often 0, which some kernels treat separately
	c.span = 1 + r.Uint64N(bits-uint64(c.k-1)*c.step)
	c.h0, c.h1, c.side, c.ahead = word(), word(), r.Uint64N(2), r.IntN(6)-1
	return c
}

// TestTransitionsArePortable asserts that the twins of the transition family store what the portable functions do, bit for
// bit, for numbers of bits of their domain: multiples of the unit, at most 2^53 times as large.
func TestTransitionsArePortable(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 6))
	bits := func(x []float64) []uint64 {
		out := make([]uint64, len(x))
		for i, v := range x {
			out[i] = math.Float64bits(v)
		}
		return out
	}
	for round := range longtest.Of(100, 500, 20000) {
		unit := math.Ldexp(1, -r.IntN(60))
		whole := func() float64 { return unit * float64(r.Int64N(1<<(1+r.IntN(52)))) }
		set, free, scale := whole(), whole(), math.Ldexp(r.Float64(), 30-r.IntN(60))
		all := make([]float64, 60) // what a and b are parts of: b does not begin after a
		for i := range all {
			all[i] = math.Ldexp(r.Float64(), -r.IntN(40))
		}
		before := r.IntN(10)
		b := view{"all", before, r.IntN(25)}
		a := view{"all", before + r.IntN(25)*r.IntN(2) + r.IntN(2), r.IntN(25)}
		words := bits(all)
		asm.TransitionStepPortable(all[a.from:][:a.n], all[b.from:][:b.n], set, free, unit, scale)
		for _, name := range []string{"TransitionStep4", "TransitionStep8"} {
			words := slices.Clone(words)
			_, _, domain := interpret(t, twins[name], map[string]any{
				"all": words, "a": a, "b": b, "set": set, "clear": free, "unit": unit, "scale": scale,
			})
			if !domain || !slices.Equal(words, bits(all)) {
				t.Fatalf("%s of a %v, b %v, set %g, clear %g, unit %g: %v %x, of the portable function %x", name, a, b, set, free, unit, domain, words, bits(all))
			}
		}
		if round%3 > 0 { // these take longer
			continue
		}
		// k and the stride can be out of range; then nothing is stored.
		k, n := r.IntN(15)-1, r.IntN(30)
		stride := n + r.IntN(3) - r.IntN(8)/7
		scale = math.Ldexp(r.Float64(), -r.IntN(30))
		set, free = math.Mod(set, unit*(1<<40)), math.Mod(free, unit*(1<<40)) // so that no product is too large
		rows := make([]float64, max(k*stride+n-r.IntN(9)/8, 0))
		for i := range rows {
			rows[i] = r.Float64()
		}
		words = bits(rows)
		asm.TransitionRowsPortable(rows, stride, k, set, free, unit, scale)
		for _, name := range []string{"TransitionRows4", "TransitionRows8"} {
			words := slices.Clone(words)
			_, _, domain := interpret(t, twins[name], map[string]any{
				"dst": words, "stride": stride, "k": k, "set": set, "clear": free, "unit": unit, "scale": scale,
			})
			if !domain || !slices.Equal(words, bits(rows)) {
				t.Fatalf("%s of %d words, stride %d, k %d, set %g, clear %g, unit %g: %v %x, of the portable function %x", name, len(words), stride, k, set, free, unit, domain, words, bits(rows))
			}
		}
		part, w := make([]float64, max(8*(k+1)+r.IntN(10)-1, 0)), make([]float64, r.IntN(40))
		for i := range part {
			part[i] = r.Float64()
		}
		for i := range w {
			w[i] = r.Float64()
		}
		words = bits(part)
		asm.TransitionSumsPortable(part, w, k, set, free, unit, scale)
		for _, name := range []string{"TransitionSums4", "TransitionSums8"} {
			words := slices.Clone(words)
			_, _, domain := interpret(t, twins[name], map[string]any{
				"part": words, "w": bits(w), "k": k, "set": set, "clear": free, "unit": unit, "scale": scale,
			})
			if !domain || !slices.Equal(words, bits(part)) {
				t.Fatalf("%s of %d sums, %d weights, k %d, set %g, clear %g, unit %g: %v %x, of the portable function %x", name, len(words), len(w), k, set, free, unit, domain, words, bits(part))
			}
		}
	}
}

// TestEnds asserts that the line "ends" of an invariants file is only for twins that end by a theorem, and that there is
// such a theorem.
func TestEnds(t *testing.T) {
	list, err := os.ReadFile("../../../theorems/README.md")
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for name, twin := range twins {
		_, err := section{twin: name, ends: true}.program()
		if (err == nil) != (twin.theorem != "") {
			t.Errorf("%s: %v, by theorem %q", name, err, twin.theorem)
		}
		if twin.theorem == "" {
			continue
		}
		if ended++; !strings.Contains(string(list), "\n| `"+twin.theorem+"` | ") {
			t.Errorf("%s: there is no theorem %s", name, twin.theorem)
		}
	}
	if ended == 0 || ended == len(twins) {
		t.Errorf("%d of %d twins end by a theorem", ended, len(twins))
	}
}
