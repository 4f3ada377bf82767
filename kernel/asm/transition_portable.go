package asm

// The portable functions in this file are the specifications of the transition family, and are compiled on every host.
// They compute the effect of the k positions of a message on a filter of m bits. A state is a number of set bits. A
// position either finds its bit set, or it sets the bit. In the second case the bit is fresh. Every product and sum is
// rounded separately, never fused, so that every kernel gives the same bits.
//
// Numbers of bits are measured in a unit that is a power of two, about 1/m: state j has set+j*unit bits set and
// clear-j*unit clear. These numbers are exact, and so are the factors of the recursions. The argument scale is the
// factor that turns products of numbers of bits into probabilities. All kernels give the same results when set and
// clear are multiples of unit, at most 2^53 units in size, and no argument or result is an infinity or NaN.

// TransitionMaxK is the largest k of TransitionRows and TransitionSums. The 12 sums and the other values that are
// needed fit into the registers of every implementation.
const TransitionMaxK = 12

// TransitionRowsPortable computes values for the states j < n = len(dst)-k*stride and for d = 0..k. If scale is chosen
// accordingly, the value is the probability that k positions, starting in state j, set d fresh bits. It stores
//
//	dst[d*stride+j] = scale * C(j)...C(j+d-1) * h(k-d; S(j), ..., S(j+d))
//
// S(i) = set+i*unit is the number of bits that a position in state i can find set, and C(i) = clear-i*unit the number
// that it can find clear. h(i; x0, ..., xd) is the complete homogeneous symmetric polynomial of degree i: it sums over
// the states in which the k-d other positions can find set bits. The results are positive. Only states with more than m
// set bits get zeros, of either sign. The call does nothing unless 0 <= k <= TransitionMaxK, 0 <= stride <= len(dst), 0
// <= n <= stride.
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

// TransitionSumsPortable computes the values that TransitionRows would store for len(w) states. It multiplies each
// value by the weight of its state. For each d = 0..k it distributes the products over eight sums:
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

// transition sets out[d], for d = 0..k, to the values of TransitionRowsPortable for one state. The array h has the
// polynomial of degree i in h[i], and only the necessary degrees are computed. Each additional state extends the
// polynomials: h(i; ..., xd) = h(i; ..., xd-1) + xd h(i-1; ..., xd).
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

// TransitionStepPortable updates a for one position of a message, for j = min(len(a), len(b))-1 down to 0:
//
//	a[j] = (a[j]*(set+j*unit) + b[j]*(clear-j*unit)) * scale
//
// Before the call a[j] is the weight of state j, and b[j] the weight of the state with one set bit less. The first term
// is for a position that finds its bit set, so the state stays the same. The second term is for a position that sets
// its bit, so the next lower state becomes state j. The arguments may overlap if b does not begin after a. With a =
// p[1:] and b = p, a call advances the distribution p by one position.
func TransitionStepPortable(a, b []float64, set, clear, unit, scale float64) {
	for j := min(len(a), len(b)) - 1; j >= 0; j-- {
		x := float64(j) * unit
		a[j] = float64((float64(a[j]*(set+x)) + float64(b[j]*(clear-x))) * scale)
	}
}
