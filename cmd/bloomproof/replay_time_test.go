package main

import (
	"fmt"
	"math"
	"math/rand/v2"
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

func TestParseTime(t *testing.T) {
	want := time.Date(2026, 11, 23, 14, 5, 6, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"[23/Nov/2026:14:05:06": want, "2026-11-23T14:05:06Z": want, `"2026-11-23T14:05:06"`: want, "2026-11-23T15:05:06.5+01:00": want.Add(time.Second / 2),
		fmt.Sprint(want.Unix()): want, fmt.Sprint(want.UnixMilli()): want, fmt.Sprint(want.UnixMicro()): want, fmt.Sprint(want.UnixNano()): want,
		fmt.Sprintf("%d.25", want.Unix()): want.Add(time.Second / 4), "0": time.Unix(0, 0), "-5": time.Unix(-5, 0), "17": time.Unix(17, 0),
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
	recycles := field(t, got, "recycles")
	if mean := field(t, got, "time.cycle.mean"); mean*recycles > 2999 || mean*recycles < 2000 {
		t.Errorf("%v recycles of %v s", recycles, mean)
	}
}
