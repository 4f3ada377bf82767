package asmtest

import (
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// ProbeCall holds the arguments of a call of the probe family. An operation uses only the arguments that its ProbeForm
// names.
type ProbeCall struct {
	Out        []uint8  // one answer per key; a bool is 0 or 1
	Dst        []uint64 // receives the positions
	Words      []uint64 // a bit array, or a pair of bit arrays
	Keys       []uint64 // hashes with two words per key, or K derived positions per key
	Slices     []uint64 // the number of bits that were clear, by position of a key
	K          int
	Span, Step uint64
	Side       int
	Block      uint64 // bits of a block; a partial block at the end of the array is not used
	Blocks     uint64 // the number of blocks, for an operation without an array
	Ahead      int    // the number of keys to prefetch ahead
}

// ProbeFunc is an operation of the probe family. The results a and b are those of the operation. A result that the
// operation does not have is 0.
type ProbeFunc func(c ProbeCall) (a, b int)

// ProbeForm describes which arguments an operation takes.
type ProbeForm uint16

const (
	Hashes  ProbeForm = 1 << iota // keys are hashes, with K, Span and Step
	Answers                       // has Out
	Derives                       // has Dst and no array
	Pair                          // the array is a pair
	Slices                        // has Slices, of length K
	Sided                         // has Side; each key is a single position
	Sets                          // sets bits of the array
	Wants                         // changes nothing; each key is a single position
	Blocked                       // the array has blocks; uses Block, Ahead and Blocks
)

// Has reports whether every argument that g names is also named by f.
func (f ProbeForm) Has(g ProbeForm) bool { return f&g == g }

// ProbeRow is one kernel in the table of the probe family.
type ProbeRow struct {
	Op   string // such as "AddAt"
	Impl string // such as "popcnt"
	Form ProbeForm
	Got  ProbeFunc // the kernel
	Want ProbeFunc // the specification: the portable twin, or a slower oracle for the twin itself

	blocks blockShape // the shape of the blocks, if the operation is Blocked
}

// String returns, for example, "AddAt/popcnt".
func (r ProbeRow) String() string { return r.Op + "/" + r.Impl }

// Operation returns the operation that the kernel computes. If Op is a variant such as ContainsRing, this is the basic
// operation, such as Contains. No two operations have the same Form.
func (r ProbeRow) Operation() string {
	for _, f := range probeFamily {
		if f.form == r.Form {
			return f.op
		}
	}
	for _, f := range blockFamily {
		if f.form == r.Form {
			return f.op
		}
	}
	return r.Op
}

func (r ProbeRow) impl() string { return r.Impl }

// Probe returns the kernels of the probe family of this build. For each operation it lists first the portable twin, the
// same operation in Go, which is compared with slow code that uses package math/big and single bits. The assembly
// follows, which is compared with the twin. This CPU may be unable to run some kernels, so select by Impl. An operation
// with several forms of pipeline, such as ContainsRing, is listed once for each form. Only the first form has a
// portable twin.
func Probe() []ProbeRow { return probeRows(probeFamily) }

func probeRows(family []probeOperation) (rows []ProbeRow) {
	for _, f := range family {
		if f.naive != nil {
			rows = append(rows, ProbeRow{f.op, "portable", f.form, f.portable, f.naive, blockShape{}})
		}
		for _, k := range probeKernels(f.op) {
			rows = append(rows, ProbeRow{f.op, k.impl, f.form, k.f, f.portable, blockShape{}})
		}
	}
	return rows
}

// probeKernel is an assembly kernel of one operation.
type probeKernel struct {
	impl string
	f    ProbeFunc
}

// probeOperation is an operation of the probe family, or a variant of an operation.
type probeOperation struct {
	op       string
	form     ProbeForm
	portable ProbeFunc
	naive    ProbeFunc // nil for a variant of an operation above
}

var probeFamily = []probeOperation{
	{"Positions", Hashes | Derives, positionsFunc(asm.PositionsPortable), naivePositions},
	{"Contains", Hashes | Answers, hashesFunc(asm.ContainsPortable), naiveContains(derived)},
	{"ContainsOne", Hashes | Answers, hashesFunc(asm.ContainsPortable), nil},
	{"ContainsGather", Hashes | Answers, hashesFunc(asm.ContainsPortable), nil},
	{"ContainsRing", Hashes | Answers, hashesFunc(asm.ContainsPortable), nil},
	{"ContainsRingT1", Hashes | Answers, hashesFunc(asm.ContainsPortable), nil},
	{"ContainsRingNTA", Hashes | Answers, hashesFunc(asm.ContainsPortable), nil},
	{"ContainsLevels", Hashes | Answers, hashesFunc(asm.ContainsPortable), nil},
	{"Add", Hashes | Answers | Sets, hashesFunc(asm.AddPortable), naiveAdd(derived)},
	{"AddAhead", Hashes | Answers | Sets, hashesFunc(asm.AddPortable), nil},
	{"AddOne", Hashes | Answers | Sets, hashesFunc(asm.AddPortable), nil},
	{"ContainsAt", Answers, atFunc(asm.ContainsAtPortable), naiveContains(ready)},
	{"AddAt", Answers | Sets, atFunc(asm.AddAtPortable), naiveAdd(ready)},
	{"AddSlicesAt", Answers | Slices | Sets, slicesFunc(asm.AddSlicesAtPortable), naiveAdd(ready)},
	{"ContainsPair", Hashes | Answers | Pair, pairFunc(asm.ContainsPairPortable), naiveContainsPair(derived)},
	{"ContainsPairRing", Hashes | Answers | Pair, pairFunc(asm.ContainsPairPortable), nil},
	{"ContainsPairRingT1", Hashes | Answers | Pair, pairFunc(asm.ContainsPairPortable), nil},
	{"ContainsPairRingNTA", Hashes | Answers | Pair, pairFunc(asm.ContainsPairPortable), nil},
	{"ContainsPairAt", Answers | Pair, pairAtFunc(asm.ContainsPairAtPortable), naiveContainsPair(ready)},
	{"AddPairAt", Pair | Sided | Sets, sidedFunc(asm.AddPairAtPortable), naiveAddPair},
	{"Prefetch", Wants, func(ProbeCall) (int, int) { return 0, 0 }, nil},
	{"PrefetchT1", Wants, func(ProbeCall) (int, int) { return 0, 0 }, nil},
}

// Each of the following functions calls one kernel of package asm with the arguments in c.

func positionsFunc(f func(dst, h []uint64, k int, span, step uint64) int) ProbeFunc {
	return func(c ProbeCall) (int, int) { return f(c.Dst, c.Keys, c.K, c.Span, c.Step), 0 }
}

func hashesFunc(f func(out []bool, words, h []uint64, k int, span, step uint64) int) ProbeFunc {
	return func(c ProbeCall) (int, int) { return f(bools(c.Out), c.Words, c.Keys, c.K, c.Span, c.Step), 0 }
}

func atFunc(f func(out []bool, words, pos []uint64, k int) int) ProbeFunc {
	return func(c ProbeCall) (int, int) { return f(bools(c.Out), c.Words, c.Keys, c.K), 0 }
}

func slicesFunc(f func(out []bool, words, pos, slices []uint64) int) ProbeFunc {
	return func(c ProbeCall) (int, int) { return f(bools(c.Out), c.Words, c.Keys, c.Slices), 0 }
}

func pairFunc(f func(out []uint8, pair, h []uint64, k int, span, step uint64)) ProbeFunc {
	return func(c ProbeCall) (int, int) { f(c.Out, c.Words, c.Keys, c.K, c.Span, c.Step); return 0, 0 }
}

func pairAtFunc(f func(out []uint8, pair, pos []uint64, k int)) ProbeFunc {
	return func(c ProbeCall) (int, int) { f(c.Out, c.Words, c.Keys, c.K); return 0, 0 }
}

func sidedFunc(f func(pair, pos []uint64, side int) (int, int)) ProbeFunc {
	return func(c ProbeCall) (int, int) { return f(c.Words, c.Keys, c.Side) }
}

// The function bools returns the memory of b as a slice of bools. The operations write these bools and never read them,
// so the bytes may have any value before a call.
func bools(b []uint8) []bool {
	return unsafe.Slice((*bool)(unsafe.Pointer(unsafe.SliceData(b))), cap(b))[:len(b)]
}

// The method named lone reports whether each key of an operation of form f is a single position.
func (f ProbeForm) lone() bool { return f&(Sided|Wants) != 0 }

// The method group returns the number of words of c.Keys that belong to one key.
func (f ProbeForm) group(c ProbeCall) int {
	switch {
	case f.Has(Hashes):
		return 2
	case f.lone():
		return 1
	}
	return c.K
}
