package kernel

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/bits"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// ops is the table of the operations: the dispatcher beside its specification.
var ops = []struct {
	name string
	into bool
	got  func(im impl, a, b []uint64) int
	want func(a, b []uint64) int
}{
	{"Count", false, func(im impl, a, _ []uint64) int { return count(im, a) }, func(a, _ []uint64) int { return asm.CountPortable(a) }},
	{"AndCount", false, andCount, asm.AndCountPortable},
	{"OrCount", false, orCount, asm.OrCountPortable},
	{"XorCount", false, xorCount, asm.XorCountPortable},
	{"AndNotCount", false, andNotCount, asm.AndNotCountPortable},
	{"AndInto", true, andInto, asm.AndIntoPortable},
	{"OrInto", true, orInto, asm.OrIntoPortable},
	{"AndNotInto", true, andNotInto, asm.AndNotIntoPortable},
}

// TestOps compares every operation with its twin, on every implementation and Auto:
// about each threshold and about the number of words handed over at once.
func TestOps(t *testing.T) {
	const chunk = 1 << 17 // handover, which builds without assembly do not have
	lengths := []int{chunk - 1, chunk, chunk + 1, 2*chunk + 9}
	for n := range 40 {
		lengths = append(lengths, n)
	}
	r := rand.New(rand.NewPCG(1, 2))
	pool := asmtest.RandomWords(r, 2*chunk+64)
	var a, b, c, d []uint64 // they grow once: a fresh megabyte in each case would cost more than the case
	for _, op := range ops {
		for _, im := range append(hostImpls(), auto) {
			t.Run(fmt.Sprintf("op=%s/impl=%v", op.name, im), func(t *testing.T) {
				for _, n := range lengths {
					for _, m := range []int{n, n + 7, max(n-7, 0)} {
						a, b = append(a[:0], pool[:n]...), append(b[:0], pool[len(pool)-m:]...)
						c, d = append(c[:0], a...), append(d[:0], b...)
						if got, want := op.got(im, a, b), op.want(c, d); got != want || !slices.Equal(a, c) || !slices.Equal(b, d) {
							t.Fatalf("lengths %d and %d: got %d, want %d; words equal: %v, %v", n, m, got, want, slices.Equal(a, c), slices.Equal(b, d))
						}
						if n >= chunk && (testing.Short() || !longtest.Enabled() && n != chunk+1) {
							break
						}
					}
				}
			})
		}
	}
}

// TestIntoOverlap asserts that overlapping arguments give what the twin gives across
// the place where the work is handed over in parts.
func TestIntoOverlap(t *testing.T) {
	const n = 1<<17 + 100
	pool := asmtest.RandomWords(rand.New(rand.NewPCG(3, 4)), n+9)
	var w, v []uint64 // they grow once, as in TestOps
	for _, op := range ops {
		for _, im := range hostImpls() {
			for _, shift := range []int{0, 1, 3, 9} {
				for _, back := range []bool{false, true} {
					w, v = append(w[:0], pool...), append(v[:0], pool...)
					x, y, z, u := w[shift:], w[:n], v[shift:], v[:n]
					if back {
						x, y, z, u = y, x, u, z
					}
					if got, want := op.got(im, x, y), op.want(z, u); got != want || !slices.Equal(w, v) {
						t.Errorf("%s/%v, shift %d, back %v: got %d, want %d", op.name, im, shift, back, got, want)
					}
				}
			}
		}
	}
}

// TestNoAlloc holds every operation to no allocation, its arguments to the stack.
func TestNoAlloc(t *testing.T) {
	for _, im := range append(hostImpls(), auto) {
		n := testing.AllocsPerRun(10, func() {
			var a, b [100]uint64
			sink += count(im, a[:]) + andCount(im, a[:], b[:]) + orCount(im, a[:], b[:]) + xorCount(im, a[:], b[:]) +
				andNotCount(im, a[:], b[:]) + andInto(im, a[:], b[:]) + orInto(im, a[:], b[:]) + andNotInto(im, a[:], b[:]) +
				int(rangeCount(im, a[:], 3, 900))
		})
		if n != 0 {
			t.Errorf("%v: %v allocations", im, n)
		}
	}
}

