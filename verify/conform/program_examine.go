package conform

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// programLaws are the laws that a failing program can break.
var programLaws = []Law{lawNoFalseNegative, lawBatch, lawTestAndSet, lawUnion, lawIntersection, lawReset, lawSnapshot}

// examinePrograms runs programs for all pairs of two steps. The first step of a pair either changes a filter or only
// reads filters. The second step changes a filter. Each pair is run with several shapes and several histories of the
// filters (see prologues). The effort limits their number. Then examinePrograms runs random programs.
func (x *examination) examinePrograms() {
	if !slices.ContainsFunc(programLaws, x.wants) {
		return
	}
	x.begin()
	for _, f := range x.report.Findings { // an example is a fault that ended a child process
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
	// The first programs each try a single change. So a fault of this change is found in a short program.
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
			if done == 0 && pair < len(looks)*len(changes) { // in these pairs a filter has most to forget
				full := []int{2, 4, 7}
				if x.o.Effort <= 0.01 {
					full = full[pair%3:][:1]
				}
				histories = append(histories, full...)
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
	if x.s.many == nil && x.wants(lawBatch) && !try(x.batches(wide, hugeBatch, false, number)) {
		return
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
		if times <= 1<<8 || x.s.many == nil { // through a pipe this would be too many lines
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

// The method "try" leaves out the steps of laws that are already broken, and runs the other steps of a program. It
// reports whether more faults can be found.
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

// A failing program is shortened first. The method "accused" decides which law is then reported as broken. Some steps
// belong to a law. The broken law is the law of the last such step. Suppose that the last step is a snapshot, that the
// program has no other snapshot, and that another step belongs to a law. Then the snapshot is ignored. If no step
// belongs to a law, the fault is in Add, in Contains, or in the functions that show the bits.
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
		return lawSnapshot // filters get the same hash function through snapshots
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
