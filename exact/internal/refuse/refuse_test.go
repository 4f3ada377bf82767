package refuse

import (
	"errors"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
)

type way string

func TestAmong(t *testing.T) {
	known := []way{"way3", "way5"}
	for r, want := range map[way]way{"way0": "way3", "way3": "way3", "way5": "way5"} {
		if got, err := Among(r, "way0", known, "tests"); err != nil || got != want {
			t.Errorf("%v: %v, %v, want %v", r, got, err, want)
		}
	}
	var bad *bloomproof.ParamError
	if _, err := Among("way4", "way0", known, "tests"); !errors.As(err, &bad) || bad.Param != "route" || !strings.Contains(err.Error(), "way0, way3, way5 for tests") {
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
