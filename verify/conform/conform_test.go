package conform_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Outside long runs, the function "small" takes from a subject what other tests examine: filters of more than most bits,
// batches, and the function TestAndAdd. Most of the work of an examination with few keys is in programs with these.
func small(s conform.Subject[*mutant.Plain], most uint64) conform.Subject[*mutant.Plain] {
	if !longtest.Enabled() {
		s = upTo(s, most)
		s.AddBatch, s.ContainsBatch, s.TestAndAdd = nil, nil, nil
	}
	return s
}

// The function "upTo" returns a subject that refuses filters of more than most bits.
func upTo(s conform.Subject[*mutant.Plain], most uint64) conform.Subject[*mutant.Plain] {
	open := s.New
	s.New = func(m uint64, k int) (*mutant.Plain, error) {
		if m > most {
			return nil, fmt.Errorf("%d bits, must be at most %d", m, most)
		}
		return open(m, k)
	}
	return s
}

// Every filter that is wrong is accused, under the law that it breaks; and, among the exact
// laws where its fault is one of those, of nothing that does not follow from its fault.
// Package soak examines each for all laws.
func TestEveryWrongFilterIsAccused(t *testing.T) {
	chance := []conform.Law{"no false negative", "rate", "set bits", "place", "dependence", "keys"}
	figures := []conform.Law{"stated rate", "items", "sizing"} // of which nothing else follows
	laws := map[conform.Law]int{}
	wrongs := mutant.Wrongs()
	sample := longtest.More(24, 1) // of how many one is examined
	for number, w := range wrongs {
		laws[w.Law]++
		t.Run(w.Name, func(t *testing.T) {
			if number%sample != 0 {
				t.Skip("another of the sample: BLOOMPROOF_LONG=1 (make test-long) examines every one")
			}
			if w.Endless { // no other waits, and would be accused of a pause of the host
				defer patience(time.Second / 2)()
			}
			o := conform.Options{Effort: 0.1, Shapes: w.Shapes}
			if testing.Short() && w.Shapes == nil && w.Effort == 0 {
				o.Shapes = []bloomproof.Geometry{{M: 97, K: 5}, {M: 1024, K: 4}, {M: 49152, K: 3}} // where all others show
			}
			switch i := slices.Index(chance, w.Law); {
			case w.Huge || testing.Short() && w.Shapes != nil && w.Shapes[0].M > 1<<20:
				t.Skip("this fault shows only in a filter of more than a million bits, or of more than 2^32; make soak examines such filters")
			case w.Law == "concurrent adds" && raced:
				t.Skip("this fault is a data race, at which the race detector ends the whole test; make test-long finds it without the detector")
			case strings.HasPrefix(string(w.Law), "concurrent"): // the effort is what it takes at most
				o.Laws, o.Effort = []conform.Law{w.Law}, 1
			case testing.Short() || w.Shapes != nil || i >= 0:
				o.Laws, o.Effort = []conform.Law{w.Law}, 0.2
				if w.Law == "keys" {
					o.Effort = 0.03 // pairs of keys have a floor
				}
			case slices.Contains(figures, w.Law):
				o.Laws = figures
			default:
				if i := slices.Index(conform.Laws(), w.Law); i < slices.Index(conform.Laws(), "concurrent reads") {
					o.Effort = 0.03
				}
				if number%longtest.More(48, 4) > 0 { // some show that the other laws accuse none of these, and make soak that none does
					o.Laws = []conform.Law{w.Law}
					break
				}
				bytes := []conform.Law{"snapshot", "corrupt snapshot", "hostile snapshot"}
				o.Laws = slices.DeleteFunc(conform.Laws(), func(l conform.Law) bool {
					return slices.Contains(chance, l) || slices.Contains(bytes, l) && !slices.Contains(bytes, w.Law)
				})
			}
			if w.Shapes != nil {
				o.Effort = 1
			}
			if w.Effort > 0 {
				o.Effort = w.Effort
			}
			if w.Effort > 0.3 {
				longtest.Only(t, "takes some ten million keys")
			}
			report, err := conform.Examine(w.Subject, o)
			if err != nil {
				t.Fatal(err)
			}
			if !broken(report, w.Law) {
				t.Errorf("not accused under %q:\n%v", w.Law, report)
			}
			for _, f := range report.Findings {
				if f.Law == w.Law {
					t.Logf("%v", f)
				} else if !slices.Contains(w.Also, f.Law) {
					t.Errorf("accused of what does not follow: %v", f)
				}
			}
		})
	}
	for _, l := range conform.Laws() {
		if laws[l] == 0 {
			t.Errorf("no filter breaks %q", l)
		}
	}
	t.Logf("%d wrong filters", len(wrongs))
}

