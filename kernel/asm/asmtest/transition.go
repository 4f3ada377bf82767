package asmtest

import "github.com/bloomproof/bloomproof/kernel/asm"

// A TransitionCall has the arguments for one operation of the transition family. An operation uses only the arguments
// that its TransitionForm names.
type TransitionCall struct {
	A                       []float64 // dst, part or a, which the operation writes
	B                       []float64 // w or b
	Stride, K               int
	Set, Clear, Unit, Scale float64
}

// A TransitionFunc is an operation of the transition family.
type TransitionFunc func(c TransitionCall)

// A TransitionForm says which arguments an operation has.
type TransitionForm uint8

const (
	Rows TransitionForm = iota // A, Stride, K
	Sums                       // A, B, K
	Step                       // A, B, which may overlap
)

// A TransitionRow describes one kernel of the transition family.
type TransitionRow struct {
	Op   string // such as "TransitionSums"
	Impl string // such as "avx2"
	Form TransitionForm
	Got  TransitionFunc // the kernel
	Want TransitionFunc // the specification: the portable twin, or a slower oracle for the twin itself
}

// String returns the names of the operation and the implementation, for example "TransitionSums/avx2".
func (r TransitionRow) String() string { return r.Op + "/" + r.Impl }

func (r TransitionRow) impl() string { return r.Impl }

// Transition returns one row for each kernel of the transition family in this build. The first row of each operation is
// its portable twin, which is the same operation in Go. The twin is compared with slow code that follows the
// mathematical formula. The other rows of the operation are assembly kernels, which are compared with the twin. Some of
// the kernels may need instructions that this CPU lacks. So run only rows whose implementation this CPU supports. The
// field Impl names the implementation of a row.
func Transition() []TransitionRow {
	var rows []TransitionRow
	for _, f := range transitionFamily {
		rows = append(rows, TransitionRow{f.op, "portable", f.form, f.portable, f.naive})
		for _, k := range transitionKernels(f.op) {
			rows = append(rows, TransitionRow{f.op, k.impl, f.form, k.f, f.portable})
		}
	}
	return rows
}

// A transitionKernel is an assembly kernel of one operation.
type transitionKernel struct {
	impl string
	f    TransitionFunc
}

var transitionFamily = []struct {
	op       string
	form     TransitionForm
	portable TransitionFunc
	naive    TransitionFunc
}{
	{"TransitionRows", Rows, rowsFunc(asm.TransitionRowsPortable), naiveRows},
	{"TransitionSums", Sums, sumsFunc(asm.TransitionSumsPortable), naiveSums},
	{"TransitionStep", Step, stepFunc(asm.TransitionStepPortable), naiveStep},
}

// Each of the following functions calls one function of package asm. The fields of c are the arguments of this call.

func rowsFunc(f func(dst []float64, stride, k int, set, clear, unit, scale float64)) TransitionFunc {
	return func(c TransitionCall) { f(c.A, c.Stride, c.K, c.Set, c.Clear, c.Unit, c.Scale) }
}

func sumsFunc(f func(part, w []float64, k int, set, clear, unit, scale float64)) TransitionFunc {
	return func(c TransitionCall) { f(c.A, c.B, c.K, c.Set, c.Clear, c.Unit, c.Scale) }
}

func stepFunc(f func(a, b []float64, set, clear, unit, scale float64)) TransitionFunc {
	return func(c TransitionCall) { f(c.A, c.B, c.Set, c.Clear, c.Unit, c.Scale) }
}

// The function "polynomial" returns the complete homogeneous symmetric polynomial of degree i in the variables
// x[0], ..., x[d]. It is computed by recursion. The polynomial of degree -1 is 0, and the polynomial of degree 0 is 1.
func polynomial(x []float64, d, i int) float64 {
	switch {
	case i == 0:
		return 1
	case d < 0:
		return 0
	}
	last := float64(x[d] * polynomial(x, d, i-1))
	return polynomial(x, d-1, i) + last
}

// naiveRow returns one of the values that TransitionRowsPortable computes. It is the value of row d for state j. Row d
// is for messages that set d bits. The portable twin is compared with this function, so its code must stay simple and
// slow.
func naiveRow(c TransitionCall, j, d int, scale float64) float64 {
	var x []float64
	fresh := scale
	for at := range d + 1 {
		x = append(x, c.Set+float64(j+at)*c.Unit)
	}
	for at := range d {
		fresh *= c.Clear - float64(j+at)*c.Unit
	}
	return float64(polynomial(x, d, c.K-d) * fresh)
}

func naiveRows(c TransitionCall) {
	n := len(c.A) - c.K*c.Stride
	if c.K < 0 || c.K > asm.TransitionMaxK || c.Stride < 0 || c.Stride > len(c.A) || n > c.Stride {
		return
	}
	for d := 0; d <= c.K; d++ {
		for j := 0; j < n; j++ {
			c.A[d*c.Stride+j] = naiveRow(c, j, d, c.Scale)
		}
	}
}

func naiveSums(c TransitionCall) {
	if c.K < 0 || c.K > asm.TransitionMaxK || len(c.A) < 8*c.K+8 {
		return
	}
	for d := 0; d <= c.K; d++ {
		for lane := range 8 {
			for j := lane; j < len(c.B); j += 8 {
				c.A[8*d+lane] += naiveRow(c, j, d, c.B[j]*c.Scale)
			}
		}
	}
}

// naiveStep does the same as TransitionStepPortable, but it reads from copies of the arguments. So the result does not
// depend on whether the arguments overlap.
func naiveStep(c TransitionCall) {
	n := min(len(c.A), len(c.B))
	a, b := append([]float64{}, c.A[:n]...), append([]float64{}, c.B[:n]...)
	for j := range n {
		stays := float64(a[j] * (c.Set + float64(j)*c.Unit))
		comes := float64(b[j] * (c.Clear - float64(j)*c.Unit))
		c.A[j] = float64((comes + stays) * c.Scale)
	}
}
