package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A window forgets, and holds keys, as a map of last arrivals says.
func TestWindow(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const length = 10_000 * time.Microsecond
	w := newWindow(length)
	last := map[uint64]int64{}
	var gaps []int64
	at, began, latest := int64(5e17), int64(5e17), int64(0)
	var forgotten, disordered, most, cycles uint64
	sum, took := 0.0, 0.0
	const warmup, arrivals = 500, 5000
	for i := range arrivals {
		at += int64(rng.ExpFloat64() * 1e4)
		if i%1000 == 999 {
			at += 2 * int64(length) // all are gone
		}
		given := at
		if i%500 == 7 {
			given -= 50_000 // and is taken to be as late as the one before
			at = latest
			disordered++
		}
		latest = at
		key := uint64(1000 * rng.Float64() * rng.Float64())
		recycled := rng.IntN(300) == 0
		w.observe(key, given, i >= warmup, recycled)
		if before, known := last[key]; known && i >= warmup {
			gaps = append(gaps, at-before)
			if at-before > int64(length) {
				forgotten++
			}
		}
		last[key] = at
		live := uint64(0)
		for _, x := range last {
			if at-x <= int64(length) {
				live++
			}
		}
		if math.Abs(float64(live)-float64(w.live)) > 0.02*float64(live)+5 {
			t.Fatalf("arrival %d: %d keys, want %d", i, w.live, live)
		}
		if i >= warmup {
			most = max(most, live)
			sum += float64(live)
		}
		if recycled {
			if i >= warmup {
				cycles++
				took += float64(at-began) / 1e9
			}
			began = at
		}
	}
	r, err := w.report(forgotten)
	if err != nil {
		t.Fatal(err)
	}
	if w.forgotten != forgotten || w.disordered != disordered || w.arrivals != arrivals-warmup || disordered == 0 || forgotten == 0 || len(gaps) == 0 {
		t.Errorf("%d forgotten, %d disordered, want %d, %d", w.forgotten, w.disordered, forgotten, disordered)
	}
	if math.Abs(float64(r.Keys)/float64(most)-1) > 0.02 || math.Abs(float64(*r.KeysMean)*(arrivals-warmup)/sum-1) > 0.01 {
		t.Errorf("%d keys at most, %v in the mean, want %d, %v", r.Keys, *r.KeysMean, most, sum/(arrivals-warmup))
	}
	if w.cycles != cycles || math.Abs(float64(r.Cycle.Mean)-took/float64(cycles)) > 1e-9 || !(r.Cycle.Shortest <= r.Cycle.Mean && r.Cycle.Mean <= r.Cycle.Longest) {
		t.Errorf("%d cycles, %+v, want %d of %v", w.cycles, r.Cycle, cycles, took/float64(cycles))
	}
	// The window that forgets as much as this one is this one.
	if like := float64(r.Like) / length.Seconds(); like < 0.9 || like > 1.1 {
		t.Errorf("a window of %v is like one of %v", length, r.Like)
	}
}

// The spans of a clock are those of its unit, however many there are, and have what came in them.
func TestClock(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, step := range []time.Duration{time.Millisecond, time.Second, 7 * time.Minute, 5 * time.Hour, 20 * 24 * time.Hour} {
		c := newClock()
		var times []int64
		var counts []soFar
		var now soFar
		at := int64(-3e15) // before 1970
		for range 1000 {
			at += int64(float64(step) * rng.ExpFloat64())
			if rng.IntN(50) == 0 {
				at += int64(20 * step)
			}
			times, counts = append(times, at), append(counts, now)
			c.observe(at, now)
			now.arrivals++
			now.falseNegatives += float64(rng.IntN(2))
			now.predicted += rng.Float64()
		}
		counts = append(counts, now)
		for _, most := range []int{mostSpans, fewSpans, 1 << 20} {
			all := c.stretches(most, now, 7, true)
			if len(all) > most || len(all) > mostSpans {
				t.Errorf("%v: %d spans", step, len(all))
			}
			i := 0
			for _, s := range all {
				first := i
				for i < len(times) && times[i] < s.at+s.unit {
					i++
				}
				n := float64(i - first)
				if i == first || times[first] < s.at || s.at%s.unit != 0 || s.From != count(first+7) || s.Arrivals != count(n) || s.Start != time.Unix(0, s.at).UTC().Format("2006-01-02T15:04:05") {
					t.Fatalf("%v: %+v", step, s)
				}
				if want := (counts[i].falseNegatives - counts[first].falseNegatives) / n; math.Abs(float64(s.FNR)-want) > 1e-9 {
					t.Fatalf("%v: %+v, want %v", step, s, want)
				}
				if want := (counts[i].predicted - counts[first].predicted) / n; math.Abs(float64(*s.Predicted)-want) > 1e-9 {
					t.Fatalf("%v: %+v, want %v predicted", step, s, want)
				}
			}
			if i != len(times) {
				t.Errorf("%v: the spans have %d arrivals of %d", step, i, len(times))
			}
		}
	}
}

