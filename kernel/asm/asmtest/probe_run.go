package asmtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unsafe"
)

// These constants are the indices of the arrays of a probeCase, in the order of its fields.
const (
	written  = iota // Out or Dst
	words           // the bit array
	keys            // hashes or positions
	perSlice        // Slices
	arrays
)

// A probeCase has the arguments for one call of a kernel, and the places of its arrays in memory.
type probeCase struct {
	ProbeCall
	off  [arrays]int  // bytes between each array and a guard page
	rear [arrays]bool // true for the guard page after the array, false for the page before it
	// The arrays Out, Dst and Keys can be passed to a kernel with a wrong length. The wrong length of array i is
	// claim[i]. This element is 0 if the array is passed with its true length.
	claim [arrays]int
}

// The method "bytes" returns each array as a slice of bytes.
func (c *ProbeCall) bytes() [arrays][]byte {
	out := c.Out
	if len(out) == 0 {
		out = bytesOf(c.Dst)
	}
	return [arrays][]byte{out, bytesOf(c.Words), bytesOf(c.Keys), bytesOf(c.Slices)}
}

// The method "clone" returns a copy of c that shares no memory with c.
func (c ProbeCall) clone() ProbeCall {
	c.Out, c.Dst = slices.Clone(c.Out), slices.Clone(c.Dst)
	c.Words, c.Keys, c.Slices = slices.Clone(c.Words), slices.Clone(c.Keys), slices.Clone(c.Slices)
	return c
}

// A ProbeFailure is a case in which a kernel of the probe family gives a wrong result.
type ProbeFailure struct {
	Row  ProbeRow
	Seed uint64
	What string // the disagreement
	c    probeCase
}

// Error returns a text that describes the failed case. The text has the implementation, the arguments, their places,
// the seed and the contents of the arrays. The arguments and the arrays were made as small as possible.
func (f *ProbeFailure) Error() string {
	var b strings.Builder
	c, form := &f.c, f.Row.Form
	fmt.Fprintf(&b, "%v: %s (seed %d)\n  k %d", f.Row, f.What, f.Seed, c.K)
	if form.Has(Hashes) {
		fmt.Fprintf(&b, ", span %d, step %d", c.Span, c.Step)
	}
	if form.Has(Sided) {
		fmt.Fprintf(&b, ", side %d", c.Side)
	}
	if form.Has(Blocked) {
		fmt.Fprintf(&b, ", block %d, blocks %d, ahead %d", c.Block, c.Blocks, c.Ahead)
	}
	b.WriteByte('\n')
	list := func(name string, i, n int, v []uint64) {
		side := "after the front guard"
		if c.rear[i] {
			side = "before the rear guard"
		}
		fmt.Fprintf(&b, "  %s: length %d, %d bytes %s", name, n, c.off[i], side)
		if c.claim[i] > 0 {
			fmt.Fprintf(&b, ", said to be of length %d", c.claim[i])
		}
		printWords(&b, v)
	}
	switch {
	case form.Has(Answers):
		list("out", written, len(c.Out), nil)
	case form.Has(Derives):
		list("dst", written, len(c.Dst), nil)
	}
	if !form.Has(Derives) {
		list("words", words, len(c.Words), c.Words)
	}
	if form.Has(Hashes) {
		list("h", keys, len(c.Keys), c.Keys)
	} else {
		list("pos", keys, len(c.Keys), c.Keys)
	}
	if form.Has(Slices) {
		list("slices", perSlice, len(c.Slices), c.Slices)
	}
	return b.String()
}

// A probeRunner runs the cases on one kernel.
type probeRunner struct {
	row   ProbeRow
	rand  *rand.Rand
	seed  uint64
	arena [arrays]arena
	cases int
	fail  *ProbeFailure
}

// arrayMost is the largest number of words of an array in a case.
const arrayMost = 1 << 17

// RunProbe tests the kernel in the given row with all cases. It returns the number of cases. If a result of the kernel
// is wrong, err is a *ProbeFailure. It describes the first such case, which RunProbe has made as small as possible. The
// same options give the same cases.
//
// Cost: about 0.1 s for each row, or 0.02 s in a short run, on a CPU of 3 GHz. A portable twin takes 0.1 s even in a
// short run. The slow code that checks the twin uses package math/big. If a case fails, RunProbe then spends up to one
// second on making it smaller.
func RunProbe(row ProbeRow, o Options) (cases int, err error) {
	r := &probeRunner{row: row, seed: o.Seed, rand: rand.New(rand.NewPCG(o.Seed, 0x70726f6265))}
	for i := range r.arena {
		r.arena[i] = takeArena(arrayMost + 2*margin)
		defer giveBack(r.arena[i], arrayMost+2*margin)
	}
	r.all(o)
	if r.fail != nil {
		return r.cases, r.fail
	}
	return r.cases, nil
}

