package asmtest

import (
	"fmt"
	"math"
	"math/bits"
	"os"
	"slices"
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// The method "all" runs all cases, small ones first.
func (r *transitionRunner) all(o Options) {
	if r.row.Impl == "portable" {
		o.Short = true // it has no blocks, and its oracle is slow
	}
	_ = r.grid(o) && r.singles(o) && r.places() && r.overlaps() && r.refused() && r.claims() && r.hollow() && r.long()
}

// The method "value" returns 0, an ordinary number, a very small number, a subnormal number or a large number. The kind
// of number and its sign are random. Sums and products of a few such numbers are finite.
func (r *transitionRunner) value() float64 {
	v := math.Ldexp(1+r.rand.Float64(), r.rand.IntN(3)-1)
	switch r.rand.IntN(8) {
	case 0:
		v = 0
	case 1:
		v = math.Ldexp(v, -1022)
	case 2:
		v = math.Ldexp(v, -1074+r.rand.IntN(60))
	case 3:
		v = math.Ldexp(v, -r.rand.IntN(1000))
	case 4:
		v = math.Ldexp(v, r.rand.IntN(100))
	}
	if r.rand.Uint32()&3 == 0 {
		v = -v
	}
	return v
}

func (r *transitionRunner) values(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.value()
	}
	return v
}

// A state is a number of set bits. The method "filter" chooses a random filter of up to 2^53 bits. It sets the fields
// Set, Clear and Unit of c. The n states of the case are then successive states of this filter. The first state is the
// empty filter or a random state. It can also be chosen such that the last state is nearly full.
func (r *transitionRunner) filter(c *transitionCase, n int) {
	m := uint64(1) + r.rand.Uint64N(1<<r.rand.IntN(54))
	if r.rand.Uint32()&7 == 0 {
		m = []uint64{1, 2, 3, 64, 1_000_000, 1<<53 - 1, 1 << 53}[r.rand.IntN(7)]
	}
	first := r.rand.Uint64N(m + 1)
	switch r.rand.Uint32() & 3 {
	case 0:
		first = 0
	case 1:
		first = m - min(m, uint64(n)) // end at the last state or the state before it
	}
	_, e := math.Frexp(float64(m))
	c.Unit = math.Ldexp(1, -e)
	c.Set, c.Clear = float64(first)*c.Unit, float64(m-first)*c.Unit
	if r.row.Form == Step && r.rand.Uint32()&3 == 0 {
		c.Set -= float64(r.rand.IntN(20)) * c.Unit // bits that earlier positions have taken
	}
	c.Scale = []float64{1, 1.5 + r.rand.Float64(), math.Ldexp(1+r.rand.Float64(), -1020)}[r.rand.IntN(3)]
}

// The method "shaped" returns a random case with n states, for messages with k positions.
func (r *transitionRunner) shaped(n, k int) transitionCase {
	c := transitionCase{TransitionCall: TransitionCall{K: k}, lag: -1}
	r.filter(&c, n)
	switch r.row.Form {
	case Rows:
		c.Stride = n + r.rand.IntN(4)
		c.A = r.values(k*c.Stride + n)
	case Sums:
		c.A, c.B = r.values(8*k+8+r.rand.IntN(2)*r.rand.IntN(9)), r.values(n)
	case Step:
		c.A, c.B = r.values(n), r.values(n)
		if r.rand.Uint32()&3 == 0 {
			c.B = append(c.B, r.values(r.rand.IntN(9))...)
		} else if r.rand.Uint32()&3 == 0 {
			c.A = append(c.A, r.values(r.rand.IntN(9))...)
		}
	}
	for i := range c.rear {
		c.rear[i] = r.rand.Uint32()&1 != 0
	}
	return c
}

// transitionBlock is the largest number of states that a kernel of the transition family processes in one loop
// iteration.
const transitionBlock = 8

// A message has k positions. The method "ks" returns the values of k that are tested.
func (r *transitionRunner) ks() []int {
	if r.row.Form == Step {
		return []int{0}
	}
	var ks []int
	for k := range asm.TransitionMaxK + 1 {
		ks = append(ks, k)
	}
	return ks
}

