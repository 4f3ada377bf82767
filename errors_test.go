package bloomproof_test

import (
	"encoding"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// wantError fails unless err is nil for want "", and a ParamError with that text
// otherwise.
func wantError(t *testing.T, name string, err error, want string) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	var pe *bloomproof.ParamError
	if !errors.As(err, &pe) {
		t.Errorf("%s: got %v, want a ParamError %q", name, err, want)
		return
	}
	if err.Error() != "bloomproof: "+want {
		t.Errorf("%s:\n got %q\nwant %q", name, err, "bloomproof: "+want)
	}
}

func TestParamError(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{uint64(0), "must be at least 1, got 0"},
		{-1.5, "must be at least 1, got -1.5"},
		{"a b", `must be at least 1, got "a b"`},
		{"", `must be at least 1, got ""`},
		{bloomproof.Classic, "must be at least 1, got classic"},
		{nil, "must be at least 1, got <nil>"},
		{strings.Repeat("x", 62), `must be at least 1, got "` + strings.Repeat("x", 62) + `"`},
		{strings.Repeat("x", 63), `must be at least 1, got "` + strings.Repeat("x", 63) + `...`},
		{strings.Repeat("x", 1<<16), `must be at least 1, got "` + strings.Repeat("x", 63) + `...`},
	} {
		e := &bloomproof.ParamError{Param: "k", Value: c.value, Want: "at least 1"}
		if got := e.Error(); got != "bloomproof: k "+c.want {
			t.Errorf("Error: got %q", got)
		}
	}
	var pe *bloomproof.ParamError
	if err := fmt.Errorf("wrapped: %w", (bloomproof.Geometry{}).Validate()); !errors.As(err, &pe) || pe.Param != "m" {
		t.Errorf("errors.As does not find the ParamError in %v", err)
	}
}

// enum is what every enumeration of the vocabulary offers.
type enum interface {
	fmt.Stringer
	encoding.TextMarshaler
}

// checkEnum holds an enumeration to its names, given in order of value.
func checkEnum[E interface {
	~uint8
	enum
}, P interface {
	*E
	encoding.TextUnmarshaler
}](t *testing.T, typeName, param string, names ...string) {
	t.Helper()
	for v := range 256 {
		e := E(v)
		text, err := e.MarshalText()
		if v >= len(names) {
			bad := fmt.Sprintf("%s(%d)", typeName, v)
			if e.String() != bad {
				t.Errorf("String of %d: got %q, want %q", v, e.String(), bad)
			}
			want := fmt.Sprintf("%s must be one of %s, got %d", param, strings.Join(names, ", "), v)
			wantError(t, typeName, err, want)
			continue
		}
		if e.String() != names[v] || string(text) != names[v] || err != nil {
			t.Errorf("%s %d: String %q, text %q, %v", typeName, v, e, text, err)
		}
		back := E(255)
		if err := P(&back).UnmarshalText(text); err != nil || back != e {
			t.Errorf("%s: %q reads back as %d, %v", typeName, text, back, err)
		}
	}
	for _, bad := range []string{"", " " + names[0], names[0] + " ", strings.ToUpper(names[0]) + "X", "0x0", names[0] + "\n", "é"} {
		back := E(1)
		wantError(t, typeName, P(&back).UnmarshalText([]byte(bad)),
			fmt.Sprintf("%s must be one of %s, got %q", param, strings.Join(names, ", "), bad))
		if back != 1 {
			t.Errorf("%s: UnmarshalText of %q changed the value to %d", typeName, bad, back)
		}
	}
}

func TestEnums(t *testing.T) {
	checkEnum[bloomproof.Hashing](t, "Hashing", "hashing", "standard", "classic", "partitioned", "double", "double-zero", "double-odd", "double-partitioned", "enhanced-double", "triple")
}
