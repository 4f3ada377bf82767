package vec

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// The constant "handover" is the largest number of states that are passed to an assembly kernel in one call. There is a
// limit because Go cannot preempt a goroutine that runs assembly. The limit is a multiple of 8, because Sums
// distributes the states over eight sums. The first state of each call then belongs to the first sum.
const handover = 4096

// The computation of rows has several passes. Some passes go through all rows, and process the states in groups. All
// rows of a group together have about rowValues values. These values take 16 KiB and stay in the L1 cache. But a group
// has at least rowStates states, because with fewer states the calls themselves would take too much time.
const (
	rowValues = 1 << 11
	rowStates = 128
)

// sumValues is the number of values for which Sums reserves memory on the stack. They take 32 KiB, and suffice for K up
// to 255.
const sumValues = 1 << 12

// Rows sets dst[d*n+j] to tau(first+j, d), for d = 0..K and 0 <= j < n. Here n is len(dst)/(K+1). The function tau(i,
// d) is the probability that a message sets d more bits if i bits are set before it. Where a message cannot set d more
// bits, the value is 0. Rows panics if len(dst) is not a multiple of K+1, or if first+n-1 > M.
//
// Error: relative, at most 4*K*u, where u = 2^-53. If K > 12, there is in addition an absolute error of at most
// K^2*2^-1071.
// Cost: for independent positions, K^2/2 products and K^2/2 sums for each state. The first 12 positions are computed in
// registers. For distinct positions the cost is 3 K^2.
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

// The method "rows" sets dst[d*stride+j] to tau(first+j, d) for d = 0..K and 0 <= j < n. The number n must be at most
// handover.
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

// The method "drop" writes 0 for tau(first+j, d) into the rows if a message cannot set d more bits. For these values
// the recursions compute +0 or -0. A message cannot set d bits if fewer than d bits are clear. If positions are
// distinct, there is a second condition. A message that sets d bits has K-d further positions. These positions lie at
// different bits that are already set. So at least K-d bits must already be set.
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

// The function "power" returns v^n for a small n. It rounds n-1 times. If v has a rounding error of its own, this error
// counts n times. The result then has the errors of 2n-1 roundings.
func power(v float64, n int) float64 {
	p := v
	for range n - 1 {
		p *= v
	}
	return p
}

// Sums computes dst[d] for d = 0..K. It sets dst[d] to this sum:
//
//	sum over j of w[j] tau(first+j, d).
//
// The function tau(i, d) is the probability that a message sets d more bits if i bits are set before it. The weights w
// may have any sign. If w is the distribution of the state at the arrival of a message, dst[0] is the false-positive
// rate. Sums panics if len(dst) is not K+1, or if first+len(w)-1 > M.
//
// The order of the additions is fixed. The values of j are divided into eight groups, by j mod 8. First the terms of
// each group are added. Then the eight sums are added in pairs.
// Error: at most (4*K + len(w)/8 + 4)*u times the sum of |w[j]| tau(first+j, d), where u = 2^-53. Very small numbers
// cause a further error of at most len(w) K^2 2^-1060 max(1, |w|). Here |w| is the largest |w[j]|.
// Cost: as for Rows. For at most 12 independent positions, Sums does not store the values of tau. In other cases it
// stores them. This costs two more products and two more sums for each value. If K > 255, there is one allocation.
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

// sumRows does the same as Sums. It first computes the rows, and then adds their values.
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

// The function "pairs" returns the sum of the eight numbers of v. For i < 4 it first adds v[i] and v[i+4]. Let s[i]
// be these four sums. Then it adds s[0] and s[2], and it adds s[1] and s[3]. Finally it adds these two results.
func pairs(v []float64) float64 {
	return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]))
}
