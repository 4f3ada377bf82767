package main

import (
	"math"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/bench"
	"github.com/bloomproof/bloomproof/exact"
)

// A filter settles at the target: its shape's exact number of keys gives the rate, and a number
// that is wrong by a half is corrected.
func TestSettle(t *testing.T) {
	size, target := bench.Sizes[1], 1e-2
	for _, p := range bench.Peers() {
		if p.Of != "" || p.Coarse {
			continue
		}
		plans := planner{m: size.M, target: target, known: map[bloomproof.Geometry]exact.Optimum{}}
		o := plans.of(p.Shape)
		if plans.err != nil {
			t.Fatal(plans.err)
		}
		f, err := p.New(size.M, o.Geometry.K)
		if err != nil {
			t.Fatal(err)
		}
		m := newMeasured(settings{positives: 1000, probes: 1e8})
		h := local{f, bench.Memory(f), bench.NewKeys()}
		for _, n := range []uint64{o.N, o.N / 2} {
			wrong := o
			wrong.N = n
			r, err := m.settle(filling{rated{size: size, target: target, name: p.Name}, h, wrong})
			if err != nil {
				t.Fatal(err)
			}
			m.rated = append(m.rated, r)
		}
		for i, r := range m.rated {
			// Five standard deviations of 1000 positives, and a tenth for the bits of one filter.
			if within := target * (5/math.Sqrt(1000) + 0.1); math.Abs(r.rate-target) > within || !(r.low < r.rate && r.rate < r.high) {
				t.Errorf("%s, try %d: a rate of %v (%v to %v) with %d keys", p.Name, i, r.rate, r.low, r.high, r.n)
			}
		}
		if got := float64(m.rated[1].n) / float64(o.N); math.Abs(got-1) > 0.05 {
			t.Errorf("%s: from half of the keys it settles at %.3f of the exact number", p.Name, got)
		}
	}
}

