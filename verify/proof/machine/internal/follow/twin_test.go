package follow

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// bytes is a memory with values.
type bytes []byte

func (b bytes) load(r *Run, at *term.Term, n int) *term.Term {
	var word [8]byte
	copy(word[:], b[at.Value:][:n])
	return r.Value(8*n, binary.LittleEndian.Uint64(word[:]))
}

func (b bytes) store(_ *Run, at, v *term.Term) {
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], v.Value)
	copy(b[at.Value:][:v.Width/8], word[:])
}

// part64 is an argument that is a part of a slice, which it may share with other arguments.
type part64 struct {
	all     []uint64
	from, n int
}

// call runs a twin on values: its arguments are slices, which it changes, or numbers. It returns
// the results, or false if Go would have panicked or the caller is at fault.
func call(t *testing.T, twin Twin, arguments ...any) (results []uint64, ok bool) {
	t.Helper()
	p := term.NewPool()
	vars := map[string]*term.Term{}
	memory := make(bytes, 8)
	shared := map[*uint64]int{} // where a slice begins that arguments are parts of
	for i, a := range twin.Args {
		switch v := arguments[i].(type) {
		case []uint64:
			vars[a.Name], vars["len("+a.Name+")"] = p.Value(64, uint64(len(memory))), p.Value(64, uint64(len(v)))
			for _, w := range v {
				memory = binary.LittleEndian.AppendUint64(memory, w)
			}
		case []uint8:
			vars[a.Name], vars["len("+a.Name+")"] = p.Value(64, uint64(len(memory))), p.Value(64, uint64(len(v)))
			memory = append(memory, v...)
		case part64:
			from, ok := shared[&v.all[0]]
			if !ok {
				from = len(memory)
				shared[&v.all[0]] = from
				for _, w := range v.all {
					memory = binary.LittleEndian.AppendUint64(memory, w)
				}
			}
			vars[a.Name], vars["len("+a.Name+")"] = p.Value(64, uint64(from+8*v.from)), p.Value(64, uint64(v.n))
		case uint64:
			vars[a.Name] = p.Value(64, v)
		default:
			t.Fatalf("argument %d is of type %T", i, v)
		}
	}
	for _, l := range twin.Locals {
		vars[l.Name], vars["len("+l.Name+")"] = p.Value(64, uint64(len(memory))), p.Value(64, l.Words)
		for range l.Words { // the stack has any values
			memory = binary.LittleEndian.AppendUint64(memory, 0xdeadbeefdeadbeef)
		}
	}
	r := &Run{Pool: p, twin: twin, vars: vars, memory: memory, next: "entry"}
	if twin.Define != nil {
		twin.Define(r)
	}
	for n := 0; r.next != "return"; n++ {
		for _, g := range r.given {
			if !g.Is(1) {
				return nil, false
			}
		}
		for _, c := range r.claims {
			if len(term.Leaves(c.is)) == 0 && !c.is.Is(1) {
				t.Fatalf("the twin claims what is false, from %s", r.At)
			}
		}
		if r.given, r.claims, r.accesses, r.slots = nil, nil, nil, nil; n > 1e6 {
			t.Fatal("no end")
		}
		r.At, r.next = r.next, ""
		// As where it is proved, no variable but those of the location is there.
		kept := map[string]*term.Term{}
		for name, v := range r.vars {
			argument := slices.ContainsFunc(twin.Args, func(a Arg) bool { return a.Name == name || "len("+a.Name+")" == name })
			local := slices.ContainsFunc(twin.Locals, func(l Local) bool { return l.Name == name || "len("+l.Name+")" == name })
			if argument || local || slices.Contains(twin.Vars[r.At], name) || constants[name] {
				kept[name] = v
			}
		}
		if r.vars = kept; r.At != "entry" { // what holds of a slot is then checked
			r.first = &Run{Pool: p, twin: twin, vars: maps.Clone(kept), At: r.At}
		}
		twin.Step(r)
	}
	for i, a := range twin.Args {
		at := vars[a.Name].Value
		switch v := arguments[i].(type) {
		case []uint64:
			for k := range v {
				v[k] = binary.LittleEndian.Uint64(memory[at+uint64(8*k):])
			}
		case []uint8:
			copy(v, memory[at:])
		case part64:
			for k := range v.n {
				v.all[v.from+k] = binary.LittleEndian.Uint64(memory[at+uint64(8*k):])
			}
		}
	}
	for _, a := range twin.Results {
		results = append(results, r.vars["result "+a.Name].Value)
	}
	return results, true
}

// constants are the names that Define makes.
var constants = map[string]bool{"n": true, "k": true, "blocks": true, "wide": true, "top": true, "more": true, "rest": true, "last": true, "part0": true, "part1": true}

