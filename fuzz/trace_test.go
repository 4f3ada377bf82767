package fuzz

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/requests"
	"github.com/bloomproof/bloomproof/verify/trace"
)

// FuzzTrace reads data as a trace, plain, compressed, or compressed and damaged, in blocks of any
// size: the lines are the texts between newlines, and an Estimator and a sketch that holds all keys
// give the estimates that counting gives. A sketch that does not hold them all still gives a
// workload.
func FuzzTrace(f *testing.F) {
	f.Fuzz(func(t *testing.T, form, warmup uint8, data []byte) {
		text, intact := data, true
		if form&1 != 0 {
			var b bytes.Buffer
			z, err := gzip.NewWriterLevel(&b, int(form>>1)%10)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = z.Write(data)
			_ = z.Close()
			text = b.Bytes()
			if at := int(warmup) + 256*int(form>>5); form&16 != 0 && at < len(text) {
				text[at] ^= 1 << (form & 7)
				intact = false
			}
		}
		plain := form&1 == 0 && !bytes.HasPrefix(data, []byte{0x1f, 0x8b})
		in := iotest.HalfReader(bytes.NewReader(text))
		if form&8 != 0 {
			in = iotest.DataErrReader(in)
		}
		var got []string
		err := requests.EachLine(context.Background(), in, func(line []byte) error {
			got = append(got, string(line))
			return nil
		})
		var input *requests.InputError
		if err != nil && !errors.As(err, &input) {
			t.Fatalf("an error of another kind: %v", err)
		}
		if plain || form&1 != 0 && intact {
			want := bytes.Split(data, []byte{'\n'})
			if len(want[len(want)-1]) == 0 {
				want = want[:len(want)-1]
			}
			if err != nil || !slices.EqualFunc(got, want, func(a string, b []byte) bool { return a == string(b) }) {
				t.Fatalf("lines %q, %v, of %q", got, err, data)
			}
		}
		if err == nil {
			checkEstimates(t, got, uint64(warmup)%8)
		}
	})
}

// counted is what a trace says, counted line by line.
func counted(lines []string, warmup uint64) (e trace.Estimate, repeats []float64) {
	known, count := map[string]bool{}, map[string]float64{}
	for i, line := range lines {
		if uint64(i) < warmup {
			known[line] = true
			continue
		}
		e.Arrivals++
		count[line]++
	}
	for line, n := range count {
		e.Distinct++
		if !known[line] {
			e.New++
			if n--; n == 0 {
				e.Once++
			}
		}
		if n > 0 {
			repeats = append(repeats, n)
		}
	}
	slices.Sort(repeats)
	slices.Reverse(repeats)
	return e, repeats
}

func checkEstimates(t *testing.T, lines []string, warmup uint64) {
	want, repeats := counted(lines, warmup)
	o := trace.Options{Warmup: warmup}
	text := func() *bytes.Reader {
		var b bytes.Buffer
		for _, line := range lines {
			b.WriteString(line + "\n")
		}
		return bytes.NewReader(b.Bytes())
	}
	magic := len(lines) > 0 && len(lines[0]) >= 1 && lines[0][0] == 0x1f // what it holds may be taken for gzip
	if magic {
		return
	}
	all, errAll := trace.Read(context.Background(), text(), o)
	sketch, errSketch := trace.ReadBounded(context.Background(), text(), o, 64)
	var bad *bloomproof.ParamError
	if want.Arrivals == 0 {
		if !errors.As(errAll, &bad) || !errors.As(errSketch, &bad) {
			t.Fatalf("no arrivals: %v, %v", errAll, errSketch)
		}
		return
	}
	if errAll != nil || errSketch != nil {
		t.Fatalf("%d arrivals: %v, %v", want.Arrivals, errAll, errSketch)
	}
	keys := map[string]bool{}
	for _, line := range lines {
		keys[line] = true
	}
	for name, e := range map[string]*trace.Estimate{"all": all, "sketch": sketch} {
		if err := e.Workload.Validate(); err != nil {
			t.Fatalf("%s of %q after %d: %v", name, lines, warmup, err)
		}
		if e.Arrivals != want.Arrivals {
			t.Fatalf("%s of %q after %d: %d arrivals, want %d", name, lines, warmup, e.Arrivals, want.Arrivals)
		}
		if name == "sketch" && len(keys) > 64 {
			continue
		}
		if e.Distinct != want.Distinct || e.New != want.New || e.Once != want.Once {
			t.Fatalf("%s of %q after %d: %+v, want %+v", name, lines, warmup, e, want)
		}
		if len(repeats) == 0 {
			continue
		}
		cases.Add(1)
		q := e.Workload.Popularity.Weights
		if len(q) < len(repeats) || !slices.EqualFunc(q[:len(repeats)], repeats, func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*b }) {
			t.Fatalf("%s of %q after %d: weights %v, want %v", name, lines, warmup, q, repeats)
		}
		if p := 1 - float64(want.New)/float64(want.Arrivals); math.Abs(e.Workload.Repeat-p) > 1e-12 {
			t.Fatalf("%s of %q after %d: repeats %v, want %v", name, lines, warmup, e.Workload.Repeat, p)
		}
	}
}
