package claims

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand"
)

// part is one of the assertions that decide a claim. It is a law with the domain where the law holds, a law with the
// point where it breaks, or a fixed example.
type part struct {
	kind   partKind
	about  string // the subject of the part, if it is not the claim itself
	domain domain
	at     point // the point where the law breaks
	law    func(p point) error
	// margin is the law as a number. The number is at least 0 where the law holds, and it is smaller where the law
	// holds by less.
	margin func(p point) (float64, error)
	proof  *proof
	tries  [2]int // the number of points of the attack, by effort
	long   bool   // the part runs at full effort only
}

type partKind uint8

const (
	holding  partKind = iota // the law holds on the domain
	smallest                 // at is the first point of the domain where the law breaks
	breaking                 // at is a point where the law breaks
	example                  // a fixed example has its printed result
)

// quickTries and fullTries are the numbers of points of an attack at quick and at full effort, unless a part sets
// others. quickSteps and fullSteps are the numbers of steps of each climb.
const (
	quickTries, fullTries = 6, 400
	quickSteps, fullSteps = 2, 24
)

// holdsOn asserts a law on a domain.
func holdsOn(d domain, law func(p point) error) part {
	return part{domain: d, law: law, tries: [2]int{quickTries, fullTries}}
}

// keeps asserts a law that has a margin.
func keeps(d domain, margin func(p point) (float64, error)) part {
	return part{domain: d, margin: margin, tries: [2]int{quickTries, fullTries}}
}

// lawOf returns the law that a margin is at least 0.
func lawOf(margin func(p point) (float64, error)) func(p point) error {
	return func(p point) error {
		_, err := part{margin: margin}.assess(p)
		return err
	}
}

// assess examines one point. It returns an error where the law breaks, and the margin if the law has one.
func (t part) assess(p point) (float64, error) {
	if t.margin == nil {
		return 0, t.law(p)
	}
	x, err := t.margin(p)
	if err == nil && !(x >= 0) {
		err = fmt.Errorf("margin %.6g", x)
	}
	return x, err
}

// fails asserts two facts about a point: a law breaks there, and holds at the points of the domain that come before it
// in lexicographic order. The function breaks asserts only the first fact.
func fails(at point, d domain, law func(p point) error) part {
	return part{kind: smallest, domain: d, at: d.points().filled(at), law: law}
}

func breaks(at point, d domain, law func(p point) error) part {
	return part{kind: breaking, domain: d, at: d.points().filled(at), law: law}
}

// comesOut asserts a property of a fixed example. The words name the property.
func comesOut(words string, check func() error) part {
	return part{kind: example, about: words, law: func(point) error { return check() }}
}

// on sets the words that name the subject of a part.
func (t part) on(words string) part { t.about = words; return t }

// tried sets the number of points of the attack.
func (t part) tried(quick, full int) part { t.tries = [2]int{quick, full}; return t }

// by names a proof that the law holds on its whole domain. The check visits the points nevertheless.
func (t part) by(p *proof) part { t.proof = p; return t }

// atLength makes a part run only at full effort.
func (t part) atLength() part { t.long = true; return t }

// proof is an argument that covers a whole domain. It is written out elsewhere.
type proof struct {
	words string // a summary of the argument
	file  string // the file that has the argument, from the module's root
	mark  string // a part of a line of that file
}

// run checks a part.
func (t part) run(r *run, index int) error {
	if t.long && r.effort == effortQuick {
		r.dealt++
		return nil
	}
	switch t.kind {
	case smallest:
		return t.firstBreak(r)
	case breaking:
		return r.once(func() error {
			if _, err := t.assess(t.at); err == nil || errors.Is(err, errOutside) {
				return fmt.Errorf("no counterexample at %s", t.domain.points().at(t.at))
			}
			return nil
		})
	case example:
		return r.once(func() error { return t.law(nil) })
	}
	s := t.domain.points()
	err := t.visit(r, s)
	if err == nil && t.tries[r.effort] > 0 && (r.effort == effortQuick || !s.exhausted()) {
		err = t.attack(r, s, index)
	}
	return err
}

// visit assesses this shard's points of the domain in lexicographic order. It returns the first error together with the
// point. If the law returns errOutside, it cannot decide the point, and the point is not counted.
func (t part) visit(r *run, s points) error {
	inside := false
	err := s.visit(r.effort, func(p point) error {
		if !r.mine() {
			inside = true
			return nil
		}
		_, counted, err := t.examine(r, s, p)
		inside = inside || counted
		return err
	})
	if err == nil && !inside {
		return errors.New("no point of the domain was examined")
	}
	return err
}

// examine assesses one point and counts it.
func (t part) examine(r *run, s points, p point) (margin float64, counted bool, err error) {
	if err := r.ctx.Err(); err != nil {
		return 0, false, err
	}
	switch margin, err = t.assess(p); {
	case errors.Is(err, errOutside):
		return 0, false, nil
	case err != nil:
		return 0, false, fmt.Errorf("%s: %w", s.at(p), err)
	}
	r.cases++
	return margin, true, nil
}

// firstBreak returns an error unless at is the first visited point where the law breaks. Every shard visits all points.
func (t part) firstBreak(r *run) error {
	s := t.domain.points()
	var broken error
	err := s.visit(r.effort, func(p point) error {
		r.dealt++
		r.cases++
		_, err := t.assess(p)
		if err == nil || errors.Is(err, errOutside) {
			return r.ctx.Err()
		}
		if text := s.at(p); text != s.at(t.at) {
			return fmt.Errorf("smallest counterexample at %s, recorded %s: %w", text, s.at(t.at), err)
		}
		broken = err
		return errFound
	})
	if err != nil && !errors.Is(err, errFound) {
		return err
	}
	if broken == nil {
		return fmt.Errorf("no counterexample at %s", s.at(t.at))
	}
	return nil
}

// attack examines those points of the attack that belong to this shard. If the law has a margin, it climbs from each
// point. A point depends only on the claim, on the place of the part in the claim and on the point's own number.
// Therefore the points do not depend on the number of shards.
func (t part) attack(r *run, s points, index int) error {
	lines := s.lines(t.tries[r.effort] / 4)
	for _, p := range lines {
		if !r.mine() {
			continue
		}
		if _, _, err := t.examine(r, s, p); err != nil {
			return fmt.Errorf("line: %w", err)
		}
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", r.id, index)
	seed := int64(h.Sum64())
	for i := range t.tries[r.effort] {
		if !r.mine() {
			continue
		}
		rnd := rand.New(rand.NewSource(seed + int64(i)))
		p := s.draw(rnd)
		if p == nil {
			continue
		}
		margin, counted, err := t.examine(r, s, p)
		if err != nil {
			return fmt.Errorf("attack: %w", err)
		}
		if !counted || t.margin == nil {
			continue
		}
		if err := t.climb(r, s, rnd, p, margin); err != nil {
			return fmt.Errorf("climb: %w", err)
		}
	}
	return nil
}

// climb starts at a point and moves to neighbours whose margin is smaller.
func (t part) climb(r *run, s points, rnd *rand.Rand, p point, margin float64) error {
	for range [...]int{quickSteps, fullSteps}[r.effort] {
		q := s.near(rnd, p)
		if q == nil {
			continue
		}
		x, counted, err := t.examine(r, s, q)
		if err != nil {
			return err
		}
		if counted && x < margin {
			p, margin = q, x
		}
	}
	return nil
}

// in adds terms to the domain of a part.
func (t part) in(more ...term) part { t.domain = with(t.domain, more...); return t }
