package bloomproof_test

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
)

func TestRecyclingValidate(t *testing.T) {
	g := bloomproof.Geometry{M: 100, K: 7}
	for _, c := range []struct {
		r    bloomproof.Recycling
		want string
	}{
		{bloomproof.Recycling{}, ""},
		{bloomproof.Recycling{Sigma: 99}, ""},
		{bloomproof.Recycling{Sigma: 7, Retain: true}, ""},
		{bloomproof.Recycling{Sigma: 6}, ""},
		{bloomproof.Recycling{Sigma: 50, TwoPhase: true, NoCopyOver: true, FreezeBefore: true, FreshPositions: true}, ""},
		{bloomproof.Recycling{Sigma: 50, FreshPositions: true}, ""},
		{bloomproof.Recycling{Messages: 1}, ""},
		{bloomproof.Recycling{Messages: 2, Retain: true}, ""},
		{bloomproof.Recycling{Messages: math.MaxUint64, TwoPhase: true}, ""},

		{bloomproof.Recycling{Sigma: 100}, "sigma must be less than m = 100, got 100"},
		{bloomproof.Recycling{Sigma: math.MaxUint64}, "sigma must be less than m = 100, got 18446744073709551615"},
		{bloomproof.Recycling{Sigma: 6, Retain: true}, "sigma must be at least k = 7 when retaining, got 6"},
		{bloomproof.Recycling{Retain: true}, "sigma must be at least k = 7 when retaining, got 0"},
		{bloomproof.Recycling{Messages: 1, Retain: true}, "messages must be at least 2 when retaining, got 1"},
		{bloomproof.Recycling{Messages: 3, Sigma: 50}, "sigma must be 0 for the message-bounded rule, got 50"},
		{bloomproof.Recycling{NoCopyOver: true}, "copy must be true with one phase, got false"},
		{bloomproof.Recycling{FreezeBefore: true}, `freeze must be after with one phase, got "before"`},
	} {
		wantError(t, c.r.String(), c.r.Validate(g), c.want)
	}
	wantError(t, "bad geometry", bloomproof.Recycling{Sigma: 9}.Validate(bloomproof.Geometry{}), "m must be between 1 and 2^64-1, got 0")
	wantError(t, "m = 1", bloomproof.Recycling{}.Validate(bloomproof.Geometry{M: 1, K: 1}), "")
	wantError(t, "m = 1", bloomproof.Recycling{Sigma: 1}.Validate(bloomproof.Geometry{M: 1, K: 1}), "sigma must be less than m = 1, got 1")
	wantError(t, "k > m", bloomproof.Recycling{Sigma: 3, Retain: true}.Validate(bloomproof.Geometry{M: 4, K: 5}), "sigma must be at least k = 5 when retaining, got 3")
}

func TestRecyclingString(t *testing.T) {
	for _, c := range []struct {
		r    bloomproof.Recycling
		want string
	}{
		{bloomproof.Recycling{}, "bit-bounded sigma=0 retain=false phases=1 copy=true freeze=after positions=fixed"},
		{
			bloomproof.Recycling{Sigma: 500, Retain: true, TwoPhase: true, NoCopyOver: true, FreezeBefore: true, FreshPositions: true},
			"bit-bounded sigma=500 retain=true phases=2 copy=false freeze=before positions=fresh",
		},
		{
			bloomproof.Recycling{Messages: 12},
			"message-bounded messages=12 retain=false phases=1 copy=true freeze=after positions=fixed",
		},
	} {
		if got := c.r.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
