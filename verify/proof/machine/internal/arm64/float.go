package arm64

import (
	"math"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// For the solvers, an operation on float64 numbers is an unknown function. They know only that equal operands give
// equal results. If the operands are constants, Go computes the result. It rounds to nearest. In a Go program the
// processor does the same, because of the value of register FPCR.

func arithmetic(name string, f func(a, b float64) float64) func(*term.Pool, *term.Term, *term.Term) *term.Term {
	return func(p *term.Pool, a, b *term.Term) *term.Term {
		if a.Op == term.Const && b.Op == term.Const {
			return p.Value(64, math.Float64bits(f(math.Float64frombits(a.Value), math.Float64frombits(b.Value))))
		}
		return p.Apply(name, 64, a, b)
	}
}

// For float64 numbers a and b, FAdd returns a+b, FSub returns a-b, and FMul returns a*b.
var (
	FAdd = arithmetic("fadd", func(a, b float64) float64 { return a + b })
	FSub = arithmetic("fsub", func(a, b float64) float64 { return a - b })
	FMul = arithmetic("fmul", func(a, b float64) float64 { return float64(a * b) })
)

// FInt converts a signed integer to a float64.
func FInt(p *term.Pool, a *term.Term) *term.Term {
	if a.Op == term.Const {
		return p.Value(64, math.Float64bits(float64(int64(a.Value))))
	}
	return p.Apply("fint", 64, a)
}

func scalarFP(f func(*pool, bv, bv) bv) func(*Machine, Instruction) {
	return func(m *Machine, in Instruction) { m.set(in.Args[0], f(m.Pool, m.get(in.Args[1]), m.get(in.Args[2]))) }
}