func TestParseTime(t *testing.T) {
	want := time.Date(2026, 11, 23, 14, 5, 6, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"[23/Nov/2026:14:05:06": want, "2026-11-23T14:05:06Z": want, `"2026-11-23T14:05:06"`: want, "2026-11-23T15:05:06.5+01:00": want.Add(time.Second / 2),
		fmt.Sprint(want.Unix()): want, fmt.Sprint(want.UnixMilli()): want, fmt.Sprint(want.UnixMicro()): want, fmt.Sprint(want.UnixNano()): want,
		fmt.Sprintf("%d.25", want.Unix()): want.Add(time.Second / 4), "0": time.Unix(0, 0), "14:05:06": time.Unix(14*3600+5*60+6, 0), "-5": time.Unix(-5, 0), "17": time.Unix(17, 0),
	} {
		if got, ok := parseTime([]byte(text)); !ok || got != want.UnixNano() {
			t.Errorf("%s is %v, %v, want %v", text, time.Unix(0, got).UTC(), ok, want)
		}
	}
	for _, text := range []string{"", "yesterday", "NaN", "Inf", "1e300", "99999999999999999999", "2026-13-01"} {
		if got, ok := parseTime([]byte(text)); ok {
			t.Errorf("%q is %v", text, time.Unix(0, got))
		}
	}
}

// The times of a log change nothing about what is counted, and say how a memory of some length does.
func TestReplayTime(t *testing.T) {
	log, keys := accessLog(3000) // one request a second
	const flags = "-m 512 -k 4 -sigma 256 -model lower"
	want := replayJSON(t, strings.NewReader(keys), flags)
	got := replayJSON(t, strings.NewReader(log+"a line without a time is left out and counted nowhere\n"), flags+" -field 7 -time-field 4 -window 5m")
	for _, name := range []string{"arrivals", "distinct", "recycles", "false_positives", "false_negatives", "lucky", "fnr"} {
		if fmt.Sprint(got[name]) != fmt.Sprint(want[name]) {
			t.Errorf("%s is %v, want %v", name, got[name], want[name])
		}
	}
	last, forgotten := map[string]int{}, 0
	for i, key := range strings.Fields(keys) {
		if before, known := last[key]; known && i-before > 300 {
			forgotten++
		}
		last[key] = i
	}
	if x := field(t, got, "time.fnr.mean"); math.Abs(x*3000-float64(forgotten)) > 1e-6 || field(t, got, "time.span") != 2999 {
		t.Errorf("%v, want %d of 3000 forgotten", got["time"], forgotten)
	}
	hours := got["time"].(map[string]any)["course"].([]any)
	arrivals := 0.
	for _, x := range hours {
		arrivals += field(t, x.(map[string]any), "arrivals")
	}
	if len(hours) < 2 || arrivals != 3000 {
		t.Errorf("the spans of 50 minutes have %v arrivals: %v", arrivals, hours)
	}
	page := filepath.Join(t.TempDir(), "page.html")
	if status, _, stderr := try(strings.NewReader(log), strings.Fields("replay -trace - "+flags+" -field 7 -time-field 4 -window 5m -report "+page)...); status != statusOK {
		t.Fatal(stderr)
	}
	if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "False negatives by the clock") || strings.Contains(string(text), "NaN") {
		t.Errorf("the page has no course by the clock: %v", err)
	}
	recycles := field(t, got, "recycles")
	if mean := field(t, got, "time.cycle.mean"); mean*recycles > 2999 || mean*recycles < 2000 {
		t.Errorf("%v recycles of %v s", recycles, mean)
	}
}
