package main

import (
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/verify/claims"
)

// The records.
const (
	assemblyRecord = "verify/internal/tools/asmmutant/summary.txt"
	goRecord       = "verify/internal/tools/gomutant/summary.txt"
	sweepRecord    = "verify/internal/tools/sweep/summary.txt"
	soakRecord     = "verify/internal/tools/soak/summary.txt"
	obligations    = "verify/proof/smt"
	coverageRecord = "verify/internal/tools/assurance/coverage.txt"
)

// figures returns sentences with numbers from the records. The keys are the sections of the overview to which the
// sentences belong.
func figures(module fs.FS) (map[string][]string, error) {
	out := map[string][]string{}
	for _, r := range []struct {
		section, file string
		of            func(text string) (string, error)
	}{
		{"Every implementation gives the same bits", assemblyRecord, ofAssembly},
		{"A float64 result is within its stated bound", sweepRecord, ofSweep},
		{"A filter that keeps the laws is not accused", soakRecord, ofSoak},
		{"What is known, and how", coverageRecord, ofCoverage},
		{"What is known, and how", goRecord, ofGo},
	} {
		text, err := fs.ReadFile(module, r.file)
		if err != nil {
			return nil, err
		}
		f, err := r.of(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		out[r.section] = append(out[r.section], f)
	}
	f, err := ofObligations(module)
	if err != nil {
		return nil, err
	}
	out["Every implementation gives the same bits"] = append(out["Every implementation gives the same bits"], f)
	out["What the papers claim"] = []string{ofClaims()}
	return out, nil
}

// item returns an item of the list in a section.
func item(format string, args ...any) string {
	return wrapped("- *In figures:* " + fmt.Sprintf(format, args...))
}

// all returns the matches of a pattern, and an error if there is none.
func all(pattern, text string) ([][]string, error) {
	m := regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1)
	if len(m) == 0 {
		return nil, fmt.Errorf("nothing is like %q", pattern)
	}
	return m, nil
}

func ofAssembly(text string) (string, error) {
	last, err := all(`(?m)^(\d+) mutants ran, (\d+) survived that are not listed as equivalent$`, text)
	if err != nil {
		return "", err
	}
	rows, err := all(`(?m)^\S+\.s +failed .* equivalent (\d+), SURVIVED`, text)
	if err != nil {
		return "", err
	}
	equivalent := 0
	for _, r := range rows {
		n, err := strconv.Atoi(r[1])
		if err != nil {
			return "", err
		}
		equivalent += n
	}
	return item("of %s mutants of the %d files of assembly, %d change nothing that a caller can see and are listed with "+
		"the reason; %s others survive the tests (`make mutate`, `%s`).", last[0][1], len(rows), equivalent, last[0][2], assemblyRecord), nil
}

func ofSweep(text string) (string, error) {
	rows, err := all(`(?m)^(.{23}) +(\d+) +(\d+) +\S+ +\S+ +\{.*?\} +([0-9.]+)%`, text)
	if err != nil {
		return "", err
	}
	points, defined, worst, of := uint64(0), uint64(0), 0.0, ""
	for _, r := range rows {
		p, err1 := strconv.ParseUint(r[2], 10, 64)
		d, err2 := strconv.ParseUint(r[3], 10, 64)
		share, err3 := strconv.ParseFloat(r[4], 64)
		if err1 != nil || err2 != nil || err3 != nil {
			return "", fmt.Errorf("no row: %q", r[0])
		}
		points, defined = points+p, defined+d
		if share > worst {
			worst, of = share, strings.TrimSpace(r[1])
		}
	}
	return item("%d quantities at %d points, of which %d are in their domains; the largest error is %.0f %% of its bound, of %s "+
		"(`make sweep`, `%s`).", len(rows), points, defined, worst, of, sweepRecord), nil
}

