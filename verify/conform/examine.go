package conform

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/defaults"
	"github.com/bloomproof/bloomproof/verify/conform/internal/limits"
)

// Options are the settings of an examination. The zero value has the defaults.
type Options struct {
	Seed       uint64  // the seed of the keys; 0 means 20040927
	FalseAlarm float64 // the probability of accusing a filter that keeps its laws; 0 means 1e-6
	// Effort is the amount of work on the statistical laws, relative to the default. The value 0 means 1. The default
	// is some 1.2e8 additions and look-ups. If each of them takes 50 ns, they take 6 s in total.
	Effort float64
	// Laws lists the names of the laws that are examined. The value nil means all laws.
	Laws []Law
	// Shapes are the m and k for which the statistical laws are examined. The subject always determines hashing and
	// block size. If Shapes is nil, three groups of shapes are examined. The first is a grid. Its filters have from 47
	// to 2^23 bits, and each key has from 1 to 20 positions. The second has filters of 2^24 and of 2^28 bits. The third
	// has sizes that the subject chooses by its functions Make and Size.
	Shapes []bloomproof.Geometry
	// Huge adds a case of 2^33 bits. It takes half a minute and one GiB of memory, or two GiB if Words returns a copy.
	Huge bool
	// Child returns a command that starts a new process. This process must reach the same call of Examine. The
	// examination then runs in the new process, and the call does not return there. Three events break the law under
	// examination: a fatal error of the runtime, an exit, and a call that does not return. The process is then started
	// again for the other laws. Another such process reads the snapshots. Child is also called in these processes. A
	// test may call Examine several times. Each new process is started for one of these calls. In the new process,
	// Child may return nil for the other calls. These calls then return an empty report. If Child is nil, the
	// examination runs in this process.
	Child func() *exec.Cmd
}

// The method "check" returns a ParamError for the first invalid option, or nil.
func (o Options) check() error {
	switch {
	case !(o.FalseAlarm >= 0 && o.FalseAlarm < 1 && (o.FalseAlarm == 0 || o.FalseAlarm >= 1e-50)):
		return &bloomproof.ParamError{Param: "FalseAlarm", Value: o.FalseAlarm, Want: "0, or at least 1e-50 and below 1"}
	case !(o.Effort >= 0 && o.Effort <= 1e6):
		return &bloomproof.ParamError{Param: "Effort", Value: o.Effort, Want: "between 0 and 1e6"}
	}
	for _, l := range o.Laws {
		if !slices.Contains(Laws(), l) {
			return &bloomproof.ParamError{Param: "Laws", Value: string(l), Want: "names of laws"}
		}
	}
	for _, s := range o.Shapes {
		if s.M < 1 || s.K < 1 || s.K > bloomproof.MaxK {
			return &bloomproof.ParamError{Param: "Shapes", Value: s, Want: fmt.Sprintf("of at least 1 bit and 1 to %d positions", bloomproof.MaxK)}
		}
	}
	return nil
}

func (o Options) filled() Options {
	if o.Seed == 0 {
		o.Seed = defaults.Seed
	}
	if o.FalseAlarm == 0 {
		o.FalseAlarm = 1e-6
	}
	if o.Effort == 0 {
		o.Effort = 1
	}
	if o.Laws == nil {
		o.Laws = Laws()
	}
	return o
}

// Examine examines a subject. The report has at most one finding for each law, with the smallest case. If the subject
// panics, this breaks the law under examination.
//
// Errors: *bloomproof.ParamError for an invalid subject or invalid options.
func Examine[F any](s Subject[F], o Options) (Report, error) {
	if err := s.check(); err != nil {
		return Report{}, err
	}
	if err := o.check(); err != nil {
		return Report{}, err
	}
	if o.Child != nil {
		if dir := os.Getenv(childEnv); dir == "" {
			return parent(o)
		} else if o.Child() == nil {
			return Report{}, nil
		} else {
			examineAsChild(erase(s), o, dir)
		}
	}
	x := newExamination(erase(s), o)
	x.runFrom(0, func(int) {})
	return x.close(), nil
}

// The variable "steps" lists the parts of an examination, in order. If a step panics, the law that the step examines
// counts as broken.
var steps = []struct {
	law Law
	run func(*examination, Law)
}{
	{"", func(x *examination, _ Law) { x.chance() }},
	{"", func(x *examination, _ Law) {
		x.inPrograms = true
		defer func() { x.inPrograms = false }()
		x.guard(lawNoFalseNegative, "programs of operations", x.examinePrograms)
	}},
	{lawKeys, (*examination).neighbours},
	{lawKeys, (*examination).lent},
	{lawBatch, (*examination).batchKeys},
	{lawBatch, (*examination).batchesInParts},
	{lawStatedRate, (*examination).statedRate},
	{lawItems, (*examination).items},
	{lawSizing, (*examination).sizing},
	{lawSnapshot, (*examination).elsewhere},
	{lawHostile, (*examination).hostile},
	{lawCorrupt, (*examination).corrupt},
	{lawConcurrentReads, (*examination).concurrentReads},
	{lawConcurrentAdds, (*examination).concurrentAdds},
}

