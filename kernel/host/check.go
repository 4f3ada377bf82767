package host

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// When the program starts, every kernel that may be used is run once on a fixed input. A digest of its results and of
// the memory that it writes is then computed. This digest is compared with the right one, which is in the array
// "known". If the digest of a kernel is wrong, all operations of its family use the portable implementation. The reason
// is that the kernels of a family call each other for some inputs. The check detects a kernel whose results on this
// input are always wrong or often wrong. The CPU, an emulator, the linker or the memory may cause such errors. It does
// not detect rare errors, such as one wrong result in 2^20. If a kernel uses an instruction that the CPU lacks, the
// program ends during the check.

// EnvCheck is the name of an environment variable. If its value is "off", the kernels are not checked.
const EnvCheck = "BLOOMPROOF_CHECK"

const checkOff = "off"

// The type "kernel" describes a function of package asm for the check.
type kernel struct {
	family Family
	impl   Impl
	name   string
	call   any // a function of one of the types that the method "answer" knows
	op     operation
}

// The type "operation" is the number of an operation. All kernels of the same operation give the same results.
type operation uint8

const (
	count operation = iota
	andCount
	orCount
	xorCount
	andNotCount
	andInto
	orInto
	andNotInto
	positions
	contains
	containsOne
	containsAt
	containsPair
	containsPairAt
	add
	addOne
	addAt
	addSlicesAt
	addPairAt
	prefetch
	hashWords
	blockContains512
	blockContains512One
	blockContains8x64
	blockContains8x64One
	blockContains8x32
	blockContains8x32One
	blockAdd512
	blockAdd512One
	blockAdd8x64
	blockAdd8x64One
	blockAdd8x32
	blockAdd8x32One
	transitionRows
	transitionSums
	transitionStep
	operations
)

// The type "work" has the arrays on which the kernels are checked. A value of this type is in a global variable, so
// that the check allocates nothing.
type work struct {
	a, b  [104]uint64 // words, or a pair; three quarters of the bits of a and half of the bits of b are set
	h     [80]uint64  // hashes of keys
	pos   [100]uint64 // positions of 20 keys
	sums  [5]uint64
	out   [40]bool
	both  [40]uint8
	f, g  [48]float64
	block asm.BlockArray
}

var (
	startWork work
	startSeed = work{}.filled()
)

// These constants are used in the check. Keys have checkK positions. The positions lie in the first checkWords words of
// work.a. The kernels use these words as one array, as a pair of arrays, or as an array of blocks.
const (
	checkWords = 64
	checkK     = 5
	checkSpan  = checkWords * 64 // the span of a position in words
	pairSpan   = checkSpan / 2   // the span of a position in either array of a pair
	check512K  = 9               // a k for which a key needs two words of its stream
	checkAhead = 8
	oneWords   = 24 // the words of h for kernels of one key, which are called for each of 12 keys

	golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio, the step of SplitMix64
)

