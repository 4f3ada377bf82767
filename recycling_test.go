package bloomproof

import (
	"math"
	"testing"
)

func TestRecyclingValidate(t *testing.T) {
	g := Geometry{M: 100, K: 7}
	for _, c := range []struct {
		r    Recycling
		want string
	}{
		{Recycling{}, ""},
		{Recycling{Sigma: 99}, ""},
		{Recycling{Sigma: 7, Retain: true}, ""},
		{Recycling{Sigma: 6}, ""},
		{Recycling{Sigma: 50, TwoPhase: true, NoCopyOver: true, FreezeBefore: true, FreshPositions: true}, ""},
		{Recycling{Sigma: 50, FreshPositions: true}, ""},
		{Recycling{Messages: 1}, ""},
		{Recycling{Messages: 2, Retain: true}, ""},
		{Recycling{Messages: math.MaxUint64, TwoPhase: true}, ""},

		{Recycling{Sigma: 100}, "sigma must be less than m = 100, got 100"},
		{Recycling{Sigma: math.MaxUint64}, "sigma must be less than m = 100, got 18446744073709551615"},
		{Recycling{Sigma: 6, Retain: true}, "sigma must be at least k = 7 when retaining, got 6"},
		{Recycling{Retain: true}, "sigma must be at least k = 7 when retaining, got 0"},
		{Recycling{Messages: 1, Retain: true}, "messages must be at least 2 when retaining, got 1"},
		{Recycling{Messages: 3, Sigma: 50}, "sigma must be 0 for the message-bounded rule, got 50"},
		{Recycling{NoCopyOver: true}, "copy must be true with one phase, got false"},
		{Recycling{FreezeBefore: true}, `freeze must be after with one phase, got "before"`},
	} {
		wantError(t, c.r.String(), c.r.Validate(g), c.want)
	}
	wantError(t, "bad geometry", Recycling{Sigma: 9}.Validate(Geometry{}), "m must be between 1 and 2^64-1, got 0")
	wantError(t, "m = 1", Recycling{}.Validate(Geometry{M: 1, K: 1}), "")
	wantError(t, "m = 1", Recycling{Sigma: 1}.Validate(Geometry{M: 1, K: 1}), "sigma must be less than m = 1, got 1")
	wantError(t, "k > m", Recycling{Sigma: 3, Retain: true}.Validate(Geometry{M: 4, K: 5}), "sigma must be at least k = 5 when retaining, got 3")
}

func TestRecyclingString(t *testing.T) {
	for _, c := range []struct {
		r    Recycling
		want string
	}{
		{Recycling{}, "bit-bounded sigma=0 retain=false phases=1 copy=true freeze=after positions=fixed"},
		{
			Recycling{Sigma: 500, Retain: true, TwoPhase: true, NoCopyOver: true, FreezeBefore: true, FreshPositions: true},
			"bit-bounded sigma=500 retain=true phases=2 copy=false freeze=before positions=fresh",
		},
		{
			Recycling{Messages: 12},
			"message-bounded messages=12 retain=false phases=1 copy=true freeze=after positions=fixed",
		},
	} {
		if got := c.r.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
