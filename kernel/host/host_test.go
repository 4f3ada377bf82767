package host

import (
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/cpuid/v2"
)

// have returns a CPU that supports the features named and no others.
func have(offers ...cpuid.FeatureID) func(...cpuid.FeatureID) bool {
	return func(ids ...cpuid.FeatureID) bool {
		return !slices.ContainsFunc(ids, func(id cpuid.FeatureID) bool { return !slices.Contains(offers, id) })
	}
}

// table is one of every level, whatever this build has.
var table = []row{
	{AVX512, requirements{Popcount: {cpuid.AVX512F, cpuid.AVX512VPOPCNTDQ}, Probe: {cpuid.AVX512F, cpuid.AVX512IFMA}}},
	{AVX2, requirements{Popcount: {cpuid.AVX2, cpuid.POPCNT}, Transition: {cpuid.AVX2}, Hash: {cpuid.AVX2}, Block: {cpuid.AVX2}}},
	{Popcnt, requirements{Popcount: {cpuid.POPCNT}, Probe: {cpuid.POPCNT}}},
	{Portable, requirements{Popcount: nil, Probe: nil, Transition: nil, Hash: nil, Block: nil}},
}

func TestDecide(t *testing.T) {
	full := []cpuid.FeatureID{cpuid.POPCNT, cpuid.AVX2, cpuid.AVX512F, cpuid.AVX512VPOPCNTDQ, cpuid.AVX512IFMA}
	all := []Impl{AVX512, AVX2, Popcnt, Portable}
	for _, c := range []struct {
		offers  []cpuid.FeatureID
		word    string
		impls   []Impl
		best    [families]Impl // of Popcount, Probe, Transition, Hash, Block
		forced  string
		problem string // part of it
	}{
		{full, "", all, [...]Impl{AVX512, AVX512, AVX2, AVX2, AVX2}, "", ""},
		{full, "avx512", all, [...]Impl{AVX512, AVX512, AVX2, AVX2, AVX2}, "avx512", ""},
		{full, "avx2", all[1:], [...]Impl{AVX2, Popcnt, AVX2, AVX2, AVX2}, "avx2", ""},
		{full, "popcnt", all[2:], [...]Impl{Popcnt, Popcnt, Portable, Portable, Portable}, "popcnt", ""},
		{full, "portable", all[3:], [...]Impl{Portable, Portable, Portable, Portable, Portable}, "portable", ""},
		{full, "neon", all, [...]Impl{AVX512, AVX512, AVX2, AVX2, AVX2}, "", "BLOOMPROOF_CPU=neon is not available"},
		{full, "AVX2", all, [...]Impl{AVX512, AVX512, AVX2, AVX2, AVX2}, "", `BLOOMPROOF_CPU="AVX2" is none of portable, popcnt, avx2, avx512, neon`},
		{full, "auto", all, [...]Impl{AVX512, AVX512, AVX2, AVX2, AVX2}, "", "is none of"},
		{full[:4], "", all, [...]Impl{AVX512, Popcnt, AVX2, AVX2, AVX2}, "", ""},                                           // no IFMA
		{append(full[:3:3], full[4]), "", all, [...]Impl{AVX2, AVX512, AVX2, AVX2, AVX2}, "", ""},                          // no VPOPCNTDQ
		{full[:3], "", all[1:], [...]Impl{AVX2, Popcnt, AVX2, AVX2, AVX2}, "", ""},                                         // neither
		{full[1:2], "", []Impl{AVX2, Portable}, [...]Impl{Portable, Portable, AVX2, AVX2, AVX2}, "", ""},                   // AVX2 alone
		{full[:1], "avx2", all[2:], [...]Impl{Popcnt, Popcnt, Portable, Portable, Portable}, "", "only [popcnt portable]"}, // POPCNT alone
		{nil, "", all[3:], [...]Impl{Portable, Portable, Portable, Portable, Portable}, "", ""},
	} {
		s := decide(table, have(c.offers...), c.word)
		if !slices.Equal(s.impls, c.impls) || s.forced != c.forced || !strings.Contains(s.problem, c.problem) || (s.problem == "") != (c.problem == "") {
			t.Errorf("%v, %q: %+v, want %+v", c.offers, c.word, s, c)
		}
		for f, best := range c.best {
			if s.at[f][Auto] != best {
				t.Errorf("%v, %q: family %d gets %v, want %v", c.offers, c.word, f, s.at[f][Auto], best)
			}
			if s.at[f][Portable] != Portable || s.at[f][NEON] != Portable {
				t.Errorf("%v, %q: family %d: portable gives %v, neon %v", c.offers, c.word, f, s.at[f][Portable], s.at[f][NEON])
			}
			if got := s.at[f][Popcnt]; got > Popcnt {
				t.Errorf("%v, %q: family %d: popcnt gives %v", c.offers, c.word, f, got)
			}
		}
	}
}

