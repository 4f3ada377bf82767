package host

import (
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/cpuid/v2"
)

func TestDecide(t *testing.T) {
	all := []Impl{AVX512, AVX2, Popcnt, Portable}
	for _, c := range []struct {
		has     []Impl
		word    string
		impls   []Impl
		forced  string
		problem string // part of it
	}{
		{all, "", all, "", ""},
		{all, "avx512", all, "avx512", ""},
		{all, "avx2", all[1:], "avx2", ""},
		{all, "popcnt", all[2:], "popcnt", ""},
		{all, "portable", all[3:], "portable", ""},
		{all[2:], "avx2", all[2:], "", "BLOOMPROOF_CPU=avx2 is not available, only [popcnt portable]"},
		{all, "neon", all, "", "BLOOMPROOF_CPU=neon is not available"},
		{[]Impl{NEON, Portable}, "neon", []Impl{NEON, Portable}, "neon", ""},
		{[]Impl{NEON, Portable}, "portable", []Impl{Portable}, "portable", ""},
		{all, "AVX2", all, "", `BLOOMPROOF_CPU="AVX2" is none of portable, popcnt, avx2, avx512, neon`},
		{all, "auto", all, "", "is none of"},
		{all, "sse9", all, "", `BLOOMPROOF_CPU="sse9" is none of`},
	} {
		s := decide(c.has, c.word)
		if !slices.Equal(s.impls, c.impls) || s.forced != c.forced || !strings.Contains(s.problem, c.problem) || (s.problem == "") != (c.problem == "") {
			t.Errorf("decide(%v, %q) = %+v, want %+v", c.has, c.word, s, c)
		}
	}
}

// TestAvailable asserts that one missing feature is enough to drop a row.
func TestAvailable(t *testing.T) {
	table := []row{
		{AVX512, []cpuid.FeatureID{cpuid.AVX512F, cpuid.AVX512VPOPCNTDQ}},
		{Popcnt, []cpuid.FeatureID{cpuid.POPCNT}},
		{Portable, nil},
	}
	for _, c := range []struct {
		offers []cpuid.FeatureID
		want   []Impl
	}{
		{nil, []Impl{Portable}},
		{[]cpuid.FeatureID{cpuid.POPCNT}, []Impl{Popcnt, Portable}},
		{[]cpuid.FeatureID{cpuid.POPCNT, cpuid.AVX512F}, []Impl{Popcnt, Portable}},
		{[]cpuid.FeatureID{cpuid.AVX512VPOPCNTDQ}, []Impl{Portable}},
		{[]cpuid.FeatureID{cpuid.POPCNT, cpuid.AVX512F, cpuid.AVX512VPOPCNTDQ}, []Impl{AVX512, Popcnt, Portable}},
	} {
		supports := func(ids ...cpuid.FeatureID) bool {
			return !slices.ContainsFunc(ids, func(id cpuid.FeatureID) bool { return !slices.Contains(c.offers, id) })
		}
		if got := available(table, supports); !slices.Equal(got, c.want) {
			t.Errorf("with %v: got %v, want %v", c.offers, got, c.want)
		}
	}
}

// TestRows asserts the order that decide relies on, and that every level of AVX2 and
// above can fall back on POPCNT for short inputs.
func TestRows(t *testing.T) {
	if last := rows[len(rows)-1]; last.impl != Portable || last.requires != nil {
		t.Errorf("last row is %v", last)
	}
	for i, r := range rows[1:] {
		if rows[i].impl < r.impl {
			t.Errorf("%v stands before %v", rows[i].impl, r.impl)
		}
	}
	for im := Auto; im <= NEON; im++ {
		features, ok := Requires(im)
		if listed := slices.ContainsFunc(rows, func(r row) bool { return r.impl == im }); ok != listed {
			t.Errorf("%v: known %v, listed %v", im, ok, listed)
		}
		if ok && im == AVX2 && !slices.Contains(features, "popcnt") {
			t.Errorf("AVX2 requires %v, which lacks popcnt", features)
		}
	}
}

func TestNow(t *testing.T) {
	impls := Impls()
	if len(impls) == 0 || impls[len(impls)-1] != Portable || Best() != impls[0] {
		t.Fatalf("impls %v, best %v", impls, Best())
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