// exported are the exported operations by name: an operation may be for the filters alone.
var exported = map[string]func(a, b []uint64) int{
	"Count":    func(a, _ []uint64) int { return Count(a) },
	"AndCount": AndCount, "OrCount": OrCount, "XorCount": XorCount, "AndNotCount": AndNotCount,
	"AndInto": AndInto, "OrInto": OrInto, "AndNotInto": AndNotInto,
}

// TestExported asserts that each exported operation is the one of its name, about each
// threshold and about the number of words handed over at once.
func TestExported(t *testing.T) {
	src, err := sources.ReadFile("bits.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^func ([A-Z]\w*)`).FindAllStringSubmatch(string(src), -1) {
		if exported[m[1]] == nil {
			t.Errorf("no test of %s", m[1])
		}
	}
	testExported(t)
	n := testing.AllocsPerRun(10, func() {
		var a, b [100]uint64
		sink += Count(a[:]) + AndCount(a[:], b[:]) + OrCount(a[:], b[:]) + XorCount(a[:], b[:]) + AndNotCount(a[:], b[:]) +
			AndInto(a[:], b[:]) + OrInto(a[:], b[:]) + AndNotInto(a[:], b[:])
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func testExported(t *testing.T) {
	t.Helper()
	const chunk = 1 << 17
	pool := asmtest.RandomWords(rand.New(rand.NewPCG(9, 10)), chunk+40)
	tested := 0
	var a, b, c, d []uint64 // they grow once, as in TestOps
	for _, op := range ops {
		if exported[op.name] == nil {
			continue
		}
		tested++
		for _, n := range []int{0, 1, 7, 15, 16, 17, 40, chunk, chunk + 1} {
			for _, m := range []int{n, n + 3, max(n-3, 0)} {
				if !longtest.Enabled() && n == chunk && m != n {
					continue
				}
				a, b = append(a[:0], pool[:n]...), append(b[:0], pool[30:30+m]...)
				c, d = append(c[:0], a...), append(d[:0], b...)
				if got, want := exported[op.name](a, b), op.want(c, d); got != want || !slices.Equal(a, c) || !slices.Equal(b, d) {
					t.Errorf("%s of %d and %d words: got %d, want %d; words equal: %v, %v", op.name, n, m, got, want, slices.Equal(a, c), slices.Equal(b, d))
				}
			}
		}
		a, c = append(a[:0], pool...), append(c[:0], pool...)
		if got, want := exported[op.name](a, a), op.want(c, c); got != want {
			t.Errorf("%s of words with themselves: got %d, want %d", op.name, got, want)
		}
	}
	if tested != len(exported) {
		t.Errorf("%d operations, want %d", tested, len(exported))
	}
}

// TestChoose asserts the choice, and that its cases cover every value that the choosing
// function can return in this build.
func TestChoose(t *testing.T) {
	at := func(im impl) impl { return at(host.Popcount, im) }
	cases := []struct {
		im       impl
		n, least int
		want     impl // in a build with assembly
	}{
		{portable, 1000, 6, portable},
		{popcnt, 5, 6, portable},
		{popcnt, 6, 6, at(popcnt)},
		{avx2, 5, 6, portable},
		{avx2, 6, 6, at(popcnt)},
		{avx2, avx2Min - 1, 6, at(popcnt)},
		{avx2, avx2Min, 6, at(avx2)},
		{avx512, 5, 6, portable},
		{avx512, avx2Min, 6, at(avx512)},
		{neon, 7, 8, portable},
		{neon, 8, 8, at(neon)},
		{auto, 0, 6, portable},
		{auto, 1000, 6, at(auto)},
	}
	seen := map[impl]bool{}
	for _, c := range cases {
		want := c.want
		if !host.Assembly {
			want = portable
		}
		got := choose(c.im, c.n, c.least)
		if got != want {
			t.Errorf("choose(%v, %d, %d) = %v, want %v", c.im, c.n, c.least, got, want)
		}
		seen[got] = true
	}
	for im := auto; im <= neon; im++ {
		for n := range 40 {
			if got := choose(im, n, countMin); !seen[got] {
				t.Errorf("choose(%v, %d) = %v, which no case has", im, n, got)
			}
		}
	}
}

//go:embed bits.go ops_amd64.go ops_arm64.go
var sources embed.FS

// TestPath proves, from the source of both architectures, that what the choice names
// runs: each operation's switch has one case for each implementation of its
// architecture and calls that kernel with the operation's own arguments.
func TestPath(t *testing.T) {
	for file, impls := range map[string][]impl{"ops_amd64.go": {popcnt, avx2, avx512}, "ops_arm64.go": {neon}} {
		src, err := sources.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range ops {
			name := strings.ToLower(op.name[:1]) + op.name[1:]
			i := slices.IndexFunc(parsed.Decls, func(d ast.Decl) bool {
				f, ok := d.(*ast.FuncDecl)
				return ok && f.Name.Name == name
			})
			if i < 0 {
				t.Errorf("%s: no %s", file, name)
				continue
			}
			f := parsed.Decls[i].(*ast.FuncDecl)
			args := "x"
			switch {
			case op.into:
				args = "dst, src"
			case op.name != "Count":
				args = "a, b"
			}
			want := []string{"asm." + op.name + "Portable(" + args + ")"}
			for _, im := range impls {
				suffix := map[impl]string{popcnt: "Popcnt", avx2: "AVX2", avx512: "AVX512", neon: "NEON"}[im]
				want = append(want, im.String()+": asm."+op.name+suffix+"("+args+")")
			}
			if got := calls(f.Body); !slices.Equal(got, sorted(want)) {
				t.Errorf("%s: %s runs %q, want %q", file, name, got, sorted(want))
			}
		}
	}
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}

// calls returns the calls into package asm inside body, sorted, each with the case that
// it stands under.
func calls(body *ast.BlockStmt) (found []string) {
	var under string
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CaseClause:
			under = ""
			for _, e := range n.List {
				under += e.(*ast.Ident).Name + ": "
			}
		case *ast.ReturnStmt:
			call, ok := n.Results[0].(*ast.CallExpr)
			if !ok {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.X.(*ast.Ident).Name == "asm" {
				var args []string
				for _, a := range call.Args {
					args = append(args, a.(*ast.Ident).Name)
				}
				text := sel.Sel.Name
				if !strings.HasSuffix(text, "Portable") {
					found = append(found, under+"asm."+text+"("+strings.Join(args, ", ")+")")
				} else {
					found = append(found, "asm."+text+"("+strings.Join(args, ", ")+")")
				}
			}
		}
		return true
	})
	return sorted(found)
}

// TestRangeCount compares every range of a short array, and ranges at the edges of the
// domain, with a walk over bits.
func TestRangeCount(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 2, 3, 5} {
		words := asmtest.RandomWords(r, n)
		end := uint64(64 * n)
		upto := make([]uint64, end+1) // upto[i] = ones below bit i
		for i := range end {
			upto[i+1] = upto[i] + words[i>>6]>>(i&63)&1
		}
		for lo := range end + 3 {
			for hi := range end + 3 {
				want := uint64(0)
				if lo < hi {
					want = upto[min(hi, end)] - upto[min(lo, end)]
				}
				if got := rangeCount(auto, words, lo, hi); got != want {
					t.Fatalf("%d words, [%d, %d): got %d, want %d", n, lo, hi, got, want)
				}
			}
		}
		for _, huge := range []uint64{1 << 63, 1<<64 - 64, 1<<64 - 1} {
			if got := rangeCount(auto, words, 0, huge); got != upto[end] {
				t.Errorf("%d words, [0, %d): got %d, want %d", n, huge, got, upto[end])
			}
			if got := rangeCount(auto, words, huge, 1<<64-1); got != 0 {
				t.Errorf("%d words, [%d, 2^64-1): got %d, want 0", n, huge, got)
			}
		}
	}
	words := asmtest.RandomWords(r, 5000)
	for _, im := range hostImpls() {
		for range 200 {
			lo, hi := r.Uint64N(320001), r.Uint64N(320001)
			want := uint64(0)
			for i := lo; i < hi; i++ {
				want += words[i>>6] >> (i & 63) & 1
			}
			if got := rangeCount(im, words, lo, hi); got != want {
				t.Errorf("%v, [%d, %d): got %d, want %d", im, lo, hi, got, want)
			}
			if testing.Short() && hi&7 != 0 {
				continue
			}
			if whole := rangeCount(im, words, 0, lo) + rangeCount(im, words, lo, 320000); whole != uint64(ones(words)) {
				t.Errorf("%v: parts at %d give %d, the whole %d", im, lo, whole, ones(words))
			}
		}
	}
}

func ones(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}
