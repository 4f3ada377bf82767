package conform

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// programs is what the examination of programs knows and did.
type programs struct {
	work       uint64 // look-ups and additions, about
	counted    [ops]bool
	emptyKnown bool // an empty filter contains nothing
	grounds    map[shapeOf]ground
	blamed     map[Law]bool
}

// ground is what is known of a shape.
type ground struct {
	ok     bool
	differ bool // the other shape is another
	name   string
}

// ground returns what is known of a shape.
func (x *examination) ground(s shapeOf) ground {
	if g, ok := x.programs.grounds[s]; ok {
		return g
	}
	g := ground{name: fmt.Sprintf("m=%d k=%d", s.m, s.k)}
	if s.n > 0 {
		g.name = fmt.Sprintf("of %d items at a rate of %g", s.n, s.rate)
	}
	if f, err := x.newFilter(s); err != nil {
		x.note("%s was refused: %v", g.name, err)
	} else if d, err := x.model(f, s.m, s.k); err != nil {
		x.note("%s is no model: %v", g.name, err)
	} else {
		g.ok = true
		if x.s.OwnRate == nil {
			g.name = d.String()
		}
		if other, err := x.newFilter(s.other()); err == nil {
			g.differ = true
			if x.s.Shape != nil {
				m, k := x.s.Shape(f)
				om, ok := x.s.Shape(other)
				g.differ = m != om || k != ok
			}
		}
	}
	x.programs.grounds[s] = g
	return g
}

// The shapes of programs: small ones, none a multiple of another, and one of 65,536 bits and more. The
// last has more than 65,536 words.
var programShapes = []shapeOf{
	{m: 64, k: 3}, {m: 1000, k: 5}, {m: 1024, k: 4}, {m: 129, k: 1}, {m: 4093, k: 20}, {m: 70001, k: 7}, {m: 5000011, k: 7},
}

// programShapes returns the shapes that the subject has, the last of them large.
func (x *examination) programShapes() (all []shapeOf) {
	take := func(s shapeOf) {
		if !slices.Contains(all, s) && x.ground(s).ok {
			all = append(all, s)
		}
	}
	if x.hasNew() {
		for _, s := range programShapes {
			s.m = x.rounded(s.m, s.k)
			if k := x.nearest(s.k); !x.ground(s).ok && k != s.k {
				s.m, s.k = x.rounded(s.m, k), k
			}
			take(s)
		}
	}
	for _, g := range x.o.Shapes {
		if len(all) == 0 && x.hasNew() {
			take(shapeOf{m: x.rounded(g.M, g.K), k: g.K})
		}
	}
	if !x.hasNew() {
		for _, n := range []uint64{10, 100, 1000, 10000, 500000} {
			take(shapeOf{n: n, rate: 0.01})
		}
	}
	return all
}

// hasNew reports whether filters are made by New, not by Make.
func (x *examination) hasNew() bool {
	_, err := x.s.New(64, 3)
	return !errors.Is(err, errNoNew)
}

// begin learns what programs can compare.
func (x *examination) begin() {
	x.programs = programs{grounds: map[shapeOf]ground{}, blamed: map[Law]bool{}}
}

// learn looks whether snapshots and estimates tell of additions that were repeated, as those of
// counting filters do; then filters of the same bits may differ in them.
func (x *examination) learn(s shapeOf) {
	p := &program{shape: s}
	r := x.runner(p)
	var pair [2]filter
	for i := range pair {
		f, err := r.anew(false)
		if err != nil {
			return
		}
		for range 1 + i {
			x.s.Add(f, r.key(0))
		}
		pair[i] = f
	}
	x.programs.emptyKnown = x.s.OwnRate == nil
	if x.s.OwnRate != nil {
		if f, err := x.newFilter(s); err == nil {
			x.programs.emptyKnown = x.s.OwnRate(f, 0) == 0
		}
	}
	if x.s.Items != nil {
		x.programs.counted[opItems] = !equal(x.s.Items(pair[0]), x.s.Items(pair[1]))
	}
	if x.s.Rate != nil {
		x.programs.counted[opRate] = !equal(x.s.Rate(pair[0]), x.s.Rate(pair[1]))
	}
	if x.s.Marshal != nil {
		a, _ := x.s.Marshal(pair[0])
		b, _ := x.s.Marshal(pair[1])
		x.programs.counted[opMarshal] = !slices.Equal(a, b)
	}
}