// TestRows asserts the order that decide relies on, that every family has a portable
// form, and that AVX2 counts can fall back on POPCNT for short inputs.
func TestRows(t *testing.T) {
	for f := range families {
		if needs, ok := rows[len(rows)-1].requires[f]; rows[len(rows)-1].impl != Portable || !ok || needs != nil {
			t.Errorf("last row is %v", rows[len(rows)-1])
		}
		for im := range last {
			features, ok := Requires(f, im)
			listed := slices.ContainsFunc(rows, func(r row) bool { _, has := r.requires[f]; return has && r.impl == im })
			if ok != listed {
				t.Errorf("%v: known %v, listed %v", im, ok, listed)
			}
			if ok && im == AVX2 && (f == Popcount || f == Probe || f == Block) && !slices.Contains(features, "popcnt") {
				t.Errorf("AVX2 requires %v, which lacks popcnt", features)
			}
		}
	}
	for i, r := range rows[1:] {
		if rows[i].impl < r.impl {
			t.Errorf("%v stands before %v", rows[i].impl, r.impl)
		}
	}
}

func TestNow(t *testing.T) {
	impls := Impls()
	if len(impls) == 0 || impls[len(impls)-1] != Portable {
		t.Fatalf("impls %v", impls)
	}
	for f := range families {
		runs := Runs(f)
		if runs[0] != At(f, Auto) || runs[len(runs)-1] != Portable || At(f, 200) != Portable {
			t.Errorf("family %d runs %v, best %v, unknown %v", f, runs, At(f, Auto), At(f, 200))
		}
	}
	for im := Auto; im <= NEON; im++ {
		if Has(im) != slices.Contains(impls, im) {
			t.Errorf("Has(%v) = %v", im, Has(im))
		}
	}
	if !slices.IsSorted(Features()) {
		t.Errorf("features %v", Features())
	}
	if Forced() != "" && Problem() != "" {
		t.Errorf("forced %q and problem %q", Forced(), Problem())
	}
	if Auto.String() != "auto" || AVX512.String() != "avx512" || Impl(99).String() != "Impl(99)" {
		t.Errorf("names %v %v %v", Auto, AVX512, Impl(99))
	}
}

func TestFastGather(t *testing.T) {
	for _, c := range []struct {
		vendor cpuid.Vendor
		offers []cpuid.FeatureID
		want   bool
	}{
		{cpuid.Intel, []cpuid.FeatureID{cpuid.AVX2, cpuid.AVX512F, cpuid.AVXVNNI}, true},
		{cpuid.Intel, []cpuid.FeatureID{cpuid.AVX2, cpuid.AVX512F}, false},
		{cpuid.AMD, []cpuid.FeatureID{cpuid.AVX2, cpuid.AVX512F, cpuid.AVXVNNI}, false},
		{cpuid.VendorUnknown, []cpuid.FeatureID{cpuid.AVXVNNI}, false},
	} {
		if got := gathersFast(c.vendor, have(c.offers...)); got != c.want {
			t.Errorf("%v with %v: %v", c.vendor, c.offers, got)
		}
	}
}

func TestCaches(t *testing.T) {
	for said, want := range map[int]int{-1: 7, 0: 7, 1: 1, 1 << 20: 1 << 20} {
		if got := sizeOr(said, 7); got != want {
			t.Errorf("a cache of %d bytes, or 7: %d", said, got)
		}
	}
	if L2() <= 0 || L3() <= 0 {
		t.Errorf("caches of %d and %d bytes", L2(), L3())
	}
}