func ofObligations(module fs.FS) (string, error) {
	files, err := fs.Glob(module, obligations+"/*.smt2")
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("%s has no obligations: %w", obligations, err)
	}
	claims, broken := 0, 0
	for _, name := range files {
		text, err := fs.ReadFile(module, name)
		if err != nil {
			return "", err
		}
		claims += len(regexp.MustCompile(`(?m)^\(check-sat\) ; unsat:`).FindAll(text, -1))
		broken += len(regexp.MustCompile(`(?m)^\(check-sat\) ; sat, broken:`).FindAll(text, -1))
	}
	return item("%d obligations with %d claims that z3 proves, and %d that are broken on purpose and that it refutes (`make prove`).", len(files), claims, broken), nil
}

func ofClaims() string {
	count := map[claims.Verdict]int{}
	for _, c := range claims.All() {
		count[c.Verdict]++
	}
	return item("%d claims: %d confirmed, %d true under a condition, %d refuted, %d misprints, %d open (`make claims`, [claims.md](claims.md)).",
		len(claims.All()), count[claims.Confirmed], count[claims.Conditional], count[claims.Refuted], count[claims.Misprint], count[claims.Open])
}

// ofSoak returns the results of the soak tests about false alarms, wrong filters and power.
func ofSoak(text string) (string, error) {
	lines, err := all(`(?m)^(?:(?:sound|wrong) filters under|filters by authors who|racy filters beside|planned runs that were made:) .*$`, text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(item("%s.", l[0]))
	}
	rows, err := all(`(?m)^(\S.*?) +([0-9.]+) +(\d+/\d+) +([0-9.]+ to [0-9.]+) +(\S+) +(\S+)$`, text)
	if err != nil {
		return "", err
	}
	var efforts, names []string
	cells := map[[2]string]string{}
	for _, r := range rows {
		name, effort := r[1], r[2]
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
		if cells[[2]string{names[0], effort}] == "" && name == names[0] {
			efforts = append(efforts, effort)
		}
		cells[[2]string{name, effort}] = fmt.Sprintf("%s in %s s", r[4], r[6])
	}
	about, err := all(`(?m)^faults at (.*)$`, text)
	if err != nil {
		return "", err
	}
	b.WriteString("\n" + wrapped(fmt.Sprintf("The probability that a fault is found, by the effort that is asked for, and how long that takes on one core: "+
		"at %s (`make soak`, `%s`).", about[0][1], soakRecord)) + "\n| fault |")
	for _, e := range efforts {
		fmt.Fprintf(&b, " effort %s |", e)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(efforts)) + "\n")
	for _, name := range names {
		fmt.Fprintf(&b, "| %s |", name)
		for _, e := range efforts {
			fmt.Fprintf(&b, " %s |", cells[[2]string{name, e}])
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

func ofCoverage(text string) (string, error) {
	rows, err := all(`(?m)^(\S+) +(\d+) +(\d+)$`, text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("\nStatements that the short tests of all packages reach (`make cover`):\n\n| package | statements | reached |\n| --- | ---: | ---: |\n")
	sum, hit := 0, 0
	row := func(name string, n, reached int) {
		fmt.Fprintf(&b, "| %s | %d | %.1f %% |\n", name, n, 100*float64(reached)/float64(n))
	}
	for _, r := range rows {
		n, err1 := strconv.Atoi(r[2])
		reached, err2 := strconv.Atoi(r[3])
		if err1 != nil || err2 != nil || n == 0 {
			return "", fmt.Errorf("no row: %q", r[0])
		}
		row("`"+r[1]+"`", n, reached)
		sum, hit = sum+n, hit+reached
	}
	row("all", sum, hit)
	return b.String(), nil
}

// ofGo returns the results of the mutation tests of the Go code.
func ofGo(text string) (string, error) {
	rows, err := all(`(?m)^(\S+)/\.\.\. +(\d+) +(\d+) +(\d+) +\d+ +\d+ +\d+ +\d+ +([0-9.]+) % +([0-9.]+) to ([0-9.]+) %$`, text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("\n" + wrapped(fmt.Sprintf("Go code broken on purpose, a sample at random, and what the tests kill, with exact intervals of 95 %% "+
		"(`make gomutate`; `%s` lists the survivors):", goRecord)))
	b.WriteString("\n| packages of | mutants | run | killed | score |\n| --- | ---: | ---: | ---: | --- |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s %% (%s to %s) |\n", r[1], r[2], r[3], r[4], r[5], r[6], r[7])
	}
	return b.String(), nil
}