// builder writes a program.
type builder struct {
	p     *program
	next  uint32    // the first key that was not used
	known []keySpan // that were added
	sizes int       // which size the next batch has
	taken [slots]bool
}

func (b *builder) do(s step) {
	if s.op == opMarshal {
		b.taken[s.slot] = true
	}
	b.p.steps = append(b.p.steps, s)
}

// some returns n keys that were not used.
func (b *builder) some(n uint32) keySpan {
	s := keySpan{b.next, n}
	b.next += n
	b.known = append(b.known, s)
	return s
}

// old returns a key that was added, if any was.
func (b *builder) old() keySpan {
	if len(b.known) == 0 {
		return b.some(1)
	}
	return keySpan{b.known[0].first, 1}
}

// never are keys that no step adds.
func (b *builder) never(n uint32) keySpan { return keySpan{b.next&^numberMask + 1<<26, n} }

// slot returns a slot that has a snapshot of a filter.
func (b *builder) slot(of, slot uint8) uint8 {
	if !b.taken[slot] {
		b.do(step{op: opMarshal, f: of, slot: slot})
	}
	return slot
}

// Slots: two for steps, and one for looks.
const (
	slotF = iota
	slotG
	slotLook
)

// changes are the ways to change filters, each a step or two.
var changes = []func(b *builder){
	func(b *builder) { b.do(step{op: opAdd, keys: b.some(1)}) },
	func(b *builder) { b.do(step{op: opAdd, keys: b.old()}) },
	func(b *builder) { b.do(step{op: opAddBatch, keys: b.some(b.size())}) },
	func(b *builder) { b.do(step{op: opAddBatch, keys: b.some(b.size()), twice: true}) },
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
	func(b *builder) { b.do(step{op: opDamaged, slot: b.slot(fileG, slotG)}) },
	func(b *builder) { b.do(step{op: opDamaged, slot: b.slot(fileG, slotG), cut: true}) },
	func(b *builder) {
		b.do(step{op: opUnmarshal, f: fileG, slot: b.slot(fileF, slotF)})
		b.do(step{op: opOverwrite, slot: slotF})
		b.taken[slotF] = false
	},
}

var smallSizes = []uint32{2, 1, 0, 3, 5, 8, 16, 33}

// size returns the size of the next batch.
func (b *builder) size() uint32 {
	b.sizes++
	return smallSizes[b.sizes%len(smallSizes)]
}

