package main

import "testing"

// The stretches are of equal length but for the last, at most 16, and add up to what was counted in
// each, however many arrivals there are.
func TestCourse(t *testing.T) {
	c := newCourse()
	const warmup = 77
	upTo := []soFar{{}}
	for n := uint64(1); n <= 70_000; n++ {
		now := upTo[n-1]
		now.arrivals++
		if n%7 == 0 {
			now.recycles++
		}
		if n%(1+n/1000) == 0 {
			now.falsePositives++
		}
		if n*n%11 == 3 {
			now.falseNegatives++
		}
		now.predicted += float64(n%13) / 13
		upTo = append(upTo, now)
		if n == c.next {
			c.note(now)
		}
		if n%1000 != 0 && n%1000 != 1 && n%1777 != 0 {
			continue
		}
		ended := course{c.length, c.next, append([]soFar(nil), c.ends...)}
		all := ended.stretches(now, warmup, true)
		from := uint64(0)
		for i, s := range all {
			length := uint64(s.Arrivals)
			want := soFar{length, uint64(s.Recycles), float64(s.FPR) * float64(length), float64(s.FNR) * float64(length), float64(*s.Predicted) * float64(length)}
			a, b := upTo[from], upTo[from+length]
			got := soFar{b.arrivals - a.arrivals, b.recycles - a.recycles, b.falsePositives - a.falsePositives, b.falseNegatives - a.falseNegatives, b.predicted - a.predicted}
			if uint64(s.From) != warmup+from || got.arrivals != want.arrivals || got.recycles != want.recycles || got.falsePositives-want.falsePositives > 1e-6 || want.falsePositives-got.falsePositives > 1e-6 || got.falseNegatives-want.falseNegatives > 1e-6 || want.falseNegatives-got.falseNegatives > 1e-6 || got.predicted-want.predicted > 1e-6 || want.predicted-got.predicted > 1e-6 {
				t.Fatalf("after %d, stretch %d: %+v, want %+v", n, i, s, got)
			}
			if i < len(all)-1 && s.Arrivals != all[0].Arrivals || s.Arrivals > all[0].Arrivals {
				t.Fatalf("after %d: stretches of %d and %d", n, all[0].Arrivals, s.Arrivals)
			}
			from += length
		}
		if from != n || len(all) > mostStretches || n > 16_000 && len(all) < mostStretches/2 {
			t.Fatalf("after %d: %d stretches of %d arrivals", n, len(all), from)
		}
	}
}
