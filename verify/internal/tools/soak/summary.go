package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind"
	"github.com/bloomproof/bloomproof/verify/stat"
)

// The constant "confidence" is the confidence level of the intervals.
const confidence = 0.99

// The function "summarize" prints how many runs of the plan were made, and their results. A false alarm is a finding in
// a filter without faults. If the false-alarm probability is 1e-6, a single false alarm is an error. For a larger
// false-alarm probability, it returns an error if there are too many false alarms for this probability. The function
// also returns an error if the fault of a filter is not found, or if something other than this fault is found.
func summarize(w io.Writer, p plan, done []result) error {
	if err := summarizePlan(w, p, done); err != nil {
		return err
	}
	parts := map[string][]result{}
	for _, r := range unique(done) {
		parts[r.Part] = append(parts[r.Part], r)
	}
	return errors.Join(
		summarizeSound(w, parts[partSound]), summarizeLevels(w, parts[partLevel]),
		summarizeWrong(w, parts[partWrong]), summarizeBlind(w, parts[partBlind]), summarizeRaces(w, parts[partRaces]), summarizePower(w, parts[partPower]),
	)
}

// A plan has several parts. For each part, summarizePlan prints how many runs were made.
func summarizePlan(w io.Writer, p plan, done []result) error {
	others := map[key]bool{}
	for _, r := range done {
		others[r.key] = true
	}
	var made []string
	for _, part := range allParts {
		runs, err := p.runs([]string{part})
		if err != nil {
			return err
		}
		n := 0
		for _, r := range runs {
			if others[r.key] {
				delete(others, r.key)
				n++
			}
		}
		made = append(made, fmt.Sprintf("%s %d of %d", part, n, len(runs)))
	}
	_, err := fmt.Fprintf(w, "runs that were made, of those planned, by part: %s; runs that are not in the plan: %d\n", strings.Join(made, ", "), len(others))
	return err
}

// The function "unique" returns the results in the order of their keys, one result for each run.
func unique(done []result) []result {
	out := slices.Clone(done)
	slices.SortStableFunc(out, func(a, b result) int { return a.compare(b.key) })
	return slices.CompactFunc(out, func(a, b result) bool { return a.key == b.key })
}

// The argument "by" is a function that assigns a value to each result. The function "grouped" puts results with the
// same value into one group. The groups are in the order of these values.
func grouped[V cmp.Ordered](done []result, by func(result) V) [][]result {
	out := [][]result{}
	slices.SortStableFunc(done, func(a, b result) int { return cmp.Compare(by(a), by(b)) })
	for i, r := range done {
		if i == 0 || by(done[i-1]) != by(r) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], r)
	}
	return out
}

func effort(r result) float64 { return r.Effort }
func subject(r result) string { return r.Subject }

func summarizeSound(w io.Writer, done []result) (err error) {
	for _, g := range grouped(done, effort) {
		accused := 0
		for _, r := range g {
			if len(r.Found) > 0 {
				accused++
				err = errors.Join(err, fmt.Errorf("%s, seed %d, is accused: %v", r.Subject, r.Seed, r.Found[0]))
			}
		}
		fmt.Fprintf(w, "sound filters under all laws, false-alarm probability 1e-06: %d seeds at effort %g, %d accused\n", len(g), g[0].Effort, accused)
	}
	return err
}

func summarizeLevels(w io.Writer, done []result) (err error) {
	for _, g := range grouped(done, effort) {
		for _, level := range levels {
			accused := uint64(0)
			for _, r := range g {
				if r.Level > 0 && r.Level <= level {
					accused++
				}
			}
			lo, hi, e := stat.ClopperPearson(accused, uint64(len(g)), confidence)
			if e == nil && lo > level {
				e = fmt.Errorf("at a false-alarm probability of %g %d of %d sound filters are accused", level, accused, len(g))
			}
			err = errors.Join(err, e)
			fmt.Fprintf(w, "sound filters under the laws of chance, false-alarm probability %g: %d seeds at effort %g, %d accused: %.2g to %.2g\n",
				level, len(g), g[0].Effort, accused, lo, hi)
		}
	}
	return err
}

func summarizeWrong(w io.Writer, done []result) (err error) {
	if len(done) == 0 {
		return nil
	}
	byName := map[string][]result{}
	for _, r := range done {
		byName[r.Subject] = append(byName[r.Subject], r)
	}
	missed, others := 0, 0
	var rows strings.Builder
	for _, m := range mutant.Wrongs() {
		g := byName[m.Name]
		if len(g) == 0 {
			continue
		}
		right, where := 0, ""
		var also []string
		for _, r := range g {
			for _, f := range r.Found {
				switch {
				case f.Law == m.Law:
					right++
					where = cmp.Or(where, f.Case)
				case slices.Contains(m.Also, f.Law):
					also = append(also, string(f.Law))
				default:
					others++
					err = errors.Join(err, fmt.Errorf("%s, seed %d, is accused of what does not follow: %v", m.Name, r.Seed, f))
				}
			}
		}
		if right < len(g) {
			missed++
			err = errors.Join(err, fmt.Errorf("%s is accused under %q in %d of %d runs", m.Name, m.Law, right, len(g)))
		}
		slices.Sort(also)
		fmt.Fprintf(&rows, "  %-67s %d/%d  %-17s %s", m.Name, right, len(g), m.Law, where)
		if also = slices.Compact(also); len(also) > 0 {
			fmt.Fprintf(&rows, "; so also %s", strings.Join(also, ", "))
		}
		fmt.Fprintln(&rows)
	}
	fmt.Fprintf(w, "wrong filters under all laws, false-alarm probability 1e-06: %d filters, %d runs at effort %g, %d filters missed, %d wrong accusations\n",
		len(byName), len(done), done[0].Effort, missed, others)
	_, e := fmt.Fprintf(w, "\nwrong filter, runs under the right law, where first (the rest follows from the fault)\n\n%s", rows.String())
	return errors.Join(err, e)
}

