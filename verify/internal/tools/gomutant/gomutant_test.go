package main

import (
	"bytes"
	"fmt"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/internal/tools/campaign"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// fixture returns the folder of a module made of testdata/fixture, where .txt keeps its
// files from being taken for a part of this one.
func fixture(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/fixture")); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Rename(path, strings.TrimSuffix(path, ".txt"))
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestChanges asserts what can stand in place of each kind of code.
func TestChanges(t *testing.T) {
	m, err := load(fixture(t), []string{"./operators"})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, mu := range m.packages[0].files[0].mutants() {
		f := mu.fields()
		got[f[1]] = append(got[f[1]], f[2]+" → "+f[3])
	}
	for function, want := range map[string][]string{
		"compare": {"a < b → a <= b", "a < b → a >= b", "return a < b → return !(a < b)"},
		"both": {
			"p && q → false && (p && q)", "p && q → true || (p && q)", "p && q → p || q", "p && q → p", "p && q → q",
			"return true → return false", "!p → p", "return !p → return !(!p)",
		},
		"bits": {
			"x<<2 | x&^1 → x<<2 & x&^1", "x<<2 → x>>2", "return x<<2 | x&^1 → return x<<(2+1) | x&^1",
			"return x<<2 | x&^1 → return x<<(2-1) | x&^1", "x&^1 → x&1",
			"return x<<2 | x&^1 → return x<<2 | x&^(1+1)", "return x<<2 | x&^1 → return x<<2 | x&^(1-1)",
		},
		"words": nil,
		"loop": {
			"i := 0 → i := (0+1)", "i < e.hi → i <= e.hi", "i < e.hi → i >= e.hi", "i < e.hi → false && (i < e.hi)",
			"i < e.hi → i < e.lo", "i++ → i--", "sum += i → sum -= i", "sum += i → (deleted)",
			"size → (size)-1", "size → (size)+1", "sum-- → sum++", "sum-- → (deleted)",
			"list → (nothing)", "x > 9 → x >= 9", "x > 9 → x <= 9", "x > 9 → false && (x > 9)", "x > 9 → true || (x > 9)",
			"x > 9 → x > (9+1)", "x > 9 → x > (9-1)", "continue → (deleted)", "sum %= x → sum /= x", "sum %= x → (deleted)",
		},
		"float": {
			"x == nil → x != nil", "x == nil → false && (x == nil)", "x == nil → true || (x == nil)",
			`return nil, fmt.Errorf("none of %d: %w", 5, errors.ErrUnsupported) → return nil, nil`,
			"defer x.SetInt64(7) → (deleted)", "defer x.SetInt64(7) → defer x.SetInt64((7+1))", "defer x.SetInt64(7) → defer x.SetInt64((7-1))",
			`return errors.New("always") → return nil`,
			"return x.Add(x, x.Neg(x)), f() → return x.Sub(x, x.Neg(x)), f()", "return x.Add(x, x.Neg(x)), f() → return x.Add(x, x.Set(x)), f()",
			"return x.Add(x, x.Neg(x)), f() → return x.Add(x, x.Neg(x)), nil",
		},
		"terms": {
			"wrong := n → wrong := ((n)/2)",
			"f := answer{Value: x * y, Bound: y} → f := answer{Value: (0.5*(x * y)), Bound: y}",
			"f := answer{Value: x * y, Bound: y} → f := answer{Value: x * y, Bound: (0.5*(y))}",
			"x * y → x / y",
			"f.Bound = max(f.Bound, x+y*y) → (deleted)",
			"f.Bound = max(f.Bound, x+y*y) → f.Bound = (0.5*(max(f.Bound, x+y*y)))",
			"f.Bound = max(f.Bound, x+y*y) → f.Bound = max((0.5*(f.Bound)), x+y*y)",
			"f.Bound = max(f.Bound, x+y*y) → f.Bound = max(f.Bound, (0.5*(x+y*y)))",
			"f.Bound = max(f.Bound, x+y*y) → f.Bound = min(f.Bound, x+y*y)",
			"x+y*y → x-y*y",
			"f.Bound = max(f.Bound, x+y*y) → f.Bound = max(f.Bound, (0.5*(x))+y*y)",
			"f.Bound = max(f.Bound, x+y*y) → f.Bound = max(f.Bound, x+(0.5*(y*y)))",
			"y*y → y/y",
			"f.Bound += pair(wrong, n, x) → (deleted)",
			"f.Bound += pair(wrong, n, x) → f.Bound += (0.5*(pair(wrong, n, x)))",
			"f.Bound += pair(wrong, n, x) → f.Bound -= pair(wrong, n, x)",
			"f.Bound += pair(wrong, n, x) → f.Bound += pair(n, wrong, x)",
		},
		"pair": {"return x → return (0.5*(x))"},
	} {
		slices.Sort(want)
		slices.Sort(got[function])
		if !slices.Equal(got[function], want) {
			t.Errorf("%s:\ngot  %s\nwant %s", function, strings.Join(got[function], "\n     "), strings.Join(want, "\n     "))
		}
		delete(got, function)
	}
	if len(got) > 0 {
		t.Errorf("changes of what is left alone: %v", got)
	}
}

// survivors are the mutants of the fixture that its short tests do not kill, but for that
// of Same, which is equivalent. Each says in the fixture why.
var survivors = []string{
	"fixture.go Between: i <= hi → i < hi",
	"fixture.go Between: return i >= lo && i <= hi → return i >= lo && i <= lo",
	`fixture.go Checked: return 0, errors.New("less than 0") → return 0, nil`,
	"fixture.go Checked: x < 0 → false && (x < 0)",
	"fixture.go Checked: x < 0 → x < (0+1)",
	"fixture.go Checked: x < 0 → x <= 0",
	"fixture.go Laid: return x * 2 → return x * (2+1)",
	"fixture.go Laid: return x * 2 → return x * (2-1)",
	"fixture.go Laid: x * 2 → x / 2",
	"fixture.go Never: a + 1 → a - 1 (no test executes it)",
	"fixture.go Never: return a + 1 → return a + (1+1) (no test executes it)",
	"fixture.go Never: return a + 1 → return a + (1-1) (no test executes it)",
	"fixture.go Slow: return x << 3 → return x << (3+1) (no test executes it)",
	"fixture.go Slow: return x << 3 → return x << (3-1) (no test executes it)",
	"fixture.go Slow: x << 3 → x >> 3 (no test executes it)",
}

const same = "# 0 - 0 is 0 + 0\nfixture.go | Same | zero + zero | zero - zero\n"

// TestFixture asserts what becomes of every mutant of the fixture: that a parameter without
// a name, a generic receiver and an init function are no hindrance; that tests of another
// package kill; that one which never ends is found; that a test which fails on the code as
// it is kills nothing; that a result is kept; and that the long tests kill the rest.
func TestFixture(t *testing.T) {
	longtest.Only(t, "test binaries are built and run")
	if runtime.GOOS != "linux" {
		t.Skip("the limit of CPU time is that of Linux")
	}
	root, dir := fixture(t), t.TempDir()
	run := func(change func(*sweep)) (string, error) {
		var out bytes.Buffer
		c := sweep{root: root, patterns: []string{"."}, shard: campaign.Shard{I: 1, N: 1}, dir: dir, patience: 1, workers: 2, list: same, out: &out}
		change(&c)
		err := c.run()
		return out.String(), err
	}
	left := func(out string) []string {
		_, list, _ := strings.Cut(out, "survivors:\n")
		list, _, _ = strings.Cut(list, "\n\n")
		return strings.Split(strings.TrimSpace(list), "\n")
	}
	out, err := run(func(*sweep) {})
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := left(out); !slices.Equal(got, survivors) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	record, err := os.ReadFile(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, o := range []campaign.Outcome{campaign.Failed, campaign.Crashed, campaign.Overtime, campaign.Refused, campaign.Survived, uncovered} {
		counts[string(o)] = strings.Count(string(record), `"outcome":"`+string(o)+`"`)
	}
	if want := map[string]int{"failed": 33, "crashed": 1, "overtime": 1, "refused": 1, "survived": 10, "uncovered": 6}; !maps.Equal(counts, want) {
		t.Errorf("got %v, want %v", counts, want)
	}
	if !strings.Contains(string(record), `"killer":"far TestApart"`) {
		t.Error("no test of another package killed")
	}
	// Nothing is left to run but the long tests.
	if out, err = run(func(c *sweep) { c.long, c.function = true, " Slow$" }); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	after, err := os.ReadFile(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if added := bytes.Count(after, []byte("\n")) - bytes.Count(record, []byte("\n")); added != 3 || strings.Contains(out, "Slow:") {
		t.Errorf("the long tests gave %d results more:\n%s", added, out)
	}
	// The list of equivalent mutants may not speak of what is killed or does not exist.
	out, err = run(func(c *sweep) {
		c.list = same + "\n# wrong\nfixture.go | (pair).count | * | *\nfixture.go | Gone | * | *\n"
		c.sample = 1
	})
	if err == nil || !strings.Contains(out, "equivalent.txt:5: every mutant is killed") || !strings.Contains(out, "equivalent.txt:6: there is no such mutant") {
		t.Errorf("got %v\n%s", err, out)
	}
}

// TestChoose asserts that a larger sample holds the smaller one, and that the parts are
// disjoint and together all.
func TestChoose(t *testing.T) {
	m, err := load(fixture(t), []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	c := sweep{module: m, shard: campaign.Shard{I: 1, N: 1}, seed: 1, functions: regexp.MustCompile("")}
	all := c.mutants()
	c.sample = 5
	few := c.choose(all)
	c.sample = 20
	more := c.choose(all)
	if len(few) < 5 || len(few) >= len(more) {
		t.Errorf("%d, then %d", len(few), len(more))
	}
	for _, one := range few {
		if !slices.Contains(more, one) {
			t.Errorf("%v is in the smaller sample only", one)
		}
	}
	parts := map[*mutant]int{}
	for c.shard = (campaign.Shard{I: 1, N: 3}); c.shard.I <= 3; c.shard.I++ {
		for _, one := range c.choose(all) {
			parts[one]++
		}
	}
	if len(parts) != len(more) {
		t.Errorf("the parts have %d mutants of %d", len(parts), len(more))
	}
	for one, n := range parts {
		if n != 1 {
			t.Errorf("%v is in %d parts", one, n)
		}
	}
}

// TestSummary asserts that summary.txt adds up: in each run the intervals are those of the counts, and the survivors
// that it counts are those that it names.
func TestSummary(t *testing.T) {
	text, err := os.ReadFile("summary.txt")
	if err != nil {
		t.Fatal(err)
	}
	runs := strings.Split("\n"+string(text), "\nrun: ")[1:]
	if len(runs) == 0 {
		t.Fatal("summary.txt has no run")
	}
	for _, one := range runs {
		table, list, ok := strings.Cut(one, "survivors:\n")
		if !ok {
			t.Fatalf("no survivors are named: %.80s", one)
		}
		rooms, packages, ran := map[string]int{}, map[string]int{}, 0
		for line := range strings.Lines(table) {
			var name string
			var s score
			if n, _ := fmt.Sscan(line, &name, &s.all, &ran, &s.killed, &s.survived, &s.uncovered, &s.equivalent, &s.refused); n != 8 {
				continue
			}
			if got := strings.TrimRight(line, "\n"); got != s.line(name) {
				t.Errorf("got %s\nwant %s", got, s.line(name))
			}
			room, _, _ := strings.Cut(name, "/")
			if strings.HasSuffix(name, "/...") {
				rooms[room] += s.survived + s.uncovered
			} else {
				packages[room] += s.survived + s.uncovered
			}
		}
		alive := 0
		for room, n := range packages {
			if all, ok := rooms[room]; ok && all != n {
				t.Errorf("%.80s: %d survivors in %s, %d in its packages", one, all, room, n)
			}
			alive += n
		}
		named := 0
		for line := range strings.Lines(list) {
			if strings.Contains(line, " → ") {
				named++
			}
		}
		if len(packages) == 0 || named != alive {
			t.Errorf("%.80s: %d survivors, %d of them named", one, alive, named)
		}
	}
}

// TestEquivalents asserts that the list speaks of files that there are.
func TestEquivalents(t *testing.T) {
	list, err := campaign.ReadEquivalents(equivalentText, 4)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d entries, %v", len(list), err)
	}
	for line := range strings.Lines(equivalentText) {
		if file, _, ok := strings.Cut(line, " | "); ok && !strings.HasPrefix(line, "#") {
			if found, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", file)); len(found) == 0 {
				t.Errorf("there is no file %s", file)
			}
		}
	}
}

// TestSpan asserts what is in a block: from its first place up to the one behind it.
func TestSpan(t *testing.T) {
	name, s := parse("fixture/operators.go:3.20,5.4")
	if name != "fixture/operators.go" || s != (span{3, 20, 5, 4}) {
		t.Fatalf("%s %v", name, s)
	}
	for place, want := range map[[2]int]bool{
		{3, 19}: false, {3, 20}: true, {3, 99}: true, {2, 50}: false, {4, 1}: true, {5, 3}: true, {5, 4}: false, {6, 1}: false,
	} {
		if got := s.has(token.Position{Line: place[0], Column: place[1]}); got != want {
			t.Errorf("%v in %v: %v", place, s, got)
		}
	}
	for other, want := range map[span]bool{{3, 21, 4, 1}: true, {4, 1, 4, 2}: true, {3, 20, 9, 9}: false, {3, 19, 9, 9}: false, {2, 30, 9, 9}: false} {
		if got := s.begins(other); got != want {
			t.Errorf("%v begins before %v: %v", s, other, got)
		}
	}
}
