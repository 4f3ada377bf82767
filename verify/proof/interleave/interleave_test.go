package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// output runs the explored program and returns what it prints.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var out []byte
	err := explore("../../..", func(cmd *exec.Cmd) (err error) {
		cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=")
		out, err = cmd.CombinedOutput()
		return err
	}, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// The shipped concurrent filters do what their comments say under every schedule of the cases, without data races, and
// every goroutine ends.
func TestEverySchedule(t *testing.T) {
	if testing.Short() {
		t.Skip("it explores the same code on every host")
	}
	args := []string{}
	if longtest.Enabled() {
		args = append(args, "-long")
	}
	out := output(t, args...)
	all := regexp.MustCompile(`all (\d+) cases +(\d+)`).FindStringSubmatch(out)
	var cases, schedules int
	if all != nil {
		fmt.Sscan(all[1]+" "+all[2], &cases, &schedules)
	}
	if cases < 30 || schedules < 15_000 {
		t.Errorf("%d cases with %d schedules: the test does not test the filters", cases, schedules)
	}
	t.Log("\n" + out)
}

// Every wrong variant is found: those of this package, and the filters with faults of package kernel's tests.
func TestEveryWrongVariant(t *testing.T) {
	if testing.Short() {
		t.Skip("it explores the same code on every host")
	}
	out := output(t, "-wrong", strings.Join(variantNames(), "|"))
	if n, want := strings.Count(out, "found after"), len(variants)+11; n != want || strings.Contains(out, "NOT FOUND") {
		t.Errorf("%d of %d wrong variants are found:\n%s", n, want, out)
	}
	t.Log("\n" + out)
}

const sample = `package sample

import "sync"

type inner struct{ n, m uint64 }

func (i *inner) set(v uint64) { i.n = v }
func (i inner) get() uint64 { return i.n }

type outer struct {
	inner
	sync.Mutex
	words []uint64
	array [4]uint64
	next  *outer
	call  func() uint64
}

type far struct{ *outer }

var global uint64

func (o *outer) locked() uint64 { o.Lock(); defer o.Unlock(); return o.n }

func body(o *outer, local outer, b []byte, f *far, g far) (s uint64) {
	BODY
	return s
}
`

// compiled has the types of package sync, which the sample imports.
var compiled = sync.OnceValues(func() (types.Importer, error) {
	packages, err := list("../../..")
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(packages[path].Export) }), err
})

// rewrittenBody returns body as the body of the sample's function, rewritten.
func rewrittenBody(body string) (string, []string, error) {
	text := strings.Replace(sample, "BODY", body, 1)
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "sample.go", text, parser.SkipObjectResolution)
	if err != nil {
		return "", nil, err
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	imports, err := compiled()
	if err != nil {
		return "", nil, err
	}
	files := []*ast.File{f}
	if _, err := (&types.Config{Importer: imports}).Check("sample", fset, files, info); err != nil {
		return "", nil, err
	}
	r := rewriter{fset: fset, info: info, text: text, synchronise: synchronising(info, files)}
	r.file(f, map[string]string{"locked": "{ return 1 }"})
	out := r.apply([]byte(text))
	out = strings.ReplaceAll(out, "interleave.", "")
	_, out, _ = strings.Cut(out, "(s uint64) {\n\t")
	out, _, _ = strings.Cut(out, "\n\treturn s")
	return out, r.unordered, r.err
}

