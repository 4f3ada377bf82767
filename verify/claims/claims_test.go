package claims

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

var update = flag.Bool("update", false, "write docs/claims.md")

// Every claim at quick effort; of its cases a tenth, with -short a twelfth, in a long run all.
func TestClaims(t *testing.T) {
	all := All()
	results, err := Check(t.Context(), all, Options{Shard: [2]int{1, longtest.More(16, 1)}}, func(Result) {})
	if refused(t, results, err) {
		return
	}
	for i, res := range results {
		if res.Err != nil {
			t.Errorf("%s is not %v as recorded: %v", all[i].ID, all[i].Verdict, res.Err)
		}
		if testing.Verbose() {
			t.Logf("%-28s %8d cases %8.3f s", all[i].ID, res.Cases, res.took.Seconds())
		}
	}
}

// refused reports whether this system's int is too narrow for the checks, and fails unless
// Check says so exactly there and has run none.
func refused(t *testing.T, results []Result, err error) bool {
	t.Helper()
	if strconv.IntSize == 64 {
		if err != nil {
			t.Fatal(err)
		}
		return false
	}
	const want = "the checks compute with an int of 64 bits; here it has 32"
	if err == nil || err.Error() != want || results != nil {
		t.Fatalf("%d results and error %v, want none and %q", len(results), err, want)
	}
	return true
}

