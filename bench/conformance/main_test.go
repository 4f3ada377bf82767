package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/mutant"
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

// A filter whose positions have 32 bits is told above 2^32 bits.
func TestHuge(t *testing.T) {
	if testing.Short() {
		t.Skip("short: two million keys are looked up")
	}
	var all []implementation
	for _, w := range mutant.Wrongs() {
		if w.Name == "positions are cut to 32 bits" {
			all = append(all, entry("narrow", "", "", w.Subject))
		}
	}
	var page strings.Builder
	if err := writeHuge(&page, all, conform.Options{Huge: true}); err != nil {
		t.Fatal(err)
	}
	if text := page.String(); !strings.Contains(text, "| narrow | + | x | | |") || !strings.Contains(text, "- narrow: rate: standard m=8589934592 k=1") {
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