// The method "filled" returns the memory that every kernel gets as its input. Its words are computed from
// successive outputs of SplitMix64 with seed 0.
func (w work) filled() work {
	state := uint64(0)
	next := func() uint64 {
		state += golden
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	for i := range w.a {
		dense := next()
		w.a[i], w.b[i] = dense|next(), next()
	}
	for i := range w.h {
		w.h[i] = next()
	}
	for i := range w.pos {
		w.pos[i] = next() % pairSpan
	}
	for i := range w.f {
		w.f[i], w.g[i] = float64(next()>>11)/(1<<53), float64(next()>>11)/(1<<53)
	}
	return w
}

// A digest is a hash of a sequence of words. If a word of the sequence changes, the digest changes too, except with a
// probability of 2^-64.
type digest uint64

func (d *digest) mix(x uint64) {
	*d = digest(bits.RotateLeft64((uint64(*d)^x)*0x9fb21c651e98df25, 29))
}

func (d *digest) yes(b bool) {
	if b {
		d.mix(1)
	} else {
		d.mix(2)
	}
}

// The method "answer" runs the kernel on w, and returns a digest of the results. The memory w must be a result of the
// method "filled". If the kernel has an unknown type, the method "answer" returns 0.
func (k *kernel) answer(w *work) uint64 {
	d := digest(1)
	words, pair := w.a[:checkWords], w.a[:checkWords]
	switch call := k.call.(type) {
	case func(x []uint64) int:
		d.mix(uint64(call(w.a[:])))
	case func(a, b []uint64) int:
		d.mix(uint64(call(w.a[:], w.b[:])))
	case func(dst, h []uint64, k int, span, step uint64) int: // positions
		d.mix(uint64(call(w.pos[:], w.h[:], checkK, checkSpan, 0)))
	case func(dst, keys []uint64, seed uint64) int: // hashes
		d.mix(uint64(call(w.b[:], w.h[:], 7)))
	case func(out []bool, words, h []uint64, k int, span, step uint64) int:
		d.mix(uint64(call(w.out[:], words, w.h[:], checkK, checkSpan, 0)))
	case func(out []uint8, pair, h []uint64, k int, span, step uint64):
		call(w.both[:], pair, w.h[:], checkK, pairSpan, 0)
	case func(words []uint64, h0, h1 uint64, k int, span, step uint64) bool:
		for i := 0; i < oneWords; i += 2 {
			d.yes(call(words, w.h[i], w.h[i+1], checkK, checkSpan, 0))
		}
	case func(words []uint64, h0, h1 uint64, k int, span, step uint64) int:
		for i := 0; i < oneWords; i += 2 {
			d.mix(uint64(call(words, w.h[i], w.h[i+1], checkK, checkSpan, 0)))
		}
	case func(out []bool, words, x []uint64, n int) int:
		if k.family == Block { // n is the argument ahead
			d.mix(uint64(call(w.out[:], words, w.h[:], checkAhead)))
		} else { // k
			d.mix(uint64(call(w.out[:], words, w.pos[:], checkK)))
		}
	case func(out []uint8, pair, pos []uint64, k int):
		call(w.both[:], pair, w.pos[:], checkK)
	case func(out []bool, words, pos, slices []uint64) int:
		d.mix(uint64(call(w.out[:], words, w.pos[:], w.sums[:])))
	case func(pair, pos []uint64, side int) (int, int):
		fresh, overlap := call(pair, w.pos[:], 1)
		d.mix(uint64(fresh))
		d.mix(uint64(overlap))
	case func(words, pos []uint64): // a prefetch changes nothing
		call(words, w.pos[:])
	case func(out []bool, words, h []uint64, k, ahead int) int:
		d.mix(uint64(call(w.out[:], words, w.h[:], check512K, checkAhead)))
	case func(a *asm.BlockArray, h0, h1 uint64) bool:
		w.block = asm.NewBlockArray(words, check512K, k.op.block())
		for i := 0; i < oneWords; i += 2 {
			d.yes(call(&w.block, w.h[i], w.h[i+1]))
		}
	case func(a *asm.BlockArray, h0, h1 uint64) int:
		w.block = asm.NewBlockArray(words, check512K, k.op.block())
		for i := 0; i < oneWords; i += 2 {
			d.mix(uint64(call(&w.block, w.h[i], w.h[i+1])))
		}
	case func(words []uint64, h0, h1 uint64, k int) bool:
		for i := 0; i < oneWords; i += 2 {
			d.yes(call(words, w.h[i], w.h[i+1], check512K))
		}
	case func(words []uint64, h0, h1 uint64, k int) int:
		for i := 0; i < oneWords; i += 2 {
			d.mix(uint64(call(words, w.h[i], w.h[i+1], check512K)))
		}
	case func(words []uint64, h0, h1 uint64) bool:
		for i := 0; i < oneWords; i += 2 {
			d.yes(call(words, w.h[i], w.h[i+1]))
		}
	case func(words []uint64, h0, h1 uint64) int:
		for i := 0; i < oneWords; i += 2 {
			d.mix(uint64(call(words, w.h[i], w.h[i+1])))
		}
	case func(dst []float64, stride, k int, set, clear, unit, scale float64):
		call(w.f[:], 13, 3, 0.25, 0.75, 1.0/64, 0.5) // a step of 9 states
	case func(part, w []float64, k int, set, clear, unit, scale float64):
		call(w.f[:], w.g[:19], checkK, 0.25, 0.75, 1.0/64, 0.5)
	case func(a, b []float64, set, clear, unit, scale float64):
		call(w.f[:], w.g[:], 0.125, 0.875, 1.0/64, 0.5)
	default:
		return 0
	}
	d.memory(w, k.family)
	return uint64(d)
}

// The method "block" returns the number of bits of a block. The operation op must be an operation on arrays of blocks.
func (op operation) block() uint64 {
	if op == blockContains8x32One || op == blockAdd8x32One {
		return 256
	}
	return 512
}

// Kernels of the family f can write some of the words of w. The method "memory" adds all these words to the digest.
func (d *digest) memory(w *work, f Family) {
	if f == Transition {
		d.floats(w.f[:])
		d.floats(w.g[:])
		return
	}
	d.words(w.a[:])
	d.words(w.b[:])
	if f == Popcount || f == Hash {
		return
	}
	d.words(w.pos[:])
	d.words(w.sums[:])
	var all uint64
	for i := range w.out {
		all = all<<3 | uint64(w.both[i])&3<<1
		if w.out[i] {
			all |= 1
		}
		if i%20 == 19 {
			d.mix(all)
		}
	}
}

// The method "words" multiplies each x[i] by its own odd number. It adds the sum of these products to the digest, as
// one word. If one x[i] changes, this sum changes.
func (d *digest) words(x []uint64) {
	sum, odd := uint64(0), uint64(golden)
	for _, v := range x {
		sum += v * odd
		odd += golden << 1 & math.MaxUint64
	}
	d.mix(sum)
}

// The method "floats" takes the bits of each number as a word. It then does the same as the method "words".
func (d *digest) floats(x []float64) {
	sum, odd := uint64(0), uint64(golden)
	for _, v := range x {
		sum += math.Float64bits(v) * odd
		odd += golden << 1 & math.MaxUint64
	}
	d.mix(sum)
}

// The method "wrong" examines those kernels of the family f that the state s permits. It looks for a kernel that gives
// a wrong digest. It returns the first such kernel in the list "kernels", or nil if there is none.
func (s *state) wrong(kernels []kernel, f Family, w *work) *kernel {
	for i := range kernels {
		k := &kernels[i]
		if k.family != f || s.at[f][k.impl] != k.impl {
			continue
		}
		*w = startSeed
		if k.answer(w) != known[k.op] {
			return k
		}
	}
	return nil
}

// The method "check" runs all kernels that s may choose. The argument "word" is the value of BLOOMPROOF_CHECK. If it is
// "off", the method runs no kernel. If a kernel gives a wrong digest, its whole family uses the portable
// implementation.
func (s *state) check(kernels []kernel, word string, w *work) {
	s.checked = "none"
	switch {
	case word == checkOff:
		s.checked = "off"
		return
	case word != "":
		s.say(fmt.Sprintf("%s=%q is not %s; it changes nothing", EnvCheck, word, checkOff))
	}
	if len(s.impls) > 1 {
		s.checked = "passed"
	}
	for f := range families {
		k := s.wrong(kernels, f, w)
		if k == nil {
			continue
		}
		s.checked = "failed"
		s.faults = append(s.faults, fmt.Sprintf("%s does not give its known answer: all kernels of its family are portable", k.name))
		for im := range last {
			s.at[f][im] = Portable
		}
	}
}

// The method "say" adds its argument, which is a sentence, to the result of the function Problem.
func (s *state) say(problem string) {
	if s.problem != "" {
		s.problem += "; "
	}
	s.problem += problem
}

// Checked returns the outcome of the check of the kernels at the start of the program. If the check was made, the
// outcome is "passed" or "failed" (see Faults). If the variable BLOOMPROOF_CHECK switched the check off, the outcome is
// "off". If this program can use only Go code, there is no check, and the outcome is "none".
func Checked() string { return now.checked }

// Faults returns one sentence for each kernel that gave a wrong result in the check. The sentence also says that the
// whole family of this kernel uses Go code instead.
func Faults() []string { return slices.Clone(now.faults) }
