package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/defaults"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind"
)

// These are the parts of the soak test.
const (
	partSound = "sound"
	partLevel = "level"
	partWrong = "wrong"
	partPower = "power"
	partRaces = "races"
	partBlind = "blind"
)

var allParts = []string{partWrong, partBlind, partRaces, partLevel, partSound, partPower}

// A key names a run.
type key struct {
	Part    string  `json:"part"`
	Subject string  `json:"subject"`
	Effort  float64 `json:"effort"`
	Seed    uint64  `json:"seed"`
}

func (k key) compare(l key) int {
	return cmp.Or(cmp.Compare(k.Part, l.Part), cmp.Compare(k.Subject, l.Subject), cmp.Compare(k.Effort, l.Effort), cmp.Compare(k.Seed, l.Seed))
}

// The type "result" holds what a run found.
type result struct {
	key
	Level   float64           `json:"level"`             // the least level at which the filter is accused; 0 for none
	Found   []conform.Finding `json:"found,omitempty"`   // the findings of the examination at the first level
	Calls   uint64            `json:"calls,omitempty"`   // the number of additions and look-ups
	Seconds float64           `json:"seconds,omitempty"` // the wall time
	Needed  float64           `json:"needed,omitempty"`  // the effort at which the fault was found, or the largest one
}

// A run examines a subject at several false-alarm probabilities, in descending order. It ends at the first probability
// for which the examination finds no fault.
type run struct {
	key
	subject conform.Subject[*mutant.Plain]
	options conform.Options
	levels  []float64
	fault   blind.Fault // the subject, in partBlind
	law     conform.Law // the broken law, in partWrong
}

// firstEffort is the effort of the first examination of a filter with a fault. For most filters this effort is enough.
// If this effort is not enough, the filter is examined again with the effort of the run.
const firstEffort = 0.1

// A run has one or two examinations. The method "efforts" returns the efforts of these examinations. Each examination
// is made only if the previous examination found no fault.
func (r run) efforts() []float64 {
	if (r.Part == partWrong || r.Part == partBlind) && r.Effort > firstEffort {
		return []float64{firstEffort, r.Effort}
	}
	return []float64{r.Effort}
}

// The method "ask" examines the subject of the run.
func (r run) ask(o conform.Options) (conform.Report, error) {
	if r.Part != partBlind {
		return conform.Examine(r.subject, o)
	}
	// Some filters with faults end the process, or never return.
	o.Child = func() *exec.Cmd {
		self, err := os.Executable()
		if err != nil {
			return nil
		}
		return exec.Command(self, "-one", r.Subject, "-one-seed", fmt.Sprint(o.Seed), "-one-effort", fmt.Sprint(o.Effort))
	}
	return r.fault.Examine(o)
}

// The function "one" makes a single run in a child process. The argument "name" is the name of the fault.
func one(name string, seed uint64, effort float64) error {
	for _, f := range blind.All() {
		if f.Name == name {
			_, err := run{key: key{partBlind, name, effort, seed}, fault: f}.ask(conform.Options{Seed: seed, Effort: effort})
			return err
		}
	}
	return fmt.Errorf("-one is %q, must be the name of a fault of package blind", name)
}

// The examination of a law with a statistical test can raise a false alarm. The list "chance" has the laws with such
// tests.
var chance = []conform.Law{"rate", "set bits", "place", "dependence", "keys", "stated rate", "items"}

// The variable "levels" has the false-alarm probabilities that are measured, in descending order. A smaller level only
// raises thresholds and widens tolerances. So a filter that is accused at one level is also accused at all larger
// levels, under the same seed.
var levels = []float64{0.1, 1e-2, 1e-3}

// The type "fault" describes a small fault. The examination looks for this fault in small filters (1024 bits and 4
// positions) or in filters of the default shapes. The field "most" is the largest effort that the runs of this fault
// use.
type fault struct {
	name    string
	law     conform.Law
	subject conform.Subject[*mutant.Plain]
	shapes  []bloomproof.Geometry
	most    float64
	stated  string                                             // the fault of Power that states its size; "" if none does
	sized   func(least float64) conform.Subject[*mutant.Plain] // the subject with a fault of the stated size
}