// For some laws, the usual time limit for calls does not hold. Instead, the code that examines these laws sets a limit.
// The variable "unwatched" lists these laws.
var (
	unwatched = []Law{lawHostile, lawCorrupt, lawConcurrentReads, lawConcurrentAdds}
	snapshots = unwatched[:2]
)

// runFrom runs the steps of an examination. It begins with the step whose index is the argument "first". After each
// step it calls done with the number of finished steps.
func (x *examination) runFrom(first int, done func(step int)) {
	for i := first; i < len(steps); i++ {
		s := steps[i]
		switch {
		case s.law == "":
			s.run(x, "")
		case x.wants(s.law) || s.law == lawHostile && x.wants(lawCorrupt): // lawCorrupt needs its result
			x.guard(s.law, "", func() {
				if watched := x.s; x.child != nil && slices.Contains(unwatched, s.law) {
					defer func() { x.s = watched }()
					if x.s = x.plain; slices.Contains(snapshots, s.law) { // in these laws only reading has a time limit
						x.s = watched
						x.s.Unmarshal = x.plain.Unmarshal
					}
				}
				s.run(x, s.law)
			})
		}
		done(i + 1)
	}
	x.weak()
}

// newExamination begins an examination.
func newExamination(s Subject[filter], o Options) *examination {
	x := &examination{s: s, o: o.filled(), told: map[Law]bool{}}
	x.report.Seed, x.report.FalseAlarm = x.o.Seed, x.o.FalseAlarm
	return x
}

// The method "close" ends an examination and returns its report.
func (x *examination) close() Report {
	for _, l := range x.o.Laws {
		switch {
		case x.report.broken(l):
		case x.told[l]:
			x.report.Kept = append(x.report.Kept, l)
		default:
			x.report.Untold = append(x.report.Untold, l)
		}
	}
	slices.SortStableFunc(x.report.Findings, func(a, b Finding) int {
		return slices.Index(Laws(), a.Law) - slices.Index(Laws(), b.Law)
	})
	return x.report
}

// The type "examination" has the state of a running examination.
type examination struct {
	s        Subject[filter]
	o        Options
	report   Report
	told     map[Law]bool                  // the laws that were examined
	alpha    float64                       // the probability of a false alarm that each test may have
	ks       []int                         // the k up to mostAskedK that the subject accepts; nil until known
	ordered  map[bloomproof.Geometry]order // for a shape, the order (arguments of Make) that led to it
	greedy   bool                          // true if reading panics or uses much memory with forged headers
	where    string                        // the case under examination, for findings
	programs programs

	child      *child          // nil unless this is a child process
	plain      Subject[filter] // in a child process: s without time limits on its calls
	law        Law             // in a child process: the law that markLaw last recorded
	inPrograms bool
}

// The method "wants" reports whether a law is to be examined and is not yet known to be broken.
func (x *examination) wants(l Law) bool {
	if x.s.spent != nil && x.s.spent() {
		x.note("the program ended %d times: nothing more was examined", limits.Runs)
		return false
	}
	return slices.Contains(x.o.Laws, l) && !x.report.broken(l)
}

// The method "found" records a finding about a law. It does nothing if the law already has a finding, or is not to
// be examined.
func (x *examination) found(l Law, format string, args ...any) {
	if x.wants(l) {
		x.report.Findings = append(x.report.Findings, Finding{Law: l, Case: x.where, Text: fmt.Sprintf(format, args...)})
	}
}

func (x *examination) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(x.report.Notes, n) {
		x.report.Notes = append(x.report.Notes, n)
	}
}

// The method "guard" runs the function f. If f panics, the report gets a finding about the law l.
func (x *examination) guard(l Law, where string, f func()) {
	x.where = where
	x.mark(l)
	defer func() {
		if p := recover(); p != nil {
			x.found(l, "%s", textOf(p))
		}
	}()
	f()
}

// If a subject refuses a shape, other values of k are tried. mostAskedK is the largest of them. It is larger than every
// k of the grid.
const mostAskedK = 32

