package conform

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The type "wrongness" says in which way the result of a step is wrong.
type wrongness uint8

const (
	isLost    wrongness = iota // a key that was added is not contained
	isOther                    // the answer differs from that of a fresh filter with the same keys
	isRefused                  // an error although there must be none, or no error although there must be one
	isTouched                  // the caller's keys or bytes have changed
	isReused                   // the answers of the last batch have changed
	isPanic
)

// A failure describes a step of a program whose result is wrong: the step, the result and the expected result.
type failure struct {
	at        int    // the index of the step
	key       uint32 // the key of that step
	what      wrongness
	got, want string
	index     int // the number of the word, for opWords
	// A step can take a snapshot (opMarshal). Two kinds of failures concern such a new snapshot. The first kind
	// concerns a filter that was itself read from an old snapshot. The new snapshot differs from this old snapshot.
	// Then the field "slot" says where the program keeps the old snapshot. In the second kind, the snapshot differs
	// from the snapshot of a new filter with the same keys. Then the field "slot" is -1, and the field "spec" is the
	// expected content of the filter.
	spec spec
	slot int
}

// The type "held" has a filter of a running program, and the filter's expected content.
type held struct {
	f    filter
	spec spec
	read *taken // the snapshot from which f was read, as long as f has not changed
	// The field "again" counts the steps that add keys a second time. It is used only for a filter with OwnRate.
	again int
}

// The type "taken" describes a snapshot of a filter. A step of a program took this snapshot.
type taken struct {
	data, kept []byte // the snapshot as the subject returned it, and a copy
	spec       spec
	answers    []bool // the answers about the keys in probed, if the filter is not compared with a fresh one
}

// The variable "probed" has 64 keys that no program adds. If there is no new filter to compare with, these keys are
// looked up when a snapshot is taken. They are looked up again in the filter that is read from the snapshot.
var probed = keySpan{1 << 27, 64}

// A runner runs one program. It has the program's filters and snapshots, and the new filters with which they are
// compared.
type runner struct {
	x       *examination
	p       *program
	f       [files]*held
	refused [files]bool
	slots   [slots]*taken
	fresh   map[string]filter // filters to which a set of keys was added one by one
	empty   [2][]byte         // snapshots of empty filters, if each filter has its own hash function
	alone   bool              // true if filters cannot be compared with one another
	skipped []bool            // for each step, true if the subject does not support it, or it shows nothing
	looked  bool              // true if a key that was added was looked up
	buf     []byte
	name    []byte
	answers []bool // the answers of the last batch as the subject returned them; the field "were" is a copy
	were    []bool
}

// While a program runs, its filters are compared with new filters. The constant freshMost limits the number of these
// new filters. If the subject is another program (see Pipe), it has at most 32 filters at a time.
const freshMost = 24

// The method "runner" returns a runner that is ready to run the program p.
func (x *examination) runner(p *program) *runner {
	return &runner{
		x: x, p: p, fresh: map[string]filter{}, skipped: make([]bool, len(p.steps)),
		alone: x.s.OwnRate != nil || x.s.Seeded && !x.has(opUnmarshal),
	}
}

// The method "run" runs a program until the result of a step is wrong. The result "fail" is this failure, or nil if
// there is none. The result r is the runner.
func (x *examination) run(p *program) (fail *failure, r *runner) {
	r = x.runner(p)
	at := 0
	defer func() {
		if v := recover(); v != nil {
			fail = &failure{at: at, what: isPanic, got: strings.TrimPrefix(textOf(v), "panic: ")}
		}
	}()
	for at = range p.steps {
		if r.skipped[at] = !x.has(p.steps[at].op); r.skipped[at] {
			continue
		}
		if fail := r.step(at, &p.steps[at]); fail != nil {
			fail.at = at
			return fail, r
		}
	}
	return nil, r
}

