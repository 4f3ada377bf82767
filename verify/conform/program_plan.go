package conform

import (
	"slices"
)

// A builder makes a program, step by step.
type builder struct {
	p     *program
	next  uint32    // the first unused key
	known []keySpan // the keys that were added
	sizes int       // the index of the next batch's size
	taken [slots]bool
}

func (b *builder) do(s step) {
	if s.op == opMarshal {
		b.taken[s.slot] = true
	}
	b.p.steps = append(b.p.steps, s)
}

// The method "some" returns n keys that the program has not used before.
func (b *builder) some(n uint32) keySpan {
	s := keySpan{b.next, n}
	b.next += n
	b.known = append(b.known, s)
	return s
}

// The method "old" returns a key that an earlier step has added. If there is none, it returns an unused key.
func (b *builder) old() keySpan {
	if len(b.known) == 0 {
		return b.some(1)
	}
	return keySpan{b.known[0].first, 1}
}

// The method "last" returns the key that was most recently added. If no key was added, it returns an unused key.
func (b *builder) last() keySpan {
	if len(b.known) == 0 {
		return b.some(1)
	}
	return keySpan{b.next - 1, 1}
}

// The method "never" returns n keys that no step of the program adds.
func (b *builder) never(n uint32) keySpan { return keySpan{b.next&^numberMask + 1<<26, n} }

// The method "slot" makes sure that a slot has a snapshot, and returns the slot's number. If the slot is empty, the
// method takes a snapshot. The argument "of" selects the filter for this snapshot.
func (b *builder) slot(of, slot uint8) uint8 {
	if !b.taken[slot] {
		b.do(step{op: opMarshal, f: of, slot: slot})
	}
	return slot
}

// These are the slots for snapshots: two for the steps under test, and one for the steps that only look at a filter.
const (
	slotF = iota
	slotG
	slotLook
)

// The list "changes" has the ways to change filters. Each of them has one or two steps.
var changes = []func(b *builder){
	func(b *builder) { b.do(step{op: opAdd, keys: b.some(1)}) },
	func(b *builder) { b.do(step{op: opAdd, keys: b.old()}) },
	func(b *builder) { b.do(step{op: opAddBatch, keys: b.some(b.size())}) },
	func(b *builder) { b.do(step{op: opAddBatch, keys: b.some(b.size()), twice: true}) },
	func(b *builder) { // a batch whose first key is the last used one
		last := b.last()
		b.do(step{op: opAddBatch, keys: keySpan{last.first, 1 + b.some(b.size()).n}})
	},
	func(b *builder) { b.do(step{op: opTestAndAdd, keys: b.some(1)}) },
	func(b *builder) { b.do(step{op: opTestAndAdd, keys: b.old()}) },
	func(b *builder) { b.do(step{op: opUnion, g: fileG}) },
	func(b *builder) { b.do(step{op: opUnion, f: fileG}) },
	func(b *builder) { b.do(step{op: opUnion}) },
	func(b *builder) { b.do(step{op: opUnion, g: fileE}) },
	func(b *builder) { b.do(step{op: opUnion, f: fileE}) },
	func(b *builder) { b.do(step{op: opUnion, g: fileH}) },
	func(b *builder) { b.do(step{op: opIntersect, g: fileG}) },
	func(b *builder) { b.do(step{op: opIntersect, f: fileG}) },
	func(b *builder) { b.do(step{op: opIntersect}) },
	func(b *builder) { b.do(step{op: opIntersect, g: fileE}) },
	func(b *builder) { b.do(step{op: opIntersect, g: fileH}) },
	func(b *builder) { b.do(step{op: opReset}) },
	func(b *builder) { b.do(step{op: opReset, f: fileG}) },
	func(b *builder) { b.do(step{op: opAdd, f: fileG, keys: b.some(1)}) },
	func(b *builder) { b.do(step{op: opMarshal, slot: slotF}) },
	func(b *builder) { b.do(step{op: opUnmarshal, slot: b.slot(fileF, slotF)}) },
	func(b *builder) { b.do(step{op: opUnmarshal, slot: b.slot(fileG, slotG)}) },
	func(b *builder) { b.do(step{op: opUnmarshal, f: fileG, slot: b.slot(fileF, slotF)}) },
	func(b *builder) {
		b.do(step{op: opAdd, f: fileH, keys: b.some(2)})
		b.do(step{op: opMarshal, f: fileH, slot: slotG})
		b.do(step{op: opUnmarshal, slot: slotG})
	},
	func(b *builder) {
		b.do(step{op: opUnmarshal, f: fileH, slot: b.slot(fileF, slotF)})
		looks[1](b, fileH)
		b.do(step{op: opUnion, g: fileH})
	},
	func(b *builder) { b.do(step{op: opDamaged, slot: b.slot(fileG, slotG)}) },
	func(b *builder) { b.do(step{op: opDamaged, slot: b.slot(fileG, slotG), cut: true}) },
	func(b *builder) {
		b.do(step{op: opUnmarshal, f: fileG, slot: b.slot(fileF, slotF)})
		b.do(step{op: opOverwrite, slot: slotF})
		b.taken[slotF] = false
	},
}

