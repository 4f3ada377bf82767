package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/like"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// like -json has all that package like says of each filter, in the order of the table.
func TestLikeJSON(t *testing.T) {
	status, out, _ := try(nil, "like", "-json")
	if status != statusOK {
		t.Fatalf("status %d", status)
	}
	checkJSON(t, out)
	var got struct{ Filters []map[string]string }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	var want []map[string]string
	for _, f := range like.All() {
		row := map[string]string{
			"name": f.Name, "version": f.Version, "source": f.Source, "hash": f.Hash, "positions": f.Positions,
			"sizing": f.Sizing, "assumes": f.Assumes, "finding": f.Finding, "law": string(f.Law),
		}
		if f.Unproven != "" {
			row["unproven"] = f.Unproven
		}
		want = append(want, row)
	}
	if !reflect.DeepEqual(got.Filters, want) {
		t.Errorf("got %v, want %v", got.Filters, want)
	}
}

// A new filter is in at most five files, as CONTRIBUTING.md says: no file lists the filters but these.
func TestFilesOfAFilter(t *testing.T) {
	const section = "## A filter of another library"
	contributing, err := os.ReadFile(filepath.FromSlash("../../CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, said, _ := strings.Cut(string(contributing), section)
	said, _, _ = strings.Cut(said, "\n## ")
	if rows := strings.Count(said, "\n| `"); rows > 5 {
		t.Errorf("CONTRIBUTING.md has %d rows", rows)
	}
	listed := 0
	root := filepath.FromSlash("../..")
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "node_modules") {
			return filepath.SkipDir
		}
		switch filepath.Ext(path) {
		case ".go", ".md", ".golden", ".txt", ".json", ".js", ".html", ".yml", "":
		default:
			return nil
		}
		if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, f := range like.All() {
			if !strings.Contains(string(text), f.Name) {
				return nil
			}
		}
		listed++
		if path, err = filepath.Rel(root, path); err != nil {
			return err
		}
		if !strings.Contains(said, "`"+filepath.ToSlash(path)+"`") {
			t.Errorf("%s lists the filters, and CONTRIBUTING.md does not name it", path)
		}
		return nil
	})
	if err != nil || listed != 2 {
		t.Errorf("%d files list the filters, %v", listed, err)
	}
}

// target is the rate of the table of docs/other-filters.md.
const target = 0.001

// multiples returns a rate in multiples of target, - where it is too costly.
func multiples(t *testing.T, r like.Rate, err error) string {
	t.Helper()
	if errors.Is(err, bloomproof.ErrTooCostly) {
		return "-"
	}
	if err != nil {
		t.Fatal(err)
	}
	lo, hi := r.Bounds()
	if a := fmt.Sprintf("%.3f", lo/target); a == fmt.Sprintf("%.3f", hi/target) {
		return a
	}
	return fmt.Sprintf("%.3g to %.3g", lo/target, hi/target)
}

// slowRows are filters whose sizes take most of the time of the table. The tests of package like compare their rates with
// simulations.
var slowRows = []string{"blobloom", "rocksdb-legacy"}

// The table of docs/other-filters.md is what package like says; rates of simulations are tried in the
// long form only, and so are the sizes that go with them, and those of slowRows.
func TestOtherFilters(t *testing.T) {
	page := filepath.FromSlash("../../docs/other-filters.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "<!-- A test of cmd/bloomproof holds this table; -update writes it. -->\n\n"
	before, rest, ok := strings.Cut(string(text), mark)
	old, after, ok2 := strings.Cut(rest, "\n## ")
	if !ok || !ok2 {
		t.Fatal("no table")
	}
	var b strings.Builder
	b.WriteString("| filter | law | m, k | rate | what to know |\n| --- | --- | --- | --- | --- |\n")
	const n = 1000
	for _, f := range like.All() {
		size, rate, law := "-", "-", f.Law
		row := ""
		if _, found, ok := strings.Cut(old, "| "+f.Name+" | "); ok {
			row, _, _ = strings.Cut(found, "\n")
		}
		columns := strings.Split(row, " | ")
		ofPage := len(columns) > 2 && (columns[0] == string(like.Simulated) || slices.Contains(slowRows, f.Name))
		if ofPage && !*update && !longtest.Enabled() {
			law, size, rate = like.Law(columns[0]), columns[1], columns[2]
		} else if m, k, ok := f.Own(n, target); ok {
			size = fmt.Sprintf("%d, %d", m, k)
			r, err := f.Rate(m, k, n, 53)
			if rate = multiples(t, r, err); err == nil {
				law = r.Law
			}
		} else {
			s, err := f.LeastBits(n, big.NewRat(1, 1000), 0, 53)
			if !errors.Is(err, bloomproof.ErrRange) {
				size = fmt.Sprintf("(%d), %d", s.M, s.K)
				if rate = multiples(t, s.Rate, err); err == nil {
					law = s.Rate.Law
				}
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", f.Name, law, size, rate, f.Finding)
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+mark+b.String()+"\n## "+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != b.String() {
		t.Errorf("%s differs; got:\n%s", page, b.String())
	}
}
