package bench

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the records say into the README")

// TestREADME: the README's tables of accuracy and speed, and their dates, are those of the last runs.
// After make sweep or bench,
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
	speed, err := equalRates(results)
	if err != nil {
		t.Fatal(err)
	}
	put(`(?s)<!-- speed at equal rate -->\n.*?<!-- end -->\n`, "<!-- speed at equal rate -->\n"+speed+"<!-- end -->\n")
	sweep := read("../verify/internal/tools/sweep/summary.txt")
	put(table("quantity"), accuracy(sweep))
	put(`Swept on \S+\.`, "Swept on "+find(sweep, `last on ([\d-]+)`)[1]+".")

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

// shown are the filters of the README's table of speed: ours one key at a time and in batches, and
// the peers that a Go program is most likely to use today.
var shown = []string{"bloomproof", "bloomproof batch", "bloomproof blocks 512 batch", "bits-and-blooms", "holiman", "ristretto", "blobloom", "parquet-go"}

// equalRates returns the summary at equal rate of the first family of CPUs that has one, with the
// filters that are shown.
func equalRates(results string) (string, error) {
	names, bodies := families(results)
	for i, body := range bodies {
		at := regexp.MustCompile(table("at equal rate")).FindStringIndex(body)
		if at == nil {
			continue
		}
		_, before, _ := strings.Cut(body[strings.LastIndex(body[:at[0]], "### "):at[0]], "\n")
		cpu := regexp.MustCompile(`- CPU: (.*?)[,(;]`).FindStringSubmatch(body)
		date := regexp.MustCompile("Made by `make bench` on (.*?);").FindStringSubmatch(body)
		lines := strings.SplitAfter(body[at[0]:at[1]], "\n")
		rows := strings.Join(lines[:2], "")
		for _, name := range shown {
			row := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "| "+name+" |") })
			if row < 0 {
				return "", fmt.Errorf("family %s has no %q at equal rate", names[i], name)
			}
			rows += lines[row]
		}
		return fmt.Sprintf("%s\nOne goroutine ran on a CPU with %s (%s; %s):\n\n%s\n", strings.TrimSpace(before), names[i], strings.TrimSpace(cpu[1]), date[1], rows), nil
	}
	return "", errors.New("no family has a summary at equal rate")
}

// The README shows the first family that has a table at equal rate; a filter that is missing there is an error.
func TestEqualRates(t *testing.T) {
	const head = "| at equal rate | x |\n| --- | --- |\n"
	cells := ""
	for _, name := range shown {
		cells += "| " + name + " | 1 |\n"
	}
	one := func(family, rate string) string {
		return "<!-- family: " + family + " -->\n\n## CPUs\n\nMade by `make bench` on 2026-01-02; do not edit.\n\n- CPU: A B (family 1)\n" + rate + "\n### Next\n\n| at |\n"
	}
	rate := func(cells string) string {
		return "\n### Summary at equal rate\n\nWhat it is.\n\n" + head + cells
	}
	got, err := equalRates("# Title\n\n" + one("P", "") + one("Q", rate("| another | 2 |\n"+cells)) + one("R", rate("")))
	if want := "What it is.\nOne goroutine ran on a CPU with Q (A B; 2026-01-02):\n\n" + head + cells + "\n"; err != nil || got != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
	if got, err := equalRates(one("P", rate("| bloomproof | 1 |\n"))); err == nil {
		t.Errorf("a table without the peers: %q", got)
	}
}

// accuracy returns a table of the rates from the summary of a sweep.
func accuracy(summary string) string {
	rows := regexp.MustCompile(`(?m)^(FPR) (\w+)\s+\d+\s+(\d+)\s+\S+\s+(\S+)\s+{.*?}\s+(\S+)%`).FindAllStringSubmatch(summary, -1)
	var b strings.Builder
	b.WriteString("| quantity | points | largest error | of its bound |\n| --- | ---: | ---: | ---: |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| `%s`, %s | %s | %s | %s %% |\n", r[1], r[2], r[3], r[4], r[5])
	}
	return b.String()
}
