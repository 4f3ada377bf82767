package bench

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the records say into the README")

// TestREADME: the README's tables of accuracy, speed and conformance, and their dates, are those
// of the last runs. After make sweep, bench or conformance,
// `go test . -count 1 -run README -update` brings them there.
func TestREADME(t *testing.T) {
	read := func(path string) string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	find := func(in, pattern string) []string {
		t.Helper()
		found := regexp.MustCompile(pattern).FindStringSubmatch(in)
		if found == nil {
			t.Fatalf("no %q in a record", pattern)
		}
		return found
	}
	readme := read("../README.md")
	want := readme
	put := func(place, text string) {
		t.Helper()
		re := regexp.MustCompile(place)
		if n := len(re.FindAllString(want, -1)); n != 1 {
			t.Fatalf("the README has %q %d times", place, n)
		}
		want = re.ReplaceAllLiteralString(want, text)
	}
	results := read("RESULTS.md")
	put(table("k = 7"), regexp.MustCompile(`(?m)^\| half, .*\n`).ReplaceAllString(find(results, table("k = 7"))[0], ""))
	put(`(?s)<!-- speed at equal rate -->\n.*?<!-- end -->\n`, "<!-- speed at equal rate -->\n"+equalRates(results)+"<!-- end -->\n")
	put(`Measured on \S+ on one core of: .*\n`, "Measured on "+find(results, "Made by `make bench` on (.*?);")[1]+
		" on one core of: "+strings.TrimSpace(find(results, `- CPU: (.*?)[,(;]`)[1])+"\n")
	setting := find(results, `- Go: go(\S+) \S+, (GOAMD64=\S+)`)
	put(`with Go \S+ and GOAMD64=\w+`, "with Go "+setting[1]+" and "+setting[2])
	put(`The project's goals met: .*\n`, "The project's goals met: "+goalsMet(results)+".\n")

	sweep := read("../verify/internal/tools/sweep/summary.txt")
	put(table("quantity"), accuracy(sweep))
	put(`Swept on \S+\.`, "Swept on "+find(sweep, `last on ([\d-]+)`)[1]+".")

	laws := read("../docs/conformance.md")
	put(table("filter"), find(laws, table("filter"))[0])
	put(`Examined on \S+\.`, "Examined on "+find(laws, `last on (\d{4}-\d\d-\d\d)`)[1]+".")
	switch {
	case want == readme:
	case *update:
		if err := os.WriteFile("../README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the README's tables are not those of the records: cd bench && go test . -count 1 -run README -update")
	}
}

// table matches the table whose first cell is first.
func table(first string) string { return `(?m)^\| ` + first + ` \|.*\n(\|.*\n)+` }

// families returns the families of CPUs of the results, and what there is of each.
func families(results string) (names, bodies []string) {
	for _, part := range strings.Split(results, "<!-- family: ")[1:] {
		name, body, _ := strings.Cut(part, " -->\n")
		body, _, _ = strings.Cut(body, "<!-- ")
		names, bodies = append(names, name), append(bodies, body)
	}
	return names, bodies
}

// equalRates returns the summary at equal rate of each family that has one: what it is, and the
// tables, with their CPUs and dates.
func equalRates(results string) string {
	var b strings.Builder
	names, bodies := families(results)
	for i, body := range bodies {
		at := regexp.MustCompile(table("at equal rate")).FindStringIndex(body)
		if at == nil {
			continue
		}
		if b.Len() == 0 {
			_, before, _ := strings.Cut(body[strings.LastIndex(body[:at[0]], "### "):at[0]], "\n")
			fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(before))
		}
		lowered := ""
		if off := regexp.MustCompile(`\n- Lowered: .*? whose (.*? were turned off)`).FindStringSubmatch(body); off != nil {
			lowered = ", whose " + off[1]
		}
		cpu := regexp.MustCompile(`- CPU: (.*?)[,(;]`).FindStringSubmatch(body)
		date := regexp.MustCompile("Made by `make bench` on (.*?);").FindStringSubmatch(body)
		fmt.Fprintf(&b, "\nWith %s (%s%s; %s):\n\n%s", names[i], strings.TrimSpace(cpu[1]), lowered, date[1], body[at[0]:at[1]])
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// goalsMet says how many goals each family has met.
func goalsMet(results string) string {
	var met []string
	names, bodies := families(results)
	for i, body := range bodies {
		if goals := regexp.MustCompile(`### Goals: (\d+ of [1-9]\d*) met`).FindStringSubmatch(body); goals != nil {
			met = append(met, goals[1]+" with "+names[i])
		}
	}
	return strings.Join(met, ", ")
}

// Each family with a table at equal rate has it in the README, and the first says what it is.
func TestEqualRates(t *testing.T) {
	one := func(family, lowered, rate string) string {
		return "<!-- family: " + family + " -->\n\n## CPUs\n\nMade by `make bench` on 2026-01-02; do not edit.\n\n- CPU: A B (family 1)\n" +
			lowered + "\n### Goals: 3 of 4 met here\n" + rate + "\n### Next\n\n| at |\n"
	}
	const rate = "\n### Summary at equal rate\n\nWhat it is.\n\n| at equal rate | x |\n| --- | --- |\n| a | 1 |\n"
	const cells = "| at equal rate | x |\n| --- | --- |\n| a | 1 |\n"
	results := "# Title\n\n" + one("P", "", rate) + one("Q", "", "") + one("R", "- Lowered: a CPU with X whose X kernels were turned off by a word.\n", rate) + "<!-- tried -->\n"
	want := "\nWhat it is.\n\nWith P (A B; 2026-01-02):\n\n" + cells + "\nWith R (A B, whose X kernels were turned off; 2026-01-02):\n\n" + cells + "\n"
	if got := equalRates(results); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := goalsMet(results); got != "3 of 4 with P, 3 of 4 with Q, 3 of 4 with R" {
		t.Errorf("goals: %q", got)
	}
}

// accuracy returns a table of the rates and their logarithms from the summary of a sweep.
func accuracy(summary string) string {
	rows := regexp.MustCompile(`(?m)^(FPR|Complement|LogFPR) (\w+)\s+\d+\s+(\d+)\s+\S+\s+(\S+)\s+{.*?}\s+(\S+)%`).FindAllStringSubmatch(summary, -1)
	var b strings.Builder
	b.WriteString("| quantity | points | largest error | of its bound |\n| --- | ---: | ---: | ---: |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| `%s`, %s | %s | %s | %s %% |\n", r[1], r[2], r[3], r[4], r[5])
	}
	return b.String()
}