var smallSizes = []uint32{2, 1, 0, 3, 5, 8, 16, 33}

// The method "size" returns the number of keys in the next batch. Successive calls return successive entries of
// smallSizes.
func (b *builder) size() uint32 {
	b.sizes++
	return smallSizes[b.sizes%len(smallSizes)]
}

// Each function in the list "looks" adds steps that read a filter and do not change it. The argument f is the number of
// the filter.
var looks = []func(b *builder, f uint8){
	func(b *builder, f uint8) { // look up keys that are not added; the last of them may be added next
		b.do(step{op: opContains, f: f, keys: b.never(12)})
		b.do(step{op: opContains, f: f, keys: keySpan{b.next + 1, 1}})
		b.do(step{op: opContains, f: f, keys: keySpan{b.next, 1}})
	},
	func(b *builder, f uint8) {
		for _, s := range b.known {
			b.do(step{op: opContains, f: f, keys: keySpan{s.first, min(s.n, 40)}})
		}
		if len(b.known) > 0 { // begin with a key that was looked up before
			b.do(step{op: opContains, f: f, keys: keySpan{b.known[len(b.known)-1].end() - 1, 1}})
		}
	},
	func(b *builder, f uint8) {
		for _, s := range b.known[max(0, len(b.known)-3):] {
			b.do(step{op: opContainsBatch, f: f, keys: keySpan{s.first, min(s.n, 40)}, twice: true})
		}
		b.do(step{op: opContainsBatch, f: f, keys: keySpan{b.next - min(b.next&numberMask, 3), 7}})
	},
	func(b *builder, f uint8) { b.do(step{op: opBits, f: f}) },
	func(b *builder, f uint8) { b.do(step{op: opWords, f: f}) },
	func(b *builder, f uint8) { b.do(step{op: opItems, f: f}) },
	func(b *builder, f uint8) { b.do(step{op: opRate, f: f}) },
	func(b *builder, f uint8) { b.do(step{op: opMarshal, f: f, slot: slotLook}) },
}

// For each element of the list "looks", the method "all" adds steps that read filter f. It takes the elements of this
// list in turn, beginning with the element whose index is the argument "first". Then it adds steps that take a snapshot
// of f, make a filter from this snapshot, and read that filter.
func (b *builder) all(f uint8, first int) {
	for i := range looks {
		looks[(first+i)%len(looks)](b, f)
	}
	b.do(step{op: opUnmarshal, f: fileE, slot: b.slot(f, slotLook)})
	b.do(step{op: opBits, f: fileE})
	looks[1](b, fileE)
	b.do(step{op: opMarshal, f: fileE, slot: slotLook})
}