// portable are the functions that the twins restate, by the kernel's name without NEON.
var portable = map[string]any{
	"Count": asm.CountPortable, "AndCount": asm.AndCountPortable, "OrCount": asm.OrCountPortable, "XorCount": asm.XorCountPortable,
	"AndNotCount": asm.AndNotCountPortable, "AndInto": asm.AndIntoPortable, "OrInto": asm.OrIntoPortable, "AndNotInto": asm.AndNotIntoPortable,
	"Positions": asm.PositionsPortable, "Contains": asm.ContainsPortable, "Add": asm.AddPortable, "ContainsAt": asm.ContainsAtPortable,
	"AddAt": asm.AddAtPortable, "AddSlicesAt": asm.AddSlicesAtPortable, "ContainsPair": asm.ContainsPairPortable,
	"ContainsPairAt": asm.ContainsPairAtPortable, "AddPairAt": asm.AddPairAtPortable, "Prefetch": func(words, pos []uint64) {},
	"ContainsRing": asm.ContainsPortable, "ContainsRingNTA": asm.ContainsPortable,
	"ContainsPairRing": asm.ContainsPairPortable, "ContainsPairRingNTA": asm.ContainsPairPortable,
	"BlockContains512": asm.BlockContains512Portable, "BlockAdd512": asm.BlockAdd512Portable,
	"BlockContains8x64": asm.BlockContains8x64Portable, "BlockAdd8x64": asm.BlockAdd8x64Portable,
	"BlockContains8x32": asm.BlockContains8x32Portable, "BlockAdd8x32": asm.BlockAdd8x32Portable,
	"BlockContains512One": func(words []uint64, h0, h1 uint64, k int) bool {
		var out [1]bool
		return asm.BlockContains512Portable(out[:], words, []uint64{h0, h1}, k, 0) == 1
	},
	"BlockAdd512One": func(words []uint64, h0, h1 uint64, k int) int {
		var out [1]bool
		return asm.BlockAdd512Portable(out[:], words, []uint64{h0, h1}, k, 0)
	},
	"BlockContains8x64One": func(words []uint64, h0, h1 uint64) bool {
		var out [1]bool
		return asm.BlockContains8x64Portable(out[:], words, []uint64{h0, h1}, 0) == 1
	},
	"BlockAdd8x64One": func(words []uint64, h0, h1 uint64) int {
		var out [1]bool
		return asm.BlockAdd8x64Portable(out[:], words, []uint64{h0, h1}, 0)
	},
	"BlockContains8x32One": func(words []uint64, h0, h1 uint64) bool {
		var out [1]bool
		return asm.BlockContains8x32Portable(out[:], words, []uint64{h0, h1}, 0) == 1
	},
	"BlockAdd8x32One": func(words []uint64, h0, h1 uint64) int {
		var out [1]bool
		return asm.BlockAdd8x32Portable(out[:], words, []uint64{h0, h1}, 0)
	},
}

// TestTwinsArePortable asserts that each twin returns and stores what the portable function
// does, for random arguments of all lengths from 0 on.
func TestTwinsArePortable(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 6))
	for name, twin := range twins {
		if strings.HasPrefix(name, "Transition") { // see TestTransitionsArePortable
			continue
		}
		f, ok := portable[strings.TrimSuffix(name, "NEON")]
		if !ok {
			t.Errorf("%s: no portable function", name)
			continue
		}
		fn := reflect.ValueOf(f)
		done := 0
		for range longtest.Of(10, 100, 5000) {
			mine, theirs := arguments(r, twin, fn.Type())
			want := fn.Call(theirs)
			got, ok := call(t, twin, mine...)
			if !ok {
				t.Fatalf("%s: the twin does not go on where the portable function does: %v", name, mine)
			}
			done++
			for i, v := range want {
				w := uint64(0)
				switch v.Kind() {
				case reflect.Bool:
					if v.Bool() {
						w = 1
					}
				default:
					w = uint64(v.Int())
				}
				if got[i] != w {
					t.Fatalf("%s: result %d is %d, of the portable function %d", name, i, got[i], w)
				}
			}
			for i, a := range twin.Args {
				if a.Slice && fmt.Sprint(numbers(theirs[i])) != fmt.Sprint(mine[i]) {
					t.Fatalf("%s: %s is %v, of the portable function %v", name, a.Name, mine[i], numbers(theirs[i]))
				}
			}
		}
	}
}

// TestTransitionsArePortable asserts that the twin of the transition family stores what the portable function does, bit
// for bit, for numbers of bits of its domain: multiples of the unit, at most 2^53 times as large. The slices may overlap
// if b does not begin after a.
func TestTransitionsArePortable(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 7))
	for range longtest.Of(100, 500, 20000) {
		unit := math.Ldexp(1, -r.IntN(60))
		whole := func() float64 { return unit * float64(r.Int64N(1<<(1+r.IntN(52)))) }
		set, free, scale := whole(), whole(), math.Ldexp(r.Float64(), 30-r.IntN(60))
		all, words := make([]float64, 60), make([]uint64, 60)
		for i := range all {
			all[i] = math.Ldexp(r.Float64(), -r.IntN(40))
			words[i] = math.Float64bits(all[i])
		}
		before := r.IntN(10)
		b := part64{words, before, r.IntN(25)}
		a := part64{words, before + r.IntN(25)*r.IntN(2) + r.IntN(2), r.IntN(25)}
		asm.TransitionStepPortable(all[a.from:][:a.n], all[b.from:][:b.n], set, free, unit, scale)
		_, ok := call(t, twins["TransitionStepNEON"], a, b, math.Float64bits(set), math.Float64bits(free), math.Float64bits(unit), math.Float64bits(scale))
		for i, v := range all {
			if !ok || math.Float64bits(v) != words[i] {
				t.Fatalf("TransitionStepNEON of a from %d, %d long, b from %d, %d long, set %g, clear %g, unit %g: %v, element %d is %#x, of the portable function %#x",
					a.from, a.n, b.from, b.n, set, free, unit, ok, i, words[i], math.Float64bits(v))
			}
		}
	}
}

