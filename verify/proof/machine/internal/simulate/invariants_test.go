package simulate

import (
	"slices"
	"testing"
)

// TestInvariantLines asserts what the lines "repeat", "when" and "stack" of an invariants file mean, and which paths
// the lines "cases" are for.
func TestInvariantLines(t *testing.T) {
	inv, err := ParseInvariants(`func A
cases k 0 12
split imul r9 k 0 12
split k1 rcx 1 7
head begin at begin
rax = k
head copy at copy
cases d 0 3
repeat 2
when $ < k: stack(32*$ - 64) = r$_0, r$_1
end
slot(result) = k
`)
	if err != nil {
		t.Fatal(err)
	}
	s, ok := inv.of("A")
	if !ok || len(s.heads) != 2 || len(s.cases) != 1 || len(s.splits) != 2 {
		t.Fatalf("%v %+v", ok, s)
	}
	begin, copied := s.heads[0], s.heads[1]
	if len(begin.cases) != 0 || len(copied.cases) != 1 || copied.cases[0].to != 3 {
		t.Errorf("cases %+v and %+v", begin.cases, copied.cases)
	}
	var slots []int64
	var names []string
	for i, q := range copied.lines {
		if named := i == 4; (q.when == nil) != named || (q.named == "result") != named {
			t.Errorf("line %d is %+v", i, q)
		}
		slots, names = append(slots, q.slot), append(names, q.is.name)
	}
	if want := []int64{-64, -56, -32, -24, 0}; !slices.Equal(slots, want) {
		t.Errorf("slots %d, want %d", slots, want)
	}
	if want := []string{"r0_0", "r0_1", "r1_0", "r1_1", "k"}; !slices.Equal(names, want) {
		t.Errorf("values %q, want %q", names, want)
	}
	for _, line := range []string{"stack(8*k) = k", "stack(8 +) = k", "slot(result) = k, k", "when k: fact k", "when : rax = k", "when k < rax = k", "rax = k, k"} {
		if _, err := ParseInvariants("func A\nhead begin at begin\n" + line + "\n"); err == nil {
			t.Errorf("%q is no error", line)
		}
	}
}

// TestVaried asserts that lines about several functions are repeated with the words of each, and that others stay.
func TestVaried(t *testing.T) {
	const text = "# A\nfunc A B\nwith N 1 23\nwith M x y\ntwin TN\nfact MN < N\nfact M < N\nfunc C D\ntwin N\n"
	const want = "# A\nfunc A\ntwin TN\nfact MN < 1\nfact x < 1\nfunc B\ntwin TN\nfact MN < 23\nfact y < 23\nfunc C D\ntwin N\n"
	if got := varied(text); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