// The list "prologues" has the histories of the filters before the steps under test. The argument "full" is the number
// of keys that fill a filter.
var prologues = []func(b *builder, full uint32){
	func(*builder, uint32) {},
	func(b *builder, _ uint32) {
		b.do(step{op: opAdd, keys: b.some(3)})
		b.do(step{op: opAdd, f: fileG, keys: keySpan{b.next - 1, 3}})
		b.some(2)
	},
	func(b *builder, _ uint32) { // take snapshots of the earlier state
		b.do(step{op: opAdd, keys: b.some(4)})
		b.do(step{op: opAdd, f: fileG, keys: b.some(5)})
		b.do(step{op: opMarshal, slot: slotF})
		b.do(step{op: opMarshal, f: fileG, slot: slotG})
		b.do(step{op: opAdd, keys: b.some(2)})
	},
	func(b *builder, full uint32) {
		b.do(step{op: opAdd, keys: b.some(full)})
		b.do(step{op: opAdd, f: fileG, keys: keySpan{b.next - full/2, full / 2}})
	},
	func(b *builder, _ uint32) {
		b.do(step{op: opAddBatch, keys: b.some(9)})
		b.do(step{op: opReset})
		b.do(step{op: opAdd, keys: b.some(2)})
		b.do(step{op: opAdd, f: fileG, keys: b.some(2)})
	},
	func(b *builder, _ uint32) {
		b.do(step{op: opAdd, keys: b.some(2)})
		b.do(step{op: opAdd, f: fileG, keys: b.some(3)})
		b.do(step{op: opUnion, g: fileG})
	},
	func(b *builder, _ uint32) {
		b.do(step{op: opAdd, keys: b.some(2)})
		b.do(step{op: opAdd, f: fileG, keys: b.some(3)})
		b.do(step{op: opMarshal, f: fileG, slot: slotG})
		b.do(step{op: opUnmarshal, slot: slotG})
	},
	func(b *builder, _ uint32) { // take a snapshot of the state before a batch
		b.do(step{op: opAdd, keys: b.some(2)})
		b.do(step{op: opMarshal, slot: slotF})
		b.do(step{op: opAddBatch, keys: b.some(3)})
	},
}

// The method "start" returns a builder for a program on filters of the given shape. The seed of the examination
// determines the number of the program's first key.
func (x *examination) start(s shapeOf, number uint64) *builder {
	h := mix(x.o.Seed ^ mix(number|1<<50))
	s.by = difference(number % uint64(differences))
	if o := s.other(); x.rounded(o.m, o.k) != o.m { // the subject does not have the other shape
		s.by = twiceAsLarge
	}
	b := &builder{p: &program{shape: s}, next: uint32(h>>8) % 1e5, sizes: int(number)}
	switch form := []uint32{formText, formBytes, formLengths, formPrefix}[number%4]; form {
	case formLengths:
		b.next = form<<formShift | b.next&^511
	default:
		b.next |= form << formShift
	}
	return b
}

// The method "pair" returns a program that begins with a prologue. Then the program has the two steps of the pair. The
// steps after these two read the filters. Every kind of step that only reads is among them. The argument "pair" is the
// number of the pair, from 0 to pairs()-1.
func (x *examination) pair(s shapeOf, prologue, pair int, number uint64) *program {
	b := x.start(s, number)
	prologues[prologue](b, uint32(min(3000, 1+2*s.size()/uint64(max(s.k, 1)))))
	first := pair % len(looks)
	if n := len(looks) * len(changes); pair < n {
		before := len(b.p.steps)
		looks[first](b, fileF)
		if first > 0 && pair/len(looks)%2 == 1 {
			looks[first](b, fileG)
		}
		same := slices.Clone(b.p.steps[before:])
		changes[pair/len(looks)](b)
		slices.Reverse(same) // begin with the key that was looked up last
		b.p.steps = append(b.p.steps, same...)
	} else {
		pair -= n
		changes[pair%len(changes)](b)
		changes[pair/len(changes)](b)
	}
	b.all(fileF, first)
	for _, look := range []int{first, 1, 3, 4} {
		looks[look](b, fileG)
	}
	return b.p
}

// The function "pairs" returns the number of all pairs. A pair consists of two steps of a program. The first step
// either reads a filter or changes it. The second step changes a filter.
func pairs() int { return len(changes) * (len(looks) + len(changes)) }

// The method "batches" returns a program with a batch of the given size. The steps after the batch read the filter.
// Some keys occur more than once in the batch.
func (x *examination) batches(s shapeOf, size uint32, twice bool, number uint64) *program {
	b := x.start(s, number)
	b.do(step{op: opAdd, keys: b.some(2)})
	b.do(step{op: opAddBatch, keys: b.some(size), twice: twice})
	half := b.next - size/2
	b.do(step{op: opContainsBatch, keys: keySpan{half, size}})
	b.do(step{op: opContainsBatch, keys: keySpan{b.next, 7}})
	b.do(step{op: opContains, keys: keySpan{half - size + size/2, size}})
	b.do(step{op: opWords})
	b.do(step{op: opBits})
	b.do(step{op: opMarshal, slot: slotLook})
	return b.p
}

