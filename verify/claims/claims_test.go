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
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

var update = flag.Bool("update", false, "write docs/claims.md")

// Every claim at quick effort; of its cases a quarter, with -short a twelfth, in a long run all.
func TestClaims(t *testing.T) {
	o := Options{Effort: Quick, Shard: Shard{1, longtest.Of(12, 4, 1)}}
	for _, res := range Check(t.Context(), All(), o, func(Result) {}) {
		if res.Err != nil {
			t.Errorf("%s is not %v as recorded: %v", res.Claim.ID, res.Claim.Verdict, res.Err)
		}
		if testing.Verbose() {
			t.Logf("%-28s %8d cases %8.3f s", res.Claim.ID, res.Cases, res.Took.Seconds())
		}
	}
}

// An entry has what its verdict demands, under an id that is its own.
func TestRegistry(t *testing.T) {
	form := regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+$`)
	seen := map[string]bool{}
	for _, c := range All() {
		wrong := func(what string) { t.Errorf("%s: %s", c.ID, what) }
		if !form.MatchString(c.ID) || !strings.HasPrefix(c.ID, c.Paper.String()+".") {
			wrong("is no id of " + c.Paper.String())
		}
		if seen[c.ID] {
			wrong("is there twice")
		}
		seen[c.ID] = true
		if c.Ref == "" || c.Statement == "" || c.Domain == "" || c.Checked == "" || c.check == nil {
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
	for paper, last := range map[Paper]int{Burns: 79, Fan: 26, DozierFP: 26, DozierFN: 43} {
		for n := 1; n <= last; n++ {
			id := fmt.Sprintf("%v.eq%d", paper, n)
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
	for paper, results := range map[Paper][]string{
		Burns: {
			"Lemma 1", "Corollary 2", "Theorem 3", "Theorem 4", "Corollary 5", "Corollary 6", "Theorem 7", "Lemma 8", "Corollary 9", "Theorem 10",
			"Theorem 11", "Corollary 12", "Theorem 13", "Corollary 14", "Theorem 15", "Lemma 16", "Corollary 17", "Corollary 18", "Lemma 19", "Corollary 20",
			"Corollary 21", "Theorem 22", "Corollary 23", "Conjecture 24", "Corollary 25", "Theorem 26", "Corollary 27", "Conjecture 28", "Remark 29", "Corollary 30",
			"Theorem 31",
		},
		Fan: {"Lemma 1", "Lemma 2", "Theorem 1", "Theorem 2", "Theorem 3"},
		DozierFN: {
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
				t.Errorf("no claim of %v is placed at %s", paper, name)
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

func runOnce(o Options, f func(*run) error) Result {
	return check(context.Background(), Claim{ID: "test", check: f}, o)
}

// A check fails when its law breaks, when nothing was in its domain, and when the
// recorded counterexample is none or not the smallest.
func TestChecksFail(t *testing.T) {
	box := box{{"a", 1, 3}, {"b", 1, 3}}
	breaksAt := func(a, b int) func(p []int) error {
		return func(p []int) error {
			if p[0] > a || p[0] == a && p[1] >= b {
				return errors.New("broken")
			}
			return nil
		}
	}
	for _, c := range []struct {
		name, want string
		check      func(*run) error
	}{
		{"broken", "a=3 b=3: broken", func(r *run) error { return r.all(box, breaksAt(3, 3)) }},
		{"empty", "no case of the box is in the domain", func(r *run) error {
			return r.all(box, func([]int) error { return errOutside })
		}},
		{"nothing", "no case examined", func(*run) error { return nil }},
		{"smaller", "smallest counterexample at a=1 b=3, recorded a=2 b=1: broken", func(r *run) error {
			return r.smallest([]int{2, 1}, box, breaksAt(1, 3))
		}},
		{"none", "no counterexample at a=2 b=1", func(r *run) error {
			return r.smallest([]int{2, 1}, box, breaksAt(4, 1))
		}},
		{"right", "", func(r *run) error { return r.smallest([]int{2, 1}, box, breaksAt(2, 1)) }},
		{"equal", "", func(r *run) error { return r.once(func() error { return same(rat(2, 4), rat(1, 2)) }) }},
		{"unequal", "left 1/3, right 1/2", func(r *run) error { return r.once(func() error { return same(rat(1, 3), rat(1, 2)) }) }},
		{"above", "left 1/2 above right 1/3", func(r *run) error { return r.once(func() error { return atMost(rat(1, 2), rat(1, 3)) }) }},
		{"not below", "left 1/2 not below right 1/2", func(r *run) error { return r.once(func() error { return below(rat(1, 2), rat(1, 2)) }) }},
	} {
		got := ""
		if err := runOnce(Options{}, c.check).Err; err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The shards of a check examine every case once in all, and the same ones however often.
func TestShards(t *testing.T) {
	for n := 1; n <= 5; n++ {
		seen := map[string]int{}
		for i := 1; i <= n; i++ {
			res := runOnce(Options{Shard: Shard{i, n}}, func(r *run) error {
				return first(
					r.all(box{{"a", 1, 3}, {"b", 1, 4}}, func(p []int) error {
						seen[fmt.Sprint(p)]++
						return nil
					}),
					r.sample(7, func(rnd *rand.Rand) error {
						seen[fmt.Sprint(rnd.Int63())]++
						return nil
					}))
			})
			if res.Err != nil {
				t.Error(res.Err)
			}
		}
		if len(seen) != 12+7 {
			t.Errorf("%d shards: %d cases, want 19", n, len(seen))
		}
		for c, times := range seen {
			if times != 1 {
				t.Errorf("%d shards: case %s examined %d times", n, c, times)
			}
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, res := range Check(ctx, All(), Options{}, func(Result) {}) {
		if !errors.Is(res.Err, context.Canceled) {
			t.Fatalf("%s: %v", res.Claim.ID, res.Err)
		}
	}
}

func TestShardText(t *testing.T) {
	for _, bad := range []string{"", "1", "0/1", "2/1", "1/0", "-1/2", "1/2x", "a/b", "1/2/3", "1e9/2"} {
		s := Shard{3, 4}
		if err := s.UnmarshalText([]byte(bad)); err == nil || s != (Shard{3, 4}) {
			t.Errorf("%q: %v, %v", bad, s, err)
		}
	}
	var s Shard
	if err := s.UnmarshalText([]byte("3/16")); err != nil || s.String() != "3/16" {
		t.Errorf("%v, %v", s, err)
	}
}