// Filters without faults keep every law.
func TestSoundFiltersPass(t *testing.T) {
	o := conform.Options{Effort: longtest.Of(0.02, 0.01, 0.1)}
	for i, r := range mutant.Sounds() {
		o := o
		if !longtest.Enabled() { // some at a glance: the long run has all, and make soak more of each
			if i%longtest.Of(8, 16, 1) != 0 {
				continue
			}
			o.Shapes = []bloomproof.Geometry{{M: 97, K: 5}, {M: 1024, K: 4}, {M: 1 << 14, K: 7}}[:longtest.Of(3, 2, 3)]
		}
		report, err := conform.Examine(r.Subject, o)
		if err != nil || len(report.Findings) > 0 {
			t.Errorf("%s: %v\n%v", r.Name, err, report)
		}
		for _, l := range report.Untold {
			if !slices.Contains(r.Untold, l) {
				t.Errorf("%s: %q was not examined", r.Name, l)
			}
		}
		if len(report.Kept)+len(report.Untold) != len(conform.Laws()) {
			t.Errorf("%s: kept %v, untold %v", r.Name, report.Kept, report.Untold)
		}
	}
}

// A pause of the host is not held against a filter: who reads a snapshot in time at the second
// attempt is not accused.
func TestPauseIsNoFault(t *testing.T) {
	defer patience(time.Second)()
	s := mutant.Sound(bloomproof.Standard, 0)
	read, end := s.Unmarshal, make(chan struct{})
	defer close(end)
	var calls atomic.Int64
	s.Unmarshal = func(f *mutant.Plain, data []byte) error {
		if calls.Add(1) == 20 {
			<-end
			return errors.New("too late")
		}
		return read(f, data)
	}
	report, err := conform.Examine(s, conform.Options{Laws: []conform.Law{"hostile snapshot"}})
	if err != nil || len(report.Findings) > 0 || !slices.Contains(report.Kept, "hostile snapshot") || calls.Load() < 20 {
		t.Errorf("%d snapshots read: %v\n%v", calls.Load(), err, report)
	}
}

// The default grid is what Options says: from 47 to 2^23 bits and from 1 to 20 positions, with
// primes, powers of two and their neighbours.
func TestGrid(t *testing.T) {
	s := mutant.Sound(bloomproof.Standard, 0)
	s.Size = nil // which would add its own
	asked := map[uint64][]int{}
	s.New = func(m uint64, k int) (*mutant.Plain, error) {
		asked[m] = append(asked[m], k)
		return nil, errors.New("only asking")
	}
	if _, err := conform.Examine(s, conform.Options{Laws: []conform.Law{"rate"}}); err != nil {
		t.Fatal(err)
	}
	least, most, primes, powers, before, after := uint64(math.MaxUint64), uint64(0), 0, 0, 0, 0
	ks := map[int]bool{}
	for m, k := range asked {
		least, most = min(least, m), max(most, m)
		if new(big.Int).SetUint64(m).ProbablyPrime(0) { // which errs from 2^64 on only
			primes++
		}
		for n, count := range map[uint64]*int{m: &powers, m + 1: &before, m - 1: &after} {
			if n&(n-1) == 0 {
				*count++
			}
		}
		for _, k := range k {
			ks[k] = true
		}
	}
	if least != 47 || most != 1<<24 || primes < 5 || powers < 5 || before < 1 || after < 3 || !ks[1] || !ks[20] || len(ks) < 9 {
		t.Errorf("m from %d to %d, with %d primes, %d powers of two, %d before and %d after one; k in %v", least, most, primes, powers, before, after, ks)
	}
}

// A rate that is 5% too high or too low at m = 1024 is found at effort 2 where set bits are
// counted; where they are not, one that is 20% off. Package soak measures how often.
func TestPower(t *testing.T) {
	for _, c := range []struct {
		off    float64
		counts bool
	}{{0.05, true}, {-0.05, true}, {0.2, false}, {-0.2, false}} {
		report, err := conform.Examine(mutant.Off(c.off, c.counts), conform.Options{
			Effort: 2, Laws: []conform.Law{"rate"}, Shapes: []bloomproof.Geometry{{M: 1024, K: 4}},
		})
		if err != nil || !broken(report, "rate") {
			t.Errorf("a rate that is %g off is not found: %v", c.off, err)
		}
	}
}

