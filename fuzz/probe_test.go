package fuzz

import (
	"bytes"
	"math/bits"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/bloomproof/bloomproof/verify/model"
)

// probeRows are the kernels of the probe family that this host can run, the twins among
// them, by what they take and do.
func probeRows() map[asmtest.ProbeForm][]asmtest.ProbeRow {
	rows := map[asmtest.ProbeForm][]asmtest.ProbeRow{}
	for _, r := range asmtest.Select(asmtest.Probe(), runs(host.Probe)...) {
		rows[r.Form] = append(rows[r.Form], r)
	}
	return rows
}

// probeForms are the operations that a program has, by their forms.
var probeForms = []asmtest.ProbeForm{
	asmtest.Hashes | asmtest.Answers,
	asmtest.Hashes | asmtest.Answers | asmtest.Sets,
	asmtest.Answers,
	asmtest.Answers | asmtest.Sets,
	asmtest.Answers | asmtest.Slices | asmtest.Sets,
	asmtest.Hashes | asmtest.Answers | asmtest.Pair,
	asmtest.Answers | asmtest.Pair,
	asmtest.Pair | asmtest.Sided | asmtest.Sets,
	asmtest.Hashes | asmtest.Derives,
	asmtest.Wants,
}

// probeModel is what the operations work on, bit by bit: a filter, and a pair of arrays.
type probeModel struct {
	g      bloomproof.Geometry
	arrays [3][]bool // the filter's bits, those of array 0 of the pair, of array 1
	slices []uint64
	known  map[kernel.Hash][]uint64 // positions
}

func (m *probeModel) positions(h kernel.Hash) []uint64 {
	if m.known[h] == nil {
		m.known[h] = model.Positions(m.g, h)
	}
	return m.known[h]
}

// words returns the filter, or the pair, as the kernels take it.
func (m *probeModel) words(pair bool) []uint64 {
	n := (m.g.M + 63) / 64
	put := func(w []uint64, array, step, from int) {
		for p, set := range m.arrays[array] {
			if set {
				w[p/64*step+from] |= 1 << (p % 64)
			}
		}
	}
	if !pair {
		w := make([]uint64, n)
		put(w, 0, 1, 0)
		return w
	}
	w := make([]uint64, 2*n)
	put(w, 1, 2, 0)
	put(w, 2, 2, 1)
	return w
}

// apply does what an operation of form f is to do with the keys, for as many as there
// are answers, and returns its results.
func (m *probeModel) apply(f asmtest.ProbeForm, c *asmtest.ProbeCall, keys []kernel.Hash) (a, b int) {
	switch {
	case f.Has(asmtest.Wants):
		return 0, 0
	case f.Has(asmtest.Sided):
		for _, h := range keys {
			for _, p := range m.positions(h) {
				if own, other := m.arrays[1+c.Side], m.arrays[2-c.Side]; !own[p] {
					own[p] = true
					a++
					if other[p] {
						b++
					}
				}
			}
		}
		return a, b
	case f.Has(asmtest.Derives):
		n := min(len(keys), len(c.Dst)/c.K)
		for i, h := range keys[:n] {
			copy(c.Dst[i*c.K:], m.positions(h))
		}
		return n, 0
	}
	for i, h := range keys[:min(len(keys), len(c.Out))] {
		c.Out[i] = 0
		switch {
		case f.Has(asmtest.Sets):
			for j, p := range m.positions(h) {
				if !m.arrays[0][p] {
					m.arrays[0][p] = true
					c.Out[i] = 1
					a++
					if f.Has(asmtest.Slices) {
						m.slices[j]++
					}
				}
			}
		case f.Has(asmtest.Pair):
			c.Out[i] = m.holds(1, h) + 2*m.holds(2, h)
		default:
			c.Out[i] = m.holds(0, h)
			a += int(c.Out[i])
		}
	}
	return a, 0
}

// holds returns 1 if all positions of h are set in an array, 0 if not.
func (m *probeModel) holds(array int, h kernel.Hash) uint8 {
	for _, p := range m.positions(h) {
		if !m.arrays[array][p] {
			return 0
		}
	}
	return 1
}

// probeKey returns one of 256 hashes: most of them without a pattern, some extreme.
func probeKey(b byte) kernel.Hash {
	if b < 16 {
		extremes := [4]uint64{0, 1, 1 << 63, ^uint64(0)}
		return kernel.Hash{H0: extremes[b&3], H1: extremes[b>>2]}
	}
	v := uint64(b) * 0x9e3779b97f4a7c15
	return kernel.Hash{H0: v ^ v>>29, H1: bits.ReverseBytes64(v * 0xd1342543de82ef95)}
}

// probeProgram reads a geometry and a program from bytes. Each operation is a byte that
// names it, a byte that says how many keys it has, to 100, two bytes from which its keys
// follow, and one that says how many answers there is room for: assembly gives the
// fuzzer no coverage, so all that a kernel may branch on varies with single bytes.
type probeProgram struct {
	g    bloomproof.Geometry
	data []byte
}