// The method "grid" tests all pairs of two numbers: a small number of states, and a number k of positions. It tests
// each combination with several random filters.
func (r *transitionRunner) grid(o Options) bool {
	rounds := 8
	if o.Short {
		rounds = 2
	}
	if r.row.Form == Step {
		rounds *= 8
	}
	most := 3*transitionBlock + 3
	if r.row.Impl == "portable" {
		most = transitionBlock + 1
	}
	for n := range most + 1 {
		for _, k := range r.ks() {
			for range rounds {
				if !r.try(r.shaped(n, k)) {
					return false
				}
			}
		}
	}
	return true
}

// The method "singles" tests weights that are 0 for all states except one. It does so for each state in turn. It
// detects a kernel that omits a state, moves a state or counts a state twice.
func (r *transitionRunner) singles(o Options) bool {
	for _, k := range r.ks() {
		for n := 1; n <= 3*transitionBlock+3; n++ {
			if r.row.Form == Rows || o.Short && n%5 != k%5 {
				continue
			}
			for i := range n {
				c := r.shaped(n, k)
				clear(c.A)
				clear(c.B)
				c.B[i] = 1
				if !r.try(c) {
					return false
				}
				if r.row.Form == Step {
					c = r.shaped(n, k)
					clear(c.A)
					clear(c.B)
					c.A[i] = 1
					if !r.try(c) {
						return false
					}
				}
			}
		}
	}
	return true
}

// The method "places" tests arguments at different distances from addresses that are multiples of 64. Each distance
// is 0 to 7 elements, and all pairs of distances are tested.
func (r *transitionRunner) places() bool {
	for _, n := range []int{1, 3, 7, 8, 12, 19} {
		for off := range 64 {
			c := r.shaped(n, off%(asm.TransitionMaxK+1))
			c.off = [2]int{off & 7, off >> 3}
			if !r.try(c) {
				return false
			}
		}
	}
	return true
}

// The method "overlaps" tests two arguments a and b that overlap in one array. The argument b begins at the same
// element as a, or up to transitionBlock + 2 elements earlier.
func (r *transitionRunner) overlaps() bool {
	if r.row.Form != Step {
		return true
	}
	for n := range 3*transitionBlock + 4 {
		for lag := range transitionBlock + 3 {
			c := r.shaped(n, 0)
			c.lag, c.A, c.B = lag, r.values(n+lag), nil
			c.off[0] = r.rand.IntN(8)
			if !r.try(c) {
				return false
			}
		}
	}
	return true
}

// The method "refused" tests arguments outside the domain. For such arguments a kernel must do nothing.
func (r *transitionRunner) refused() bool {
	if r.row.Form == Step {
		return true
	}
	const wide = 1 << (bits.UintSize - 3) // eight times it is 0
	for _, k := range []int{math.MinInt, -1, 13, 14, math.MaxInt, math.MinInt + 5, math.MaxInt&^math.MaxUint32 + 8, wide + 8, wide} {
		like := 7 // the arguments fit a k whose low 32 bits are 7
		if low := uint32(k); low <= 14 {
			like = int(low)
		}
		c := r.shaped(8, like)
		c.K = k
		if r.row.Form == Rows { // for Rows the stride fits too
			c.Stride, c.A = 8, r.values(8*like+8)
		}
		if !r.try(c) {
			return false
		}
	}
	for _, k := range r.ks() {
		for n := range 2 * transitionBlock {
			c := r.shaped(n, k)
			switch r.row.Form {
			case Sums:
				c.A = c.A[:8*k+7-n%8]
			case Rows:
				c.A = c.A[:min(len(c.A), k*n)]
				c.Stride = []int{n, n + 1, -1, -n, math.MinInt, math.MaxInt, len(c.A) + 1, max(0, n-k-1)}[n%8]
			}
			if !r.try(c) {
				return false
			}
		}
	}
	return true
}