// The method "try" runs the case c, and reports whether further cases should be run. If c is the first case that fails,
// the method makes c smaller.
func (r *probeRunner) try(c probeCase) bool {
	r.cases++
	if what := r.run(c); what != "" {
		c, what = r.minimise(c, what)
		r.fail = &ProbeFailure{Row: r.row, Seed: r.seed, What: what, c: c}
	}
	return r.fail == nil
}

// The method "place" copies the arrays of c into the arenas. It returns a call with these copies as arguments. The
// result at[i] is the offset, in bytes, of copy i in its arena.
func (r *probeRunner) place(c probeCase) (call ProbeCall, at [arrays]int) {
	call = c.ProbeCall
	var p [arrays]unsafe.Pointer
	for i, b := range c.bytes() {
		if (i != written || len(c.Out) == 0) && !unaligned {
			c.off[i] &^= 7
		}
		at[i] = r.arena[i].put(b, c.off[i], c.rear[i])
		p[i] = unsafe.Add(unsafe.Pointer(&r.arena[i].words[0]), at[i])
	}
	// The capacity of each slice is larger than its length. A kernel must not access the elements beyond the length.
	if len(c.Out) > 0 {
		call.Out = saying(unsafe.Slice((*uint8)(p[written]), len(c.Out)+marginBytes)[:len(c.Out)], c.claim[written])
	} else {
		call.Dst = saying(unsafe.Slice((*uint64)(p[written]), len(c.Dst)+margin)[:len(c.Dst)], c.claim[written])
	}
	call.Words = unsafe.Slice((*uint64)(p[words]), len(c.Words)+margin)[:len(c.Words)]
	call.Keys = saying(unsafe.Slice((*uint64)(p[keys]), len(c.Keys)+margin)[:len(c.Keys)], c.claim[keys])
	call.Slices = unsafe.Slice((*uint64)(p[perSlice]), len(c.Slices)+margin)[:len(c.Slices)]
	return call, at
}

// The method "run" runs the case c. If the case fails, the result describes the failure. Otherwise the result is "".
func (r *probeRunner) run(c probeCase) string {
	model := c.clone()
	want, want2 := r.row.Want(model)
	args, at := r.place(c)
	var got, got2 int
	if err := guarded(func() { got, got2 = r.row.Got(args) }); err != nil {
		return err.Error()
	}
	if got != want {
		return fmt.Sprintf("got %d, want %d", got, want)
	}
	if got2 != want2 {
		return fmt.Sprintf("got %d as second result, want %d", got2, want2)
	}
	return r.compare(model, at)
}

// The method "compare" compares the arrays in the arenas with the arrays of the argument "model". The arrays of "model"
// have the expected contents. If the arrays differ, the result describes the difference. Otherwise the result is "".
func (r *probeRunner) compare(model ProbeCall, at [arrays]int) string {
	names := [arrays]string{"out", "words", "keys", "slices"}
	if len(model.Out) == 0 {
		names[written] = "dst"
	}
	for i, b := range model.bytes() {
		j, bad := r.arena[i].changed(b, at[i])
		if !bad {
			continue
		}
		mem := bytesOf(r.arena[i].words)[at[i]:]
		switch {
		case j < 0 || j >= len(b):
			return fmt.Sprintf("wrote byte %d of %d bytes of %s", j, len(b), names[i])
		case i == written && len(model.Out) > 0:
			return fmt.Sprintf("out[%d] became %d, want %d", j, mem[j], b[j])
		}
		return fmt.Sprintf("word %d of %s: byte %d became %#x, want %#x", j/8, names[i], j%8, mem[j], b[j])
	}
	return ""
}

// The method "minimise" makes the case c smaller. It keeps only changes after which the case still fails. It tries
// fewer keys, fewer answers, fewer positions for each key, and a smaller span. Then it tries to replace words by 0, and
// hashes by simple hashes. At last it tries to replace offsets by 0. It stops after about a second.
func (r *probeRunner) minimise(c probeCase, what string) (probeCase, string) {
	budget := 1 << 22 // the number of words to compare
	shrunk := func(d probeCase) bool {
		if budget -= len(d.Words) + len(d.Keys)*max(d.K, 1) + margin; budget < 0 || !r.inDomain(d) {
			return false
		}
		w := r.run(d)
		if w != "" {
			c, what = d, w
		}
		return w != ""
	}
	form := r.row.Form
	for by := 1 << 12; by > 0; by /= 2 {
		for at := 0; at < len(c.Keys); {
			if !shrunk(c.withoutKeys(form, at, by, true)) && !shrunk(c.withoutKeys(form, at, by, false)) {
				at += by * form.group(c.ProbeCall)
			}
		}
		for len(c.Out) >= by && shrunk(c.withOut(len(c.Out)-by)) {
		}
	}
	for r.row.blocks.k == 0 && c.K > 1 && (shrunk(c.withK(form, c.K/2)) || shrunk(c.withK(form, c.K-1))) {
	}
	for c.Blocks > 1 && (shrunk(c.withBlocks(c.Blocks/2)) || shrunk(c.withBlocks(c.Blocks-1))) {
	}
	for c.Span > 1 && !form.Has(Blocked) && (shrunk(c.withSpan(form, c.Span/2)) || shrunk(c.withSpan(form, c.Span-1))) {
	}
	for i, a := range [][]uint64{c.Words, c.Keys, c.Slices} {
		for by := len(a); by > 0; by /= 2 {
			for j := 0; j < len(a) && budget > 0; j += by {
				if k := min(j+by, len(a)); slices.ContainsFunc(a[j:k], func(v uint64) bool { return v > 1 }) {
					if !shrunk(c.with(i, j, k, 0)) && by == 1 {
						shrunk(c.with(i, j, k, 1))
					}
				}
			}
		}
	}
	for i := range c.off {
		if d := c; d.off[i] != 0 {
			d.off[i] = 0
			shrunk(d)
		}
	}
	return c, what
}

