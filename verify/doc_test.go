package verify_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The page in doc.go claims nothing in the name of a test that does not exist.
func TestHonestyNamesTests(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	exists := map[string]bool{}
	functions := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, function := range functions.FindAllSubmatch(text, -1) {
			exists[string(function[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w*`).FindAllString(string(page), -1)
	if len(named) < 20 {
		t.Errorf("the page names %d tests only", len(named))
	}
	for _, name := range named {
		if !exists[name] {
			t.Errorf("the page names %s, and there is no such test", name)
		}
	}
}

// A section of the page says how something is known, what that assumes and when it is wrong.
func TestHonestyIsWhole(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(page), "\n// # ")[2:] // after "What is known, and how"
	if len(sections) < 15 {
		t.Errorf("the page has %d sections", len(sections))
	}
	for _, s := range sections {
		title, text, _ := strings.Cut(s, "\n")
		for _, kind := range []string{`(Proved|Enumerated|Tested)`, `Assumed`, `Wrong if`} {
			if !regexp.MustCompile(`(?m)^// ` + kind + `: \S`).MatchString(text) {
				t.Errorf("%q lacks %s", title, kind)
			}
		}
	}
}