// The method "open" returns a new filter and its model. If the subject refuses the shape, the method "open" uses the
// nearest k that the subject accepts. For a split-block filter this is 8, for example. If the subject accepts no k, the
// method writes a note and reports false.
func (x *examination) open(m uint64, k int) (filter, model, bool) {
	f, d, err := x.make(m, k)
	if err == nil {
		return f, d, true
	}
	text := fmt.Sprintf("m=%d k=%d %v", m, k, err)
	if other := x.nearest(k); other != k {
		if f, d, err := x.make(m, other); err == nil {
			x.note("%s; k=%d instead", text, other)
			return f, d, true
		}
	}
	x.note("%s", text)
	return nil, model{}, false
}

// The method "make" returns a new filter and its model. The filter has m bits, or a few more if slices or blocks need
// them.
func (x *examination) make(m uint64, k int) (filter, model, error) {
	m = x.rounded(m, k)
	f, err := x.fresh(m, k)
	if err != nil {
		return nil, model{}, fmt.Errorf("was refused: %w", err)
	}
	d, err := x.model(f, m, k)
	if err != nil {
		return nil, model{}, fmt.Errorf("is no model: %w", err)
	}
	return f, d, nil
}

// The method "rounded" rounds the number of bits m up. The subject's slices, blocks or shards then all get the same
// number of bits.
func (x *examination) rounded(m uint64, k int) uint64 {
	if x.s.OwnRate != nil {
		return m
	}
	unit := max(1, x.s.BlockBits, x.s.Shards)
	if hashings[x.s.Hashing].slices && x.s.BlockBits == 0 {
		unit *= uint64(k)
	}
	return m + (unit-m%unit)%unit
}

// The subject makes filters of 2^16 bits only for certain numbers of positions. The method "nearest" returns the one of
// these numbers that is closest to k. If two are equally close, it returns the smaller one. If there is none, it
// returns the given k.
func (x *examination) nearest(k int) int {
	if x.ks == nil {
		x.ks = []int{}
		for k := 1; k <= mostAskedK; k++ {
			if _, _, err := x.make(1<<16, k); err == nil {
				x.ks = append(x.ks, k)
			}
		}
	}
	if len(x.ks) == 0 {
		return k
	}
	return slices.MinFunc(x.ks, func(a, b int) int { return max(a-k, k-a) - max(b-k, k-b) })
}

// The method "random" returns a source of random keys. Each salt gives different keys, so each law has its own salt.
func (x *examination) random(salt uint64) *source {
	return &source{family: randomKeys, seed: mix(x.o.Seed ^ mix(salt))}
}

// fillWith adds n consecutive keys of a source to the filter f. The argument "first" is the number of the first of
// these keys.
func (x *examination) fillWith(f filter, keys *source, first, n uint64) {
	for i := range n {
		x.s.Add(f, keys.key(first+i))
	}
}

// The method "asked" looks up keys of a source in the filter f. They are the n keys with the numbers first to
// first+n-1. The method passes each answer to the function "use", until this function returns false.
func (x *examination) asked(f filter, keys *source, first, n uint64, use func(i uint64, contained bool) bool) {
	if x.s.many == nil {
		for i := range n {
			if !use(i, x.s.Contains(f, keys.key(first+i))) {
				return
			}
		}
		return
	}
	const most = 1000
	for done := uint64(0); done < n; done += most {
		batch := make([][]byte, min(most, n-done))
		for i := range batch {
			batch[i] = slices.Clone(keys.key(first + done + uint64(i)))
		}
		for i, contained := range x.s.many(f, batch) {
			if !use(done+uint64(i), contained) {
				return
			}
		}
	}
}

// The method "same" compares the bits and the snapshots of the filters f and g. It also compares their answers about n
// keys of the source. The argument "first" is the number of the first of these keys. It returns the text of a
// difference, or "".
func (x *examination) same(f, g filter, keys *source, first, n uint64) string {
	if x.s.Bits != nil {
		if a, b := x.s.Bits(f), x.s.Bits(g); a != b {
			return fmt.Sprintf("%d set bits, want %d", a, b)
		}
	}
	if x.s.Words != nil && !slices.Equal(x.s.Words(f), x.s.Words(g)) {
		return "the bits are others"
	}
	if x.s.Items != nil {
		if a, b := x.s.Items(f), x.s.Items(g); a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
			return fmt.Sprintf("an estimate of %v items, want %v", a, b)
		}
	}
	if x.s.Rate != nil {
		if a, b := x.s.Rate(f), x.s.Rate(g); a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
			return fmt.Sprintf("a stated rate of %v, want %v", a, b)
		}
	}
	for i := range n {
		if a, b := x.s.Contains(f, keys.key(first+i)), x.s.Contains(g, keys.key(first+i)); a != b {
			return fmt.Sprintf("%q contained: %t, want %t", keys.key(first+i), a, b)
		}
	}
	return ""
}
