package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	peerbloom "github.com/bits-and-blooms/bloom/v3"
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	bloom "github.com/bloomproof/bloomproof/bench/migrate/bitsandblooms"
	bloomfilter "github.com/bloomproof/bloomproof/bench/migrate/holiman"
	"github.com/bloomproof/bloomproof/kernel"
	peerbloomfilter "github.com/holiman/bloomfilter/v2"
)

// The adaptors have every exported name of the libraries, with the same signatures, but
// for those listed here, of which their package comments tell; and import nothing else.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		ours, theirs string
		differ       map[string]string // name: what ours has in its place
	}{
		{"bitsandblooms", "github.com/bits-and-blooms/bloom/v3", map[string]string{
			"From": "", "FromWithM": "", "(*BloomFilter).BitSet": "",
			"Locations":                    "func([]byte, uint) kernel.Hash",
			"(*BloomFilter).TestLocations": "func(kernel.Hash) bool",
			"Of":                           "func(*kernel.Filter, error) (*BloomFilter, error)",
			"(*BloomFilter).Filter":        "func() *kernel.Filter",
		}},
		{"holiman", "github.com/holiman/bloomfilter/v2", map[string]string{
			"(*Filter).Filter": "func() *kernel.Filter",
		}},
	} {
		dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", c.theirs).Output()
		if err != nil {
			t.Fatal(err)
		}
		want, _ := exported(t, strings.TrimSpace(string(dir)))
		got, imports := exported(t, c.ours)
		if len(want) < 20 {
			t.Errorf("%s: only %d names found", c.theirs, len(want))
		}
		all, kept := len(want), len(want)
		for name, signature := range c.differ {
			if want[name] != "" {
				kept--
			}
			if want[name] == signature {
				t.Errorf("%s: %s does not differ", c.ours, name)
			}
			want[name] = signature
			if signature == "" {
				delete(want, name)
			}
		}
		row := fmt.Sprintf("| `%s` | `bench/migrate/%s` | %d of %d |", strings.TrimPrefix(c.theirs, "github.com/"), c.ours, kept, all)
		if !strings.Contains(docs(t), row) {
			t.Errorf("docs/migration.md lacks %q", row)
		}
		names := maps.Clone(want)
		maps.Copy(names, got)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if got[name] != want[name] {
				t.Errorf("%s: %s is %q, want %q", c.ours, name, got[name], want[name])
			}
		}
		for _, path := range imports {
			if strings.Contains(path, ".") && !slices.Contains([]string{
				"github.com/bloomproof/bloomproof", "github.com/bloomproof/bloomproof/approx", "github.com/bloomproof/bloomproof/kernel",
			}, path) {
				t.Errorf("%s imports %s", c.ours, path)
			}
		}
	}
}

func docs(t *testing.T) string {
	page, err := os.ReadFile("../../docs/migration.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// exported returns the exported names of the package in dir: functions and methods with
// their signatures, others with their kind; and what it imports.
func exported(t *testing.T, dir string) (names map[string]string, imports []string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names = map[string]string{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			imports = append(imports, strings.Trim(i.Path.Value, `"`))
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if !d.Name.IsExported() {
					continue
				}
				if d.Recv != nil {
					if !ast.IsExported(strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*")) {
						continue
					}
					name = fmt.Sprintf("(%s).%s", types.ExprString(d.Recv.List[0].Type), name)
				}
				plain := *d.Type
				plain.Params, plain.Results = unnamed(d.Type.Params), unnamed(d.Type.Results)
				names[name] = types.ExprString(&plain)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						if s.Name.IsExported() {
							names[s.Name.Name] = "type"
						}
					case *ast.ValueSpec:
						for i, n := range s.Names {
							if n.IsExported() {
								names[n.Name] = d.Tok.String() + " " + types.ExprString(s.Values[i])
							}
						}
					}
				}
			}
		}
	}
	return names, imports
}

// unnamed returns the types of the list, one each.
func unnamed(list *ast.FieldList) *ast.FieldList {
	if list == nil {
		return nil
	}
	out := new(ast.FieldList)
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			out.List = append(out.List, &ast.Field{Type: f.Type})
		}
	}
	return out
}

