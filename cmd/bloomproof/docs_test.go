package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every shell example of the README and of the pages of docs is a call of this program,
// from the top of the repository, and what is shown after it, up to an empty line before
// the next call, is what it prints. With -update it becomes that.
func TestDocs(t *testing.T) {
	t.Chdir("../..")
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	least := map[string]int{"README.md": 4, "docs/recycling.md": 6} // calls shown
	for _, page := range append(pages, "README.md") {
		if testing.Short() && page != "README.md" {
			continue // a few seconds of exact rates
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		blocks := strings.Split(string(text), "```")
		for i, block := range blocks {
			calls := strings.Split(block, "\n$ ")
			if len(calls) > 1 && i%2 == 0 {
				t.Fatalf("%s: a call outside a block: %s", page, calls[1])
			}
			for j, call := range calls[1:] {
				line, want, _ := strings.Cut(call, "\n")
				args, ok := strings.CutPrefix(line, "go run ./cmd/bloomproof ")
				if !ok {
					t.Fatalf("%s: cannot check what %q prints", page, line)
				}
				status, got, stderr := try(nil, strings.Fields(args)...)
				if status != statusOK || portable(strings.TrimSpace(got)) != portable(strings.TrimSpace(want)) {
					if !*update || status != statusOK {
						t.Errorf("%s: %s: status %d, %s\n%s\nwant\n%s", page, line, status, stderr, got, want)
					}
					calls[j+1] = line + "\n" + got
				}
				shown++
			}
			blocks[i] = strings.Join(calls, "\n$ ")
		}
		if shown < least[page] {
			t.Errorf("%s shows %d calls, want at least %d", page, shown, least[page])
		}
		if changed := strings.Join(blocks, "```"); *update && changed != string(text) {
			if err := os.WriteFile(page, []byte(changed), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
