package asm

// The portable functions in this file specify the operations of the transition family. They are compiled on every host.
// They compute how a message with k positions changes a filter of m bits. A state of the filter is its number of set
// bits. At each position of the message, the bit is either set already or is set now. A bit that is set now is called
// fresh. Each product and each sum is rounded separately, without fused multiply-add. So all kernels give the same
// results, bit for bit.
//
// The argument "unit" is a power of two close to 1/m. All numbers of bits are multiplied by this argument. In state j,
// the number of set bits is then set+j*unit, and the number of clear bits is clear-j*unit. These numbers are exact, and
// the factors in the recursions are exact too. The argument "scale" is the factor that turns a product of such numbers
// into a probability. All kernels give the same results if two conditions are met. First, the arguments "set" and
// "clear" are multiples of "unit", and not larger than 2^53*unit. Second, no argument and no result is infinite or NaN.

// TransitionMaxK is the largest number k of positions for TransitionRows and TransitionSums. Up to this number, every
// implementation can keep all its values in registers.
const TransitionMaxK = 12

// TransitionRowsPortable computes k+1 rows of n = len(dst)-k*stride values. Suppose that a filter is in state j. A
// message with k positions then sets d fresh bits with a certain probability. The element dst[d*stride+j] is value j of
// row d. With a suitable scale, it is equal to this probability. The function sets dst[d*stride+j] to:
//
//	scale * C(j)...C(j+d-1) * h(k-d; S(j), ..., S(j+d)).
//
// Here S(i) = set+i*unit is the number of set bits in state i, multiplied by unit. In the same way, C(i) = clear-i*unit
// is the number of clear bits. The function h(i; x0, ..., xd) is the complete homogeneous symmetric polynomial of
// degree i. The other k-d positions of the message set no bit. Each of them occurs in one of the states j to j+d. The
// polynomial is a sum over all ways to distribute them among these states. For states with at most m set bits, no value
// is negative. If state j has fewer than d clear bits, dst[d*stride+j] is 0 or -0. The function does nothing unless 0
// <= k <= TransitionMaxK, 0 <= stride <= len(dst) and 0 <= n <= stride.
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

// TransitionSumsPortable computes the values that TransitionRows would store for len(w) states. For state j it uses
// scale*w[j] instead of scale. So w[j] is the weight of state j. Row d, for d = 0..k, has one value for each state j.
// The function adds this value to the element part[8*d+j%8]. So there are eight sums for each row. The function does
// nothing unless 0 <= k <= TransitionMaxK and len(part) >= 8*(k+1). The slices "part" and "w" must not overlap.
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

// The function "transition" is for one state j. For d = 0..k it sets out[d] to the value that TransitionRowsPortable
// stores in dst[d*stride+j]. The element h[i] is the polynomial of degree i. The function computes only the polynomials
// whose degrees are still needed. Each further variable xd changes the polynomials by a recursion:
//
//	h(i; ..., xd) = h(i; ..., xd-1) + xd h(i-1; ..., xd).
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

// TransitionStepPortable updates the weights in the slice a for one position of a message. For j = min(len(a),
// len(b))-1 down to 0 it sets a[j] to:
//
//	(a[j]*(set+j*unit) + b[j]*(clear-j*unit)) * scale.
//
// Before the call, a[j] is the weight of state j. The number b[j] is the weight of the next lower state, which has one
// set bit less. In the first term, the bit at the position is already set, so the state stays the same. The second term
// is for a position with a clear bit. The message sets this bit. So the next lower state becomes state j. The slices
// may overlap if b does not begin after a. Let p be a distribution over states. If a is p[1:] and b is p, the function
// updates p for one position.
func TransitionStepPortable(a, b []float64, set, clear, unit, scale float64) {
	for j := min(len(a), len(b)) - 1; j >= 0; j-- {
		x := float64(j) * unit
		a[j] = float64((float64(a[j]*(set+x)) + float64(b[j]*(clear-x))) * scale)
	}
}
