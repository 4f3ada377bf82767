package asmtest

import (
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// A ProbeCall has the arguments for a call of an operation of the probe family. An operation uses only the arguments
// that its ProbeForm names.
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

// A ProbeFunc is an operation of the probe family. The operation has at most two results, a and b. If the operation has
// only one result, b is 0. If it has no result, a and b are 0.
type ProbeFunc func(c ProbeCall) (a, b int)

// A ProbeForm says which arguments an operation has.
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

// The method Has reports whether each argument that g names is also named by f.
func (f ProbeForm) Has(g ProbeForm) bool { return f&g == g }

// A ProbeRow is the row of one kernel in the table of the probe family.
type ProbeRow struct {
	Op   string // such as "AddAt"
	Impl string // such as "popcnt"
	Form ProbeForm
	Got  ProbeFunc // the kernel
	Want ProbeFunc // the specification: the portable twin, or a slower oracle for the twin itself

	blocks blockShape // the shape of the blocks, if the operation is Blocked
}

// String returns the names of the operation and the implementation, for example "AddAt/popcnt".
func (r ProbeRow) String() string { return r.Op + "/" + r.Impl }

// Operation returns the name of the operation of the kernel. If Op is a variant of an operation, the result is the name
// of that operation. For example, if Op is "ContainsRing", the result is "Contains". Different operations have
// different values of Form.
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

// Probe returns one row for each kernel of the probe family in this build. The first row of each operation is its
// portable twin, which is the same operation in Go. The twin is compared with slow code, which uses package math/big
// and handles single bits. The other rows of the operation are assembly kernels, which are compared with the twin. This
// CPU may be unable to run some of the kernels, so choose rows by their field Impl. If an operation has several
// variants, such as ContainsRing, every variant has its own rows. Only the rows of the first variant include a portable
// twin.
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

// A probeKernel is an assembly kernel. It computes one operation.
type probeKernel struct {
	impl string
	f    ProbeFunc
}

// A probeOperation is an operation of the probe family, or a variant of such an operation.
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

// Each of the following functions calls one function of package asm with the arguments that c has.

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

// The function "bools" returns the memory of b as a slice of bools. The operations write these bools without reading
// them. So the bytes may have any values before a call.
func bools(b []uint8) []bool {
	return unsafe.Slice((*bool)(unsafe.Pointer(unsafe.SliceData(b))), cap(b))[:len(b)]
}

// In operations of some forms, each key has only one position. The method "lone" reports whether f is such a form.
func (f ProbeForm) lone() bool { return f&(Sided|Wants) != 0 }

// The method "group" returns the number of words of c.Keys for each key.
func (f ProbeForm) group(c ProbeCall) int {
	switch {
	case f.Has(Hashes):
		return 2
	case f.lone():
		return 1
	}
	return c.K
}