// inDomain reports whether the arguments of c are in the domain of the operation. If the arguments are outside this
// domain, a failure of the case does not count.
func (r *probeRunner) inDomain(c probeCase) bool {
	if c.K < 1 || r.row.Form.Has(Slices) && len(c.Slices) != c.K {
		return false
	}
	if r.row.Form&(Derives|Blocked) != 0 {
		return true
	}
	bits := uint64(64 * len(c.Words))
	if r.row.Form.Has(Pair) {
		bits /= 2
	}
	if r.row.Form.Has(Hashes) {
		return c.need() <= bits
	}
	return !slices.ContainsFunc(c.Keys, func(p uint64) bool { return p >= bits })
}

// The method "need" returns the number of bits that the array needs if the keys of c are hashes. Each position of these
// keys is less than this number.
func (c *ProbeCall) need() uint64 { return uint64(c.K-1)*c.Step + c.Span }

// withoutKeys returns a copy of c without n of its keys. The first key that is left out begins at word c.Keys[at]. If
// the argument "room" is true, the room for answers is reduced by n answers.
func (c probeCase) withoutKeys(form ProbeForm, at, n int, room bool) probeCase {
	end := min(at+n*form.group(c.ProbeCall), len(c.Keys))
	c.Keys = slices.Delete(slices.Clone(c.Keys), at, end)
	if room {
		c.Out = c.Out[:max(len(c.Out)-n, 0)]
		c.Dst = c.Dst[:max(len(c.Dst)-n*c.K, 0)]
	}
	return c
}

// withOut returns a copy of c with room for n answers.
func (c probeCase) withOut(n int) probeCase {
	c.Out = c.Out[:n]
	return c
}

// withK returns a copy of c in which each key has only its first k positions.
func (c probeCase) withK(form ProbeForm, k int) probeCase {
	old := c.K
	c.K = k
	if len(c.Dst) > 0 {
		c.Dst = c.Dst[:len(c.Dst)/old*k]
	}
	if form.Has(Slices) {
		c.Slices = c.Slices[:k]
	}
	if !form.Has(Hashes) && !form.lone() {
		from := c.Keys
		c.Keys = nil
		for ; len(from) >= old; from = from[old:] {
			c.Keys = append(c.Keys, from[:k]...)
		}
	}
	return c
}

// withSpan returns a copy of c with the given span. If the positions then need fewer words, the array is shorter.
func (c probeCase) withSpan(form ProbeForm, span uint64) probeCase {
	if c.Step != 0 {
		c.Step = span
	}
	c.Span = span
	if form.Has(Hashes) && !form.Has(Derives) {
		n := int(c.need()+63) / 64
		if form.Has(Pair) {
			n *= 2
		}
		c.Words = c.Words[:min(n, len(c.Words))]
	}
	return c
}

// withBlocks returns a copy of c whose array has n whole blocks. If c has a part of a block after its whole blocks, the
// copy has this part too.
func (c probeCase) withBlocks(n uint64) probeCase {
	if gone := (c.Blocks - n) * c.Block / 64; len(c.Words) > 0 {
		c.Words = c.Words[gone:]
	}
	c.Blocks = n
	return c
}

// The method "with" returns a copy of c with one changed array. In this array, the elements j to k-1 have the value v.
// The argument i is 0 for the array Words, 1 for Keys and 2 for Slices.
func (c probeCase) with(i, j, k int, v uint64) probeCase {
	p := []*[]uint64{&c.Words, &c.Keys, &c.Slices}[i]
	*p = slices.Clone(*p)
	for ; j < k; j++ {
		(*p)[j] = v
	}
	return c
}

// printWords writes the words of v to b, at most the first 40.
func printWords(b *strings.Builder, v []uint64) {
	for j, w := range v {
		if j == 0 {
			b.WriteByte(':')
		}
		if j == 40 {
			fmt.Fprintf(b, " and %d more", len(v)-j)
			break
		}
		fmt.Fprintf(b, " %#x", w)
	}
	b.WriteByte('\n')
}