// The method "at" returns the subject that is examined with the given effort. For some faults, a report states the
// size. The method then examines the filter without the fault, and takes the size from the report.
func (f fault) at(effort float64) (conform.Subject[*mutant.Plain], error) {
	if f.stated == "" {
		return f.subject, nil
	}
	report, err := conform.Examine(f.subject, conform.Options{Effort: effort, Laws: []conform.Law{f.law}, Shapes: f.shapes})
	if err != nil {
		return f.subject, err
	}
	least := math.Inf(1)
	for _, p := range report.Power {
		if p.Law == f.law && p.Fault == f.stated {
			least = min(least, p.Least)
		}
	}
	if math.IsInf(least, 1) {
		return f.subject, fmt.Errorf("%s: no power is stated at effort %g", f.name, effort)
	}
	return f.sized(least), nil
}

var faultShape = []bloomproof.Geometry{{M: 1024, K: 4}}

// The function "faults" returns all small faults. In some of them, the filter reports a wrong rate. Some of these
// filters count their set bits, and others do not. In other faults, all positions depend on one another.
func faults() []fault {
	var all []fault
	for _, counts := range []bool{true, false} {
		told := "bits counted"
		if !counts {
			told = "bits not counted"
		}
		for _, percent := range []int{2, -2, 5, -5, 10, -10, 20, -20} {
			all = append(all, fault{fmt.Sprintf("rate %+d %%, %s", percent, told), "rate", mutant.Off(float64(percent)/100, counts), faultShape, 100, "", nil})
		}
	}
	for _, percent := range []int{5, -5} { // faults for which effort 0.1 is enough
		all = append(all, fault{fmt.Sprintf("rate %+d %%, bits not counted, on the default grid", percent), "rate", mutant.Off(float64(percent)/100, false), nil, 0.1, "", nil})
	}
	for _, w := range mutant.Wrongs() {
		if w.Law == "dependence" {
			all = append(all, fault{w.Name, w.Law, w.Subject, faultShape, 100, "", nil})
		}
	}
	return append(all, statedFaults()...)
}

// A report of an examination states how large a fault must be to be found. The function statedFaults returns faults of
// exactly this size.
func statedFaults() []fault {
	const most = 1
	var all []fault
	for _, counts := range []bool{true, false} {
		told := map[bool]string{true: "bits counted", false: "bits not counted"}[counts]
		off := func(sign float64) func(least float64) conform.Subject[*mutant.Plain] {
			return func(least float64) conform.Subject[*mutant.Plain] { return mutant.Off(sign*least, counts) }
		}
		all = append(all,
			fault{"rate above as stated, " + told, "rate", mutant.Off(0, counts), faultShape, most, "rate above the model", off(1)},
			fault{"rate below as stated, " + told, "rate", mutant.Off(0, counts), faultShape, most, "rate below the model", off(-1)},
		)
	}
	prime := []bloomproof.Geometry{{M: 1021, K: 7}}
	return append(all,
		fault{"hits without cause as stated", "rate", mutant.Hits(0), prime, most, "hits that the model does not explain, of all probes", mutant.Hits},
		fault{"progressions as stated", "dependence", mutant.Progressions(0), prime, most, "keys whose positions form a progression", mutant.Progressions},
		fault{"one half favoured as stated", "place", mutant.Half(0), prime, most, "a half of the places favoured", mutant.Half},
	)
}

