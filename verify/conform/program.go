package conform

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// op is a kind of step of a program. The first ones change filters, the others look at them.
type op uint8

const (
	opAdd op = iota // each key of a keySpan by itself
	opTestAndAdd
	opAddBatch
	opUnion
	opIntersect
	opReset
	opMarshal   // the snapshot is kept in a slot
	opUnmarshal // the snapshot of a slot
	opDamaged   // a damaged copy of it
	opOverwrite // the caller writes over the bytes of it
	opContains  // each key of a keySpan by itself
	opContainsBatch
	opBits
	opWords
	opItems
	opRate
	ops
)

// law returns the law that a step is about, "" for those that every filter has.
func (o op) law() Law {
	switch o {
	case opAddBatch, opContainsBatch:
		return lawBatch
	case opTestAndAdd:
		return lawTestAndSet
	case opUnion:
		return lawUnion
	case opIntersect:
		return lawIntersection
	case opReset:
		return lawReset
	case opMarshal, opUnmarshal, opOverwrite:
		return lawSnapshot
	case opDamaged:
		return lawHostile
	}
	return ""
}

// has reports whether the subject has what a step does.
func (x *examination) has(o op) bool {
	s := &x.s
	switch o {
	case opAdd, opContains:
		return true
	case opTestAndAdd:
		return s.TestAndAdd != nil
	case opAddBatch:
		return s.AddBatch != nil
	case opUnion:
		return s.Union != nil
	case opIntersect:
		return s.Intersect != nil
	case opReset:
		return s.Reset != nil
	case opMarshal, opOverwrite:
		return s.Marshal != nil
	case opUnmarshal, opDamaged:
		return s.Marshal != nil && s.Unmarshal != nil
	case opContainsBatch:
		return s.ContainsBatch != nil
	case opBits:
		return s.Bits != nil
	case opWords:
		return s.Words != nil
	case opItems:
		return s.Items != nil
	case opRate:
		return s.Rate != nil
	}
	return false
}

// The filters of a program. Three have its shape, the last another one.
const (
	fileF = iota
	fileG
	fileE
	fileH
	files
)

const slots = 3 // for snapshots

// step is one operation on filters, keys and snapshots of a program.
type step struct {
	op    op
	f, g  uint8 // g is the other operand
	slot  uint8
	cut   bool    // opDamaged: the last byte is missing, else changed
	twice bool    // each key of a batch comes twice
	keys  keySpan // opReset: n is the number of resets, or 0 for one
}

// keySpan is n keys by their numbers, from first on.
type keySpan struct{ first, n uint32 }

func (s keySpan) end() uint32 { return s.first + s.n }

// added returns the different keys that a step adds.
func (s step) added() keySpan {
	if s.twice {
		return keySpan{s.keys.first, (s.keys.n + 1) / 2}
	}
	return s.keys
}

// key returns the number of the i-th key of a step.
func (s step) key(i uint32) uint32 {
	if s.twice {
		i /= 2
	}
	return s.keys.first + i
}

// program is a list of steps on filters of one shape.
type program struct {
	shape    shapeOf
	literals [][]byte // keys of the form formLiteral
	steps    []step
}

// A key's number has its form in the highest bits.
const (
	formText    = iota // decimal digits
	formBytes          // eight bytes of any value
	formLengths        // equal bytes of all lengths from 0 to 511
	formLiteral        // those of the program
	formPrefix         // the same 20 bytes, and six digits
	formShift   = 28
)

const numberMask = 1<<formShift - 1

// goldenRatio spreads the bytes of the keys of formBytes.
const goldenRatio = 0x9e3779b97f4a7c15

// key appends the key of a number.
func (p *program) key(dst []byte, id uint32) []byte {
	i := id & numberMask
	switch id >> formShift {
	case formBytes:
		return binary.LittleEndian.AppendUint64(dst, uint64(i)*goldenRatio)
	case formLengths:
		for range i & 511 {
			dst = append(dst, byte(i>>9))
		}
		return dst
	case formPrefix:
		return fmt.Appendf(dst, "https://example.org/%06d", i)
	case formLiteral:
		if len(p.literals) == 0 {
			return dst
		}
		return append(dst, p.literals[int(i)%len(p.literals)]...)
	}
	return strconv.AppendUint(dst, uint64(i), 10)
}

// shapeOf is how the filters of a program are made: by New, or by Make if n is not 0.
type shapeOf struct {
	m    uint64
	k    int
	n    uint64
	rate float64
}

// other returns another shape.
func (s shapeOf) other() shapeOf {
	if s.n > 0 {
		return shapeOf{n: 2 * s.n, rate: s.rate / 2}
	}
	return shapeOf{m: 2 * s.m, k: s.k}
}