func decodeProbe(data []byte) (p probeProgram, ok bool) {
	if len(data) < 4 {
		return p, false
	}
	k := int(data[0])%40 + 1
	span := uint64(data[1])%130 + 1
	p.g = bloomproof.Geometry{M: span, K: k}
	if data[2]&1 != 0 {
		p.g = bloomproof.Geometry{M: span * uint64(k), K: k, Hashing: bloomproof.Partitioned}
	}
	p.data = data[4:]
	if data[3] == 255 { // rarely, as many positions as a geometry may have
		p.g = bloomproof.Geometry{M: span, K: 4096 - int(data[0])}
		p.data = p.data[:min(len(p.data), 10)]
	}
	return p, true
}

// next returns the next operation and its keys; room is the number of answers.
func (p *probeProgram) next() (f asmtest.ProbeForm, keys []kernel.Hash, room int, ok bool) {
	if len(p.data) < 5 {
		return 0, nil, 0, false
	}
	op, n, from, step, less := p.data[0], int(p.data[1])%101, p.data[2], p.data[3], p.data[4]
	p.data = p.data[5:]
	if p.g.K > 40 {
		n %= 12
	}
	for i := range n {
		keys = append(keys, probeKey(from+step*byte(i)))
	}
	room = n
	switch less % 4 { // most often as many answers as keys
	case 2:
		room = n + int(less)%9
	case 3:
		room = max(n-int(less)%9, 0)
	}
	return probeForms[int(op)%len(probeForms)], keys, room, true
}

// FuzzProbe: runs programs of batches by every implementation and every form of every operation of
// the probe family: the results are those of a model with one bool for each bit, and no other
// memory is written.
func FuzzProbe(f *testing.F) {
	rows := probeRows()
	for _, form := range probeForms {
		if len(rows[form]) == 0 && form != asmtest.Wants {
			f.Fatalf("no kernel of form %b", form)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, ok := decodeProbe(data)
		if !ok {
			return
		}
		m := &probeModel{g: p.g, slices: make([]uint64, p.g.K), known: map[kernel.Hash][]uint64{}}
		for i := range m.arrays {
			m.arrays[i] = make([]bool, p.g.M)
		}
		for op := 0; op < 30; op++ {
			form, keys, room, ok := p.next()
			if !ok {
				break
			}
			before := m.call(form, keys, room, op)
			want := clone(before)
			a, b := m.apply(form, &want, keys)
			want.Words = m.words(form.Has(asmtest.Pair))
			want.Slices = slices.Clone(m.slices)
			for _, r := range rows[form] {
				got := clone(before)
				gotA, gotB := r.Got(got)
				cases.Add(1)
				if gotA != a || gotB != b || !bytes.Equal(got.Out, want.Out) || !slices.Equal(got.Dst, want.Dst) ||
					!slices.Equal(got.Words, want.Words) || !slices.Equal(got.Slices, want.Slices) || !slices.Equal(got.Keys, before.Keys) {
					t.Fatalf("operation %d, %v, %d keys %v of %v: %d, %d and %+v, want %d, %d and %+v",
						op, r, len(keys), keys, p.g, gotA, gotB, got, a, b, want)
				}
			}
		}
	})
}

// call returns the arguments of an operation; what is to be written holds no answer yet.
func (m *probeModel) call(form asmtest.ProbeForm, keys []kernel.Hash, room, op int) asmtest.ProbeCall {
	c := asmtest.ProbeCall{
		Words: m.words(form.Has(asmtest.Pair)), Slices: slices.Clone(m.slices), K: m.g.K, Span: m.g.M, Side: op & 1,
	}
	if m.g.Hashing == bloomproof.Partitioned {
		c.Span = m.g.M / uint64(m.g.K)
		c.Step = c.Span
	}
	for _, h := range keys {
		if form.Has(asmtest.Hashes) {
			c.Keys = append(c.Keys, h.H0, h.H1)
		} else {
			c.Keys = append(c.Keys, m.positions(h)...)
		}
	}
	switch {
	case form.Has(asmtest.Derives):
		c.Dst = slices.Repeat([]uint64{0xa5a5}, room*m.g.K)
	case form.Has(asmtest.Answers):
		c.Out = bytes.Repeat([]byte{0xa5}, room)
	}
	return c
}

// clone returns c with memory of its own for all that a kernel could write.
func clone(c asmtest.ProbeCall) asmtest.ProbeCall {
	c.Out, c.Dst, c.Words = bytes.Clone(c.Out), slices.Clone(c.Dst), slices.Clone(c.Words)
	c.Keys, c.Slices = slices.Clone(c.Keys), slices.Clone(c.Slices)
	return c
}
