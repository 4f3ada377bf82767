package vec

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// handover is the largest number of states that one call of an assembly kernel processes. A goroutine cannot be
// preempted during such a call. It is a multiple of 8, so that the next call continues with the first of the eight sums
// that the method Sums computes.
const handover = 4096

// Some steps of the computation pass over all rows repeatedly. They process the states in groups. A group has rowValues
// values in all rows together, which take 16 KiB and stay in the L1 cache. But a group has at least rowStates states,
// because the overhead of a call is too large for fewer.
const (
	rowValues = 1 << 11
	rowStates = 128
)

// sumValues is the number of values for which Sums has room on the stack, 32 KiB. It suffices for the rows and sums for
// K up to 255.
const sumValues = 1 << 12

// Rows stores tau(first+j, d) at dst[d*n+j] for d = 0..K and 0 <= j < n = len(dst)/(K+1). tau(i, d) is the probability
// that a message sets d more bits if i bits are set before it. Where a message cannot set d more bits, it stores 0. It
// panics unless K+1 divides len(dst) and first+n-1 <= M.
//
// Error: relative at most 4 K u for u = 2^-53, and in addition K^2 2^-1071 if K > 12.
// Cost: K^2/2 products and sums per state for independent positions; the first 12 positions are computed in registers.
// For distinct positions it is 3 K^2.
func (x Message) Rows(dst []float64, first uint64) { x.rowsBy(host.Auto, dst, first) }

func (x Message) rowsBy(im host.Impl, dst []float64, first uint64) {
	x.check(first, 0, x.M)
	if len(dst)%(x.K+1) != 0 {
		panic("vec: the rows' length is not a multiple of K+1")
	}
	n := len(dst) / (x.K + 1)
	x.check(first, n, x.M)
	block := handover
	if x.Distinct || x.K > asm.TransitionMaxK {
		block = max(rowStates, rowValues/(x.K+1)&^7)
	}
	for j := 0; j < n; j += block {
		x.rows(im, dst[j:], n, min(block, n-j), first+uint64(j))
	}
}

// rows stores tau(first+j, d), as Rows defines it, at dst[d*stride+j] for 0 <= j < n, where n <= handover.
func (x Message) rows(im host.Impl, dst []float64, stride, n int, first uint64) {
	if n == 0 {
		return
	}
	row := func(d int) []float64 { return dst[d*stride : d*stride+n] }
	unit := x.unit()
	clear0 := float64(x.M-first) * unit
	q := 0 // the number of positions processed so far
	if x.Distinct {
		for j := range row(0) {
			dst[j] = 1
		}
	} else {
		q = min(x.K, asm.TransitionMaxK)
		transitionRows(im, dst[:q*stride+n], stride, q, x.set(first, 0, unit), clear0, unit, power(x.scale(0, unit), q))
	}
	for d := q + 1; d <= x.K; d++ {
		clear(row(d))
	}
	for ; q < x.K; q++ {
		set, scale := x.set(first, q, unit), x.scale(q, unit)
		for d := q + 1; d > 0; d-- {
			transitionStep(im, row(d), row(d-1), set+float64(d)*unit, clear0-float64(d-1)*unit, unit, scale)
		}
		if q+2 <= x.K { // row 0 receives nothing, and row q+2 has received nothing yet
			transitionStep(im, row(0), row(q+2), set, clear0, unit, scale)
			continue
		}
		for j, p := range row(0) {
			dst[j] = float64(float64(p*(set+float64(j)*unit)) * scale)
		}
	}
	x.drop(dst, stride, n, first)
}

// The method drop stores 0 in the rows that Rows defines, wherever a message cannot set d more bits, because the
// recursions leave zeros of either sign there. A message cannot set more bits than are clear. With distinct positions
// the K-d other positions need K-d bits that are already set. So it cannot set d more bits either if fewer than K-d
// bits are set.
func (x Message) drop(dst []float64, stride, n int, first uint64) {
	for d := 1; d <= x.K; d++ {
		if last := first + uint64(n-1+d); last > x.M {
			from := max(0, n-int(min(last-x.M, uint64(n))))
			clear(dst[d*stride+from : d*stride+n])
		}
	}
	for d := 0; x.Distinct && d < x.K && uint64(x.K-d) > first; d++ {
		clear(dst[d*stride : d*stride+int(min(uint64(x.K-d)-first, uint64(n)))])
	}
}

// The function power returns v^n for small n. If v was rounded once, the result has 2n-1 roundings.
func power(v float64, n int) float64 {
	p := v
	for range n - 1 {
		p *= v
	}
	return p
}

// Sums sets dst[d], for d = 0..K, to the sum over j of w[j] tau(first+j, d), where tau(i, d) is the probability that a
// message sets d more bits if i bits are set before it. The weights w may have any sign. If w is the distribution of
// the state that arrivals see, dst[0] is the false-positive rate. It panics unless len(dst) = K+1 and first+len(w)-1 <=
// M.
//
// The order of the additions is fixed. First every sum over the j with the same j mod 8 is computed, and then these
// eight sums are added in pairs.
// Error: at most (4 K + len(w)/8 + 4) u times the sum of |w[j]| tau(first+j, d), for u = 2^-53, and in addition len(w)
// K^2 2^-1060 max(1, |w|).
// Cost: the same as for Rows. For up to 12 independent positions nothing is stored. In all other cases there are two
// more products and sums for each value, and an allocation if K > 255.
func (x Message) Sums(dst, w []float64, first uint64) { x.sumsBy(host.Auto, dst, w, first) }

func (x Message) sumsBy(im host.Impl, dst, w []float64, first uint64) {
	x.check(first, len(w), x.M)
	if len(dst) != x.K+1 {
		panic("vec: the sums' length is not K+1")
	}
	if x.Distinct || x.K > asm.TransitionMaxK {
		x.sumRows(im, dst, w, first)
		return
	}
	var part [8 * (asm.TransitionMaxK + 1)]float64
	unit := x.unit()
	for j := 0; j < len(w); j += handover {
		i := first + uint64(j)
		transitionSums(im, part[:8*(x.K+1)], w[j:min(j+handover, len(w))], x.K,
			x.set(i, 0, unit), float64(x.M-i)*unit, unit, power(x.scale(0, unit), x.K))
	}
	for d := range dst {
		dst[d] = pairs(part[8*d:][:8])
	}
}

// sumRows computes the same as Sums. It computes the rows first.
func (x Message) sumRows(im host.Impl, dst, w []float64, first uint64) {
	var small [sumValues]float64
	memory := small[:]
	if need := (8 + 8) * len(dst); need > len(memory) {
		memory = make([]float64, need)
	}
	part, rows := memory[:8*len(dst)], memory[8*len(dst):]
	block := min(handover, len(rows)/len(dst)&^7)
	for j := 0; j < len(w); j += block {
		v := w[j:min(j+block, len(w))]
		x.rows(im, rows, block, len(v), first+uint64(j))
		for d := range dst {
			for i, p := range rows[d*block:][:len(v)] {
				part[8*d+i&7] += float64(p * v[i])
			}
		}
	}
	for d := range dst {
		dst[d] = pairs(part[8*d:][:8])
	}
}

// pairs returns the sum of eight numbers. It adds pairs of numbers whose indices differ by four, then by two, then by
// one.
func pairs(v []float64) float64 {
	return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]))
}