// size is about the number of bits.
func (s shapeOf) size() uint64 {
	if s.n > 0 {
		return 16 * s.n
	}
	return s.m
}

// newFilter returns an empty filter.
func (x *examination) newFilter(s shapeOf) (filter, error) {
	if s.n > 0 {
		return x.s.Make(s.n, s.rate)
	}
	return x.s.New(s.m, s.k)
}

// wrongness is what is wrong with an answer.
type wrongness uint8

const (
	isLost    wrongness = iota // a key that was added is not contained
	isOther                    // another answer than that of a filter that was only filled
	isRefused                  // an error, or none where there must be one
	isTouched                  // the caller's keys or bytes have changed
	isReused                   // the answers of the last batch have changed
	isPanic
)

// failure is a step that went wrong.
type failure struct {
	at        int    // the step
	key       uint32 // which key of it
	what      wrongness
	got, want string
	index     int // of the word, for opWords
	// For opMarshal: what the filter holds, or the slot of the snapshot that it was read from; else -1.
	spec spec
	slot int
}

// held is a filter of a program and what it must hold.
type held struct {
	f    filter
	spec spec
	read *taken // the snapshot that it was read from, until it changes
	// Of a filter of OwnRate: how often keys that were there were added.
	again int
}

// taken is a snapshot.
type taken struct {
	data, kept []byte // as the subject gave it, and a copy
	spec       spec
	answers    []bool // about the keys of probed, of a filter that is not compared with a fresh one
}

// probed are keys that nobody adds.
var probed = keySpan{1 << 27, 64}

// runner runs one program.
type runner struct {
	x       *examination
	p       *program
	f       [files]*held
	refused [files]bool
	slots   [slots]*taken
	fresh   map[string]filter // filters into which a set of keys was added, one by one
	empty   [2][]byte         // snapshots of empty filters, where each has a hash function of its own
	alone   bool              // filters cannot be compared with one another
	skipped []bool            // steps that the subject has not, or that say nothing
	looked  bool              // a key that was added was looked up
	buf     []byte
	name    []byte
	answers []bool // of the last batch, as the subject gave them, and as they were then
	were    []bool
}

// freshMost is the largest number of fresh filters of a program: a subject that is far away
// has 32 filters at a time.
const freshMost = 24

// runner returns a runner of a program.
func (x *examination) runner(p *program) *runner {
	return &runner{
		x: x, p: p, fresh: map[string]filter{}, skipped: make([]bool, len(p.steps)),
		alone: x.s.OwnRate != nil || x.s.Seeded && !x.has(opUnmarshal),
	}
}

// run runs a program until a step fails, and returns nil if none does.
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

// open returns filter i, which is made when it is first asked for, or nil.
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

// anew returns an empty filter, of the other shape or not. Where each filter has a hash function of
// its own, it is that of the first filter of its shape.
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

// of returns a filter into which the keys of a set were added one by one, or nil.
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

// build returns a new filter into which the keys of a set were added one by one, or nil.
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

// key returns the key of a number, which is gone at the next call.
func (r *runner) key(id uint32) []byte {
	for i := range r.buf {
		r.buf[i] ^= 0xa5 // whoever kept the last key has lost it
	}
	r.buf = r.p.key(r.buf[:0], id)
	return r.buf
}

// want returns the answer about a key, and whether it is known.
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

// judge compares an answer about a key.
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

// batch returns the keys of a step, which the caller owns, one behind the other.
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

// changed compares the keys of a batch with what they were, and writes over them.
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

// step does a step and compares what it shows.
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
		f.spec.plain, f.spec.sets = true, []set{nil} // a damaged snapshot that was read may have left another shape
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

// testAndAdd adds keys, each of which must have been contained before as it was in filters that have grown
// in the same way.
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

// room reports whether a filter of OwnRate, such as a cuckoo filter, has room for the keys of a step. It
// must hold as many different keys as were asked for, and a few of them twice.
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