func TestExamineErrors(t *testing.T) {
	good := mutant.Sound(bloomproof.Standard, 0)
	change := func(f func(s *conform.Subject[*mutant.Plain])) conform.Subject[*mutant.Plain] {
		s := good
		f(&s)
		return s
	}
	for _, row := range []struct {
		s     conform.Subject[*mutant.Plain]
		o     conform.Options
		param string
	}{
		{conform.Subject[*mutant.Plain]{}, conform.Options{}, "New"},
		{change(func(s *conform.Subject[*mutant.Plain]) { s.Add = nil }), conform.Options{}, "Add"},
		{change(func(s *conform.Subject[*mutant.Plain]) { s.Contains = nil }), conform.Options{}, "Contains"},
		{change(func(s *conform.Subject[*mutant.Plain]) { s.Hashing = 9 }), conform.Options{}, "hashing"},
		{good, conform.Options{FalseAlarm: 1}, "FalseAlarm"},
		{good, conform.Options{FalseAlarm: math.NaN()}, "FalseAlarm"},
		{good, conform.Options{Effort: -1}, "Effort"},
		{good, conform.Options{Laws: []conform.Law{"gravity"}}, "Laws"},
		{good, conform.Options{Shapes: []bloomproof.Geometry{{M: 0, K: 1}}}, "Shapes"},
		{good, conform.Options{Shapes: []bloomproof.Geometry{{M: 1, K: 5000}}}, "Shapes"},
	} {
		var p *bloomproof.ParamError
		if _, err := conform.Examine(row.s, row.o); !errors.As(err, &p) || p.Param != row.param {
			t.Errorf("error %v, want one about %s", err, row.param)
		}
	}
}

// A filter that refuses every shape keeps no law, and the notes say why.
func TestExamineRefused(t *testing.T) {
	s := mutant.Sound(bloomproof.Standard, 0)
	s.New = func(m uint64, _ int) (*mutant.Plain, error) { return nil, fmt.Errorf("no filter of %d bits", m) }
	s.RateFor = nil
	report, err := conform.Examine(s, conform.Options{Effort: 0.01})
	if err != nil || len(report.Kept) > 0 || !strings.Contains(report.String(), "no filter of 1024 bits") {
		t.Errorf("%v\n%v", err, report)
	}
}

// A filter whose k is fixed, such as a split-block filter, is examined with that k, by every law
// that says something of it, and accused like any other.
func TestFixedK(t *testing.T) {
	fixed := func(s conform.Subject[*mutant.Plain], ks ...int) conform.Subject[*mutant.Plain] {
		open := s.New
		s.New = func(m uint64, k int) (*mutant.Plain, error) {
			if !slices.Contains(ks, k) {
				return nil, errors.New("no such k")
			}
			return open(m, k)
		}
		return s
	}
	o := conform.Options{Effort: longtest.Of(0.02, 0.005, 0.05), Laws: []conform.Law{"no false negative", "rate", "set bits", "place", "dependence", "keys", "batch", "union", "reset", "snapshot"}}
	if testing.Short() {
		o.Laws = o.Laws[:6]
	} else if !longtest.Enabled() { // short runs have the other laws of chance
		o.Laws = []conform.Law{"no false negative", "rate", "set bits", "union"}
		o.Shapes = []bloomproof.Geometry{{M: 97, K: 5}, {M: 1024, K: 4}, {M: 1 << 14, K: 7}}
	}
	for _, s := range []conform.Subject[*mutant.Plain]{
		fixed(small(mutant.Sound(bloomproof.Partitioned, 256), 1<<17), 8), fixed(mutant.Sound(bloomproof.Standard, 512), 7), fixed(mutant.Sound(bloomproof.Classic, 0), 3, 30),
	}[:longtest.Of(3, 1, 3)] {
		report, err := conform.Examine(s, o)
		if err != nil || report.Err() != nil || len(report.Untold) > 0 {
			t.Errorf("%v, blocks of %d: %v\n%v", s.Hashing, s.BlockBits, err, report)
		}
	}
	empty := fixed(small(mutant.Sound(bloomproof.Partitioned, 256), 1<<17), 8)
	empty.Contains = func(*mutant.Plain, []byte) bool { return false }
	if report, err := conform.Examine(empty, o); err != nil || len(report.Findings) == 0 || report.Findings[0].Law != "no false negative" {
		t.Errorf("one that contains nothing: %v\n%v", err, report)
	}
}

