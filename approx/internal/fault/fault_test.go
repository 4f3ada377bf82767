package fault

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A recorder collects the messages of Each.
type recorder struct{ said []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// TestEach checks that Each accepts a computation that reports the errors of its parts, and no computation that ignores
// or replaces one of them.
func TestEach(t *testing.T) {
	careful := func() (any, error) {
		if Part() != nil { // a shortcut
			return 3, Part()
		}
		if err := Part(); err != nil {
			panic(fmt.Errorf("here: %w", err))
		}
		return 3, Part()
	}
	for _, x := range []struct {
		name   string
		of     func() (any, error)
		spared int
		want   string
		faults int
	}{
		{"careful", careful, 1, "", 3},
		{"unexpected", careful, 0, "1 of 3 parts can fail without an error, want 0", 3},
		{"ignoring", func() (any, error) { return Part() == nil, nil }, 1, "part 1 of 1 fails, but the answer is false", 1},
		{"replacing", func() (any, error) {
			if Part() != nil {
				return nil, errors.New("another")
			}
			return 1, nil
		}, 0, "but the error is another", 1},
		{"failing", func() (any, error) { return nil, errors.New("always") }, 0, "always, without a fault", 0},
	} {
		r := &recorder{}
		faults := Each(r, 10, []Case{{x.name, x.of, x.spared}})
		if all := strings.Join(r.said, "\n"); faults != x.faults || (x.want == "") != (all == "") || !strings.Contains(all, x.want) {
			t.Errorf("%s: %d faults, %q", x.name, faults, all)
		}
	}
	if n := Each(&recorder{}, 2, []Case{{"careful", careful, 1}}); n != 2 {
		t.Errorf("%d faults, want 2", n)
	}
	if Part() != nil || injected != nil {
		t.Error("parts fail without a test")
	}
}