// Each form of access becomes a call, and what no other goroutine can reach is left alone.
func TestRewrite(t *testing.T) {
	for _, c := range []struct{ is, want string }{
		{"s = o.n", "s = (*R(&o.n))"},
		{"o.n = s", "(*W(&o.n)) = s"},
		{"o.n++", "(*RW(&o.n))++"},
		{"o.n += o.m", "(*RW(&o.n)) += (*R(&o.m))"},
		{"s = local.n + local.array[1]", "s = local.n + local.array[1]"},
		{"s = local.words[1]", "s = (*R(&local.words[1]))"},
		{"s = o.words[o.n]", "s = (*R(&(*R(&o.words))[(*R(&o.n))]))"},
		{"s = o.array[s]", "s = (*R(&o.array[s]))"},
		{"s = o.next.next.n", "s = (*R(&(*R(&(*R(&o.next)).next)).n))"},
		{"p := &o.next.n; *p = 1", "p := &(*R(&o.next)).n; (*W(&*p)) = 1"},
		{"s = uint64(len(o.words) + len(o.array))", "s = uint64(len((*R(&o.words))) + len(o.array))"},
		{"for i, w := range o.words { s += w + uint64(i) }", "for i, w := range Range((*R(&o.words))) { s += w + uint64(i) }"},
		{"for i := range o.words { s += uint64(i) }", "for i := range (*R(&o.words)) { s += uint64(i) }"},
		{"for _, w := range o.array { s += w }", "for _, w := range (*R(&o.array)) { s += w }"},
		{"for i := range o.array { s += uint64(i) }", "for i := range o.array { s += uint64(i) }"},
		{"for _, w := range &o.array { s += w }", "for _, w := range Range((&o.array)[:]) { s += w }"},
		{"clear(o.words)", "Clear((*R(&o.words)))"},
		{"copy(o.words[1:], o.array[:])", "Copy((*R(&o.words))[1:], o.array[:])"},
		{`b = append(b, "text"...)`, `b = append(b, "text"...)`},
		{"o.words = append(o.words, s)", "(*W(&o.words)) = Append((*R(&o.words)), s)"},
		{"o.words = append(o.words, local.words...)", "(*W(&o.words)) = AppendAll((*R(&o.words)), local.words)"},
		{"o.set(o.get())", "o.set((*R(&o.inner)).get())"},
		{"o.next.inner.set(1); s = o.inner.get()", "(*R(&o.next)).inner.set(1); s = (*R(&o.inner)).get()"},
		{"local = *o", "local = (*R(&*o))"},
		{"o.next, local.next = local.next, o.next", "(*W(&o.next)), local.next = local.next, (*R(&o.next))"},
		{"f.n = g.m", "(*W(&(*R(&f.outer)).n)) = (*R(&g.m))"},
		{"f.set(1)", "(*R(&f.outer)).set(1)"},
		{"global = s", "(*W(&global)) = s"},
		{"s = uint64(outer{inner: inner{n: o.n}}.m)", "s = uint64(outer{inner: inner{n: (*R(&o.n))}}.m)"},
		{"func() { o.n = 1 }()", "func() { (*W(&o.n)) = 1 }()"},
		{"if s == 0 && o.n > 1 { s = 1 } else if o.m > 2 { s = 2 }", "if s == 0 && (*R(&o.n)) > 1 { s = 1 } else if (*R(&o.m)) > 2 { s = 2 }"},
		{"switch o.n { case o.m: s = 1 }", "switch (*R(&o.n)) { case (*R(&o.m)): s = 1 }"},
		// The right side may synchronise: the left side is accessed before or after.
		{"o.n = o.locked()", "(*W(&o.n)) = o.locked(); W(&o.n)"},
		{"o.n += (*o).call()", "(*RW(&o.n)) += (*R(&(*o).call))(); RW(&o.n)"},
		{"if o.n = o.locked(); s > 0 { s = 1 }", "if (*W(&o.n)) = o.locked(); W(&o.n) != nil && (s > 0) { s = 1 }"},
	} {
		got, unordered, err := rewrittenBody(c.is)
		if err != nil || got != c.want || unordered != nil {
			t.Errorf("%s:\n     %s, %v, %v\nwant %s", c.is, got, unordered, err, c.want)
		}
	}
	for _, is := range []string{"s = o.n + o.locked()", "s = o.locked() + o.m", "println(o.locked(), o.n)"} {
		if _, unordered, err := rewrittenBody(is); len(unordered) != 1 || err != nil {
			t.Errorf("%s: unordered %v, %v", is, unordered, err)
		}
	}
	for _, is := range []string{"go o.locked()", "c := make(chan int); <-c", "for o.n = o.locked(); s < 1; s++ { }", "select {}", "s = f.get()"} {
		if _, _, err := rewrittenBody(is); err == nil {
			t.Errorf("%s is not refused", is)
		}
	}
}

// A wrong variant whose statements are not in the code, or are there twice, is an error.
func TestVariantsAreInTheCode(t *testing.T) {
	text := "package kernel\nfunc f() { a(); b(); b() }\n"
	saved := variants
	defer func() { variants = saved }()
	for _, c := range []struct {
		change change
		ok     bool
	}{
		{change{file: "f.go", is: "a()", wrong: "c()"}, true},
		{change{file: "f.go", is: "a()", first: "c()"}, true},
		{change{file: "f.go", is: "b()", wrong: "c()"}, false},
		{change{file: "f.go", in: "a(); b()", is: "b()", wrong: "c()"}, true},
		{change{file: "f.go", is: "d()", wrong: "c()"}, false},
	} {
		variants = []variant{{what: "w", changes: []change{c.change}}}
		with, used, err := addVariants("f.go", text)
		if (err == nil) != c.ok || c.ok && (used != 1 || !strings.Contains(with, "interleave.Wrong(1)")) {
			t.Errorf("%+v: %q, %d, %v", c.change, with, used, err)
		}
	}
}
