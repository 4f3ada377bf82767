package fuzz

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// transitionRows are the kernels that this host can run, each with its specification.
func transitionRows() []asmtest.TransitionRow {
	return asmtest.Select(asmtest.Transition(), runs(host.Transition)...)
}

// transitionCall is what bytes decode to: the states of a filter, and numbers.
type transitionCall struct {
	n, lag, extra           int // states; distance of overlapping arguments; words to spare
	set, clear, unit, scale float64
	values                  []float64 // finite, of any sign, zeros and subnormals among them
}

// decodeTransition reads a head of 21 bytes and takes values from the rest, repeated.
// Assembly gives the fuzzer no coverage, so lengths and the filter vary with single bytes.
func decodeTransition(data []byte) (c transitionCall, ok bool) {
	const head = 21
	if len(data) < head+8 {
		return c, false
	}
	c.n, c.lag, c.extra = int(data[0])%67, int(data[1])%19, int(data[2])%9
	m := binary.LittleEndian.Uint64(data[3:])>>(11+data[19]%53) + 1
	first := binary.LittleEndian.Uint64(data[11:]) % (m + 1)
	if data[19] >= 128 {
		first = m - min(m, uint64(data[11]))
	}
	_, e := math.Frexp(float64(m))
	c.unit = math.Ldexp(1, -e)
	c.set, c.clear = float64(first)*c.unit, float64(m-first)*c.unit
	c.scale = math.Ldexp(1+float64(data[19])/256, -4*int(data[20]))
	pattern := data[head : len(data)-(len(data)-head)%8]
	for j := range 1200 {
		v := binary.LittleEndian.Uint64(pattern[8*j%len(pattern):])
		// An exponent below 2^100, so that no sum of products is infinite.
		c.values = append(c.values, math.Float64frombits(v&^(0x7ff<<52)|(v>>52&0x7ff)%1123<<52))
	}
	return c, true
}

// FuzzTransition: every implementation of every operation gives the same bits as its specification,
// for every k, any states of any filter and any numbers.
func FuzzTransition(f *testing.F) {
	rows := transitionRows()
	f.Fuzz(func(t *testing.T, data []byte) {
		c, ok := decodeTransition(data)
		if !ok {
			return
		}
		for _, r := range rows {
			for k := range asm.TransitionMaxK + 1 {
				if r.Impl == "portable" && k != c.lag%(asm.TransitionMaxK+1) {
					continue // its oracle takes exponential time
				}
				cases.Add(1)
				want, got := c.run(r.Want, r.Form, k), c.run(r.Got, r.Form, k)
				for i := range want {
					if math.Float64bits(want[i]) != math.Float64bits(got[i]) {
						t.Fatalf("%v: k %d, element %d is %g, want %g, for %+v", r, k, i, got[i], want[i], c)
					}
				}
			}
		}
	})
}

// run calls f for k positions, or lag elements apart, and returns what it wrote to and
// some elements behind.
func (c transitionCall) run(f asmtest.TransitionFunc, form asmtest.TransitionForm, k int) []float64 {
	v := slices.Clone(c.values)
	call := asmtest.TransitionCall{K: k, Stride: c.n + c.extra, Set: c.set, Clear: c.clear, Unit: c.unit, Scale: c.scale}
	switch form {
	case asmtest.Rows:
		call.A = v[:k*call.Stride+c.n]
	case asmtest.Sums:
		call.A, call.B = v[:8*(k+1)+c.extra], v[1000:1000+c.n]
	case asmtest.Step:
		call.Set -= float64(k) * c.unit
		call.A, call.B = v[c.lag:c.lag+c.n+c.extra], v[:c.n]
	}
	f(call)
	return v
}