// An entry has what its verdict demands, under an id that is its own.
func TestRegistry(t *testing.T) {
	form := regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+$`)
	seen := map[string]bool{}
	for _, c := range All() {
		wrong := func(what string) { t.Errorf("%s: %s", c.ID, what) }
		if !form.MatchString(c.ID) || !slices.Contains(papers, c.Paper) {
			wrong("is no id of " + c.Paper)
		}
		if seen[c.ID] {
			wrong("is there twice")
		}
		seen[c.ID] = true
		if c.Ref == "" || c.Statement == "" || c.Domain == "" || c.Checked == "" || c.parts == nil {
			wrong("lacks a field")
		}
		if untrue := c.Verdict == Refuted || c.Verdict == Misprint; untrue != (c.Repair != "") || untrue != (c.Argument[0] != "") || untrue != (c.Argument[1] != "") {
			wrong("repair and argument belong to the refuted and misprinted, and only to them")
		}
		if (c.Verdict == Confirmed || c.Verdict == Open) != (c.Counterexample == "") {
			wrong("a counterexample belongs to every verdict but confirmed and open")
		}
		for _, text := range append([]string{c.Ref, c.Statement, c.Domain, c.Counterexample, c.Repair, c.Checked}, c.Argument[:]...) {
			if strings.TrimSpace(text) != text || strings.ContainsAny(text, "\t\r") {
				wrong(fmt.Sprintf("%q has spaces around or tabs", text))
			}
		}
	}
}

// Every numbered equation has a claim of its own: id PAPER.eqN, or parts PAPER.eqN.PART.
func TestEveryEquation(t *testing.T) {
	for paper, last := range map[string]int{"burns": 79, "fan": 26, "dozier-fp": 26, "dozier-fn": 43} {
		for n := 1; n <= last; n++ {
			id := fmt.Sprintf("%s.eq%d", paper, n)
			found := false
			for _, c := range All() {
				found = found || c.ID == id || strings.HasPrefix(c.ID, id+".")
			}
			if !found {
				t.Errorf("no claim %s", id)
			}
		}
	}
}

// Every lemma, theorem, corollary, conjecture and remark is named by a claim's place.
func TestEveryTheorem(t *testing.T) {
	for paper, results := range map[string][]string{
		"burns": {
			"Lemma 1", "Corollary 2", "Theorem 3", "Theorem 4", "Corollary 5", "Corollary 6", "Theorem 7", "Lemma 8", "Corollary 9", "Theorem 10",
			"Theorem 11", "Corollary 12", "Theorem 13", "Corollary 14", "Theorem 15", "Lemma 16", "Corollary 17", "Corollary 18", "Lemma 19", "Corollary 20",
			"Corollary 21", "Theorem 22", "Corollary 23", "Conjecture 24", "Corollary 25", "Theorem 26", "Corollary 27", "Conjecture 28", "Remark 29", "Corollary 30",
			"Theorem 31",
		},
		"fan": {"Lemma 1", "Lemma 2", "Theorem 1", "Theorem 2", "Theorem 3"},
		"dozier-fn": {
			"4.2.4, Lemma 1", "4.2.4, Lemma 2", "Theorem 3", "Corollary 1", "Corollary 2", "A, Lemma 1", "Corollary 3", "Theorem 4",
			"C, Lemma 2", "C, Lemma 3", "Theorem 5", "Lemma 4", "Lemma 5", "Corollary 4", "Theorem 6", "Corollary 5", "Theorem 7",
		},
	} {
		for _, name := range results {
			found := false
			for _, c := range All() {
				found = found || c.Paper == paper && regexp.MustCompile(name+`\b`).MatchString(c.Ref)
			}
			if !found {
				t.Errorf("no claim of %s is placed at %s", paper, name)
			}
		}
	}
}

// The page is what the registry says.
func TestPage(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "claims.md")
	var page bytes.Buffer
	if err := writePage(&page, All()); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), page.Bytes()) {
		t.Errorf("%s is not what the registry says: go generate ./verify/claims", file)
	}
}

// decided runs parts as the check of a claim.
func decided(o Options, parts ...part) Result {
	return check(context.Background(), Claim{ID: "test", parts: func() []part { return parts }}, o)
}

// A check fails when its law breaks, at a point that is visited or that the attack finds,
// when nothing was in its domain, and when the recorded counterexample is none or not the
// smallest.
func TestChecksFail(t *testing.T) {
	two := domain{number("a", 1).by(3, 3), number("b", 1).by(3, 3)}
	breaksAt := func(a, b int) func(p point) error {
		return func(p point) error {
			if p.int(0) > a || p.int(0) == a && p.int(1) >= b {
				return errors.New("broken")
			}
			return nil
		}
	}
	wide := domain{number("a", 1).by(3, 3).upTo(1000)}
	none := where("never", "a", func(point) bool { return false })
	for _, c := range []struct {
		name, want string
		part       part
	}{
		{"broken", "a = 3, b = 3: broken", holdsOn(two, breaksAt(3, 3))},
		{"empty", "no point of the domain was examined", holdsOn(with(two, none), breaksAt(9, 9))},
		{"out of reach", "no point of the domain was examined", holdsOn(two, func(point) error { return errOutside })},
		{"not round", "(line|attack): a = [0-9]+: broken", holdsOn(wide, func(p point) error { return breaksAt(4, 1)(append(p, 1)) })},
		{"margin", "(line|attack|climb): a = [0-9]+: margin -[0-9]+", keeps(wide, func(p point) (float64, error) { return float64(3 - p.int(0)), nil }).tried(20, 20)},
		{"smaller", "smallest counterexample at a = 1, b = 3, recorded a = 2, b = 1: broken", fails(point{2, 1}, two, breaksAt(1, 3))},
		{"none", "no counterexample at a = 2, b = 1", fails(point{2, 1}, two, breaksAt(4, 1))},
		{"none there", "no counterexample at a = 2, b = 1", breaks(point{2, 1}, two, breaksAt(4, 1))},
		{"right", "", fails(point{2, 1}, two, breaksAt(2, 1))},
		{"right there", "", breaks(point{3, 1}, two, breaksAt(2, 1))},
		{"equal", "", comesOut("", func() error { return same(rat(2, 4), rat(1, 2)) })},
		{"unequal", "left 1/3, right 1/2", comesOut("", func() error { return same(rat(1, 3), rat(1, 2)) })},
		{"above", "left 1/2 above right 1/3", comesOut("", func() error { return atMost(rat(1, 2), rat(1, 3)) })},
		{"not below", "left 1/2 not below right 1/2", comesOut("", func() error { return below(rat(1, 2), rat(1, 2)) })},
	} {
		got := ""
		if err := decided(Options{}, c.part).Err; err != nil {
			got = err.Error()
		}
		if !regexp.MustCompile("^" + c.want + "$").MatchString(got) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := decided(Options{}).Err; got == nil || got.Error() != "no case examined" {
		t.Errorf("nothing: %v", got)
	}
}

// The shards of a check examine every case once in all, and the same ones however often.
func TestShards(t *testing.T) {
	for n := 1; n <= 5; n++ {
		seen := map[string]int{}
		for i := 1; i <= n; i++ {
			examined := func(p point) error {
				seen[fmt.Sprint(p)]++
				return nil
			}
			res := decided(Options{Shard: [2]int{i, n}},
				holdsOn(domain{number("a", 1).to(3).by(3, 3), number("b", 1).to(4).by(4, 4)}, examined).tried(0, 0),
				holdsOn(domain{number("c", 1).upTo(1 << 60)}, examined).tried(7, 7))
			if res.Err != nil {
				t.Error(res.Err)
			}
		}
		if len(seen) < 12+4 { // the attack may draw a point twice
			t.Errorf("%d shards: %d cases", n, len(seen))
		}
		for c, times := range seen {
			if strings.Contains(c, " ") && times != 1 {
				t.Errorf("%d shards: case %s examined %d times", n, c, times)
			}
		}
	}
}

// What a domain says, which points are visited, and that each attacked point is one of it.
func TestDomainText(t *testing.T) {
	d := domain{
		hashings.only(1), number("m", 2).by(3, 4).upTo(50), number("n", 2), number("k", 1).under("m").by(2, 2).upTo(9), number("b", 0).below("k").to(7),
		between("F", 0, 0.3).above().at(1, 0.25, 1e-6), number("half", 1).to(3).over(2), exactly("D", 5), through("0 <= i <= m"), where("k divides m", "m k", func(x point) bool { return x[0]%x[1] == 0 }),
	}
	const want = "non-colliding, m, n >= 2, 1 <= k <= m, 0 <= b < k and b <= 7, 0 < F <= 0.3, 1/2 <= half <= 3/2, D = 5, 0 <= i <= m, k divides m"
	if got := d.text(); got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	s := d.points()
	var visited []string
	if err := s.visit(effortQuick, func(p point) error {
		visited = append(visited, s.at(p))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(visited, "; "); got != "non-colliding, m = 2, n = 2, k = 1, b = 0, F = 0.25, half = 1/2, D = 5; "+
		"non-colliding, m = 2, n = 2, k = 2, b = 0, F = 0.25, half = 1/2, D = 5; non-colliding, m = 3, n = 2, k = 1, b = 0, F = 0.25, half = 1/2, D = 5" {
		t.Error(got)
	}
	different := map[string]bool{}
	for i := range 500 {
		rnd := rand.New(rand.NewSource(int64(i)))
		p := s.draw(rnd)
		if p == nil || !s.has(p) {
			t.Fatalf("draw %d: %v", i, p)
		}
		different[s.at(p)] = true
		if q := s.near(rnd, p); q != nil && !s.has(q) {
			t.Fatalf("neighbour %v of %v", q, p)
		}
	}
	if len(different) < 300 {
		t.Errorf("%d different points", len(different))
	}
	for _, p := range s.lines(50) {
		if !s.has(p) {
			t.Errorf("line %v", p)
		}
	}
	for x, want := range map[float64]string{1e-6: "10^-6", 5.48e-10: "5.48*10^-10", 0.3: "0.3", 1e-4: "10^-4", 12: "12"} {
		if got := short64(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}

// papers are the papers of claims.
var papers = []string{"burns", "fan", "dozier-fp", "dozier-fn"}

// Every claim is asserted with a domain in words, its counterexamples lie in the domains that
// they break, and what it calls proven is argued where it says.
func TestDomains(t *testing.T) {
	asserted := map[string]int{}
	for _, section := range sections {
		for _, c := range section {
			for i, p := range c.parts() {
				s := p.domain.points()
				switch p.kind {
				case smallest, breaking:
					if !s.has(p.at) {
						t.Errorf("%s: part %d: %s is not in %s", c.ID, i, s.at(p.at), p.domain.text())
					}
				case holding:
					if p.proof != nil {
						text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(p.proof.file)))
						if err != nil || !strings.Contains(string(text), p.proof.mark) {
							t.Errorf("%s: no proof %q in %s: %v", c.ID, p.proof.mark, p.proof.file, err)
						}
						asserted["proven"]++
					}
					if p.tries[effortFull] > 0 && !s.exhausted() {
						asserted["attacked"]++
					}
				}
				if p.kind == holding && p.domain.text() == "" {
					t.Errorf("%s: part %d has no domain", c.ID, i)
				}
				asserted[fmt.Sprint(p.kind)]++
			}
		}
	}
	t.Logf("%v", asserted)
	if asserted["attacked"] < 200 || asserted["proven"] < 15 {
		t.Errorf("%v", asserted)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	results, err := Check(ctx, All(), Options{}, func(Result) {})
	if refused(t, results, err) {
		return
	}
	for i, res := range results {
		if !errors.Is(res.Err, context.Canceled) {
			t.Fatalf("%s: %v", All()[i].ID, res.Err)
		}
	}
}