// The method "open" returns filter i of the program. If the subject returns an error instead of a new filter, the
// result is nil. The filter is made at the first call.
func (r *runner) open(i uint8) *held {
	if r.f[i] != nil || r.refused[i] {
		return r.f[i]
	}
	if r.x.s.Seeded && !r.alone && i != fileF && i != fileH && r.open(fileF) == nil {
		return nil
	}
	f, err := r.anew(i == fileH)
	if err != nil {
		r.refused[i] = true
		return nil
	}
	r.f[i] = &held{f: f, spec: spec{other: i == fileH, plain: true, sets: []set{nil}}}
	return r.f[i]
}

// The method "anew" returns an empty filter of the program's shape. If the argument "other" is true, the filter has the
// program's other shape. Filters may have their own hash functions. Then the new filter gets the hash function of the
// first filter of its shape.
func (r *runner) anew(other bool) (filter, error) {
	shape, s := r.p.shape, 0
	if other {
		shape, s = shape.other(), 1
	}
	r.x.programs.work += shape.size() / 256
	f, err := r.x.newFilter(shape)
	if err != nil || !r.x.s.Seeded || r.alone {
		return f, err
	}
	if r.empty[s] == nil {
		r.empty[s], err = r.x.s.Marshal(f)
		return f, err
	}
	return f, r.x.s.Unmarshal(f, bytes.Clone(r.empty[s]))
}

// The method "of" returns a filter for comparison, to which the keys of a set were added one by one. Later calls with
// the same set return the same filter. The result is nil if no such filter can be made, or if there are too many.
func (r *runner) of(other bool, s set) filter {
	if r.alone || r.x.s.Seeded && !other && r.open(fileF) == nil {
		return nil
	}
	r.name = r.name[:0]
	for _, keys := range s {
		r.name = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(r.name, keys.first), keys.n)
	}
	if other {
		r.name = append(r.name, 1)
	}
	if f, ok := r.fresh[string(r.name)]; ok {
		return f
	}
	if len(r.fresh) == freshMost {
		return nil
	}
	name := string(r.name)
	f := r.build(other, s)
	if f != nil {
		r.fresh[name] = f
	}
	return f
}

// The method "build" makes a new filter, adds the keys of a set to it one by one, and returns it. It returns nil if no
// filter can be made for comparison.
func (r *runner) build(other bool, s set) filter {
	if r.alone || r.x.s.Seeded && !other && r.open(fileF) == nil {
		return nil
	}
	f, err := r.anew(other)
	if err != nil {
		return nil
	}
	for _, keys := range s {
		for i := range keys.n {
			r.x.programs.work++
			r.x.s.Add(f, r.key(keys.first+i))
		}
	}
	return f
}

// The method "key" returns the bytes of the key with number id. The next call of the method overwrites these bytes.
func (r *runner) key(id uint32) []byte {
	for i := range r.buf {
		r.buf[i] ^= 0xa5 // overwrite the last key, in case the filter kept it
	}
	r.buf = r.p.key(r.buf[:0], id)
	return r.buf
}

// Consider a look-up of the key with number id in a filter with content s. The method "want" returns the expected
// answer, and reports whether this answer is known.
func (r *runner) want(s spec, id uint32) (contained, known bool) {
	switch {
	case s.unknown:
		return false, false
	case s.must(id):
		r.looked = true
		return true, true
	case s.isEmpty():
		return false, r.x.programs.emptyKnown
	}
	for _, c := range s.sets {
		f := r.of(s.other, c)
		if f == nil {
			return false, false
		}
		r.x.programs.work++
		if !r.x.s.Contains(f, r.key(id)) {
			return false, true
		}
	}
	return true, true
}

// The method "judge" compares an answer with the expected answer. The answer is about the key with number id. The
// method returns a failure if they differ, and otherwise nil.
func (r *runner) judge(s spec, i, id uint32, got bool) *failure {
	want, known := r.want(s, id)
	if !known || got == want {
		return nil
	}
	what := isOther
	if want && s.must(id) {
		what = isLost
	}
	return &failure{key: i, what: what, got: strconv.FormatBool(got), want: strconv.FormatBool(want)}
}

