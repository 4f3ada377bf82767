package main

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/verify/claims"
)

// These files and this folder are the records. All numbers of the page come from them.
const (
	assemblyRecord = "verify/internal/tools/asmmutant/summary.txt"
	proofRecord    = "verify/internal/tools/asmmutant/proofs.txt"
	goRecord       = "verify/internal/tools/gomutant/summary.txt"
	sweepRecord    = "verify/internal/tools/sweep/summary.txt"
	soakRecord     = "verify/internal/tools/soak/summary.txt"
	obligations    = "verify/proof/smt"
	coverageRecord = "verify/internal/tools/assurance/coverage.txt"
)

// The function "figures" returns sentences with numbers from the records. The keys of the map are sections of the
// overview. Each value has the sentences for its section.
func figures(module fs.FS) (map[string][]string, error) {
	out := map[string][]string{}
	for _, r := range []struct {
		section, file string
		of            func(text string) (string, error)
	}{
		{"Every implementation gives the same bits", assemblyRecord, ofAssembly},
		{"Every implementation gives the same bits", proofRecord, ofMutantProofs},
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

// Each section of the page has a list. The function "item" returns one item of such a list.
func item(format string, args ...any) string {
	return wrapped("- *In figures:* " + fmt.Sprintf(format, args...))
}

// The function "all" returns every match of a pattern. If there is no match, it returns an error.
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
	return item("%s mutants of the %d files of assembly were tested. %d of them change nothing that a caller can see, and are listed with "+
		"the reason. %s others survive the tests (`make mutate`, `%s`).", last[0][1], len(rows), equivalent, last[0][2], assemblyRecord), nil
}

// The function ofMutantProofs adds up the counts of all files of assembly.
func ofMutantProofs(text string) (string, error) {
	rows, err := all(`(?m)^\S+\.s +of those that tests kill: rejected (\d+) \((\d+) without claims\), PROVED (\d+); `+
		`of those listed as equivalent: proved (\d+), not proved (\d+) \((\d+) without claims\)`, text)
	if err != nil {
		return "", err
	}
	var sum [6]int
	for _, r := range rows {
		for i, s := range r[1:] {
			n, err := strconv.Atoi(s)
			if err != nil {
				return "", err
			}
			sum[i] += n
		}
	}
	return item("Some mutants were given to the prover of verify/proof/machine, in place of the tests. Of %d mutants that the tests "+
		"kill, it rejects %d, and proves %d. For %d of those that it rejects, it cannot state what would have to be proved. Of %d mutants "+
		"that the list of equivalent mutants or a record names, it proves %d. It does not prove the others, and cannot state the claims for %d of them "+
		"(`make prove-mutants`, `%s`).", sum[0]+sum[2], sum[0], sum[2], sum[1], sum[3]+sum[4], sum[3], sum[5], proofRecord), nil
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
	return item("%d quantities were compared at %d points, and %d of these points are in the domains. The error that comes closest to its bound "+
		"is an error of %s: %.0f %% of the bound (`make sweep`, `%s`).", len(rows), points, defined, of, worst, sweepRecord), nil
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
	return item("z3 proves the %d claims of %d obligations, and refutes %d claims that are broken on purpose (`make prove`).", claims, len(files), broken), nil
}

func ofClaims() string {
	count := map[claims.Verdict]int{}
	for _, c := range claims.All() {
		count[c.Verdict]++
	}
	return item("%d claims: %d confirmed, %d true under a condition, %d refuted, %d misprints, %d open (`make claims`, [claims.md](claims.md)).",
		len(claims.All()), count[claims.Confirmed], count[claims.Conditional], count[claims.Refuted], count[claims.Misprint], count[claims.Open])
}

// ofSoak returns sentences on the results of the soak tests. The sentences have the numbers of false alarms and of
// detected faults. They also have the power of the examination.
func ofSoak(text string) (string, error) {
	lines, err := all(`(?m)^(?:(?:sound|wrong) filters under|filters by authors who|filters with races,|runs that were made, of those planned,) .*$`, text)
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
	b.WriteString("\n" + wrapped(fmt.Sprintf("The table has the probability that a fault is found, and the time of an examination on one core, for each effort. The faults are examined "+
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
	b.WriteString("\nThe share of each package's statements that the short tests of all packages reach (`make cover`):\n\n| package | statements | reached |\n| --- | ---: | ---: |\n")
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

// ofGo returns sentences on the results of the mutation tests of the Go code. A table follows the sentences. For each
// run, the table has a row for each top folder that was tested. If a run tested only one package, the table has a row
// for this package.
func ofGo(text string) (string, error) {
	var b strings.Builder
	b.WriteString("\n" + wrapped(fmt.Sprintf("Mutants are copies of the Go code with one fault each. All mutants of the code that is named were run, or a random sample, and a mutant is killed if a test fails. The score has an exact 95 %% interval. "+
		"Rows of the same name are random samples of successive states of the code, the latest one last (`make gomutate`; `%s` lists the tests that ran, and the survivors):", goRecord)))
	b.WriteString("\n| code | mutants | run | killed | score |\n| --- | ---: | ---: | ---: | --- |\n")
	runs := strings.Split("\n"+text, "\nrun: ")[1:]
	if len(runs) == 0 {
		return "", errors.New("no run")
	}
	for _, run := range runs {
		rows, err := all(`(?m)^(\S+) +(\d+) +(\d+) +(\d+) +\d+ +\d+ +\d+ +\d+ +([0-9.]+) % +([0-9.]+) to ([0-9.]+) %$`, run)
		if err != nil {
			return "", err
		}
		room := func(r []string) bool { return strings.HasSuffix(r[1], "/...") }
		what := ""
		first, _, _ := strings.Cut(run, "\n")
		if strings.Contains(first, "bounds errors") {
			what = ", bounds of errors"
		}
		if strings.Contains(first, "functions that match") {
			what += ", some functions"
		}
		some := slices.ContainsFunc(rows, room)
		for _, r := range rows {
			if some && !room(r) {
				continue
			}
			fmt.Fprintf(&b, "| `%s`%s | %s | %s | %s | %s %% (%s to %s) |\n", strings.TrimSuffix(r[1], "/..."), what, r[2], r[3], r[4], r[5], r[6], r[7])
		}
	}
	return b.String(), nil
}
