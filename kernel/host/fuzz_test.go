package host

import (
	"slices"
	"testing"

	"github.com/klauspost/cpuid/v2"
)

// FuzzWord chooses what runs on a CPU with any set of features under any value of BLOOMPROOF_CPU:
// the value can only turn features off, it is obeyed or the reason is explained, and the CPU has
// every feature that is chosen.
func FuzzWord(f *testing.F) {
	features := []cpuid.FeatureID{cpuid.POPCNT, cpuid.AVX2, cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512VPOPCNTDQ, cpuid.AVX512IFMA}
	f.Fuzz(func(t *testing.T, has uint8, word string) {
		offers := slices.DeleteFunc(slices.Clone(features), func(id cpuid.FeatureID) bool {
			return has>>slices.Index(features, id)&1 == 0
		})
		for _, rows := range [][]row{rows, table} {
			all, s := decide(rows, have(offers...), ""), decide(rows, have(offers...), word)
			switch obeyed := s.problem == "" && word != ""; {
			case obeyed != (s.forced == word && word != ""), len(s.impls) == 0, s.impls[len(s.impls)-1] != Portable:
				t.Fatalf("%v, %q: %+v", offers, word, s)
			case obeyed && s.impls[0].String() != word, !obeyed && !slices.Equal(s.impls, all.impls):
				t.Fatalf("%v, %q: %v of %v", offers, word, s.impls, all.impls)
			}
			for f := range families {
				for im := range last {
					got := s.at[f][im]
					i := slices.IndexFunc(rows, func(r row) bool { return r.impl == got })
					if !slices.Contains(s.impls, got) || i < 0 || !rows[i].runs(f, have(offers...)) || im != Auto && got > im {
						t.Fatalf("%v, %q: family %d gets %v for %v of %v", offers, word, f, got, im, s.impls)
					}
				}
			}
		}
	})
}
