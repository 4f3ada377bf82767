package bench

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what RESULTS.md says into the README")

// TestREADME: the README's performance table, and what it says of it, is that of the last
// comparison. After make bench, `go test . -count 1 -run README -update` brings it there.
func TestREADME(t *testing.T) {
	read := func(path string) string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	results, readme := read("RESULTS.md"), read("../README.md")
	want := readme
	put := func(in, of, as string) {
		t.Helper()
		place := regexp.MustCompile(in)
		value := regexp.MustCompile(of).FindStringSubmatch(results)
		if value == nil || len(place.FindAllString(want, -1)) != 1 {
			t.Fatalf("RESULTS.md lacks %q or the README one %q", of, in)
		}
		for i, v := range value {
			as = strings.ReplaceAll(as, string(rune('0'+i))+"$", strings.TrimSpace(v))
		}
		want = place.ReplaceAllLiteralString(want, as)
	}
	const table = `(?m)^\| k = 7 \|.*\n(\|.*\n){10,}`
	put(table, table, "0$\n")
	put(`Measured on \S+`, "Made by `make bench` on (.*?);", "Measured on 1$")
	put(`on one core of: .*\n`, `- CPU: (.*?)[,(;]`, "on one core of: 1$\n")
	put(`with Go \S+ and GOAMD64=\S+,`, `- Go: go(\S+) \S+, (GOAMD64=\S+)`, "with Go 1$ and 2$,")
	put(`of which \d+ of \d+ were met`, `## Goals: (\d+ of \d+) met`, "of which 1$ were met")
	switch {
	case want == readme:
	case *update:
		if err := os.WriteFile("../README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the README's performance is not that of RESULTS.md: cd bench && go test . -count 1 -run README -update")
	}
}
