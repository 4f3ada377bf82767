package refuse

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
)

type way int

func (w way) String() string { return fmt.Sprintf("way%d", int(w)) }

func TestAmong(t *testing.T) {
	known := []way{3, 5}
	for r, want := range map[way]way{0: 3, 3: 3, 5: 5} {
		if got, err := Among(r, 0, known, "tests"); err != nil || got != want {
			t.Errorf("%v: %v, %v, want %v", r, got, err, want)
		}
	}
	var bad *bloomproof.ParamError
	if _, err := Among(way(4), 0, known, "tests"); !errors.As(err, &bad) || bad.Param != "route" || !strings.Contains(err.Error(), "way0, way3, way5 for tests") {
		t.Errorf("way4: %v", err)
	}
}

func TestErrors(t *testing.T) {
	if err := TooCostly("a sum", 1e9, 1e6); !errors.Is(err, ErrTooCostly) || !strings.Contains(err.Error(), "a sum takes 1e+09 steps, at most 1e+06") {
		t.Error(err)
	}
	if err := Undefined("a mean", "there is none"); !errors.Is(err, ErrUndefined) || !strings.Contains(err.Error(), "a mean: there is none") {
		t.Error(err)
	}
}
