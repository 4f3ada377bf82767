// Command conformance examines the filters of this module and of other libraries by conform.Examine. It writes the
// results as a page, docs/conformance.md.
//
//	go run ./conformance -out ../docs/conformance.md      examines all, and renews the page
//	go run ./conformance -only libbloom                   examines one, and prints its part of the page
//
// The results are recorded in conformance/records.json. A filter in another language can be examined only if its
// library and its language are installed. Otherwise its record stays unchanged.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/defaults"
	"github.com/bloomproof/bloomproof/verify/conform"
)

func main() {
	var c choice
	flag.StringVar(&c.out, "out", "", "page to write, and the records with it; nothing for standard output")
	flag.StringVar(&c.records, "records", "conformance/records.json", "file of the records")
	flag.StringVar(&c.only, "only", "", "name of the one filter to examine")
	flag.Uint64Var(&c.o.Seed, "seed", defaults.Seed, "seed of the keys")
	flag.Float64Var(&c.o.Effort, "effort", 0.3, "work on the laws of chance, relative to conform.Options; a third or less of it in other languages")
	flag.BoolVar(&c.o.Huge, "huge", false, "examine some at 2^33 bits too: two GiB of memory")
	flag.StringVar(&c.part, "part", "", "print this part of the record of -only: laws, rates or huge")
	laws := flag.String("laws", "", "laws to examine, separated by commas; nothing for all")
	flag.Parse()
	for name := range strings.SplitSeq(*laws, ",") {
		if name != "" {
			c.o.Laws = append(c.o.Laws, conform.Law(name))
		}
	}
	if err := c.run(); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

// choice has the values of the command line.
type choice struct {
	out, records, only, part string
	o                        conform.Options
}

func (c choice) run() error {
	all := implementations()
	if c.only != "" {
		all = slices.DeleteFunc(all, func(e implementation) bool { return e.name != c.only })
		if len(all) == 0 {
			return fmt.Errorf("no filter is named %q", c.only)
		}
	}
	if c.part != "" {
		return json.NewEncoder(os.Stdout).Encode(must(all[0].part(c.part, c.o)))
	}
	records, err := load(c.records)
	if err != nil {
		return err
	}
	var failed []error
	for _, e := range all {
		r, err := e.apart(c.o)
		if err != nil {
			err = fmt.Errorf("%s: %w", e.name, err)
			if c.only != "" {
				return err
			}
			fmt.Fprintf(os.Stderr, "%v; its record stays as it was\n", err)
			if !errors.Is(err, errMissing) {
				failed = append(failed, err)
			}
			continue
		}
		fmt.Fprintf(os.Stderr, "%s: %d findings, %.1f s of processor time\n", e.name, len(r.Report.Findings), r.seconds)
		records[e.name] = r
		if c.out != "" {
			if err := save(c.records, records); err != nil { // an interrupt must not lose results
				return err
			}
		}
	}
	if c.out == "" {
		var b strings.Builder
		for _, e := range all {
			writeFilter(&b, records[e.name])
		}
		_, err := os.Stdout.WriteString(b.String())
		return err
	}
	return errors.Join(append(failed, os.WriteFile(c.out, []byte(page(records)), 0o644))...)
}

// The function named must returns x if err is nil, and otherwise ends the process. The process examines only one
// filter, so no other results are lost.
func must[T any](x T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return x
}

// The method part makes one part of the record of a filter, in this process. The part "rates" has the measured rates,
// the part "huge" has the results for filters with more than 2^32 bits, and the part "laws" has the results for smaller
// filters.
func (e implementation) part(name string, o conform.Options) (record, error) {
	r := record{}
	var err error
	switch name {
	case "rates":
		r.Rates, err = e.measure()
		return r, err
	case "huge":
		o.Huge, o.Laws, o.Shapes = true, hugeLaws, []bloomproof.Geometry{} // no other shapes
		report, err := e.examine(o)
		r.Huge = &report
		return r, err
	}
	o.Huge = false
	r.Report, err = e.examine(o)
	for line := range strings.Lines(r.Report.String()) {
		if power, ok := strings.CutPrefix(line, "power: "); ok {
			r.Power = strings.TrimSpace(power)
		}
	}
	r.Report.Power = nil // these are hundreds of lines, which the line on power summarises
	return r, err
}

// patience is the time that a process may take for a part of a record.
const patience = 15 * time.Minute

// The method apart examines a filter in separate processes, so that a crash loses only one result. If a process dies,
// each law gets its own process.
func (e implementation) apart(o conform.Options) (record, error) {
	version := moduleVersion(e.module)
	if e.program != nil {
		var err error
		if version, err = e.program.installed(); err != nil {
			return record{}, err
		}
	}
	seconds := 0.
	part := func(name string, o conform.Options) (record, string, error) {
		r, died, err := e.child(name, o)
		seconds += r.seconds
		return r, died, err
	}
	r, died, err := part("laws", o)
	if err != nil && died == "" {
		return record{}, err
	}
	if died != "" { // find the law that ends the process by examining each law in its own process
		r = record{}
		rest := slices.DeleteFunc(conform.Laws(), func(l conform.Law) bool { return l == "union" })
		for _, laws := range [][]conform.Law{{"union"}, rest} {
			if err := e.lawByLaw(&r, part, laws, o); err != nil {
				return record{}, err
			}
		}
	}
	if len(r.Report.Findings) == 0 {
		if err := r.Report.Err(); err != nil { // the examination was too small
			return record{}, err
		}
	}
	if e.measure != nil {
		rates, _, err := part("rates", o)
		if err != nil {
			return record{}, err
		}
		r.Rates = rates.Rates
	}
	if e.huge && o.Huge {
		huge, _, err := part("huge", o)
		if err != nil {
			return record{}, err
		}
		r.Huge = huge.Huge
	}
	r.Name, r.Language, r.Version, r.Declared = e.name, e.language, version, e.declared
	r.Date, r.Effort = time.Now().UTC().Format(time.DateOnly), o.Effort
	r.seconds = seconds
	return r, nil
}

// lawByLaw examines laws in one process and adds the results to a record. If the process dies, it examines each law in
// its own process.
func (e implementation) lawByLaw(r *record, part func(string, conform.Options) (record, string, error), laws []conform.Law, o conform.Options) error {
	o.Laws = laws
	one, died, err := part("laws", o)
	whole := &r.Report
	switch {
	case died != "" && len(laws) == 1:
		whole.Findings = append(whole.Findings, conform.Finding{Law: laws[0], Text: died})
	case died != "":
		for _, l := range laws {
			if err := e.lawByLaw(r, part, []conform.Law{l}, o); err != nil {
				return err
			}
		}
	case err != nil:
		return err
	default:
		one := one.Report
		whole.Seed, whole.FalseAlarm = one.Seed, one.FalseAlarm
		whole.Findings, whole.Kept, whole.Untold = append(whole.Findings, one.Findings...), append(whole.Kept, one.Kept...), append(whole.Untold, one.Untold...)
	}
	if one.Power != "" {
		r.Power = one.Power
	}
	return nil
}

// processEnded begins the text about a process that died.
const processEnded = "the process ended: "

// The method child runs a part in another process. If the process crashed, the result named died describes the crash.
func (e implementation) child(part string, o conform.Options) (r record, died string, err error) {
	me, err := os.Executable()
	if err != nil {
		return r, "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	laws := make([]string, len(o.Laws))
	for i, l := range o.Laws {
		laws[i] = string(l)
	}
	var out, complaint bytes.Buffer
	c := exec.CommandContext(ctx, me, "-only", e.name, "-part", part, "-laws", strings.Join(laws, ","), "-seed", fmt.Sprint(o.Seed), "-effort", fmt.Sprint(o.Effort))
	c.Stdout, c.Stderr = &out, &complaint
	err = c.Run()
	if c.ProcessState != nil {
		r.seconds = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	}
	if err != nil {
		first, _, _ := strings.Cut(complaint.String(), "\n")
		switch {
		case ctx.Err() != nil:
			return r, fmt.Sprintf("the examination did not end within %v", patience), ctx.Err()
		case c.ProcessState.ExitCode() == 1:
			return r, "", errors.New(strings.TrimSpace(complaint.String()))
		}
		return r, processEnded + first, err // the Go runtime or a signal ended the process
	}
	return r, "", json.Unmarshal(out.Bytes(), &r)
}
