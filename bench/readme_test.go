package bench

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
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
	table := func(first string) string { return `(?m)^\| ` + first + ` \|.*\n(\|.*\n)+` }

	results := read("RESULTS.md")
	put(table("k = 7"), regexp.MustCompile(`(?m)^\| half, .*\n`).ReplaceAllString(find(results, table("k = 7"))[0], ""))
	put(`(?s)<!-- speed at equal rate -->\n.*?<!-- end -->\n`, "<!-- speed at equal rate -->\n"+equalRate(results, table("at equal rate"))+"<!-- end -->\n")
	put(`Measured on \S+ on one core of: .*\n`, "Measured on "+find(results, "Made by `make bench` on (.*?);")[1]+
		" on one core of: "+strings.TrimSpace(find(results, `- CPU: (.*?)[,(;]`)[1])+"\n")
	setting := find(results, `- Go: go(\S+) \S+, (GOAMD64=\S+)`)
	put(`with Go \S+ and GOAMD64=\w+`, "with Go "+setting[1]+" and "+setting[2])
	put(`of which \d+ of \d+ were met`, "of which "+find(results, `## Goals: (\d+ of \d+) met`)[1]+" were met")

	sweep := read("../verify/internal/tools/sweep/summary.txt")
	put(table("quantity"), accuracy(sweep))
	put(`Swept on \S+\.`, "Swept on "+find(sweep, `last on ([\d-]+)`)[1]+".")

	laws := read("../docs/conformance.md")
	put(table("filter"), conformance(laws))
	put(`Examined on \S+\.`, "Examined on "+find(laws, `on (\d{4}-\d\d-\d\d)`)[1]+".")
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

// equalRate returns the first table of filters at equal rate, with what it says before it; nothing
// for results that have none.
func equalRate(results, table string) string {
	at := regexp.MustCompile(table).FindStringIndex(results)
	if at == nil {
		return ""
	}
	_, before, _ := strings.Cut(results[strings.LastIndex(results[:at[0]], "### "):at[0]], "\n")
	return "\n" + strings.TrimSpace(before) + "\n\n" + results[at[0]:at[1]] + "\n"
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

// conformance returns a table of the libraries from docs/conformance.md: of the laws it has a
// column for each filter, of the rates a row.
func conformance(page string) string {
	cells := func(line string) []string {
		c := strings.Split(strings.Trim(line, "|"), "|")
		for i := range c {
			c[i] = strings.TrimSpace(c[i])
		}
		return c
	}
	// section returns the rows of the table below a heading, the head's first.
	section := func(heading string) (rows [][]string) {
		_, text, _ := strings.Cut(page, heading)
		for _, line := range strings.Split(text[strings.Index(text, "\n|")+1:], "\n") {
			if !strings.HasPrefix(line, "|") {
				break
			}
			if !strings.HasPrefix(line, "| ---") {
				rows = append(rows, cells(line))
			}
		}
		return rows
	}
	laws, rates := section("## Laws"), section("## Measured rate")
	var b strings.Builder
	fmt.Fprintf(&b, "| filter | version | laws kept | not kept | measured / exact rate, %s |\n| --- | --- | ---: | --- | ---: |\n", rates[0][2])
	for _, f := range section("# Conformance")[1:] {
		column := slices.Index(laws[0], f[0])
		var kept int
		var broken []string
		for _, l := range laws[1:] {
			switch l[column] {
			case "+":
				kept++
			case "x":
				broken = append(broken, l[0])
			}
		}
		ratio := ""
		for _, r := range rates[1:] {
			if r[0] == f[0] {
				ratio = r[2]
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %d of %d | %s | %s |\n", f[0], f[1], kept, kept+len(broken), strings.Join(broken, ", "), ratio)
	}
	return b.String()
}
