package main

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/zeebo/xxh3"
)

var update = flag.Bool("update", false, "write the page of the records")

// inherited are the laws that our filters break with another library's or a format's positions, sizes and
// files, which may have no checksum.
var inherited = map[string][]conform.Law{
	"bloomproof parquet":       {"corrupt snapshot"},
	"bloomproof bitsandblooms": {"rate", "sizing", "dependence", "set bits", "place", "corrupt snapshot"},
	"bloomproof holiman":       {"sizing"},
	"bloomproof guava":         {"rate", "keys", "sizing", "dependence", "set bits", "corrupt snapshot"},
	"bloomproof bip37":         {"sizing", "corrupt snapshot"},
	"bloomproof redisbloom":    {"rate", "keys"},
}

// The page is that of the records, which are of the filters and versions of today.
func TestPage(t *testing.T) {
	records, err := load("records.json")
	if err != nil {
		t.Fatal(err)
	}
	const path = "../../docs/conformance.md"
	if *update {
		if err := os.WriteFile(path, []byte(page(records)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != page(records) {
		t.Errorf("%s is not the page of the records: go test ./conformance -run Page -update", path)
	}
	modules, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range implementations() {
		r, ok := records[e.name]
		switch {
		case !ok:
			t.Errorf("no record of %s: make conformance", e.name)
		case e.module == self && slices.ContainsFunc(r.Report.Findings, func(f conform.Finding) bool { return !slices.Contains(inherited[e.name], f.Law) }):
			t.Errorf("%s: %v", e.name, r.Report)
		case e.module != "" && e.module != self && !strings.Contains(string(modules), e.module+" "+r.Version+"\n"):
			t.Errorf("%s: the record is of %s, which go.mod does not name: make conformance", e.name, r.Version)
		case r.Declared != e.declared:
			t.Errorf("%s: the record is of %q: make conformance", e.name, r.Declared)
		}
	}
	for _, l := range conform.Laws() {
		if order(l) == len(lawWords) {
			t.Errorf("the page has no words for %q", l)
		}
	}
}

// What is found comes out on the page, the gravest first.
func TestFindings(t *testing.T) {
	at := func(f []uint64, key []byte) uint64 { return uint64(uint32(xxh3.Hash(key))) % uint64(64*len(f)) }
	narrow := conform.Subject[[]uint64]{ // one position a key, cut to 32 bits; a reset that does nothing
		New:      func(m uint64, _ int) ([]uint64, error) { return make([]uint64, (m+63)/64), nil },
		Shape:    func(f []uint64) (uint64, int) { return uint64(64 * len(f)), 1 },
		Add:      func(f []uint64, key []byte) { p := at(f, key); f[p/64] |= 1 << (p % 64) },
		Contains: func(f []uint64, key []byte) bool { p := at(f, key); return f[p/64]>>(p%64)&1 != 0 },
		Reset:    func(f []uint64) {},
	}
	e := entry("narrow", "", "", narrow)
	r, err := e.part("laws", conform.Options{Effort: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	r.Name, r.Report.Findings[0].Program = "narrow", "a\nb"
	writeSummary(&b, []record{r})
	writeFilter(&b, r)
	if text := b.String(); !strings.Contains(text, "| narrow |") || !strings.Contains(text, "after a reset the filter is not as new") || !strings.Contains(text, "  a\n  b\n  ```\n") {
		t.Error(text)
	}
	if testing.Short() {
		return // two million keys are looked up
	}
	r, err = e.part("huge", conform.Options{})
	if err != nil {
		t.Fatal(err)
	}
	writeHuge(&b, []record{r})
	if text := b.String(); !strings.Contains(text, "|  | no false negative | rate: standard m=8589934592 k=1") {
		t.Error(text)
	}
}

// Every adaptor makes filters that can be examined, and programs where they are installed.
func TestAdaptors(t *testing.T) {
	t.Chdir("..") // where the command runs
	for _, e := range implementations() {
		if e.program != nil {
			if _, err := e.program.installed(); err != nil {
				t.Logf("%s: %v", e.name, err)
				continue
			}
		}
		r, err := e.part("laws", conform.Options{Effort: 0.01, Laws: []conform.Law{"no false negative"}})
		if err != nil || !slices.Contains(r.Report.Kept, "no false negative") {
			t.Errorf("%s: %v\n%v", e.name, err, r.Report)
		}
	}
}