// Every filter of a table settles, in the order of the table, and each of its forms is measured.
func TestEqualRate(t *testing.T) {
	runtime.LockOSThread() // whose time is taken
	defer runtime.UnlockOSThread()
	size, target := bench.Sizes[0], 1e-2
	m := newMeasured(settings{rounds: 2, positives: 100, probes: 1e4})
	if err := m.startCPP(); err != nil {
		t.Fatal(err)
	}
	defer m.stopCPP()
	if err := m.equalRate(size, target); err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, p := range bench.Peers() {
		want = append(want, p.Name)
	}
	for _, r := range m.cpp.peers() {
		want = append(want, r.name)
	}
	for _, r := range m.rated {
		for _, name := range r.forms {
			got = append(got, name)
			for _, op := range append([]string{"add"}, patterns...) {
				if _, asHash := m.ns[rateKey(size, target, op, ready, name)]; !asHash && !(m.ns[rateKey(size, target, op, short, name)] > 0) {
					t.Errorf("%s, %s: not measured", name, op)
				}
			}
		}
		if r.n == 0 || !(r.low <= r.rate && r.rate <= r.high) {
			t.Errorf("%s: %d keys, a rate of %v (%v to %v)", r.name, r.n, r.rate, r.low, r.high)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The number of cache lines of filters whose lines are easy to count.
func TestLinesOf(t *testing.T) {
	words512 := bloomproof.Geometry{M: 1 << 20, K: 8, Block: 512, Hashing: bloomproof.Partitioned}
	words256 := bloomproof.Geometry{M: 1 << 20, K: 8, Block: 256, Hashing: bloomproof.Partitioned}
	for _, c := range []struct {
		g         bloomproof.Geometry
		share     float64
		address   uint64
		hit, miss float64
	}{
		{bloomproof.Geometry{M: 512, K: 7}, 0.5, 0, 1, 1},
		{bloomproof.Geometry{M: 1 << 40, K: 7}, 0.5, 0, 7, 2 - 1./64},
		{bloomproof.Geometry{M: 1 << 40, K: 7}, 1, 0, 7, 7},
		{bloomproof.Geometry{M: 1 << 40, K: 1}, 0, 0, 1, 1},
		{words512, 0.5, 128, 1, 1},
		{words512, 0.5, 16, 2, 2},
		{words256, 0.5, 32, 1, 1},
		{words256, 0.5, 16, 1.5, 1.5},
		{bloomproof.Geometry{M: 1 << 20, K: 8, Block: 1024}, 0.5, 0, 2, 2},
	} {
		// The lines that two positions share by chance are one in 2^31.
		hit, miss := linesOf(c.g, c.share, c.address)
		if math.Abs(hit-c.hit) > 1e-6 || math.Abs(miss-c.miss) > 1e-6 {
			t.Errorf("%v at %d: %v and %v lines, want %v and %v", c.g, c.address, hit, miss, c.hit, c.miss)
		}
	}
}

// The C++ peers find what was added and have the rates of their shapes; without their headers
// the reason is one line.
func TestCPP(t *testing.T) {
	m := newMeasured(settings{positives: 1000, probes: 1e8})
	if err := m.startCPP(); err != nil {
		t.Fatal(err)
	}
	defer m.stopCPP()
	if m.cpp == nil {
		if m.noCPP == "" || strings.Contains(m.noCPP, "\n") {
			t.Errorf("the reason is %q", m.noCPP)
		}
		t.Log(m.noCPP)
		return
	}
	size := bench.Sizes[1]
	if err := m.cpp.open(size.M, bench.K, false); err != nil {
		t.Fatal(err)
	}
	for _, r := range m.cpp.peers() {
		if r.of != "" {
			continue
		}
		g := bench.Peer{Shape: r.shape}.Geometry(size.M, bench.K)
		o, err := exact.MostItems(g, big.NewRat(1, 100), planBits)
		if err != nil {
			t.Fatal(err)
		}
		h := distant{m.cpp, r}
		h.clear()
		h.add(0, o.N)
		if found := h.positives(0, o.N); found != o.N {
			t.Errorf("%s: found %d of %d keys", r.name, found, o.N)
		}
		const probes = 1e6
		// Five standard deviations of 10^4 positives, and a tenth for the bits of one filter.
		if rate := float64(h.positives(probeKeys, probes)) / probes; math.Abs(rate-0.01) > 0.01*(0.05+0.1) {
			t.Errorf("%s: a rate of %v", r.name, rate)
		}
	}
	for _, r := range m.cpp.peers() {
		for _, op := range append([]string{"add"}, patterns...) {
			if ns := m.cpp.time(r, op, 1000); !(ns > 0) {
				t.Errorf("%s, %s: %v ns", r.name, op, ns)
			}
		}
	}
	if m.cpp.has(libpopcnt) {
		const bytes = 1 << 20
		m.cpp.words(bytes, false)
		// Five standard deviations of the ones in 2^23 bits.
		if ns, ones := m.cpp.count(bytes, 10); !(ns > 0) || math.Abs(float64(ones)-4*bytes) > 5*math.Sqrt(2*bytes) {
			t.Errorf("libpopcnt: %d ones of %d bits in %v ns a byte", ones, 8*bytes, ns)
		}
	}
	if err := m.cpp.close(); err != nil {
		t.Error(err)
	}
	if m.cpp.ask("no such command"); m.cpp.err == nil {
		t.Error("a wrong command is not refused")
	}
}

// Each goal refers to measurements that some run makes: a misspelt key would never be met nor
// missed.
func TestGoalsAreMeasured(t *testing.T) {
	known := map[string]bool{}
	names := []string{lineLimit, oneLine, bulk}
	for _, p := range bench.Peers() {
		names = append(names, p.Name)
	}
	for _, p := range remotePeers {
		names = append(names, p.name)
	}
	for _, s := range bench.Sizes {
		for _, name := range names {
			for _, op := range append([]string{"add"}, patterns...) {
				for _, form := range forms {
					known[key(op, s.Name, form, name)] = true
					for _, target := range []float64{1e-2, 1e-4} {
						known[rateKey(s, target, op, form, name)] = true
						known[bitsKey(s, target, name)] = true
					}
				}
				for _, g := range goroutineCounts {
					for _, p := range bench.ConcurrentPeers() {
						known[goroutineKey(s, op, g, p.Name)] = true
					}
				}
			}
		}
	}
	for _, s := range bench.WordsSizes {
		known[key("count", s.Name, libpopcnt)] = true
		for _, p := range bench.WordsPeers() {
			known[key("count", s.Name, p.Name)], known[key("and-count", s.Name, p.Name)] = true, true
		}
	}
	for _, x := range bench.Messages {
		for _, name := range []string{bench.Single, plainGo} {
			known[key("sums", messageName(x), name)], known[key("rows", messageName(x), name)] = true, true
		}
	}
	for _, f := range families {
		for _, counts := range []bool{false, true} {
			seen := map[string]bool{}
			for _, g := range goals(f, counts) {
				if seen[g.text] {
					t.Errorf("%s: two goals %q", f, g.text)
				}
				seen[g.text] = true
				if g.least <= 0 || len(g.over) == 0 {
					t.Errorf("%s: %q asks for nothing", f, g.text)
				}
				for _, k := range append([]string{g.under}, g.over...) {
					if !known[k] {
						t.Errorf("%s: %q refers to %q, which nothing measures", f, g.text, k)
					}
					if strings.HasSuffix(k, libpopcnt) && !counts {
						t.Errorf("%s: %q refers to libpopcnt without it", f, g.text)
					}
				}
			}
		}
	}
}
