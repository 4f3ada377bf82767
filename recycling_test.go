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
		{Recycling{Sigma: 50, Phases: TwoPhase, NoCopyOver: true, Freeze: FreezeBefore, Positions: Fresh}, ""},
		{Recycling{Sigma: 50, Positions: Fresh}, ""},
		{Recycling{Rule: MessageBounded, Messages: 1}, ""},
		{Recycling{Rule: MessageBounded, Messages: 2, Retain: true}, ""},
		{Recycling{Rule: MessageBounded, Messages: math.MaxUint64, Phases: TwoPhase}, ""},

		{Recycling{Sigma: 100}, "sigma must be less than m = 100, got 100"},
		{Recycling{Sigma: math.MaxUint64}, "sigma must be less than m = 100, got 18446744073709551615"},
		{Recycling{Sigma: 6, Retain: true}, "sigma must be at least k = 7 when retaining, got 6"},
		{Recycling{Sigma: 50, Messages: 3}, "messages must be 0 for the bit-bounded rule, got 3"},
		{Recycling{Rule: MessageBounded}, "messages must be at least 1, got 0"},
		{Recycling{Rule: MessageBounded, Retain: true}, "messages must be at least 1, got 0"},
		{Recycling{Rule: MessageBounded, Messages: 1, Retain: true}, "messages must be at least 2 when retaining, got 1"},
		{Recycling{Rule: MessageBounded, Messages: 3, Sigma: 50}, "sigma must be 0 for the message-bounded rule, got 50"},
		{Recycling{NoCopyOver: true}, "copy must be true with one phase, got false"},
		{Recycling{Freeze: FreezeBefore}, "freeze must be after with one phase, got before"},
		{Recycling{Rule: 2}, "rule must be one of bit-bounded, message-bounded, got 2"},
		{Recycling{Phases: 2}, "phases must be one of 1, 2, got 2"},
		{Recycling{Freeze: 2}, "freeze must be one of after, before, got 2"},
		{Recycling{Positions: 2}, "positions must be one of fixed, fresh, got 2"},
	} {
		wantError(t, c.r.String(), c.r.Validate(g), c.want)
	}
	wantError(t, "bad geometry", Recycling{Rule: 9}.Validate(Geometry{}), "m must be between 1 and 2^64-1, got 0")
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
			Recycling{Sigma: 500, Retain: true, Phases: TwoPhase, NoCopyOver: true, Freeze: FreezeBefore, Positions: Fresh},
			"bit-bounded sigma=500 retain=true phases=2 copy=false freeze=before positions=fresh",
		},
		{
			Recycling{Rule: MessageBounded, Messages: 12},
			"message-bounded messages=12 retain=false phases=1 copy=true freeze=after positions=fixed",
		},
		{
			Recycling{Rule: 7, Phases: 7, Freeze: 7, Positions: 7},
			"Rule(7) sigma=0 retain=false phases=Phases(7) copy=true freeze=Freeze(7) positions=Positions(7)",
		},
	} {
		if got := c.r.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