// contains asks for each key by itself.
func (r *runner) contains(s *step, f *held) *failure {
	x := r.x
	x.programs.work += uint64(s.keys.n)
	if x.s.many != nil && s.keys.n > 1 { // far away
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

// combine is the union or the intersection of two filters, which is refused if their shapes differ.
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

// snapshot does what concerns snapshots.
func (r *runner) snapshot(at int, s *step, f *held) *failure {
	x := r.x
	t := r.slots[s.slot]
	if s.op == opMarshal {
		if f.spec.unknown {
			r.skipped[at] = true
			return nil
		}
		x.programs.work += r.p.shape.size() / 128
		data, err := x.s.Marshal(f.f)
		if err != nil {
			return &failure{what: isRefused, got: err.Error(), want: "<nil>"}
		}
		t := &taken{data: data, kept: bytes.Clone(data), spec: f.spec}
		from := slices.Index(r.slots[:], f.read)
		r.slots[s.slot] = t
		if r.alone {
			for i := range probed.n {
				t.answers = append(t.answers, x.s.Contains(f.f, r.key(probed.first+i)))
			}
		}
		if x.s.OwnRate != nil {
			return nil
		}
		if len(f.spec.sets) == 1 && (f.spec.plain || !x.programs.counted[opMarshal]) {
			if g := r.of(f.spec.other, f.spec.sets[0]); g != nil {
				if want, _ := x.s.Marshal(g); !bytes.Equal(data, want) {
					return &failure{what: isOther, got: "false", want: "true", spec: f.spec, slot: -1}
				}
			}
		}
		if f.read != nil && from >= 0 && !bytes.Equal(data, f.read.kept) {
			return &failure{what: isOther, got: "false", want: "true", slot: from}
		}
		return nil
	}
	if t == nil || t.spec.unknown {
		r.skipped[at] = true
		return nil
	}
	if !bytes.Equal(t.data, t.kept) {
		return &failure{what: isTouched, got: "changed bytes", want: "those that were returned"}
	}
	switch s.op {
	case opOverwrite:
		for i := range t.data {
			t.data[i] ^= 0xa5
		}
		r.slots[s.slot] = nil
	case opUnmarshal:
		x.programs.work += r.p.shape.size() / 128
		if err := x.s.Unmarshal(f.f, t.data); err != nil {
			return &failure{what: isRefused, got: err.Error(), want: "<nil>"}
		}
		if !bytes.Equal(t.data, t.kept) {
			return &failure{what: isTouched, got: "changed bytes", want: "those that were given"}
		}
		f.spec, f.read = t.spec, t
		for i, want := range t.answers {
			if got := x.s.Contains(f.f, r.key(probed.first+uint32(i))); got != want {
				return &failure{what: isOther, key: uint32(i), got: strconv.FormatBool(got), want: strconv.FormatBool(want)}
			}
		}
	case opDamaged:
		bad := damage(t.kept, s.cut)
		if len(bad) == 0 {
			r.skipped[at] = true
			return nil
		}
		if x.s.Unmarshal(f.f, bad) == nil { // which is a matter of "corrupt snapshot"
			f.spec.unknown = true
		}
	}
	return nil
}

// damage returns a copy of a snapshot without its last byte, or with another one. It leaves the head
// alone, which says how much memory reading takes.
func damage(data []byte, cut bool) []byte {
	bad := bytes.Clone(data)
	switch {
	case len(bad) == 0:
	case cut:
		bad = bad[:len(bad)-1]
	default:
		bad[len(bad)-1] ^= 1
	}
	return bad
}

// number compares what a filter says of its bits with what a fresh one says, and with its words.
func (r *runner) number(at int, s *step, f *held) *failure {
	x := r.x
	differ := func(got, want any) *failure {
		return &failure{what: isOther, got: fmt.Sprint(got), want: fmt.Sprint(want)}
	}
	x.programs.work += r.p.shape.size() / 1024
	var all []filter
	for _, c := range f.spec.sets {
		g := r.of(f.spec.other, c)
		if g == nil {
			r.skipped[at] = true
			return nil
		}
		all = append(all, g)
	}
	if len(all) > 1 && x.s.Words == nil || len(all) > 1 && s.op > opWords || !f.spec.plain && x.programs.counted[s.op] {
		r.skipped[at] = true
		return nil
	}
	switch s.op {
	case opBits:
		got, want := x.s.Bits(f.f), x.s.Bits(all[0])
		if x.s.Words != nil {
			want = 0
			for _, w := range r.words(all) {
				want += uint64(bits.OnesCount64(w))
			}
		}
		if got != want {
			return differ(got, want)
		}
	case opWords:
		got, want := slices.Clone(x.s.Words(f.f)), r.words(all)
		if len(got) != len(want) {
			fail := differ(len(got), len(want))
			fail.index = -1
			return fail
		}
		for i := range got {
			if got[i] != want[i] {
				fail := differ(got[i], want[i])
				fail.index = i
				return fail
			}
		}
	case opItems:
		if got, want := x.s.Items(f.f), x.s.Items(all[0]); !equal(got, want) {
			return differ(got, want)
		}
	case opRate:
		if got, want := x.s.Rate(f.f), x.s.Rate(all[0]); !equal(got, want) {
			return differ(got, want)
		}
	}
	return nil
}

// words returns the bits that all of the filters have.
func (r *runner) words(all []filter) []uint64 {
	out := slices.Clone(r.x.s.Words(all[0]))
	for _, g := range all[1:] {
		for i, w := range r.x.s.Words(g) {
			if i < len(out) {
				out[i] &= w
			}
		}
	}
	return out
}

// equal compares numbers of which two that are none are alike.
func equal(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