// The method "runs" returns all runs in the given parts of the plan.
func (p plan) runs(parts []string) ([]run, error) {
	var out []run
	usual := []float64{1e-6}
	for _, part := range parts {
		switch part {
		case partSound:
			for seed := uint64(1); seed <= p.seeds; seed++ {
				s := soundOf(seed)
				out = append(out, run{key{part, s.Name, p.effort, seed}, s.Subject, conform.Options{}, usual, blind.Fault{}, ""})
			}
		case partLevel:
			for seed := uint64(1); seed <= p.levels; seed++ {
				s := soundOf(seed)
				out = append(out, run{key{part, s.Name, p.levelEffort, seed}, s.Subject, conform.Options{Laws: chance}, levels, blind.Fault{}, ""})
			}
		case partWrong:
			for seed := range p.wrongs {
				for _, w := range mutant.Wrongs() {
					if racy(w) {
						continue
					}
					o := conform.Options{Shapes: w.Shapes, Huge: w.Huge}
					if w.Huge { // it has no other shapes
						o.Laws = []conform.Law{w.Law}
					}
					out = append(out, run{key{part, w.Name, 1, seed + defaults.Seed}, w.Subject, o, usual, blind.Fault{}, w.Law})
				}
			}
		case partBlind:
			for seed := range p.wrongs {
				for _, f := range blind.All() {
					out = append(out, run{key: key{part, f.Name, 1, seed + defaults.Seed}, levels: usual, fault: f})
				}
			}
		case partRaces:
			for seed := uint64(1); seed <= p.races; seed++ {
				for _, w := range mutant.Wrongs() {
					if racy(w) {
						out = append(out, run{key{part, w.Name, 1, seed}, w.Subject, conform.Options{Laws: []conform.Law{w.Law}}, usual, blind.Fault{}, ""})
					}
				}
			}
		case partPower:
			for _, f := range faults() {
				o := conform.Options{Laws: []conform.Law{f.law}, Shapes: f.shapes}
				for effort := 0.1; effort <= min(p.effortMax, f.most); effort *= 10 {
					subject, err := f.at(effort)
					if err != nil {
						return nil, err
					}
					for seed := uint64(1); seed <= p.powers; seed++ {
						out = append(out, run{key{part, f.name, effort, seed}, subject, o, usual, blind.Fault{}, ""})
					}
				}
			}
		default:
			return nil, fmt.Errorf("-only has %q, must be some of %s", part, strings.Join(allParts, ", "))
		}
	}
	return out, nil
}

// The function "racy" reports whether a filter's fault is a race. The seed does not decide whether a race is found.
func racy(w mutant.Wrong) bool { return strings.HasPrefix(string(w.Law), "concurrent") }

func soundOf(seed uint64) mutant.Right {
	all := mutant.Sounds()
	return all[seed%uint64(len(all))]
}

func (r run) make() (result, error) {
	out := result{key: r.key}
	o := r.options
	o.Seed = r.Seed
	if r.Part == partPower {
		r.subject = counted(r.subject, &out.Calls)
	}
	for i, level := range r.levels {
		o.FalseAlarm = level
		begin := time.Now()
		var report conform.Report
		for _, o.Effort = range r.efforts() {
			var err error
			if report, err = r.ask(o); err != nil {
				return result{}, err
			}
			if out.Needed = o.Effort; r.sees(report) {
				break
			}
		}
		out.Seconds += time.Since(begin).Seconds()
		if i == 0 {
			out.Found = report.Findings
		}
		if len(report.Findings) == 0 {
			break
		}
		out.Level = level
	}
	return out, nil
}

// The run r examines a filter that breaks a law. The method "sees" reports whether the report has a finding about this
// fault. If it is known which law the filter breaks, the finding must be about that law.
func (r run) sees(report conform.Report) bool {
	return slices.ContainsFunc(report.Findings, func(f conform.Finding) bool { return r.law == "" || f.Law == r.law })
}

// The function "counted" returns a copy of s. This copy counts its additions and look-ups in the variable "calls".
func counted(s conform.Subject[*mutant.Plain], calls *uint64) conform.Subject[*mutant.Plain] {
	add, contains := s.Add, s.Contains
	s.Add = func(f *mutant.Plain, key []byte) { *calls++; add(f, key) }
	s.Contains = func(f *mutant.Plain, key []byte) bool { *calls++; return contains(f, key) }
	return s
}
