package verify_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

const module = "github.com/bloomproof/bloomproof"

// room says what the packages of one folder may import besides the standard library
// and each other (the folder's own subpackages, unless they are rooms themselves).
type room struct {
	path    string   // below the module; the longest that fits a package holds
	own     []string // of ours: a path, or a path with /... for all below it too
	modules []string // of others, by module path
	tests   []string // for its test files besides: of ours
}

// policy is the import graph of the module. It is decided by design and is not
// edited to make the test pass: exact and approx never meet but in verify, kernel/asm
// knows nothing, each foreign module has one home, bench is a module of its own.
var policy = []room{
	// Its test of what no package implements calls every package.
	{path: ".", tests: []string{"kernel", "exact/...", "approx/..."}},
	{path: "kernel/asm", tests: []string{"kernel/host"}},
	{path: "kernel/host", own: []string{"kernel/asm"}, modules: []string{"github.com/klauspost/cpuid/v2"}}, // it runs kernels at start
	{path: "kernel/vec", own: []string{"kernel/asm", "kernel/host"}},
	{
		path: "kernel", own: []string{".", "kernel/asm", "kernel/host"}, // not asmtest: a program with a filter would link it
		modules: []string{"github.com/zeebo/xxh3", "github.com/dchest/siphash"},
	},
	// XXH64 is the hash that Parquet has, MurmurHash3 that of Guava and BIP 37; bitset is in a signature of bits-and-blooms.
	{
		path: "kernel/compat", own: []string{".", "kernel"}, tests: []string{"exact"},
		modules: []string{"github.com/cespare/xxhash/v2", "github.com/twmb/murmur3", "github.com/bits-and-blooms/bitset"},
	},
	{path: "exact", own: []string{"."}},
	{path: "exact/internal/enclose", own: []string{".", "exact", "exact/internal/..."}}, // for the rooms
	{path: "exact/recycling", own: []string{".", "exact", "exact/internal/..."}},
	{path: "exact/fnr", own: []string{".", "exact", "exact/internal/...", "exact/recycling"}},
	{path: "approx", own: []string{".", "kernel/vec"}},
	{path: "approx/recycling", own: []string{".", "kernel/vec", "approx", "approx/internal/..."}},
	{path: "approx/fnr", own: []string{".", "kernel/vec", "approx", "approx/internal/...", "approx/recycling"}},
	// What verify, the command and bench share, and no user: statistics, subjects, ground truth and lines of traces.
	{path: "internal", own: []string{".", "kernel", "approx", "verify/conform"}},
	{
		path: "verify", own: []string{".", "internal/...", "kernel/...", "exact/...", "approx/..."},
		modules: []string{"github.com/leanovate/gopter", "golang.org/x/exp"},
	},
	{
		// bigfloat is the witness of exact's exponential and logarithm, and nothing else's.
		path: "verify/internal/witness", modules: []string{"github.com/ALTree/bigfloat"},
	},
	// What only we run is no part of what users import.
	{path: "verify/proof/machine", own: []string{"kernel/asm", "verify/proof/machine/internal/..."}, modules: []string{"github.com/klauspost/cpuid/v2"}}, // its silicon is what cpuid names
	{path: "verify/proof/machine/internal/object/stubs", own: []string{"kernel"}},                                                                        // a program to link, with kernel's assembly
	{path: "verify/internal/tools", own: []string{".", "internal/...", "kernel/...", "exact/...", "approx/...", "verify/..."}},
	{
		path: "fuzz", own: []string{".", "internal/...", "kernel/...", "exact/...", "approx/...", "verify/..."},
		// xxh3: the snapshot target mends checksums, or it would never get past them.
		modules: []string{"github.com/leanovate/gopter", "golang.org/x/exp", "github.com/zeebo/xxh3"},
	},
	{
		path: "cmd", own: []string{".", "internal/...", "kernel/...", "exact/...", "approx/...", "verify/..."},
		modules: []string{"golang.org/x/exp"},
	},
}

// Test files of every room may use these besides.
var (
	testOwn     = []string{"internal/...", "verify/...", "kernel/asm/asmtest"}
	testModules = []string{"github.com/leanovate/gopter", "golang.org/x/exp"}
)

// reachable are all the foreign modules of a build or a test: the ones above and what
// they import themselves.
var reachable = []string{
	"github.com/klauspost/cpuid/v2", "golang.org/x/sys", // cpuid asks the system through x/sys
	"github.com/zeebo/xxh3", "github.com/dchest/siphash", "github.com/cespare/xxhash/v2", "github.com/bits-and-blooms/bitset",
	"github.com/twmb/murmur3",
	"github.com/leanovate/gopter", "golang.org/x/exp", "github.com/ALTree/bigfloat",
}

