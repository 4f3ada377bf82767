package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/conform"
)

// The page has every implementation that was asked for, and no finding about ours.
func TestPage(t *testing.T) {
	var page strings.Builder
	if err := write(&page, "bloomproof", conform.Options{Effort: 0.01}); err != nil {
		t.Fatal(err)
	}
	if text := page.String(); !strings.Contains(text, "| no false negative | + |") || strings.Contains(text, " x |") || strings.Contains(text, "###") {
		t.Error(text)
	}
}

// Every adaptor makes filters that can be examined.
func TestAdaptors(t *testing.T) {
	for _, e := range implementations() {
		r, err := e.examine(conform.Options{Effort: 0.01, Laws: []conform.Law{conform.NoFalseNegative}})
		if err != nil || !slices.Contains(r.Kept, conform.NoFalseNegative) {
			t.Errorf("%s: %v\n%v", e.name, err, r)
		}
	}
}
