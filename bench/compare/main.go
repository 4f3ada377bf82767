// Command compare measures the filters of package bench against each other in one
// process and prints nanoseconds per key and the ratios to ours.
//
// Every measurement is taken in rounds; a round visits the filters in one order, the
// next round in the other, and the median of the rounds is reported. Add is the time
// to add fresh keys while a filter fills from empty to half of its bits; contains is
// measured on the filled filter. The rate is what the misses found.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/bloomproof/bloomproof/bench"
	"github.com/klauspost/cpuid/v2"
)

func main() {
	rounds := flag.Int("rounds", 10, "rounds of each measurement, at least 2")
	out := flag.String("out", "", "write the table to this file too")
	flag.Parse()
	if err := run(*rounds, *out, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(rounds int, out string, w io.Writer) error {
	if rounds < 2 {
		return fmt.Errorf("-rounds: must be at least 2, got %d", rounds)
	}
	var b bytes.Buffer
	header(&b, rounds)
	for _, s := range bench.Sizes {
		t, err := measure(s, uint64(rounds))
		if err != nil {
			return err
		}
		t.print(&b, s)
	}
	if _, err := w.Write(b.Bytes()); err != nil || out == "" {
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o644)
}

func header(w io.Writer, rounds int) {
	level := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GOAMD64" || s.Key == "GOARM64" {
				level = ", " + s.Key + "=" + s.Value
			}
		}
	}
	fmt.Fprintf(w, "# Comparison with other filters\n\nMade by `make bench` on %s; do not edit.\n\n", time.Now().UTC().Format(time.DateOnly))
	fmt.Fprintf(w, "- CPU: %s, %d processors\n", cpuid.CPU.BrandName, runtime.NumCPU())
	fmt.Fprintf(w, "- Go: %s %s/%s%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, level)
	fmt.Fprintf(w, "- k = %d bits set per key, 8-byte keys, hashing included, one key per call, one goroutine, half of the bits set.\n", bench.K)
	fmt.Fprintf(w, "- Medians of %d rounds or more, the order of the filters turned round each time.\n\n", rounds)
	for _, p := range bench.Peers() {
		fmt.Fprintf(w, "- %s: %s\n", p.Name, p.Note)
	}
	fmt.Fprintf(w, "\nNanoseconds per key; in brackets the same divided by ours: above 1, ours is faster.\n")
}

// table holds, for each operation, every peer's nanoseconds per key.
type table struct {
	add, hit, miss []float64
	rate           []float64
}

const (
	leastAdded = 1 << 19 // keys added per peer and size, over several filters if small
	probed     = 1 << 17 // keys looked up per peer and round
)

func measure(s bench.Size, rounds uint64) (*table, error) {
	peers := bench.Peers()
	n := bench.Items(s.M)
	add, hit, miss := grid(peers), grid(peers), grid(peers)
	positives := make([]uint64, len(peers))

	var filters []bench.Filter
	for added := uint64(0); added < leastAdded; added += n {
		filters = nil
		for _, p := range peers {
			f, err := p.New(s.M, bench.K)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			filters = append(filters, f)
		}
		for r := range rounds {
			from, to := r*n/rounds, (r+1)*n/rounds
			inTurn(len(peers), r, func(i int) {
				add[i] = append(add[i], perKey(to-from, func() { bench.Add(filters[i], from, to) }))
			})
		}
	}
	span := min(n, probed)
	for r := range rounds {
		from := r * (n - span) / max(rounds-1, 1)
		inTurn(len(peers), r, func(i int) {
			hit[i] = append(hit[i], perKey(probed/span*span, func() {
				for range probed / span {
					bench.Count(filters[i], from, from+span)
				}
			}))
		})
		first := bench.FirstMiss + r*probed
		inTurn(len(peers), r, func(i int) {
			miss[i] = append(miss[i], perKey(probed, func() {
				positives[i] += bench.Count(filters[i], first, first+probed)
			}))
		})
	}
	t := &table{}
	for i := range peers {
		t.add = append(t.add, median(add[i]))
		t.hit = append(t.hit, median(hit[i]))
		t.miss = append(t.miss, median(miss[i]))
		t.rate = append(t.rate, float64(positives[i])/float64(rounds*probed))
	}
	return t, nil
}

func grid(peers []bench.Peer) [][]float64 { return make([][]float64, len(peers)) }

// inTurn calls f for 0 to n-1 in even rounds and in the other order in odd ones.
func inTurn(n int, round uint64, f func(i int)) {
	for i := range n {
		if round%2 == 1 {
			i = n - 1 - i
		}
		f(i)
	}
}

func perKey(keys uint64, f func()) float64 {
	start := time.Now()
	f()
	return float64(time.Since(start).Nanoseconds()) / float64(keys)
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

func (t *table) print(w io.Writer, s bench.Size) {
	peers := bench.Peers()
	fmt.Fprintf(w, "\n## %s (m = %d bits, n = %d keys)\n\n| |", s.Name, s.M, bench.Items(s.M))
	for _, p := range peers {
		fmt.Fprintf(w, " %s |", p.Name)
	}
	fmt.Fprint(w, "\n| --- |")
	for range peers {
		fmt.Fprint(w, " ---: |")
	}
	for _, row := range []struct {
		name string
		ns   []float64
	}{{"add", t.add}, {"contains, hit", t.hit}, {"contains, miss", t.miss}} {
		fmt.Fprintf(w, "\n| %s |", row.name)
		for i, x := range row.ns {
			fmt.Fprintf(w, " %.1f", x)
			if peers[i].Name != bench.Ours {
				fmt.Fprintf(w, " (%.2f)", x/row.ns[0])
			}
			fmt.Fprint(w, " |")
		}
	}
	fmt.Fprint(w, "\n| false-positive rate |")
	for _, r := range t.rate {
		fmt.Fprintf(w, " %.3f %% |", 100*r)
	}
	fmt.Fprintln(w)
}
