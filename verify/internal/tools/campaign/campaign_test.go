package campaign

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
)

type outcomeOf struct {
	Key     string
	Outcome Outcome
}

func (r outcomeOf) ID() string { return r.Key }

// TestRecord asserts that a file keeps the results, and that half a line at its end, which
// a run that was stopped leaves, loses only itself.
func TestRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "results.jsonl")
	r, err := Open[outcomeOf](path)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []outcomeOf{{"a", Survived}, {"b", Failed}, {"a", Crashed}} {
		if err := r.Put(one); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, `{"Key":"c","Outc`...), 0o644); err != nil {
		t.Fatal(err)
	}
	if r, err = Open[outcomeOf](path); err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for key, want := range map[string]Outcome{"a": Crashed, "b": Failed, "c": ""} {
		if got, ok := r.Get(key); got.Outcome != want || ok != (want != "") {
			t.Errorf("%s: got %q, %v, want %q", key, got.Outcome, ok, want)
		}
	}
	if err := r.Put(outcomeOf{"d", Failed}); err != nil {
		t.Fatal(err)
	}
	again, err := Open[outcomeOf](path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got, _ := again.Get("d"); got.Outcome != Failed {
		t.Errorf("the result after half a line is lost: %+v", got)
	}
}

// TestShard asserts that the parts are disjoint and together all, and that nonsense is an
// error.
func TestShard(t *testing.T) {
	for i := range 10 {
		owners := 0
		for _, text := range []string{"1/3", "2/3", "3/3"} {
			var s Shard
			if err := s.Set(text); err != nil || s.String() != text {
				t.Fatalf("%s: %v, %v", text, s, err)
			}
			if s.Has(i) {
				owners++
			}
		}
		if owners != 1 {
			t.Errorf("item %d is in %d parts", i, owners)
		}
	}
	for _, text := range []string{"", "1", "0/2", "3/2", "-1/2", "1/2x", "1/2 3", "a/b"} {
		var s Shard
		if s.Set(text) == nil {
			t.Errorf("%q is a part", text)
		}
	}
}

// TestRun asserts what the ends of processes say.
func TestRun(t *testing.T) {
	for script, want := range map[string]Outcome{
		"true": Survived, "exit 1": Failed, "exit 2": Crashed, "kill -SEGV $$": Crashed, "kill -KILL $$": Overtime,
		`test "$WORD" = x && pwd | grep -qx /`: Survived,
	} {
		_, _, err := Run("/", []string{"WORD=x"}, 1, "sh", "-c", script)
		if o, err := Judge(err); o != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", script, o, err, want)
		}
	}
	_, _, err := Run("", nil, 1, filepath.Join(t.TempDir(), "none"))
	if o, err := Judge(err); o != "" || err == nil {
		t.Errorf("a program that there is not: %q, %v", o, err)
	}
}

// TestEach asserts that all items are done, and that an error ends the work.
func TestEach(t *testing.T) {
	items := make([]int, 100)
	for i := range items {
		items[i] = i
	}
	var sum atomic.Int64
	if err := Each(4, items, func(i int) error { sum.Add(int64(i)); return nil }); err != nil || sum.Load() != 4950 {
		t.Errorf("got %d, %v", sum.Load(), err)
	}
	bad := errors.New("bad")
	var done atomic.Int64
	if err := Each(2, items, func(i int) error {
		done.Add(1)
		if i >= 3 {
			return bad
		}
		return nil
	}); err != bad || done.Load() > 10 {
		t.Errorf("%d done, %v", done.Load(), err)
	}
}

// TestEquivalents asserts what an entry of the list names, and that one without a reason
// or a field is an error.
func TestEquivalents(t *testing.T) {
	for _, text := range []string{"a | b | c\n", "# why\n\na | b | c\n", "# why\na | b\n"} {
		if _, err := ReadEquivalents(text, 3); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	list, err := ReadEquivalents("# why\n# so\na* | b |  d ($1)\nx ¦¦ y | b | *\na*b*c*b | b | .\n", 3)
	if err != nil || len(list) != 3 || list[1].Reason != "why so" || list[1].Line != 4 {
		t.Fatalf("got %+v, %v", list, err)
	}
	for _, row := range []struct {
		fields []string
		line   int // 0 for none
	}{
		{[]string{"abc", "b", "d ($1)"}, 3}, {[]string{"abc", "b", "d ($12)"}, 0}, {[]string{"bc", "b", "d ($1)"}, 0},
		{[]string{"x || y", "b", "anything"}, 4}, {[]string{"x || y", "bb", "anything"}, 0},
		{[]string{"abcb", "b", "."}, 5}, {[]string{"a-bb-c-b-b", "b", "."}, 5}, {[]string{"acbb", "b", "."}, 0},
		{[]string{"abc", "b", "."}, 0}, {[]string{"abcbx", "b", "."}, 0}, {[]string{"abcb", "b", "x"}, 0},
	} {
		got := 0
		if e := Listed(list, row.fields); e != nil {
			got = e.Line
		}
		if got != row.line {
			t.Errorf("%q: line %d, want %d", row.fields, got, row.line)
		}
	}
	if !slices.ContainsFunc(list, func(e Equivalent) bool { return e.Covers([]string{"a", "b", "d ($1)"}) }) {
		t.Error("the list covers nothing")
	}
}
