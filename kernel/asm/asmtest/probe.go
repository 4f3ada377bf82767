package asmtest

import (
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// ProbeCall holds the arguments of a call of the probe family. An operation uses those
// that its form names.
type ProbeCall struct {
	Out        []uint8  // answers, one a key; a bool is 0 or 1
	Dst        []uint64 // positions to be written
	Words      []uint64 // a bit array, or a pair
	Keys       []uint64 // hashes, two words a key, or positions that are ready, K a key
	Slices     []uint64 // bits found clear by position of a key
	K          int
	Span, Step uint64
	Side       int
	Block      uint64 // bits of a block, of which the array has as many as are whole
	Blocks     uint64 // their number, for an operation without an array
	Ahead      int    // keys
}

// ProbeFunc is an operation of the probe family. a and b are its results, 0 where it
// has fewer.
type ProbeFunc func(c ProbeCall) (a, b int)

// ProbeForm says which arguments an operation takes.
type ProbeForm uint16

const (
	Hashes  ProbeForm = 1 << iota // keys are hashes, with K, Span and Step
	Answers                       // Out
	Derives                       // Dst; no array
	Pair                          // the array is a pair
	Slices                        // Slices, of length K
	Sided                         // Side; keys are positions, one each
	Sets                          // bits of the array are set
	Wants                         // nothing changes; keys are positions, one each
	Blocked                       // the array has blocks, with Block and Ahead; Blocks
)

// Has reports whether f includes every form of g.
func (f ProbeForm) Has(g ProbeForm) bool { return f&g == g }

// ProbeRow is one kernel of the probe family's table.
type ProbeRow struct {
	Op   string // such as "AddAt"
	Impl string // such as "popcnt"
	Form ProbeForm
	Got  ProbeFunc // the kernel
	Want ProbeFunc // the specification: the portable twin, or for it a slower oracle

	blocks blockShape // of an operation that is Blocked
}

// String returns, for example, "AddAt/popcnt".
func (r ProbeRow) String() string { return r.Op + "/" + r.Impl }

// Operation returns the operation that the kernel does: Op, or that of which Op is another
// form, as Contains for ContainsRing. No two operations have the same Form.
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

// Probe returns the probe family's kernels of this build: for each operation the
// portable twin, held to arithmetic in package math/big and single bits, then the
// assembly, held to the twin. It lists kernels that this CPU may be unable to run:
// select by Impl. An operation that another form of pipeline does as well is listed
// once for each form, such as ContainsRing; only the first has a portable twin.
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

// probeOperation is an operation that keys and positions have, or a form of one.
type probeOperation struct {
	op       string
	form     ProbeForm
	portable ProbeFunc
	naive    ProbeFunc // nil for another form of an operation above
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

// The following call a kernel of package asm with the arguments that it takes.

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

// bools returns the bytes of b as bools. They are written, never read as such, so they
// may hold any value before.
func bools(b []uint8) []bool {
	return unsafe.Slice((*bool)(unsafe.Pointer(unsafe.SliceData(b))), cap(b))[:len(b)]
}

// lone reports whether each key is one position.
func (f ProbeForm) lone() bool { return f&(Sided|Wants) != 0 }

// group returns the number of words of c.Keys that make a key.
func (f ProbeForm) group(c ProbeCall) int {
	switch {
	case f.Has(Hashes):
		return 2
	case f.lone():
		return 1
	}
	return c.K
}