// The method "batch" returns the keys of a step as slices of one new buffer. In this buffer they lie one after the
// other.
func (r *runner) batch(s *step) [][]byte {
	keys := make([][]byte, s.keys.n)
	var all []byte
	for i := range keys {
		all = r.p.key(all, s.key(uint32(i)))
	}
	for i := range keys {
		n := len(r.key(s.key(uint32(i))))
		keys[i], all = all[:n], all[n:]
	}
	r.x.programs.work += uint64(len(keys))
	return keys
}

// The method "changed" checks whether the subject has changed the keys of a batch. Then it overwrites the keys, in case
// the subject has kept them.
func (r *runner) changed(s *step, keys [][]byte) *failure {
	for i := range keys {
		if want := r.key(s.key(uint32(i))); !bytes.Equal(keys[i], want) {
			return &failure{key: uint32(i), what: isTouched, got: fmt.Sprintf("%q", keys[i]), want: fmt.Sprintf("%q", want)}
		}
	}
	for _, key := range keys {
		for i := range key {
			key[i] ^= 0xa5
		}
	}
	return nil
}

// The method "step" runs one step of the program, and checks its result. The argument "at" is the index of this step.
func (r *runner) step(at int, s *step) *failure {
	x := r.x
	skip := func() *failure {
		r.skipped[at] = true
		return nil
	}
	f := r.open(s.f)
	if f == nil {
		return skip()
	}
	switch s.op {
	case opAdd, opTestAndAdd, opAddBatch:
		if x.s.OwnRate != nil && !r.room(f, s) {
			return skip()
		}
	}
	switch s.op {
	case opAdd:
		f.read = nil
		for i := range s.keys.n {
			x.programs.work++
			x.s.Add(f.f, r.key(s.key(i)))
		}
		f.spec = f.spec.with(s.keys)
	case opTestAndAdd:
		f.read = nil
		return r.testAndAdd(s, f)
	case opAddBatch:
		f.read = nil
		keys := r.batch(s)
		x.s.AddBatch(f.f, keys)
		f.spec = f.spec.with(s.added())
		if s.twice {
			f.spec.plain = false
		}
		return r.changed(s, keys)
	case opUnion, opIntersect:
		g := r.open(s.g)
		if g == nil || x.s.Seeded && r.alone && f != g {
			return skip()
		}
		return r.combine(at, s, f, g)
	case opReset:
		f.read = nil
		for range max(1, s.keys.n) {
			x.s.Reset(f.f)
		}
		f.spec.plain, f.spec.sets = true, []set{nil} // reading a damaged snapshot may have changed the shape
	case opMarshal, opUnmarshal, opDamaged, opOverwrite:
		return r.snapshot(at, s, f)
	case opContains:
		return r.contains(s, f)
	case opContainsBatch:
		keys := r.batch(s)
		got := x.s.ContainsBatch(f.f, keys)
		if len(got) != len(keys) {
			return &failure{key: s.keys.n, what: isOther, got: strconv.Itoa(len(got)), want: strconv.Itoa(len(keys))}
		}
		if fail := r.changed(s, keys); fail != nil {
			return fail
		}
		if !slices.Equal(r.answers, r.were) {
			return &failure{what: isReused, got: "others", want: "what they were"}
		}
		r.answers, r.were = got, slices.Clone(got)
		for i := range uint32(len(got)) {
			if fail := r.judge(f.spec, i, s.key(i), got[i]); fail != nil {
				return fail
			}
		}
		for i := 0; r.alone && i < len(got); i++ {
			if want := x.s.Contains(f.f, r.key(s.key(uint32(i)))); got[i] != want {
				return &failure{key: uint32(i), what: isOther, got: strconv.FormatBool(got[i]), want: strconv.FormatBool(want)}
			}
		}
	default:
		if f.spec.unknown || r.alone {
			return skip()
		}
		return r.number(at, s, f)
	}
	return nil
}