// programSizes returns all small sizes of batches, and the sizes near powers of two.
func programSizes() (all []uint32) {
	for n := range uint32(36) {
		all = append(all, n)
	}
	for n := uint32(64); n <= 4096; n *= 2 {
		all = append(all, n-1, n, n+1)
	}
	return append(all, 1000, 5000)
}

// hugeBatch is a number of keys that does not fit into 16 bits.
const hugeBatch = 1<<16 + 3

// The method "large" returns one program. This program has every kind of step that changes a filter. It is for shapes
// for which one program is enough.
func (x *examination) large(s shapeOf, number uint64) *program {
	const n = 600
	b := x.start(s, number)
	b.do(step{op: opAdd, keys: b.some(n)})
	b.do(step{op: opAdd, f: fileG, keys: b.some(n)})
	b.do(step{op: opAddBatch, keys: b.some(1500)})
	b.do(step{op: opTestAndAdd, keys: b.some(n)})
	look := func(f uint8) {
		for _, s := range b.known {
			b.do(step{op: opContains, f: f, keys: s})
		}
		for _, o := range []op{opBits, opWords, opItems, opRate} {
			b.do(step{op: o, f: f})
		}
	}
	look(fileF)
	b.do(step{op: opMarshal, slot: slotF})
	b.do(step{op: opMarshal, f: fileG, slot: slotG})
	b.do(step{op: opUnmarshal, f: fileE, slot: slotF})
	look(fileE)
	b.do(step{op: opReset, f: fileE})
	look(fileE)
	b.do(step{op: opUnmarshal, f: fileE, slot: slotF})
	b.do(step{op: opUnion, f: fileE, g: fileG})
	look(fileE)
	b.do(step{op: opMarshal, f: fileE, slot: slotLook})
	b.do(step{op: opIntersect, f: fileE, g: fileG})
	look(fileE)
	look(fileG)
	b.do(step{op: opDamaged, slot: slotG})
	b.do(step{op: opDamaged, slot: slotG, cut: true})
	look(fileF)
	return b.p
}

// The method "full" returns a program that adds keys to a filter until its last bit is set.
func (x *examination) full(s shapeOf, number uint64) *program {
	b := x.start(s, number)
	b.do(step{op: opAdd, keys: keySpan{0, uint32(min(1<<18, 16*s.size()/uint64(max(s.k, 1))))}})
	b.do(step{op: opBits})
	b.do(step{op: opContains, keys: keySpan{0, 500}})
	return b.p
}

// testAndAdds returns a program of many calls of TestAndAdd, on a filter that has half of its bits set.
func (x *examination) testAndAdds(s shapeOf, form uint32, number uint64) *program {
	b := x.start(s, number)
	b.next = form<<formShift | b.next&^511
	b.do(step{op: opAdd, keys: b.some(1 + uint32(min(1000, s.size()*3/4/uint64(max(s.k, 1)))))})
	keys := keySpan{form<<formShift + 1<<20, 512} // the keys have all lengths
	b.do(step{op: opTestAndAdd, keys: keys})
	b.do(step{op: opContains, keys: keys})
	b.do(step{op: opWords})
	b.do(step{op: opBits})
	return b.p
}

// The method "resets" returns a program that resets a filter many times. A counter of one byte, or of two bytes, would
// overflow to 0 after so many resets.
func (x *examination) resets(s shapeOf, times uint32, number uint64) *program {
	b := x.start(s, number)
	keys := b.some(2)
	b.do(step{op: opAdd, keys: keys})
	b.do(step{op: opTestAndAdd, keys: b.some(1)})
	b.do(step{op: opReset, keys: keySpan{n: times}})
	b.do(step{op: opTestAndAdd, keys: keySpan{b.next - 1, 1}})
	b.do(step{op: opContains, keys: keys})
	b.do(step{op: opAdd, keys: keySpan{keys.first, 1}})
	b.do(step{op: opContains, keys: keys})
	b.do(step{op: opBits})
	return b.p
}