// TestRowsArePortable asserts the same of the twins of TransitionRows and TransitionSums, also where they do nothing.
func TestRowsArePortable(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 8))
	for range longtest.Of(200, 1000, 40000) {
		unit := math.Ldexp(1, -r.IntN(60))
		whole := func() float64 { return unit * float64(r.Int64N(1<<(1+r.IntN(52)))) }
		set, free, scale := whole(), whole(), math.Ldexp(r.Float64(), 30-r.IntN(60))
		numbers := []any{math.Float64bits(set), math.Float64bits(free), math.Float64bits(unit), math.Float64bits(scale)}
		drawn := func(n int) (f []float64, w []uint64) {
			f, w = make([]float64, n), make([]uint64, n)
			for i := range f {
				f[i] = math.Ldexp(r.Float64(), -r.IntN(40))
				w[i] = math.Float64bits(f[i])
			}
			return f, w
		}
		same := func(name string, f []float64, w []uint64, arguments ...any) {
			t.Helper()
			_, ok := call(t, twins[name], append(arguments, numbers...)...)
			for i, v := range f {
				if !ok || math.Float64bits(v) != w[i] {
					t.Fatalf("%s, %v, set %g, clear %g, unit %g: %v, element %d is %#x, of the portable function %#x",
						name, arguments[1:], set, free, unit, ok, i, w[i], math.Float64bits(v))
				}
			}
		}
		k, stride := r.IntN(15)-1, r.IntN(30)
		f, w := drawn(max(k*stride+r.IntN(stride+3)-1, 0))
		asm.TransitionRowsPortable(f, stride, k, set, free, unit, scale)
		same("TransitionRowsNEON", f, w, w, uint64(stride), uint64(k))
		f, w = drawn(max(8*k+r.IntN(20), 0))
		weights, of := drawn(r.IntN(30))
		asm.TransitionSumsPortable(f, weights, k, set, free, unit, scale)
		same("TransitionSumsNEON", f, w, w, of, uint64(k))
	}
}

// numbers returns a slice as the twins have it.
func numbers(v reflect.Value) any {
	if b, ok := v.Interface().([]bool); ok {
		out := make([]uint8, len(b))
		for i := range b {
			if b[i] {
				out[i] = 1
			}
		}
		return out
	}
	return v.Interface()
}

// arguments draws those of a portable function, for it and for its twin: positions are within
// words.
func arguments(r *rand.Rand, twin Twin, of reflect.Type) (mine []any, theirs []reflect.Value) {
	k := uint64(1 + r.IntN(20))
	bits := uint64(0)
	dense := r.IntN(2) == 0
	most := 40
	if len(twin.Locals) > 0 && r.IntN(4) == 0 { // more keys than slots
		most = 200
	}
	for i, a := range twin.Args {
		var v uint64
		n := r.IntN(most)
		switch a.Name {
		case "words":
			n = 1 + r.IntN(60)
			if strings.HasPrefix(of.String(), "func([]uint64, uint64") {
				n = r.IntN(40)
			}
			bits = uint64(64 * n)
		case "pair":
			n = 2 + 2*r.IntN(30)
			bits = uint64(32 * n)
		case "slices":
			n = int(k)
		case "k":
			v = k
		case "span", "step":
			v = bits / (k + 1)
		case "side":
			v = r.Uint64N(2)
		case "ahead":
			v = uint64(r.IntN(12) - 2)
		default:
			v = r.Uint64()
		}
		if !a.Slice {
			mine = append(mine, v)
			theirs = append(theirs, reflect.ValueOf(v).Convert(of.In(i)))
			continue
		}
		if a.Bytes == 1 {
			b := make([]uint8, n)
			mine = append(mine, b)
			theirs = append(theirs, reflect.MakeSlice(of.In(i), n, n))
			continue
		}
		w := make([]uint64, n)
		for i := range w {
			if w[i] = r.Uint64(); a.Name == "pos" {
				w[i] %= max(bits, 1)
			} else if dense && a.Name != "h" {
				w[i] |= r.Uint64() | r.Uint64() | r.Uint64()
			}
		}
		mine = append(mine, w)
		theirs = append(theirs, reflect.ValueOf(slices.Clone(w)))
	}
	return mine, theirs
}