// testAndAdd adds keys and checks the answers. The expected answers are those of new filters to which the same keys are
// added.
func (r *runner) testAndAdd(s *step, f *held) *failure {
	x := r.x
	var grown []filter
	known := !f.spec.unknown && !r.alone
	for _, c := range f.spec.sets {
		if known {
			g := r.build(f.spec.other, c)
			known = g != nil
			grown = append(grown, g)
		}
	}
	for i := range s.keys.n {
		id := s.key(i)
		x.programs.work += 2
		must := !f.spec.unknown && f.spec.must(id)
		want := true
		if !known && !must {
			want = x.s.Contains(f.f, r.key(id))
		}
		for _, g := range grown {
			if known {
				want = x.s.Contains(g, r.key(id)) && want
				x.s.Add(g, r.key(id))
			}
		}
		want = want || must
		if got := x.s.TestAndAdd(f.f, r.key(id)); got != want {
			what := isOther
			if must {
				what = isLost
			}
			return &failure{key: i, what: what, got: strconv.FormatBool(got), want: strconv.FormatBool(want)}
		}
		f.spec = f.spec.with(keySpan{id, 1})
	}
	return nil
}

// The method "room" reports whether a filter has room for the keys that a step adds. Only filters with OwnRate, such as
// cuckoo filters, need this method. A filter must have room for the number of distinct keys that it was made for. It
// must also have room for second copies of a few keys.
func (r *runner) room(f *held, s *step) bool {
	most := max(r.p.shape.n, r.p.shape.m)
	if f.spec.with(s.added()).plain && !s.twice {
		return f.spec.count()+uint64(s.keys.n) <= most/2
	}
	if f.again++; f.again > 2 || s.keys.n > 4 {
		return false
	}
	return f.spec.count()+uint64(s.keys.n) <= most/2
}

// The method "contains" runs a step that looks up keys, by a separate call for each key.
func (r *runner) contains(s *step, f *held) *failure {
	x := r.x
	x.programs.work += uint64(s.keys.n)
	if x.s.many != nil && s.keys.n > 1 { // behind a pipe single calls are slow
		for i, got := range x.s.many(f.f, r.batch(s)) {
			if fail := r.judge(f.spec, uint32(i), s.key(uint32(i)), got); fail != nil {
				return fail
			}
		}
		return nil
	}
	for i := range s.keys.n {
		if fail := r.judge(f.spec, i, s.key(i), x.s.Contains(f.f, r.key(s.key(i)))); fail != nil {
			return fail
		}
	}
	return nil
}

// The method "combine" runs a step that computes the union or the intersection of two filters. The subject must refuse
// this if the shapes of the filters differ.
func (r *runner) combine(at int, s *step, f, g *held) *failure {
	if f.spec.unknown || g.spec.unknown || f.spec.other != g.spec.other && (r.x.s.OwnRate != nil || !r.x.ground(r.p.shape).differ) {
		r.skipped[at] = true
		return nil
	}
	next, ok := f.spec.union(g.spec), true
	if s.op == opIntersect {
		next = f.spec.intersect(g.spec)
	}
	if ok = len(next.sets) <= mostSets; !ok {
		r.skipped[at] = true
		return nil
	}
	do := r.x.s.Union
	if s.op == opIntersect {
		do = r.x.s.Intersect
	}
	r.x.programs.work += r.p.shape.size() / 256
	err := do(f.f, g.f)
	switch alike := f.spec.other == g.spec.other; {
	case alike && err != nil:
		return &failure{what: isRefused, got: err.Error(), want: "<nil>"}
	case !alike && err == nil:
		return &failure{what: isRefused, got: "<nil>", want: "an error: the shapes differ"}
	case alike:
		f.read, f.spec = nil, next
	}
	return nil
}