// Sizes by the textbook's formulas are the libraries' own, so that a program goes on with
// the m and k that it had; and a filter of that size has the rate of the model in both.
func TestSizesAndRates(t *testing.T) {
	for _, n := range []uint{1, 2, 10, 999, 1 << 20, 1e9} {
		for _, p := range []float64{0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-9} {
			m, k := bloom.EstimateParameters(n, p)
			pm, pk := peerbloom.EstimateParameters(n, p)
			if m != pm || k != pk {
				t.Errorf("n = %d, p = %v: m %d, k %d, in the library %d, %d", n, p, m, k, pm, pk)
			}
			hm := bloomfilter.OptimalM(uint64(n), p)
			hk := bloomfilter.OptimalK(hm, uint64(n))
			if pm, pk := peerbloomfilter.OptimalM(uint64(n), p), peerbloomfilter.OptimalK(hm, uint64(n)); hm != pm || hk != pk {
				t.Errorf("n = %d, p = %v: m %d, k %d, in the library %d, %d", n, p, hm, hk, pm, pk)
			}
		}
	}

	const n, probes = 10_000, 100_000
	m, k := bloom.EstimateParameters(n, 0.01)
	want := bloom.EstimateFalsePositiveRate(m, k, n)
	if rate, err := approx.FPR(bloomproof.Geometry{M: uint64(m), K: int(k)}, n); err != nil || rate != want {
		t.Fatalf("rate %v, want %v, %v", want, rate, err)
	}
	// Seven standard deviations of the count; that of the rate given the fill is a tenth.
	slack := 7 * math.Sqrt(want*(1-want)/probes)
	ours, theirs := bloom.NewWithEstimates(n, 0.01), peerbloom.NewWithEstimates(n, 0.01)
	of, err := bloomfilter.NewOptimal(n, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for i := range n + probes {
		key := fmt.Appendf(nil, "key %d", i)
		if i < n {
			ours.Add(key)
			theirs.Add(key)
			of.AddHash(uint64(i))
			continue
		}
		for name, hit := range map[string]bool{"bitsandblooms": ours.Test(key), "the library": theirs.Test(key), "holiman": of.ContainsHash(uint64(i))} {
			if hit {
				found[name]++
			}
		}
	}
	if len(found) != 3 {
		t.Errorf("false positives of %v only", found)
	}
	for name, hits := range found {
		if rate := float64(hits) / probes; math.Abs(rate-want) > slack {
			t.Errorf("%s: rate %v, want %v within %v", name, rate, want, slack)
		}
	}
	if rate := peerbloom.EstimateFalsePositiveRate(m, k, n); math.Abs(rate-want) > slack {
		t.Errorf("the library measures %v, expected %v within %v", rate, want, slack)
	}
	if rate := of.FalsePosititveProbability(); rate != want {
		t.Errorf("holiman: %v, want %v", rate, want)
	}
}

// Nothing of the other libraries is taken for a filter, nor anything that is cut short or
// changed in one bit, and the receiver stays what it was.
func TestFilesRefused(t *testing.T) {
	theirs := peerbloom.New(1000, 5).AddString("key")
	ours := bloom.New(64, 3).AddString("mine")
	snapshot, err := ours.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, err error, kept bool) {
		t.Helper()
		if !errors.Is(err, kernel.ErrCorrupt) || !kept {
			t.Errorf("%s: %v, receiver kept %v", what, err, kept)
		}
	}
	data, _ := theirs.MarshalBinary()
	before := ours.Copy()
	refused("binary", ours.UnmarshalBinary(data), ours.Equal(before))
	_, err = ours.ReadFrom(bytes.NewReader(data))
	refused("stream", err, ours.Equal(before))
	refused("gob", ours.GobDecode(data), ours.Equal(before))
	data, _ = theirs.MarshalJSON()
	refused("json", ours.UnmarshalJSON(data), ours.Equal(before))

	peer, err := peerbloomfilter.New(1000, 5)
	if err != nil {
		t.Fatal(err)
	}
	of, err := bloomfilter.NewWithKeys(64, []uint64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	of.AddHash(1)
	whole, err := of.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	kept := func() bool { now, err := of.MarshalBinary(); return err == nil && bytes.Equal(now, whole) }
	data, _ = peer.MarshalBinary()
	refused("binary", of.UnmarshalBinary(data), kept())
	_, err = of.UnmarshalFromReader(bytes.NewReader(data))
	refused("reader", err, kept())
	data, _ = peer.MarshalJSON()
	refused("json", of.UnmarshalJSON(data), kept())
	var packed bytes.Buffer
	_, _ = peer.WriteTo(&packed)
	_, err = of.ReadFrom(&packed)
	refused("gzip", err, kept())

	for _, f := range []struct {
		name  string
		whole []byte
		read  func([]byte) error
		kept  func() bool
	}{
		{"bitsandblooms", snapshot, ours.UnmarshalBinary, func() bool { return ours.Equal(before) }},
		{"holiman", whole, of.UnmarshalBinary, kept},
	} {
		for i := range f.whole {
			refused(fmt.Sprintf("%s: %d bytes", f.name, i), f.read(f.whole[:i]), f.kept())
		}
		refused(f.name+": a byte more", f.read(append(bytes.Clone(f.whole), 0)), f.kept())
		for i := range 8 * len(f.whole) {
			bad := bytes.Clone(f.whole)
			bad[i/8] ^= 1 << (i % 8)
			refused(fmt.Sprintf("%s: bit %d", f.name, i), f.read(bad), f.kept())
		}
	}
}

// What has no filter says why.
func TestLimits(t *testing.T) {
	var refused *bloomproof.ParamError
	for name, f := range map[string]func(){
		"k":    func() { bloom.New(100, bloomproof.MaxK+1) },
		"p":    func() { bloom.NewWithEstimates(100, 0) },
		"n":    func() { bloom.EstimateParameters(1<<62, 0.01) },
		"maxN": func() { bloomfilter.OptimalK(100, 0) },
	} {
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !errors.As(err, &refused) || refused.Param != name {
					t.Errorf("%s: %v", name, err)
				}
			}()
			f()
		}()
	}
	many := make([]uint64, bloomproof.MaxK+1)
	for i := range many {
		many[i] = uint64(i)
	}
	for name, f := range map[string]func() (*bloomfilter.Filter, error){
		"m":    func() (*bloomfilter.Filter, error) { return bloomfilter.New(1<<48+1, 1) },
		"k":    func() (*bloomfilter.Filter, error) { return bloomfilter.NewWithKeys(100, many) },
		"p":    func() (*bloomfilter.Filter, error) { return bloomfilter.NewOptimal(100, math.NaN()) },
		"maxN": func() (*bloomfilter.Filter, error) { return bloomfilter.NewOptimal(0, 0.01) },
	} {
		if _, err := f(); !errors.As(err, &refused) || !strings.EqualFold(refused.Param, name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if f := bloom.NewWithEstimates(0, 0.01).AddString("a"); f.Cap() != 1 || !f.TestString("a") {
		t.Error("a filter for no keys loses one")
	}
	full := bloom.New(1, 1).AddString("a")
	if n := full.ApproximatedSize(); n != math.MaxUint32 {
		t.Errorf("a full filter is estimated to hold %d", n)
	}
	if _, err := bloom.Of(kernel.New(bloomproof.Geometry{}, kernel.Options{})); !errors.As(err, &refused) {
		t.Errorf("no geometry: %v", err)
	}
}

// A filter with a secret key is kept under the old names, and read where the key is known.
func TestKeyed(t *testing.T) {
	o := kernel.Keyed([]byte{1, 2, 3, 15: 0})
	var f [2]*bloom.BloomFilter
	for i := range f {
		var err error
		if f[i], err = bloom.Of(kernel.New(bloomproof.Geometry{M: 1000, K: 5}, o)); err != nil {
			t.Fatal(err)
		}
	}
	f[0].AddString("a")
	data, err := f[0].MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := f[1].UnmarshalBinary(data); err != nil || !f[1].TestString("a") || !f[1].Filter().Contains([]byte("a")) {
		t.Errorf("with the key: %v", err)
	}
	var refused *bloomproof.ParamError
	if err := bloom.New(1, 1).UnmarshalBinary(data); !errors.As(err, &refused) || refused.Param != "key" {
		t.Errorf("without the key: %v", err)
	}
}

// Goroutines that add, ask and unite two filters both ways lose nothing and do not block
// each other for good.
func TestHolimanGoroutines(t *testing.T) {
	a, err := bloomfilter.New(1<<16, 5)
	if err != nil {
		t.Fatal(err)
	}
	b, err := a.NewCompatible()
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for g := range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range 200 {
				a.AddHash(uint64(1000*g + i))
				if !a.ContainsHash(uint64(1000*g + i)) {
					t.Errorf("lost %d", i)
				}
				if i%50 == 0 {
					if err := errors.Join(a.UnionInPlace(b), b.UnionInPlace(a)); err != nil {
						t.Error(err)
					}
				}
			}
		}()
	}
	group.Wait()
	for g := range 4 {
		for i := range 200 {
			if !a.ContainsHash(uint64(1000*g+i)) || a.Filter().Bits() == 0 {
				t.Errorf("lost %d", 1000*g+i)
			}
		}
	}
	allocs := testing.AllocsPerRun(100, func() { a.AddHash(7); a.ContainsHash(8) })
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// docs/migration.md shows the body of the example.
func TestPage(t *testing.T) {
	page := docs(t)
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(source), "func Example_sideBySide() {\n")
	body = strings.ReplaceAll("\n"+strings.TrimSuffix(body, "}\n"), "\n\t", "\n")
	if body = strings.TrimSpace(body); body == "" || !strings.Contains(page, "```go\n"+body+"\n```") {
		t.Error("docs/migration.md does not show the body of Example_sideBySide")
	}
}