// The method "claims" calls kernels with wrong lengths. Each wrong length is at least 2^32 elements. It also tests
// strides of this size. If the lengths of two arguments are inconsistent, a kernel must do nothing or use the smaller
// length.
func (r *transitionRunner) claims() bool {
	if math.MaxInt == math.MaxInt32 {
		return true
	}
	for _, low := range []uint64{0, 3, 9, 1 << 31} {
		for _, k := range r.ks() {
			huge := int(1<<32 + low)
			c := r.shaped(9, k)
			d := c // this call must be refused, because it would write too much
			switch r.row.Form {
			case Rows:
				c.K, d.K = 0, 0
				c.Stride, c.A = huge, r.values(int(low)&15) // a stride that exceeds the number of elements
				d.Stride, d.claim[0] = int(low)&15, huge    // a stride that is less than the number of states
			case Sums:
				c.claim[0] = 8 * huge
				d.claim[0], d.K = math.MaxInt, huge&^15+k
			case Step:
				c.A, c.B = c.A[:9], c.B[:9]
				d.A, d.B = c.A, c.B
				c.claim[0], d.claim[1] = huge, huge
			}
			if !r.try(c) || !r.try(d) {
				return false
			}
		}
	}
	if r.row.Form != Rows {
		return true
	}
	// With this stride the last row would begin far beyond the end of the array. The distance is larger than the memory
	// of the host.
	c := r.shaped(9, asm.TransitionMaxK)
	huge := uint64(1) << 40
	c.Stride, c.claim[0] = int(huge), int(huge)
	return r.try(c)
}

// The method "hollow" tests more than 2^31 states. The memory of these states has only its first page, and all other
// pages are missing. TransitionStep begins with the last state. So for TransitionStep only the last page is present. A
// correct kernel causes a fault, because it reaches a missing page. A faulty kernel may use only the low 32 bits of the
// number of states. Such a kernel returns without a fault.
func (r *transitionRunner) hollow() bool {
	return inHollow(func(array *arena) bool {
		states := unsafe.Slice((*float64)(unsafe.Pointer(&array.words[0])), len(array.words))
		size := os.Getpagesize() / 8 // a whole number of iterations
		for _, n := range []uint64{1<<31 + 9, 1 << 32, 1<<32 + 1, 1<<32 + 3, 1<<32 + 9, 1<<32 + 200} {
			c := r.shaped(9, 0)
			c.Unit = 0x1p-40
			c.Set, c.Clear = 0x1p38*c.Unit, 0x1p39*c.Unit
			page := states[:size]
			if r.row.Form == Step {
				page = states[len(states)-size:]
			}
			for i := range page {
				page[i] = float64(i + 1)
			}
			want := c.TransitionCall // the expected result for the existing page
			want.A, want.B = slices.Clone(c.A), slices.Clone(page)
			result := c.A
			switch r.row.Form {
			case Rows:
				c.A, c.Stride = states[:n], int(n)
				want.A, want.Stride, result = slices.Clone(page), size, page
			case Sums:
				c.B = states[:n]
			case Step:
				c.A = states[uint64(len(states))-n:]
				c.B = c.A
				before := float64(n-uint64(size)) * c.Unit
				want.A, result = want.B, page
				want.Set += before
				want.Clear -= before
			}
			r.row.Want(want)
			r.cases++
			what := ""
			if err := guarded(func() { r.row.Got(c.TransitionCall) }); !array.met(err) {
				what = fmt.Sprintf("ended with %v, not at a page that is not there", err)
			} else if !slices.Equal(wordsOf(result), wordsOf(want.A)) {
				what = "did not do that page"
			}
			if what != "" {
				c.A, c.B = nil, nil
				what = fmt.Sprintf("with %d states, of which one page is there, it %s", n, what)
				r.fail = &TransitionFailure{Row: r.row, Seed: r.seed, What: what, c: c}
				return false
			}
		}
		return true
	})
}

// The method "long" tests so many states that the loop of a kernel makes many iterations.
func (r *transitionRunner) long() bool {
	lengths := []int{1000, 4099}
	if r.row.Impl == "portable" {
		lengths = []int{50}
	}
	for _, n := range lengths {
		for _, k := range []int{3, 7, 8, 12} {
			if !r.try(r.shaped(n, k)) {
				return false
			}
		}
	}
	return true
}
