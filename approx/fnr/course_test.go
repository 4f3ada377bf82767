package fnr

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// TestCourseRest computes the field rest of a course a second time. The arrivals are followed again with the course's
// own probabilities R, and what remains after the last one is bounded by the formula in the comment of newCourse.
func TestCourseRest(t *testing.T) {
	g := bloomproof.Geometry{M: 64, K: 3}
	fill, err := newFilling(g, bloomproof.Recycling{Sigma: 30})
	if err != nil {
		t.Fatal(err)
	}
	for _, repeat := range []float64{0, 0.5, 0.9, 1} {
		w, err := newTraffic(bloomproof.Workload{Popularity: bloomproof.Zipf(1, 20), Arrivals: bloomproof.ArrivalPopularity, Repeat: repeat})
		if err != nil {
			t.Fatal(err)
		}
		left := make([]float64, len(w.q))
		for i := range left {
			left[i] = 1
		}
		c, err := newCourse(w, left, 0, fill.rows, fill.rows, nothing, mostCourse)
		if err != nil {
			t.Fatal(err)
		}
		law, scratch := newCrowd(0, len(fill.rows)-1), make([]float64, len(fill.rows))
		for _, missing := range c.missing {
			law.arrival(w, missing, 0, scratch, scratch)
		}
		want, all := 0.0, 0.0
		for n := len(fill.rows) - 1; n >= 0; n-- {
			if all += fill.rows[n].fits; repeat < 1 && n >= law.low && n < law.high {
				want += law.p[n] * all / (1 - repeat)
			}
		}
		if repeat < 1 {
			want += law.dropped * all / (1 - repeat)
		} else {
			stays, waits, unrecorded := 0.0, 0.0, 0.0
			for i, x := range left {
				waits += x / w.q[i]
				unrecorded += x
			}
			for n := law.low; n < law.high; n++ {
				stays += law.p[n] * fill.rows[n].fits
			}
			want = (stays + law.dropped) * (waits + float64(len(c.missing))*unrecorded)
		}
		if !(math.Abs(c.rest-want) <= 1e-9*want) {
			t.Errorf("repeats %v: %g may remain, computed again it is %g", repeat, c.rest, want)
		}
	}
}

// TestOverBoundsRest stops early. If all messages are new, the message that arrives as the j-th finds j recorded, so
// that what remains is known.
func TestOverBoundsRest(t *testing.T) {
	w, err := newTraffic(bloomproof.Workload{Popularity: bloomproof.Zipf(1, 20), Arrivals: bloomproof.ArrivalPopularity})
	if err != nil {
		t.Fatal(err)
	}
	fits := []float64{1, 1, 0.75, 0.5, 0.125}
	tails := make([]float64, len(fits)+1)
	for n := len(fits) - 1; n >= 0; n-- {
		tails[n] = tails[n+1] + fits[n]
	}
	c := &course{}
	for n, want := range tails[:len(fits)] {
		if over := c.over(w, nil, newCrowd(n, len(fits)-1), tails); over || c.rest != want {
			t.Errorf("after %d messages %v may remain, want %v", n, c.rest, want)
		}
	}
	// A crowd that was cut off may be the first one.
	lost := newCrowd(0, len(fits)-1)
	lost.p[0], lost.dropped = 0.5, 0.5
	if c.over(w, nil, lost, tails); c.rest != tails[0] {
		t.Errorf("half of the crowd is cut off: %v may remain, want %v", c.rest, tails[0])
	}
}

// TestStatesLost checks the bound of what the states that are left out contribute, which is negligible in forecasts.
func TestStatesLost(t *testing.T) {
	for _, c := range []struct {
		repeat, rest float64
		fits         []float64
		d            uint64
		n            int
		lost         float64
	}{
		{0.5, 0.25, []float64{1, 1}, 10, 2, 0.5},
		{0.5, 0, []float64{1, 1, 0x1p-90, 0x1p-91}, 10, 2, 0x1.8p-89},
		{0.5, 0x1p-91, []float64{1, 1, 0x1p-90}, 10, 2, 0x1.8p-89},
		{0.5, 0, []float64{1, 0x1p-90, 0x1p-91}, 10, 1, 0x1.8p-89},
		{1, 0.25, []float64{1, 1}, 4, 2, 4}, // q = 1/4
		{1, 0.25, []float64{1, 1}, 2, 2, 0},
		{1, 0.25, []float64{1, 1, 1}, 2, 2, 0},
	} {
		w := bloomproof.Workload{Popularity: bloomproof.Uniform(c.d), Arrivals: bloomproof.ArrivalPopularity, Repeat: c.repeat}
		s, err := New(bloomproof.Geometry{M: 64, K: 3}, bloomproof.Recycling{Sigma: 30, FreshPositions: true}, w)
		if err != nil {
			t.Fatal(err)
		}
		list, err := newTraffic(w)
		if err != nil {
			t.Fatal(err)
		}
		f := &filling{rest: c.rest}
		for _, x := range c.fits {
			f.rows = append(f.rows, filled{fits: x})
		}
		if n, lost := s.states(f, list); n != c.n || !(math.Abs(lost-c.lost) <= 1e-12*c.lost) {
			t.Errorf("%+v: %d states, %v is lost", c, n, lost)
		}
	}
}

// TestForecastsAreValid checks that the exact forecasts of a small filter say that they are.
func TestForecastsAreValid(t *testing.T) {
	for _, repeat := range []float64{0, 0.5} {
		w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 20), Arrivals: bloomproof.ArrivalLast, Repeat: repeat}
		s, err := New(bloomproof.Geometry{M: 64, K: 3}, bloomproof.Recycling{Sigma: 32, FreshPositions: true}, w)
		if err != nil {
			t.Fatal(err)
		}
		if f, err := s.Predict(ModelExact); err != nil || !f.Valid {
			t.Errorf("repeats %v: %+v, %v", repeat, f, err)
		}
	}
}