// An examination in which no false negative was asked for and not examined has failed, though
// no law is broken; so has one that examined nothing.
func TestReportErr(t *testing.T) {
	only := func(shapes ...bloomproof.Geometry) conform.Subject[*mutant.Plain] {
		s := small(mutant.Sound(bloomproof.Standard, 0), 1<<23)
		open := s.New
		s.Size = nil
		s.New = func(m uint64, k int) (*mutant.Plain, error) {
			if !slices.Contains(shapes, bloomproof.Geometry{M: m, K: k}) {
				return nil, errors.New("no such shape")
			}
			return open(m, k)
		}
		return s
	}
	panics := small(mutant.Sound(bloomproof.Standard, 0), 1<<16)
	panics.Contains = func(*mutant.Plain, []byte) bool { panic("contains") }
	unions := []conform.Law{"union"}
	none := []conform.Law{"no false negative"}
	for _, c := range []struct {
		name string
		s    conform.Subject[*mutant.Plain]
		o    conform.Options
		want string // in the error; "" for none
	}{
		{"no shape", only(), conform.Options{Laws: unions}, "nothing was examined: m=64 k=3 was refused: no such shape"},
		{"a shape of other laws", only(bloomproof.Geometry{M: 1 << 18, K: 7}), conform.Options{}, `"no false negative" was not examined`},
		{"a shape of programs", only(bloomproof.Geometry{M: 1000, K: 5}), conform.Options{}, ""},
		{"the same, unions asked", only(bloomproof.Geometry{M: 1000, K: 5}), conform.Options{Laws: unions}, ""},
		{"a shape that is asked for", only(bloomproof.Geometry{M: 999, K: 8}), conform.Options{Shapes: []bloomproof.Geometry{{M: 999, K: 8}}}, ""},
		{"too little effort", only(bloomproof.Geometry{M: 1 << 23, K: 7}), conform.Options{Effort: 1e-6}, `"no false negative" was not examined`},
		{"a panic", panics, conform.Options{Laws: none}, "no false negative: standard m=47 k=3, 1 random keys: panic: contains"},
		{"sound", small(mutant.Sound(bloomproof.Standard, 0), 1<<16), conform.Options{Laws: none}, ""},
	} {
		if c.o.Effort == 0 {
			c.o.Effort = longtest.More(0.002, 0.01)
		}
		report, err := conform.Examine(c.s, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if err := report.Err(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q\n%v", c.name, err, c.want, report)
		}
	}
}

// What is found is printed with the case, and is the same again.
func TestReportRepeats(t *testing.T) {
	var texts []string
	for range 2 {
		w := mutant.Wrongs()[0]
		report, err := conform.Examine(w.Subject, conform.Options{Seed: 7, Effort: 0.1, Laws: []conform.Law{w.Law}})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, report.String())
	}
	if texts[0] != texts[1] || !strings.Contains(texts[0], "dependence: standard m=") || !strings.Contains(texts[0], "seed 7") {
		t.Errorf("%s\n%s", texts[0], texts[1])
	}
}

// broken reports whether there is a finding about the law.
func broken(r conform.Report, l conform.Law) bool {
	return slices.ContainsFunc(r.Findings, func(f conform.Finding) bool { return f.Law == l })
}

// A snapshot without a checksum is accused as that, and of nothing else: what was read in place of a
// refusal is not held against the operations that follow.
func TestNoChecksum(t *testing.T) {
	s := mutant.Sound(bloomproof.Standard, 0)
	unmarshal := s.Unmarshal
	s.Unmarshal = func(f *mutant.Plain, data []byte) error {
		if data = slices.Clone(data); len(data) >= 24 { // whose last 8 are the checksum
			clear(data[16:24])
			binary.LittleEndian.PutUint64(data[16:], crc64.Checksum(data, crc64.MakeTable(crc64.ECMA)))
		}
		return unmarshal(f, data)
	}
	r, err := conform.Examine(small(s, 1<<17), conform.Options{Effort: longtest.More(0.02, 0.25), Laws: []conform.Law{"union", "reset", "corrupt snapshot"}})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Law != "corrupt snapshot" {
		t.Errorf("%v\n%v", err, r)
	}
}

// A filter that counts additions counts a key that two goroutines add twice, which is no fault.
func TestCountedAdditions(t *testing.T) {
	type counted struct {
		*mutant.Plain
		n *atomic.Int64
	}
	s := mutant.Sound(bloomproof.Standard, 0)
	r, err := conform.Examine(conform.Subject[counted]{
		New: func(m uint64, k int) (counted, error) {
			f, err := s.New(m, k)
			return counted{f, new(atomic.Int64)}, err
		},
		Add:            func(f counted, key []byte) { f.n.Add(1); s.Add(f.Plain, key) },
		Contains:       func(f counted, key []byte) bool { return s.Contains(f.Plain, key) },
		Items:          func(f counted) float64 { return float64(f.n.Load()) },
		ConcurrentAdds: true,
	}, conform.Options{Effort: 0.05, Laws: []conform.Law{"concurrent adds"}})
	if err != nil || len(r.Kept) != 1 {
		t.Errorf("%v\n%v", err, r)
	}
}
