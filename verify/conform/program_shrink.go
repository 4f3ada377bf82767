package conform

import "slices"

// The constant "tries" is the largest number of programs that are run to shorten one failing program.
const tries = 400

// The method "shrink" shortens a failing program until nothing more can be left out. It returns the shortened program
// and the failure of the shortened program. It tries, in turn, fewer steps, simpler steps, fewer keys, simpler keys and
// smaller filters.
func (x *examination) shrink(p *program, fail *failure) (*program, *failure) {
	left := tries
	best, worst := p.copy(), fail
	if f, _ := x.run(best); f == nil {
		return best, worst // the failure depends on earlier steps of other filters
	}
	better := func(change func(q *program) bool) bool {
		q := best.copy()
		if left == 0 || !change(q) || len(q.steps) == 0 {
			return false
		}
		left--
		if !x.ground(q.shape).ok {
			return false
		}
		f, _ := x.run(q)
		if f == nil {
			return false
		}
		q.steps = q.steps[:f.at+1]
		best, worst = q, f
		return true
	}
	best.steps = best.steps[:worst.at+1]
	for again := true; again && left > 0; {
		again = false
		for size := max(1, len(best.steps)/2); size > 0; size /= 2 {
			for at := len(best.steps) - size; at >= 0; at-- {
				if at+size <= len(best.steps) && better(func(q *program) bool {
					q.steps = slices.Delete(q.steps, at, at+size)
					return true
				}) {
					again = true
				}
			}
		}
		for _, s := range programShapes {
			s.m, s.by = x.rounded(s.m, s.k), best.shape.by
			if best.shape.n == 0 && s.size() < best.shape.size() && better(func(q *program) bool {
				q.shape = s
				return true
			}) {
				again = true
				break
			}
		}
		for at := len(best.steps) - 1; at >= 0; at-- {
			for _, change := range simpler {
				for at < len(best.steps) && better(func(q *program) bool { return change(&q.steps[at], q) }) {
					again = true
				}
			}
		}
		for _, change := range simplerAll {
			again = better(change) || again
		}
		for n := uint32(1); n <= 5 && !again; n++ {
			again = better(func(q *program) bool { return q.narrow(n) })
		}
		for first := uint32(0); first < 30 && !again; first++ {
			again = better(func(q *program) bool { return q.from(first) })
		}
	}
	return best, worst
}

func (p *program) copy() *program {
	return &program{p.shape, p.literals, slices.Clone(p.steps)}
}

// Each function of the list "simpler" tries to simplify one step, and reports whether it changed the step.
var simpler = []func(s *step, p *program) bool{
	func(s *step, _ *program) bool {
		plain := map[op]op{opAddBatch: opAdd, opTestAndAdd: opAdd, opContainsBatch: opContains}
		to, ok := plain[s.op]
		if ok && s.twice {
			s.keys, s.twice = s.added(), false
		}
		if ok {
			s.op = to
		}
		return ok
	},
	func(s *step, _ *program) bool {
		was := s.twice
		s.twice = false
		return was
	},
	func(s *step, _ *program) bool { // try the first key, the first half, the second half, and one key less at either end
		ok := s.keys.n > 1
		s.keys.n = min(s.keys.n, 1)
		return ok
	},
	func(s *step, _ *program) bool {
		ok := s.keys.n > 1
		s.keys.n /= 2
		return ok
	},
	func(s *step, _ *program) bool {
		half := s.keys.n / 2
		s.keys.first += half
		s.keys.n -= half
		return half > 0
	},
	func(s *step, _ *program) bool {
		ok := s.keys.n > 0
		s.keys.n -= min(s.keys.n, 1)
		return ok
	},
	func(s *step, _ *program) bool {
		ok := s.keys.n > 1
		if ok {
			s.keys.first++
			s.keys.n--
		}
		return ok
	},
	func(s *step, _ *program) bool { // make the step use the first filter
		ok := s.f != fileF
		s.f = fileF
		return ok
	},
	func(s *step, _ *program) bool {
		ok := s.op == opDamaged && !s.cut
		s.cut = s.cut || ok
		return ok
	},
}

// simplerAll are functions that simplify all steps.
var simplerAll = []func(p *program) bool{
	func(p *program) bool { // rename filters so that the first one is f
		from := p.steps[0].f
		if from == fileF || from == fileH {
			return false
		}
		swap := func(f uint8) uint8 {
			switch f {
			case from:
				return fileF
			case fileF:
				return from
			}
			return f
		}
		for i := range p.steps {
			s := &p.steps[i]
			s.f, s.g = swap(s.f), swap(s.g)
		}
		return true
	},
	func(p *program) bool { // write keys as text
		return p.move(func(id uint32) uint32 { return id & numberMask })
	},
	func(p *program) (changed bool) { // number slots in the order of their use
		var to [slots]uint8
		used := uint8(0)
		for i := range p.steps {
			s := &p.steps[i]
			if l := s.op.law(); l != lawSnapshot && l != lawHostile {
				continue
			}
			if to[s.slot] == 0 {
				used++
				to[s.slot] = used
			}
			changed = changed || s.slot != to[s.slot]-1
			s.slot = to[s.slot] - 1
		}
		return changed
	},
}

// The method "from" replaces the numbers of a program's keys by lower numbers. Afterwards the lowest number is the
// value of "first". If the lowest number is not above this value, the method changes nothing.
func (p *program) from(first uint32) bool {
	least := uint32(numberMask)
	for _, s := range p.steps {
		if s.keys.n > 0 && s.op != opReset {
			least = min(least, s.keys.first&numberMask)
		}
	}
	return least > first && p.move(func(id uint32) uint32 { return id - min(least-first, id&numberMask) })
}

// The method "narrow" limits the number of keys of each step to n. If this changes a step, all steps with keys then
// begin with the same key.
func (p *program) narrow(n uint32) (changed bool) {
	first := uint32(0)
	for i := range p.steps {
		if s := &p.steps[i]; s.keys.n > n && s.op != opReset {
			if !changed {
				first = s.keys.first
			}
			s.keys.n, changed = n, true
		}
	}
	for i := range p.steps {
		if s := &p.steps[i]; changed && s.keys.n > 0 && s.op != opReset {
			s.keys.first = first
		}
	}
	return changed
}

// The method "move" gives the keys of a program new numbers. The argument "to" is a function. It computes the new
// number of a key from the old one. The method reports whether any number changed.
func (p *program) move(to func(uint32) uint32) (changed bool) {
	for i := range p.steps {
		s := &p.steps[i]
		if s.keys.n > 0 && s.op != opReset {
			next := to(s.keys.first)
			changed = changed || next != s.keys.first
			s.keys.first = next
		}
	}
	return changed
}
