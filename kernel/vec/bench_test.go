package vec

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/host"
)

// sizes are the filters of the stated goals: 20 times the hoisted loop where only sums
// are needed, 6.5 times where rows are stored.
var sizes = []Message{{M: 1_000_000, K: 8}, {M: 8_388_608, K: 7}}

// hoistedRows and hoistedSums are the baseline of the goals: the plain recursion, with
// what can be hoisted out of its loops.
func hoistedRows(x Message, dst []float64, first uint64) {
	var t, set, free [65]float64
	inverse := 1 / float64(x.M)
	n := len(dst) / (x.K + 1)
	for j := range n {
		for d := 0; d <= x.K; d++ {
			set[d] = float64(first+uint64(j+d)) * inverse
			free[d] = float64(x.M-first-uint64(j+d)) * inverse
			t[d] = 0
		}
		t[0] = 1
		for q := 0; q < x.K; q++ {
			for d := q + 1; d > 0; d-- {
				t[d] = t[d]*set[d] + t[d-1]*free[d-1]
			}
			t[0] *= set[0]
		}
		for d := 0; d <= x.K; d++ {
			dst[d*n+j] = t[d]
		}
	}
}

func hoistedSums(x Message, dst, w []float64, first uint64) {
	var t, set, free [65]float64
	inverse := 1 / float64(x.M)
	for j := range w {
		for d := 0; d <= x.K; d++ {
			set[d] = float64(first+uint64(j+d)) * inverse
			free[d] = float64(x.M-first-uint64(j+d)) * inverse
			t[d] = 0
		}
		t[0] = w[j]
		for q := 0; q < x.K; q++ {
			for d := q + 1; d > 0; d-- {
				t[d] = t[d]*set[d] + t[d-1]*free[d-1]
			}
			t[0] *= set[0]
		}
		for d := 0; d <= x.K; d++ {
			dst[d] += t[d]
		}
	}
}

// states runs f, which follows n states a call.
func states(b *testing.B, name string, n int, f func()) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			f()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/state")
	})
}

// all calls f for runs of at most n states that make up those below m.
func all(m, n uint64, f func(first, n uint64)) {
	for i := uint64(0); i < m; i += n {
		f(i, min(n, m-i))
	}
}

// BenchmarkSums is the sums over all states of a filter.
func BenchmarkSums(b *testing.B) {
	for _, x := range sizes {
		const n = 1 << 14
		w, sums := make([]float64, n), make([]float64, x.K+1)
		for i := range w {
			w[i] = 1
		}
		at := fmt.Sprintf("m=%d/k=%d", x.M, x.K)
		for _, im := range host.Runs(host.Transition) {
			states(b, fmt.Sprintf("%s/impl=%v", at, im), int(x.M), func() {
				all(x.M, n, func(i, n uint64) { x.sumsBy(im, sums, w[:n], i) })
			})
		}
		states(b, at+"/impl=hoisted", int(x.M), func() {
			all(x.M, n, func(i, n uint64) { hoistedSums(x, sums, w[:n], i) })
		})
	}
}

// BenchmarkRows is the rows of all states of a filter: in one array of 72 bytes a state
// (stored=all), and in blocks that stay in the cache, as Visits has them.
func BenchmarkRows(b *testing.B) {
	for _, x := range sizes {
		for name, n := range map[string]uint64{"all": x.M, "blocks": 504} {
			dst := make([]float64, int(n)*(x.K+1))
			at := fmt.Sprintf("m=%d/k=%d/stored=%s", x.M, x.K, name)
			for _, im := range host.Runs(host.Transition) {
				states(b, fmt.Sprintf("%s/impl=%v", at, im), int(x.M), func() {
					all(x.M, n, func(i, n uint64) { x.rowsBy(im, dst[:int(n)*(x.K+1)], i) })
				})
			}
			states(b, at+"/impl=hoisted", int(x.M), func() {
				all(x.M, n, func(i, n uint64) { hoistedRows(x, dst[:int(n)*(x.K+1)], i) })
			})
		}
	}
}

// ways are messages of which each method has a way of its own.
var ways = []Message{{M: 1_000_000, K: 1}, {M: 1_000_000, K: 8}, {M: 1_000_000, K: 12}, {M: 1_000_000, K: 16}, {M: 1_000_000, K: 64}, {M: 1_000_000, K: 8, Distinct: true}}

func (x Message) String() string { return fmt.Sprintf("k=%d/distinct=%v", x.K, x.Distinct) }

// BenchmarkVisits is the visits to the first 20,000 states of a filter.
func BenchmarkVisits(b *testing.B) {
	for _, x := range ways {
		v := make([]float64, 20_000)
		for _, im := range host.Runs(host.Transition) {
			states(b, fmt.Sprintf("%v/impl=%v", x, im), len(v), func() {
				clear(v)
				v[0] = 1
				x.visitsBy(im, v)
			})
		}
	}
}

// BenchmarkVisitsMany is the visits to the 100 states of a filter. A state with the most positions may take as many times
// as long as one with 100 positions as it has more positions: numbers below the range of float64 must not be slower.
func BenchmarkVisitsMany(b *testing.B) {
	for _, k := range []int{100, MaxK} {
		x, v := Message{M: 100, K: k}, make([]float64, 100)
		states(b, x.String(), len(v), func() {
			clear(v)
			v[0] = 1
			x.Visits(v)
		})
	}
}

// BenchmarkAdvance is one message on a distribution over 100,000 states.
func BenchmarkAdvance(b *testing.B) {
	for _, x := range ways {
		p := make([]float64, 100_000)
		for _, im := range host.Runs(host.Transition) {
			states(b, fmt.Sprintf("%v/impl=%v", x, im), len(p), func() {
				for i := range p {
					p[i] = 1e-5 // or the numbers would get ever smaller
				}
				x.advanceBy(im, p, 450_000)
			})
		}
	}
}

// BenchmarkWays is the rows and sums that go over rows in memory.
func BenchmarkWays(b *testing.B) {
	for _, x := range ways {
		const n = 504
		dst, sums, w := make([]float64, n*(x.K+1)), make([]float64, x.K+1), make([]float64, n)
		for _, im := range host.Runs(host.Transition) {
			states(b, fmt.Sprintf("op=rows/%v/impl=%v", x, im), n, func() { x.rowsBy(im, dst, 450_000) })
			states(b, fmt.Sprintf("op=sums/%v/impl=%v", x, im), n, func() { x.sumsBy(im, sums, w, 450_000) })
		}
	}
}