// looks are the ways to look at a filter.
var looks = []func(b *builder, f uint8){
	func(b *builder, f uint8) { // at keys that are not added, and at last at that which may be added next
		b.do(step{op: opContains, f: f, keys: b.never(12)})
		b.do(step{op: opContains, f: f, keys: keySpan{b.next + 1, 1}})
		b.do(step{op: opContains, f: f, keys: keySpan{b.next, 1}})
	},
	func(b *builder, f uint8) {
		for _, s := range b.known {
			b.do(step{op: opContains, f: f, keys: keySpan{s.first, min(s.n, 40)}})
		}
		if len(b.known) > 0 { // one that is asked again first
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

// all looks at a filter in every way, beginning with one of them, and at what comes back from a snapshot of
// it.
func (b *builder) all(f uint8, first int) {
	for i := range looks {
		looks[(first+i)%len(looks)](b, f)
	}
	b.do(step{op: opUnmarshal, f: fileE, slot: b.slot(f, slotLook)})
	b.do(step{op: opBits, f: fileE})
	looks[1](b, fileE)
	b.do(step{op: opMarshal, f: fileE, slot: slotLook})
}

// prologues are what filters went through before. The second one returns to them what fills a filter.
var prologues = []func(b *builder, full uint32){
	func(*builder, uint32) {},
	func(b *builder, _ uint32) {
		b.do(step{op: opAdd, keys: b.some(3)})
		b.do(step{op: opAdd, f: fileG, keys: keySpan{b.next - 1, 3}})
		b.some(2)
	},
	func(b *builder, _ uint32) { // with snapshots of what was before
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
}

// start returns a builder of a program on a shape, whose keys begin where the seed says.
func (x *examination) start(s shapeOf, number uint64) *builder {
	h := mix(x.o.Seed ^ mix(number|1<<50))
	b := &builder{p: &program{shape: s}, next: uint32(h>>8) % 1e5, sizes: int(number)}
	switch form := []uint32{formText, formBytes, formLengths, formPrefix}[number%4]; form {
	case formLengths:
		b.next = form<<formShift | b.next&^511
	default:
		b.next |= form << formShift
	}
	return b
}

// pair returns the program of a way to look and a change, or of two changes, and of all looks after it.
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
		slices.Reverse(same) // so that what was asked last is asked first
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

// pairs is the number of programs of pairs.
func pairs() int { return len(changes) * (len(looks) + len(changes)) }

// batches returns a program of a batch of a size, with keys that repeat, and of looks.
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

// programSizes are about the powers of two, and all small ones.
func programSizes() (all []uint32) {
	for n := range uint32(36) {
		all = append(all, n)
	}
	for n := uint32(64); n <= 4096; n *= 2 {
		all = append(all, n-1, n, n+1)
	}
	return append(all, 1000, 5000)
}

// large returns a program of every change in turn, for a shape on which one is enough.
func (x *examination) large(s shapeOf, number uint64) *program {
	const n = 600
	b := x.start(s, number)
	b.do(step{op: opAdd, keys: b.some(n)})
	b.do(step{op: opAdd, f: fileG, keys: b.some(n)})
	b.do(step{op: opAddBatch, keys: b.some(1500)})
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

// full returns a program that fills a filter to the last bit.
func (x *examination) full(s shapeOf, number uint64) *program {
	b := x.start(s, number)
	b.do(step{op: opAdd, keys: keySpan{0, uint32(min(1<<18, 16*s.size()/uint64(max(s.k, 1))))}})
	b.do(step{op: opBits})
	b.do(step{op: opContains, keys: keySpan{0, 500}})
	return b.p
}

// testAndAdds returns a program of many of these, on a filter that has half of its bits set.
func (x *examination) testAndAdds(s shapeOf, form uint32, number uint64) *program {
	b := x.start(s, number)
	b.next = form<<formShift | b.next&^511
	b.do(step{op: opAdd, keys: b.some(1 + uint32(min(1000, s.size()*3/4/uint64(max(s.k, 1)))))})
	keys := keySpan{form<<formShift + 1<<20, 512} // which has keys of all lengths
	b.do(step{op: opTestAndAdd, keys: keys})
	b.do(step{op: opContains, keys: keys})
	b.do(step{op: opWords})
	b.do(step{op: opBits})
	return b.p
}

// resets returns a program of so many resets that a number of them in one byte, or in two, is 0 again.
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

// programLaws are those that programs examine.
var programLaws = []Law{lawNoFalseNegative, lawBatch, lawTestAndSet, lawUnion, lawIntersection, lawReset, lawSnapshot}

// examinePrograms runs every pair of a look and a change, and of two changes, on a shape and after a
// prologue each, on as many of them as the effort allows; then random programs.
func (x *examination) examinePrograms() {
	if !slices.ContainsFunc(programLaws, x.wants) {
		return
	}
	x.begin()
	for _, f := range x.report.Findings { // such as those that ended a child
		x.programs.blamed[f.Law] = true
	}
	shapes := x.programShapes()
	if len(shapes) == 0 {
		return
	}
	x.learn(shapes[0])
	most := uint64(4e7 * x.o.Effort)
	number := uint64(0)
	try := func(p *program) bool {
		number++
		return x.try(p)
	}
	big := shapes[len(shapes)-1]
	small := shapes[:max(1, len(shapes)-1)]
	if big.size() < 1<<20 {
		small = shapes
	}
	// Each change by itself, so that what it does wrong is found in a short program.
	for i := range changes {
		for j := range 2 {
			if !try(x.pair(small[(i+j)%len(small)], j, i*len(looks)+1, number)) {
				return
			}
		}
	}
	rounds := len(small) * len(prologues)
	done, every := 0, max(1, int(min(100, 0.1/x.o.Effort)))
	for ; done < rounds && (done == 0 || x.programs.work < most/2); done++ {
		for pair := 0; pair < pairs(); pair++ {
			if pair >= len(looks)*len(changes) && pair%every > 0 {
				continue
			}
			c := (done + pair) % rounds
			histories := []int{c / len(small)}
			if done == 0 && pair < len(looks)*len(changes) { // those in which there is most to forget
				histories = append(histories, 2, 4)
			}
			for _, prologue := range histories {
				if !try(x.pair(small[c%len(small)], prologue, pair, number)) {
					return
				}
			}
		}
	}
	wide := small[len(small)-1]
	for i, size := range programSizes() {
		if !try(x.batches(wide, size, i%2 == 0, number)) {
			return
		}
	}
	if !try(x.large(big, number)) {
		return
	}
	for i, s := range small {
		if !try(x.testAndAdds(s, []uint32{formLengths, formText}[i%2], number)) || !try(x.testAndAdds(s, []uint32{formText, formLengths}[i%2], number)) {
			return
		}
	}
	if x.s.many == nil && !try(x.full(wide, number)) {
		return
	}
	for _, times := range []uint32{1, 255, 256, 257, 1 << 16} {
		if times <= 1<<8 || x.s.many == nil { // not that many lines
			if !try(x.resets(small[0], times, number)) {
				return
			}
		}
	}
	random := 0
	r := rand.New(rand.NewPCG(x.o.Seed, 0x9706))
	for ; random < 10 || random < int(2000*x.o.Effort) && x.programs.work < most; random++ {
		data := make([]byte, 160)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		if !try(x.decode(small[random%len(small)], data)) {
			return
		}
	}
	share := ""
	if every > 1 {
		share = fmt.Sprintf(", one in %d of these,", every)
	}
	x.note("programs: %d pairs of a look and a change and %d of two changes%s on %d of %d shapes and histories, and %d random programs",
		len(looks)*len(changes), len(changes)*len(changes), share, done, rounds, random)
}

// try runs a program without the steps of laws that are known to be broken, and reports whether there is more to find.
func (x *examination) try(p *program) bool {
	p.steps = slices.DeleteFunc(p.steps, func(s step) bool { return !x.has(s.op) || x.programs.blamed[s.op.law()] })
	if !slices.ContainsFunc(programLaws, x.wants) {
		return false
	}
	if !x.wants(lawNoFalseNegative) && !slices.ContainsFunc(p.steps, func(s step) bool { return x.wants(s.op.law()) }) {
		return true
	}
	fail, r := x.run(p)
	if r.looked {
		x.told[lawNoFalseNegative] = true
	}
	for i, s := range p.steps {
		if l := s.op.law(); l != lawHostile && l != "" && !r.skipped[i] && (fail == nil || i <= fail.at) {
			x.told[l] = true
		}
	}
	if fail == nil {
		return true
	}
	p, fail = x.shrink(p, fail)
	law := x.accused(p, fail)
	x.where = fmt.Sprintf("%s, a program of %d steps", x.ground(p.shape).name, len(p.steps))
	x.told[law] = true
	x.programs.blamed[law] = true
	if x.wants(law) {
		text, code := x.print(p, fail)
		x.report.Findings = append(x.report.Findings, Finding{Law: law, Case: x.where, Text: text, Program: code})
	}
	return slices.ContainsFunc(p.steps, func(s step) bool { return s.op.law() == law })
}

// accused returns the law that the shortest program of a failure accuses: that of its last step that
// has one, where a snapshot at the end is not meant unless there is another or nothing else. Without such a step it is about Add, Contains and what tells the bits.
func (x *examination) accused(p *program, fail *failure) Law {
	snapshots := 0
	for _, s := range p.steps {
		if s.op.law() == lawSnapshot {
			snapshots++
		}
	}
	for i := fail.at; i >= 0; i-- {
		if l := p.steps[i].op.law(); l != "" && (i < fail.at || l != lawSnapshot || snapshots > 1) {
			return l
		}
	}
	if snapshots > 0 {
		return lawSnapshot
	}
	if x.s.Seeded && fail.what == isOther && x.s.Unmarshal != nil {
		return lawSnapshot // by which filters get one hash function
	}
	switch p.steps[fail.at].op {
	case opBits, opWords:
		return lawSetBits
	case opItems:
		return lawItems
	case opRate:
		return lawStatedRate
	}
	if fail.what == isOther {
		return lawRate
	}
	return lawNoFalseNegative
}
