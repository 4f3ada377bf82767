package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every shell example of the README and of the pages of docs is a call of this program,
// from the top of the repository, and what is shown after it is what it prints.
func TestDocs(t *testing.T) {
	t.Chdir("../..")
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	least := map[string]int{"README.md": 4} // calls shown
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		for i, block := range strings.Split(string(text), "```") {
			for _, call := range strings.Split("\n"+block, "\n$ ")[1:] {
				if i%2 == 0 {
					t.Fatalf("%s: a call outside a block: %s", page, call)
				}
				line, want, _ := strings.Cut(call, "\n")
				args, ok := strings.CutPrefix(line, "go run ./cmd/bloomproof ")
				if !ok {
					t.Fatalf("%s: cannot check what %q prints", page, line)
				}
				status, stdout, stderr := try(nil, strings.Fields(args)...)
				if got := strings.TrimSpace(stdout); status != statusOK || portable(got) != portable(strings.TrimSpace(want)) {
					t.Errorf("%s: %s: status %d, %s\n%s\nwant\n%s", page, line, status, stderr, got, want)
				}
				shown++
			}
		}
		if shown < least[page] {
			t.Errorf("%s shows %d calls, want at least %d", page, shown, least[page])
		}
	}
}
