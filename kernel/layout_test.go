package kernel

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// makers are all functions that take a Geometry.
var makers = map[string]func(bloomproof.Geometry) error{
	"New": func(g bloomproof.Geometry) error {
		_, err := New(g, Options{})
		return err
	},
	"NewCounting": func(g bloomproof.Geometry) error {
		_, err := NewCounting(g, 4, bloomproof.Distinct, Options{})
		return err
	},
	"NewRecycling": func(g bloomproof.Geometry) error {
		_, err := NewRecycling(g, bloomproof.Recycling{Sigma: 9}, Options{})
		return err
	},
	"AppendPositions": func(g bloomproof.Geometry) error {
		_, err := AppendPositions(nil, g, Hash{})
		return err
	},
}

// TestLayoutRefuses asserts that nothing answers for a hashing without a layout, or for
// blocks, and says which parameter it refuses.
func TestLayoutRefuses(t *testing.T) {
	all := layouts
	defer func() { layouts = all }()
	for i, e := range all {
		g := bloomproof.Geometry{M: 64, K: 4, Hashing: e.hashing}
		blocks := g
		blocks.Block = 32
		for _, c := range []struct {
			g       bloomproof.Geometry
			layouts []layoutEntry
			param   string
		}{
			{g, all, ""},
			{g, slices.Delete(slices.Clone(all), i, i+1), "hashing"},
			{blocks, all, "block"},
			{bloomproof.Geometry{M: 1 << 50, K: 4, Hashing: e.hashing}, all, "m"},
			{bloomproof.Geometry{M: 64, K: 0, Hashing: e.hashing}, all, "k"},
		} {
			layouts = c.layouts
			for name, do := range makers {
				err := do(c.g)
				var pe *bloomproof.ParamError
				if c.param == "" && err != nil || c.param != "" && (!errors.As(err, &pe) || pe.Param != c.param) {
					t.Errorf("%s(%v) with %d layouts: %v, want it to refuse %q", name, c.g, len(layouts), err, c.param)
				}
			}
		}
	}
}

// TestLayoutAlone asserts that no file but those of layouts names a hashing.
func TestLayoutAlone(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	names := regexp.MustCompile(`bloomproof\.(Standard|Classic|Partitioned)\b`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := names.Find(text); found != nil && !strings.HasPrefix(file, "layout_") && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s names %s", file, found)
		}
	}
}

// TestLayoutSnapshot asserts that a snapshot of a hashing without a layout is refused.
func TestLayoutSnapshot(t *testing.T) {
	all := layouts
	defer func() { layouts = all }()
	for i, e := range all {
		f, err := New(bloomproof.Geometry{M: 64, K: 4, Hashing: e.hashing}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		layouts = slices.Delete(slices.Clone(all), i, i+1)
		if err := f.UnmarshalBinary(data); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "hashing") {
			t.Errorf("%v: %v", e.hashing, err)
		}
		layouts = all
	}
}