// listed is what go list tells of a package.
type listed struct {
	ImportPath                         string
	ForTest                            string
	Standard                           bool
	Module                             *struct{ Path string }
	Imports, TestImports, XTestImports []string
}

// graph is an import graph: packages by import path.
type graph map[string]listed

func covers(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		return p == path || strings.HasSuffix(p, "/...") && within(strings.TrimSuffix(p, "/..."), path)
	})
}

// within reports whether path is the folder or below it.
func within(folder, path string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

func roomOf(path string) (room, bool) {
	var best room
	for _, r := range policy {
		if len(r.path) > len(best.path) && (r.path == path || r.path != "." && within(r.path, path)) {
			best = r
		}
	}
	return best, best.path != ""
}

// inside returns the path of a package of ours below the module, "." for the module's
// root.
func inside(importPath string) (string, bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// violations returns what in g the policy forbids, one line each, sorted.
func violations(g graph) []string {
	var out []string
	for _, p := range g {
		if p.Standard || p.ForTest != "" || strings.HasSuffix(p.ImportPath, ".test") {
			continue // variants for tests repeat what TestImports says
		}
		if slices.Contains(p.Imports, "C") {
			out = append(out, p.ImportPath+" uses cgo")
		}
		path, ours := inside(p.ImportPath)
		if !ours {
			if p.Module == nil || !slices.Contains(reachable, p.Module.Path) {
				out = append(out, p.ImportPath+" is of a module that is not in the policy")
			}
			continue
		}
		r, known := roomOf(path)
		if !known {
			out = append(out, path+" is in no room of the policy")
			continue
		}
		for _, to := range p.Imports {
			if !permitted(g, r, path, to, false) {
				out = append(out, path+" imports "+to)
			}
		}
		for _, to := range append(slices.Clone(p.TestImports), p.XTestImports...) {
			if !permitted(g, r, path, to, true) {
				out = append(out, path+" imports "+to+" in its tests")
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func permitted(g graph, r room, from, to string, test bool) bool {
	if target, ours := inside(to); ours {
		if target == from {
			return true // an external test of itself
		}
		home, known := roomOf(target)
		return known && home.path == r.path || covers(r.own, target) ||
			test && (covers(testOwn, target) || covers(r.tests, target))
	}
	p := g[to]
	if p.Standard || to == "C" { // cgo has its own line
		return true
	}
	if p.Module == nil {
		return false
	}
	return slices.Contains(r.modules, p.Module.Path) || test && slices.Contains(testModules, p.Module.Path)
}

// goLists has the graphs that goList has returned.
var goLists = map[[3]string]graph{}

// goList returns the import graph of the module and its tests for a target, with a
// build tag or none.
func goList(t *testing.T, goos, goarch, tag string) graph {
	t.Helper()
	key := [3]string{goos, goarch, tag}
	if g, ok := goLists[key]; ok {
		return g
	}
	cmd := exec.Command("go", "list", "-deps", "-test", "-tags", tag,
		"-json=ImportPath,ForTest,Standard,Module,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = ".."
	// With cgo on, files that use it are not hidden from the list.
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=1", "GOFLAGS=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	g := graph{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			goLists[key] = g
			return g
		} else if err != nil {
			t.Fatal(err)
		}
		g[p.ImportPath] = p
	}
}

func TestImportGraph(t *testing.T) {
	targets := []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64", "linux/arm", "linux/s390x"}
	tags := []string{"", "purego"}
	if !longtest.Enabled() { // the list that TestConsumerNeeds needs
		targets, tags = targets[:1], tags[:1]
	}
	for _, target := range targets {
		for _, tag := range tags {
			goos, goarch, _ := strings.Cut(target, "/")
			g := goList(t, goos, goarch, tag)
			for _, path := range []string{module, module + "/kernel", module + "/exact", module + "/approx", module + "/verify", module + "/fuzz", module + "/cmd/bloomproof"} {
				if _, ok := g[path]; !ok {
					t.Errorf("%s %s: go list does not know %s", target, tag, path)
				}
			}
			for _, v := range violations(g) {
				t.Errorf("%s %s: %s", target, tag, v)
			}
		}
	}
}

// A program that imports one package of ours is built from the modules that this package
// needs, and from none that only tests or other packages need: gopter comes with verify alone, and
// who examines a filter of his own links none of ours.
func TestConsumerNeeds(t *testing.T) {
	const cpuid, sys = "github.com/klauspost/cpuid/v2", "golang.org/x/sys"
	hashes := []string{"github.com/dchest/siphash", cpuid, "github.com/zeebo/xxh3", sys}
	packages := goList(t, "linux", "amd64", "") // which needs the most
	for path, want := range map[string][]string{
		"": {}, "/exact": {}, "/approx": {}, "/approx/recycling": {cpuid, sys}, "/approx/fnr": {cpuid, sys}, "/kernel": hashes, "/kernel/vec": {cpuid, sys},
		"/verify": {"github.com/leanovate/gopter"}, "/verify/conform": {},
		"/kernel/compat/holiman": hashes, "/kernel/compat/bitsandblooms": append(slices.Clone(hashes), "github.com/bits-and-blooms/bitset"),
	} {
		if testing.Short() && path != "/kernel" && path != "/verify" {
			continue
		}
		reached, got := map[string]bool{}, []string(nil)
		var reach func(path string)
		reach = func(path string) {
			if reached[path] {
				return
			}
			reached[path] = true
			p, ok := packages[path]
			if !ok {
				t.Fatalf("go list does not know %s", path)
			}
			if p.Module != nil && p.Module.Path != module {
				got = append(got, p.Module.Path)
			}
			for _, next := range p.Imports {
				if next != "C" {
					reach(next)
				}
			}
		}
		reach(module + path)
		slices.Sort(got)
		got = slices.Compact(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("importing %s needs the modules %v, want %v", module+path, got, want)
		}
	}
}

// The checker finds each kind of violation, and nothing in a lawful graph.
func TestImportGraphCheckerCatches(t *testing.T) {
	foreign := func(importPath, mod string) listed {
		return listed{ImportPath: importPath, Module: &struct{ Path string }{mod}}
	}
	others := []listed{
		{ImportPath: "math/big", Standard: true},
		foreign("github.com/leanovate/gopter/gen", "github.com/leanovate/gopter"),
		foreign("github.com/klauspost/cpuid/v2", "github.com/klauspost/cpuid/v2"),
		foreign("github.com/zeebo/xxh3", "github.com/zeebo/xxh3"),
		foreign("github.com/dchest/siphash", "github.com/dchest/siphash"),
		foreign("github.com/ALTree/bigfloat", "github.com/ALTree/bigfloat"),
	}
	pkg := func(path string, imports ...string) listed {
		p := listed{ImportPath: strings.TrimSuffix(module+"/"+path, "/.")}
		for _, to := range imports {
			switch {
			case to == "C" || to == "math/big" || strings.HasPrefix(to, "github.com/"):
			default:
				to = strings.TrimSuffix(module+"/"+to, "/.")
			}
			p.Imports = append(p.Imports, to)
		}
		return p
	}
	inTests := func(p listed) listed {
		p.Imports, p.XTestImports = nil, p.Imports
		return p
	}
	const bigfloat = "github.com/ALTree/bigfloat"
	const gopter, xxh3, cpuid = "github.com/leanovate/gopter/gen", "github.com/zeebo/xxh3", "github.com/klauspost/cpuid/v2"
	for _, row := range []struct {
		p    listed
		want string // "" when lawful
	}{
		{pkg(".", "math/big"), ""},
		{pkg("kernel", ".", "kernel/asm", "kernel/host", xxh3, "github.com/dchest/siphash"), ""},
		{pkg("kernel", "kernel/asm/asmtest"), "kernel imports " + module + "/kernel/asm/asmtest"},
		{pkg("kernel/compat/holiman", ".", "kernel", "kernel/compat/internal/array"), ""},
		{pkg("kernel/host", "kernel/asm", cpuid), ""},
		{pkg("exact", ".", "exact/internal/interval"), ""},
		{pkg("exact/internal/interval", "math/big"), ""},
		{pkg("approx", ".", "approx/internal/fm", "kernel/vec"), ""},
		{pkg("approx/recycling", ".", "approx", "approx/internal/cycle", "kernel/vec"), ""},
		{pkg("approx/fnr", ".", "approx", "approx/recycling", "approx/internal/cycle"), ""},
		{pkg("verify/claims", ".", "exact", "approx", "kernel", "verify/stat", gopter), ""},
		{pkg("verify/sim", "internal/numeric"), ""},
		{pkg("internal/numeric", ".", "math/big"), ""},
		{inTests(pkg("kernel", "internal/sequential")), ""},
		{pkg("cmd/bloomproof", ".", "exact", "approx", "kernel", "verify/sim"), ""},
		{inTests(pkg("exact", "exact", "verify", gopter)), ""},
		{inTests(pkg("verify", "verify/internal/witness")), ""},
		{inTests(pkg("kernel", "kernel", "verify/model", gopter)), ""},
		{inTests(pkg("fuzz", "kernel", xxh3)), ""},

		{pkg(".", "kernel"), ". imports " + module + "/kernel"},
		{pkg("kernel/asm", "."), "kernel/asm imports " + module},
		{pkg("kernel/asm", "kernel/host"), "kernel/asm imports " + module + "/kernel/host"},
		{pkg("kernel", "internal/sequential"), "kernel imports " + module + "/internal/sequential"},
		{pkg("internal/numeric", "exact"), "internal/numeric imports " + module + "/exact"},
		{pkg("kernel", "exact"), "kernel imports " + module + "/exact"},
		{pkg("kernel/compat/holiman", "exact"), "kernel/compat/holiman imports " + module + "/exact"},
		{pkg("kernel/compat/holiman", "kernel/host"), "kernel/compat/holiman imports " + module + "/kernel/host"},
		{pkg("kernel", "kernel/vec"), "kernel imports " + module + "/kernel/vec"},
		{pkg("kernel", cpuid), "kernel imports " + cpuid},
		{pkg("kernel", gopter), "kernel imports " + gopter},
		{pkg("kernel/vec", "kernel"), "kernel/vec imports " + module + "/kernel"},
		{pkg("exact", "approx"), "exact imports " + module + "/approx"},
		{pkg("exact", "exact/recycling"), "exact imports " + module + "/exact/recycling"},
		{pkg("exact", "exact/fnr"), "exact imports " + module + "/exact/fnr"},
		{pkg("exact", "exact/internal/enclose"), "exact imports " + module + "/exact/internal/enclose"},
		{pkg("exact/internal/occupancy", "exact/recycling"), "exact/internal/occupancy imports " + module + "/exact/recycling"},
		{pkg("exact/recycling", "exact/fnr"), "exact/recycling imports " + module + "/exact/fnr"},
		{pkg("exact/recycling", "approx/recycling"), "exact/recycling imports " + module + "/approx/recycling"},
		{pkg("approx", "exact"), "approx imports " + module + "/exact"},
		{pkg("approx/internal/fm", "exact"), "approx/internal/fm imports " + module + "/exact"},
		{inTests(pkg("exact", "approx")), "exact imports " + module + "/approx in its tests"},
		{inTests(pkg("approx", "exact")), "approx imports " + module + "/exact in its tests"},
		{inTests(pkg("approx", xxh3)), "approx imports " + xxh3 + " in its tests"},
		{pkg("approx", "approx/recycling"), "approx imports " + module + "/approx/recycling"},
		{pkg("approx", "approx/fnr"), "approx imports " + module + "/approx/fnr"},
		{pkg("approx/internal/cycle", "approx/recycling"), "approx/internal/cycle imports " + module + "/approx/recycling"},
		{pkg("approx/recycling", "approx/fnr"), "approx/recycling imports " + module + "/approx/fnr"},
		{inTests(pkg("approx/recycling", "exact/recycling")), "approx/recycling imports " + module + "/exact/recycling in its tests"},
		{pkg("approx/fnr", "exact"), "approx/fnr imports " + module + "/exact"},
		{pkg("approx", "kernel"), "approx imports " + module + "/kernel"},
		{pkg("exact", xxh3), "exact imports " + xxh3},
		{pkg("exact", "kernel"), "exact imports " + module + "/kernel"},
		{pkg("verify/internal/witness", bigfloat), ""},
		{pkg("verify/internal/tools/soak", "verify/conform", "verify/internal/mutant", "verify/internal/tools/campaign"), ""},
		{pkg("verify", "verify/internal/tools/campaign"), "verify imports " + module + "/verify/internal/tools/campaign"},
		{pkg("verify/claims", "verify/internal/witness"), "verify/claims imports " + module + "/verify/internal/witness"},
		{pkg("verify", bigfloat), "verify imports " + bigfloat},
		{inTests(pkg("exact", bigfloat)), "exact imports " + bigfloat + " in its tests"},
		{pkg("verify", xxh3), "verify imports " + xxh3},
		{pkg("verify", "cmd/bloomproof"), "verify imports " + module + "/cmd/bloomproof"},
		{pkg("verify", "bench"), "verify imports " + module + "/bench"},
		{pkg("cmd/bloomproof", "bench"), "cmd/bloomproof imports " + module + "/bench"},
		{inTests(pkg("fuzz", "bench/figures")), "fuzz imports " + module + "/bench/figures in its tests"},
		{pkg("cmd/bloomproof", gopter), "cmd/bloomproof imports " + gopter},
		{pkg("cmd/bloomproof", "github.com/unknown/x"), "cmd/bloomproof imports github.com/unknown/x"},
		{pkg("kernel", "C"), module + "/kernel uses cgo"},
		{pkg("tools"), "tools is in no room of the policy"},
		{foreign("github.com/unknown/x", "github.com/unknown/x"), "github.com/unknown/x is of a module that is not in the policy"},
	} {
		g := graph{row.p.ImportPath: row.p}
		for _, p := range others {
			g[p.ImportPath] = p
		}
		if got := strings.Join(violations(g), "; "); got != row.want {
			t.Errorf("%s: got %q, want %q", fmt.Sprint(row.p.ImportPath, row.p.Imports, row.p.XTestImports), got, row.want)
		}
	}
}
