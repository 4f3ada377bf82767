package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/requests"
)

// These flags are for commands that compare a filter with a memory. The memory forgets each key a fixed time after the
// last arrival of the key.
var timeFlags = []flagSpec{
	{"time-field", "N", "of the trace: the field that holds the time of an arrival, with -field or -regexp for the key"},
	{"window", "DURATION", "with -time-field: compare with a memory that forgets a key so long after its last arrival,\nsuch as 90s, 1h30m or 1d"},
}

// The method "timed" returns the values of -time-field and -window. The returned Key replaces the argument "key". It
// puts the time of a line in front of the key. The function timeOf reads this time.
func (in *inputs) timed(key requests.Key) (requests.Key, time.Duration) {
	n := int(in.number("time-field", 1, maxField, 1))
	if !in.has("time-field") {
		in.absent("unless -time-field is given", "window")
		return key, 0
	}
	in.need("window")
	in.absent("when -time-field is given", "memory")
	if key == nil {
		in.fail(&usageError{"time-field", "must come with -field or -regexp: a key that holds the time never returns"})
	}
	length, ok := parseDuration(in.text("window"))
	if in.has("window") && !ok {
		in.fail(&bloomproof.ParamError{Param: "window", Value: in.text("window"), Want: "a duration above 0 such as 90s, 1h30m or 1d"})
	}
	at := requests.Field(n, in.separator())
	var buffer []byte
	return func(line []byte) ([]byte, bool) {
		k, hasKey := key(line)
		f, hasTime := at(line)
		if !hasKey || !hasTime {
			return nil, false
		}
		t, ok := parseTime(f)
		if !ok {
			return nil, false
		}
		buffer = append(fmt.Appendf(buffer[:0], "%0*x", timeDigits, uint64(t)), k...)
		return buffer, true
	}, length
}

const timeDigits = 16

// timeOf splits a key that begins with the time, in the form that the comment of "timed" describes. It returns the rest
// of the key, and the time.
func timeOf(line []byte) (key []byte, nanoseconds int64) {
	var b [timeDigits / 2]byte
	for i := range b {
		b[i] = unhex(line[2*i])<<4 | unhex(line[2*i+1])
	}
	return line[timeDigits:], int64(binary.BigEndian.Uint64(b[:]))
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c - 'a' + 10
}

// parseDuration parses a time.Duration, with the additional unit d for a day.
func parseDuration(s string) (time.Duration, bool) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if d := n * 24 * float64(time.Hour); err == nil && d >= 1 && d < math.MaxInt64 {
			return time.Duration(d), true
		}
		return 0, false
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d > 0
}

// timeLayouts are the accepted forms of a time. A Unix time is a number and needs no layout. In an access log the time
// zone is a separate field, which is the same in all lines.
var timeLayouts = []string{time.RFC3339Nano, "[02/Jan/2006:15:04:05", "02/Jan/2006:15:04:05", "2006-01-02T15:04:05", "2006-01-02", "15:04:05"}

// parseTime returns a Unix time in nanoseconds, from text in one of timeLayouts or from a number. The size of the
// number determines whether it is in seconds, milliseconds, microseconds or nanoseconds.
func parseTime(field []byte) (nanoseconds int64, ok bool) {
	text := string(bytes.Trim(field, `"`))
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		unit := 1e9
		for _, beyond := range []float64{1e11, 1e14, 1e17} { // in seconds this is the year 5138, in the other units 1973
			if math.Abs(x) >= beyond {
				unit /= 1000
			}
		}
		whole := math.Trunc(x)
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && math.Abs(x)*unit < math.MaxInt64 {
			return n * int64(unit), true // an integer keeps all digits, a float64 only 15
		}
		return int64(whole)*int64(unit) + int64(math.Round((x-whole)*unit)), math.Abs(x)*unit < math.MaxInt64
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			if t.Year() == 0 { // the time has no date
				t = t.AddDate(1970, 0, 0)
			}
			return t.UnixNano(), true
		}
	}
	return 0, false
}

// The type "window" remembers keys for a fixed time. It forgets a key when this time has passed since the last arrival
// of the key, and not earlier.
type window struct {
	length     int64 // the length of the window in nanoseconds; times are relative to the first
	first, now int64
	last       []int64 // 1 + the time of the last arrival of each key, by the number of the key
	disordered uint64  // the number of arrivals with an earlier time than the arrival before

	arrivals, forgotten uint64 // the counted arrivals, and those that were forgotten
	gaps                [64 * gapsInOctave]uint64

	// The array "slots" has the number of keys that are not yet forgotten. Each slot is for a period of
	// length/len(slots) nanoseconds. It has the number of keys whose last arrival was in this period.
	slots      [1024]uint64
	slot       int64
	live, most uint64
	sum        float64 // the sum of live over the counted arrivals

	began              int64 // the time at which the present cycle began
	cycles             uint64
	shortest, lengthOf float64 // the shortest cycle, and the sum of all cycles, in seconds
	longest            float64
}

const gapsInOctave = 16

func newWindow(length time.Duration) *window {
	return &window{length: int64(length), now: -1, shortest: math.Inf(1)}
}

// The method "latest" returns the time of the last arrival, or the least possible time if there was no arrival.
func (w *window) latest() int64 {
	if w.now < 0 {
		return math.MinInt64
	}
	return w.first + w.now
}

