package starved

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/fault"
)

// TestFaulty gives a Faulty computations whose parts wrap their errors. One of them has another answer if a part is too
// costly, and one has the same answer.
func TestFaulty(t *testing.T) {
	part := func() error {
		if err := fault.Part(); err != nil {
			return fmt.Errorf("a part: %w", err)
		}
		return nil
	}
	whole := Fallible{Name: "whole", Fixed: true, Of: func(uint) (any, error) { return 1, part() }}
	instead := Fallible{Name: "instead", Fixed: true, Of: func(uint) (any, error) {
		if err := part(); err != nil {
			return 1, nil
		}
		return 1, nil
	}}
	name := filepath.Join(t.TempDir(), "costly.txt")
	if err := os.WriteFile(name, []byte(heading+"instead: 1 shortcuts, 1 equal answers, 0 others\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if n := (Faulty{Most: 1, Record: name}).Check(t, []Fallible{whole, instead}); n != 2 {
		t.Errorf("%d faults", n)
	}
}

// A list is a Reporter that stores the first words of what it reports.
type list []string

func (l *list) Helper() {}

func (l *list) Errorf(format string, args ...any) {
	text, _, _ := strings.Cut(fmt.Sprintf(format, args...), ",")
	*l = append(*l, text)
}

func (l *list) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

// TestFaultyReports gives a Faulty computations that ignore the error of a part, or a precision of 0.
func TestFaultyReports(t *testing.T) {
	wrong := func(answer any, err error) Fallible {
		return Fallible{Name: "wrong", Of: func(prec uint) (any, error) {
			if prec == 0 {
				return nil, errors.New("a precision of 0")
			}
			if fault.Part() != nil {
				return answer, err
			}
			return 1, nil
		}}
	}
	always := Fallible{Name: "always", Of: func(uint) (any, error) { return 1, nil }}
	for want, all := range map[string][]Fallible{
		"wrong: a part fails":  {wrong(2, nil)},
		"wrong: a part fails ": {wrong(1, errors.New("another error"))},
		"":                     {wrong(1, nil)},
		"always: there is an answer with a precision of 0 bits": {always},
	} {
		var found list
		(Faulty{Most: 1}).Check(&found, all)
		if got := strings.Join(found, ";"); got != strings.TrimSpace(want) {
			t.Errorf("reported: %q, want %q", got, want)
		}
	}
}

// TestCompare compares two texts. Each of them has one line that the other does not have.
func TestCompare(t *testing.T) {
	name := filepath.Join(t.TempDir(), "recorded.txt")
	if err := os.WriteFile(name, []byte("one\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var found list
	if Compare(&found, name, "one\ntwo\n"); len(found) > 0 {
		t.Errorf("equal texts: %q", found)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a file that does not exist is compared")
			}
		}()
		Compare(&found, name+".none", "")
	}()
	want := name + " has other lines;now:      three;recorded: two"
	if Compare(&found, name, "one\nthree\n"); strings.Join(found, ";") != want {
		t.Errorf("reported: %q, want %q", found, want)
	}
}
