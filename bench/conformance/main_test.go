package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/zeebo/xxh3"
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
	at := func(f []uint64, key []byte) uint64 { return uint64(uint32(xxh3.Hash(key))) % uint64(64*len(f)) }
	narrow := conform.Subject[[]uint64]{ // one position a key, cut to 32 bits
		New:      func(m uint64, _ int) ([]uint64, error) { return make([]uint64, (m+63)/64), nil },
		Add:      func(f []uint64, key []byte) { p := at(f, key); f[p/64] |= 1 << (p % 64) },
		Contains: func(f []uint64, key []byte) bool { p := at(f, key); return f[p/64]>>(p%64)&1 != 0 },
	}
	var page strings.Builder
	if err := writeHuge(&page, []implementation{entry("narrow", "", "", narrow)}, conform.Options{Huge: true}); err != nil {
		t.Fatal(err)
	}
	if text := page.String(); !strings.Contains(text, "| narrow | + | x | | |") || !strings.Contains(text, "- narrow: rate: standard m=8589934592 k=1") {
		t.Error(text)
	}
}

// Every adaptor makes filters that can be examined.
func TestAdaptors(t *testing.T) {
	for _, e := range implementations() {
		r, err := e.examine(conform.Options{Effort: 0.01, Laws: []conform.Law{"no false negative"}})
		if err != nil || !slices.Contains(r.Kept, "no false negative") {
			t.Errorf("%s: %v\n%v", e.name, err, r)
		}
	}
}