// A blind filter has a fault that was made on purpose. The author of the filter knew only the interface of package
// conform. The constant "mostly" is a fraction of these filters. The examination must find a fault in at least this
// fraction.
const mostly = 0.95

// summarizeBlind lists the blind filters (see the constant "mostly") in which the examination found no fault. It also
// prints the number of blind filters in which the first examination found a fault.
func summarizeBlind(w io.Writer, done []result) error {
	if len(done) == 0 {
		return nil
	}
	first, found, atFirst, seconds := 0, 0, 0, 0.0
	var rows strings.Builder
	byName := map[string][]result{}
	for _, r := range done {
		byName[r.Subject] = append(byName[r.Subject], r)
		seconds = max(seconds, r.Seconds)
		if len(r.Found) > 0 {
			found++
			if r.Needed == firstEffort {
				atFirst++
			}
		}
	}
	for _, f := range blind.All() {
		if blind.First()[f.Name] == "caught" {
			first++
		}
		for _, r := range byName[f.Name] {
			if len(r.Found) == 0 {
				fmt.Fprintf(&rows, "\n  not accused: %s (%s)", f.Name, f.Kind)
			}
		}
	}
	_, err := fmt.Fprintf(w, "\nfilters by authors who knew only the interface: the examination of that time accused %d of %d, the present one accuses %d of %d (%d of these at effort %g); each run took at most %.0f s%s\n",
		first, len(blind.All()), found, len(done), atFirst, firstEffort, seconds, rows.String())
	if float64(found) < mostly*float64(len(done)) {
		err = errors.Join(err, fmt.Errorf("%d of %d filters by authors who knew only the interface are accused", found, len(done)))
	}
	return err
}

// For each filter with a data race, many runs must find a fault. The constant "often" is the smallest permitted share
// of such runs.
const often = 0.99

// For each filter with a data race, summarizeRaces prints how often the examination found a fault.
func summarizeRaces(w io.Writer, done []result) (err error) {
	if len(done) == 0 {
		return nil
	}
	laws := map[string]conform.Law{}
	for _, m := range mutant.Wrongs() {
		laws[m.Name] = m.Law
	}
	groups := grouped(done, subject)
	fmt.Fprintf(w, "\nfilters with races, examined while other processes keep twice the number of processors busy: %d filters, %d runs at effort %g\n\n", len(groups), len(done), done[0].Effort)
	for _, g := range groups {
		found, seconds, where := 0, 0.0, ""
		for _, r := range g {
			if len(r.Found) > 0 {
				found++
				where = cmp.Or(where, r.Found[0].Case)
			}
			seconds = max(seconds, r.Seconds)
		}
		law := laws[g[0].Subject]
		if float64(found) < often*float64(len(g)) {
			err = errors.Join(err, fmt.Errorf("%s is accused under %q in %d of %d runs", g[0].Subject, law, found, len(g)))
		}
		fmt.Fprintf(w, "  %-75s %d/%d  %-17s %s; in at most %.1f s\n", g[0].Subject, found, len(g), law, where, seconds)
	}
	return err
}

// summarizePower prints how often faults are found, and the time of an examination. To get this time, it multiplies two
// numbers. Each run has a mean time per call. The first number is the smallest of these times. The second is the mean
// number of calls of a run. So other processes of the machine have little influence on this number.
func summarizePower(w io.Writer, done []result) error {
	if len(done) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nfaults at m = %d, k = %d, or on the default grid where they say so; false-alarm probability 1e-06; exact intervals of %g %%\n\n", faultShape[0].M, faultShape[0].K, 100*confidence)
	fmt.Fprintf(w, "%-48s %6s %9s %15s %8s %8s\n", "fault", "effort", "found", "probability", "calls", "seconds")
	bySubject := map[string][]result{}
	for _, g := range grouped(done, subject) {
		bySubject[g[0].Subject] = g
	}
	for _, f := range faults() {
		for _, g := range grouped(bySubject[f.name], effort) {
			found, calls, each := uint64(0), 0.0, math.Inf(1)
			for _, r := range g {
				if slices.ContainsFunc(r.Found, func(x conform.Finding) bool { return x.Law == f.law }) {
					found++
				}
				calls += float64(r.Calls)
				each = min(each, r.Seconds/float64(r.Calls))
			}
			lo, hi, err := stat.ClopperPearson(found, uint64(len(g)), confidence)
			if err != nil {
				return err
			}
			calls /= float64(len(g))
			fmt.Fprintf(w, "%-48s %6g %9s %15s %8.2g %8.2g\n", f.name, g[0].Effort, fmt.Sprintf("%d/%d", found, len(g)),
				fmt.Sprintf("%.3f to %.3f", lo, hi), calls, calls*each)
		}
	}
	return nil
}
