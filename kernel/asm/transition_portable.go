package asm

// These are the specifications of the transition family, compiled everywhere. They say
// what the k positions of a message do to a filter of m bits: a state is a number of set
// bits, and a position finds its bit set or sets it; such a bit is fresh. Every product
// and sum is rounded by itself, never fused, so that every kernel gives the same bits.
//
// Bits are measured in a unit that is a power of two, about 1/m: state j has set+j*unit
// bits set and clear-j*unit clear. These numbers are exact, and so are the factors of the
// recursions; scale turns the products of counts into probabilities. All kernels give the
// same when set and clear are multiples of unit, at most 2^53 of it in size, and no
// argument or result is an infinity or NaN.

// TransitionMaxK is the most positions that TransitionRows and TransitionSums follow:
// 12 sums, and what is needed beside them, fit the registers of every implementation.
const TransitionMaxK = 12

// TransitionRowsPortable stores, for the states j < n = len(dst)-k*stride and d = 0..k,
// what k positions can do in state j that leaves d fresh bits:
//
//	dst[d*stride+j] = scale * C(j)...C(j+d-1) * h(k-d; S(j), ..., S(j+d))
//
// S(i) = set+i*unit and C(i) = clear-i*unit are the bits that a position in state i can
// find set and clear. h(i; x0, ..., xd) is the complete homogeneous symmetric polynomial
// of degree i, the sum over the states in which the k-d other positions can find set bits.
// It is positive but for states that are more than full, whose zeros have either sign. The
// call does nothing unless 0 <= k <= TransitionMaxK, 0 <= stride <= len(dst), 0 <= n <= stride.
func TransitionRowsPortable(dst []float64, stride, k int, set, clear, unit, scale float64) {
	if k < 0 || k > TransitionMaxK || stride < 0 || stride > len(dst) {
		return
	}
	n := len(dst) - k*stride
	if n > stride {
		return
	}
	var out [TransitionMaxK + 1]float64
	for j := range n {
		x := float64(j) * unit
		transition(&out, k, set+float64(x), clear-float64(x), unit, scale)
		for d, p := range out[:k+1] {
			dst[d*stride+j] = p
		}
	}
}

// TransitionSumsPortable adds to the eight sums of each d = 0..k what TransitionRows
// would store for len(w) states, with the weight of the state:
//
//	part[8*d+j%8] += row d of state j, with scale*w[j] for scale
//
// It does nothing unless 0 <= k <= TransitionMaxK and len(part) >= 8*(k+1). The arguments
// do not overlap.
func TransitionSumsPortable(part, w []float64, k int, set, clear, unit, scale float64) {
	if k < 0 || k > TransitionMaxK || len(part) < 8*(k+1) {
		return
	}
	var out [TransitionMaxK + 1]float64
	for j, wj := range w {
		x := float64(j) * unit
		transition(&out, k, set+float64(x), clear-float64(x), unit, scale*wj)
		for d, p := range out[:k+1] {
			part[8*d+j&7] += p
		}
	}
}

// transition sets out[d], d = 0..k, to the rows' values for one state. h[i] is the
// polynomial of degree i, which grows by a state at a time, as far as it will be needed:
// h(i; ..., xd) = h(i; ..., xd-1) + xd h(i-1; ..., xd).
func transition(out *[TransitionMaxK + 1]float64, k int, set, clear, unit, fresh float64) {
	var h [TransitionMaxK + 1]float64
	for d := 0; d <= k; d++ {
		below := 1.0 // the polynomial of degree i-1
		for i := 1; i <= k-d; i++ {
			below = h[i] + float64(below*set)
			h[i] = below
		}
		out[d] = float64(below * fresh)
		fresh *= clear
		set += unit
		clear -= unit
	}
}

// TransitionStepPortable follows one position, for j = min(len(a), len(b))-1 down to 0:
//
//	a[j] = (a[j]*(set+j*unit) + b[j]*(clear-j*unit)) * scale
//
// a[j] is what was in a state and stays when the position finds its bit set; b[j] is what
// comes from the state with one bit less. The arguments may overlap if b does not begin
// after a: with a = p[1:], b = p the states of one distribution take one step.
func TransitionStepPortable(a, b []float64, set, clear, unit, scale float64) {
	for j := min(len(a), len(b)) - 1; j >= 0; j-- {
		x := float64(j) * unit
		a[j] = float64((float64(a[j]*(set+x)) + float64(b[j]*(clear-x))) * scale)
	}
}