// The method "observe" records an arrival of the key with this number. The argument "recycled" says whether the
// filter recycled at this arrival.
func (w *window) observe(number uint64, at int64, counted, recycled bool) {
	if w.now < 0 {
		w.first, w.now = at, 0
	}
	if at -= w.first; at < w.now {
		w.disordered++
		at = w.now
	}
	w.now = at
	for number >= uint64(len(w.last)) {
		w.last = append(w.last, 0)
	}
	last := w.last[number] - 1
	w.last[number] = at + 1
	if counted {
		w.arrivals++
		if last >= 0 {
			gap := at - last
			w.gaps[gapOctaves(gap)]++
			if gap > w.length {
				w.forgotten++
			}
		}
	}
	w.hold(last, at)
	if counted {
		w.most = max(w.most, w.live)
		w.sum += float64(w.live)
	}
	if recycled {
		took := float64(at-w.began) / 1e9
		w.began = at
		if counted {
			w.cycles++
			w.lengthOf += took
			w.shortest, w.longest = min(w.shortest, took), max(w.longest, took)
		}
	}
}

// The method "hold" counts a key in the slot of its present arrival. If the slot of its last arrival still exists, the
// key is no longer counted there.
func (w *window) hold(last, at int64) {
	n := int64(len(w.slots))
	width := max(w.length/n, 1)
	present := at / width
	for range min(present-w.slot, n) {
		w.slot++
		gone := &w.slots[w.slot%n]
		w.live -= *gone
		*gone = 0
	}
	w.slot = present
	if last >= 0 && last/width > present-n {
		w.slots[last/width%n]--
		w.live--
	}
	w.slots[present%n]++
	w.live++
}

// gapOctaves returns the class of a gap, which is given in nanoseconds. There are 16 classes for each factor of two.
func gapOctaves(gap int64) int {
	return int(math.Log2(float64(max(gap, 1))) * gapsInOctave)
}

// A window forgets an arrival if the time since the last arrival of the same key is longer than the window. The method
// "forgetting" gets a number of counted arrivals. It finds the shortest window that forgets no more arrivals than this
// number. It returns the length of this window, rounded up to a power of 2^(1/16) nanoseconds.
func (w *window) forgetting(arrivals uint64) time.Duration {
	beyond := uint64(0)
	for class := len(w.gaps) - 1; class >= 0; class-- {
		if beyond += w.gaps[class]; beyond > arrivals {
			return time.Duration(math.Exp2(min(float64(class+1)/gapsInOctave, 62.9)))
		}
	}
	return 0
}

// timeReport compares the filter with a time window, which remembers each key for a fixed time.
type timeReport struct {
	Window     decimal  `json:"window"` // the length of the window; all times of the report are in seconds
	FNR        *rate    `json:"fnr"`
	Keys       count    `json:"keys"`      // the largest number of keys at any time
	KeysMean   *decimal `json:"keys_mean"` // the mean number of keys over the arrivals
	Like       decimal  `json:"like"`      // the length of a window that forgets as many arrivals as the filter
	Span       decimal  `json:"span"`
	Cycle      *cycleTo `json:"cycle"` // nil if no cycle ended
	Disordered count    `json:"disordered"`

	Course []timedStretch `json:"course"` // the course of the errors over time
	short  []timedStretch
}

// cycleTo has the durations of the cycles of the filter.
type cycleTo struct {
	Mean     decimal `json:"mean"`
	Shortest decimal `json:"shortest"`
	Longest  decimal `json:"longest"`
}

// The method "report" compares the window with the filter. The argument "forgotten" is the number of arrivals that the
// filter has forgotten. For some forgotten arrivals, a false positive makes the filter answer "repeat". The number
// includes these arrivals.
func (w *window) report(forgotten uint64) (*timeReport, error) {
	r := &timeReport{
		Window: seconds(time.Duration(w.length)), Keys: count(w.most), Span: seconds(time.Duration(max(w.now, 0))),
		Like: seconds(w.forgetting(forgotten)), Disordered: count(w.disordered),
	}
	if w.arrivals > 0 {
		r.KeysMean = some(w.sum / float64(w.arrivals))
	}
	if n := w.cycles; n > 0 {
		r.Cycle = &cycleTo{decimal(w.lengthOf / float64(n)), decimal(w.shortest), decimal(w.longest)}
	}
	var err error
	r.FNR, err = measure(w.forgotten, w.arrivals)
	return r, err
}

func seconds(d time.Duration) decimal { return decimal(d.Seconds()) }

// The method "text" returns a number of seconds as the text of a duration.
func (x decimal) text() string {
	return time.Duration(float64(x) * 1e9).Round(time.Millisecond).String()
}

func (r *timeReport) print(w io.Writer) {
	if r == nil {
		return
	}
	fmt.Fprintf(w, "time\tthe trace spans %s", r.Span.text())
	if r.Cycle != nil {
		fmt.Fprintf(w, "; cycles take %s, from %s to %s", r.Cycle.Mean.text(), r.Cycle.Shortest.text(), r.Cycle.Longest.text())
	}
	if r.Disordered > 0 {
		fmt.Fprintf(w, "; %d arrivals are earlier than those before them, and taken to be as late", r.Disordered)
	}
	if r.FNR != nil {
		fmt.Fprintf(w, "\nforget after %s\t%.6g of the arrivals, %.6g to %.6g; %d keys at most, %.6g in the mean", r.Window.text(), r.FNR.Mean, r.FNR.Low, r.FNR.High, r.Keys, *r.KeysMean)
	}
	fmt.Fprintf(w, "\nforgets like\ta memory of %s\n", r.Like.text())
}
