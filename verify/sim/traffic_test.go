package sim

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// The list is that of the definition: take the last, insert it.
func TestRanks(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, d := range []int{1, 2, 3, 127, 128, 129, 255, 256, 257, 1000, 5000} {
		for name, rank := range map[string]func() int{
			"first":   func() int { return 0 },
			"last":    func() int { return d - 1 },
			"uniform": func() int { return rng.IntN(d) },
			"front":   func() int { return rng.IntN(1 + d/50) },
		} {
			got, want := newRanks(d), make([]uint32, d)
			for i := range want {
				want[i] = uint32(i)
			}
			steps := min(3*d, 3000)
			if name == "first" || name == "front" {
				steps += 1000
			}
			for step := range steps {
				j := rank()
				slot := want[d-1]
				want = slices.Insert(want[:d-1], j, slot)
				if moved := got.push(uint32(j)); moved != slot {
					t.Fatalf("d=%d %s step %d: pushed slot %d, want %d", d, name, step, moved, slot)
				}
				for range 3 {
					if j := rng.IntN(d); got.at(uint32(j)) != want[j] {
						t.Fatalf("d=%d %s step %d: slot %d at rank %d, want %d", d, name, step, got.at(uint32(j)), j, want[j])
					}
				}
			}
			for j := range want {
				if got.at(uint32(j)) != want[j] {
					t.Fatalf("d=%d %s: slot %d at rank %d, want %d", d, name, got.at(uint32(j)), j, want[j])
				}
			}
			if most := 2 + 2*d/chunk; len(got.chunks) > most+1 {
				t.Errorf("d=%d %s: %d chunks, want at most %d", d, name, len(got.chunks), most)
			}
		}
	}
}

// The probabilities that the tables of a law give, added up column by column.
func TestLaw(t *testing.T) {
	for _, p := range []bloomproof.Popularity{
		bloomproof.Zipf(1, 1000), bloomproof.Zipf(0, 7), bloomproof.Zipf(3, 1), bloomproof.Zipf(400, 50),
		bloomproof.BiUniform(3, 0.3, 100), bloomproof.Weights([]float64{5, 3, 2, 0, 0}),
		bloomproof.Weights([]float64{1.6e308, 1e308, 1}),
	} {
		l := newLaw(p.D, p.Weight)
		got := make([]float64, p.D)
		total := 0.0
		for j, cut := range l.cut {
			own := float64(cut) / (1 << 64)
			got[j] += own / float64(p.D)
			got[l.alias[j]] += (1 - own) / float64(p.D)
			total += p.Weight(uint64(j)) / p.Weight(0)
		}
		for j := range got {
			want := p.Weight(uint64(j)) / p.Weight(0) / total
			if math.Abs(got[j]-want) > 0x1p-52*float64(p.D)/total {
				t.Errorf("%v: message %d has probability %v, want %v", p, j, got[j], want)
			}
		}
	}
}

// draws counts what draw yields.
func draws(n int, draw func() uint64) map[uint64]int {
	count := map[uint64]int{}
	for range n {
		count[draw()]++
	}
	return count
}

// Each count is within 6 standard deviations: a false alarm of 2e-9 a number.
func TestDraws(t *testing.T) {
	rng := rand.NewChaCha8([32]byte{1})
	const n = 200000
	for name, row := range map[string]struct {
		draw func() uint64
		want []float64
	}{
		"below 3":  {func() uint64 { return below(rng, 3) }, []float64{1. / 3, 1. / 3, 1. / 3}},
		"uniform":  {func() uint64 { return uniform(4).draw(rng) }, []float64{0.25, 0.25, 0.25, 0.25}},
		"weights":  {func() uint64 { return newLaw(3, bloomproof.Weights([]float64{5, 3, 2}).Weight).draw(rng) }, []float64{0.5, 0.3, 0.2}},
		"bernoull": {func() uint64 { return btoi(rng.Uint64()>>1 < threshold(0.3)) }, []float64{0.7, 0.3}},
	} {
		rng = rand.NewChaCha8([32]byte{1}) // whatever the order of the rows
		count := draws(n, row.draw)
		for j, p := range row.want {
			if d := float64(count[uint64(j)]) - n*p; math.Abs(d) > 6*math.Sqrt(n*p*(1-p)) {
				t.Errorf("%s: %d came %d times of %d, want %.0f", name, j, count[uint64(j)], n, n*p)
			}
		}
		if len(count) != len(row.want) {
			t.Errorf("%s: %d different numbers", name, len(count))
		}
	}
	for range 100 { // the rejection of below: 2^63+1 does not divide 2^64
		if x := below(rng, 1<<63+1); x > 1<<63 {
			t.Fatalf("%d is not below 2^63+1", x)
		}
	}
}

func btoi(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// take returns the first n arrivals of a traffic, in batches of different sizes.
func take(start traffic, seed uint64, n int) ([]arrival, source) {
	s := start(stream(seed, 0, "traffic"))
	a := make([]arrival, n)
	for at, size := 0, 1; at < n; at, size = at+size, size*2 {
		size = min(size, n-at)
		s.Next(a[at : at+size])
	}
	return a, s
}

func pool(t testing.TB, w bloomproof.Workload) traffic {
	t.Helper()
	start, err := trafficOf(w)
	if err != nil {
		t.Fatal(err)
	}
	return start
}

// allNewMessages is the workload of which every message arrives once.
var allNewMessages = bloomproof.Workload{Popularity: bloomproof.Uniform(1)}

// Every traffic keeps the promises of source: a key is new once, at its first arrival, and
// keeps its slot until another takes it and it is seen no more.
func TestSources(t *testing.T) {
	for name, traffic := range map[string]traffic{
		"new":       pool(t, allNewMessages),
		"immediate": pool(t, bloomproof.Workload{Popularity: bloomproof.Uniform(1), Repeat: 0.7}),
		"zipf":      pool(t, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 300), Repeat: 0.8}),
		"fading":    pool(t, bloomproof.Workload{Popularity: bloomproof.Zipf(0.5, 40), Repeat: 0.5, Arrivals: bloomproof.ArrivalFirst}),
		"closed":    pool(t, bloomproof.Workload{Popularity: bloomproof.Uniform(50), Repeat: 1}),
	} {
		arrivals, s := take(traffic, 1, 20000)
		initial := map[uint64]bool{} // workloads have arrived before: keys 0 to D-1
		if w, ok := s.(*workload); ok {
			for j := range w.w.Popularity.D {
				initial[j] = true
			}
		}
		slotOf, keyIn := map[uint64]uint32{}, map[uint32]uint64{}
		for i, a := range arrivals {
			slot, seen := slotOf[a.Key]
			if a.New == (seen || initial[a.Key]) {
				t.Fatalf("%s, arrival %d: %+v, seen before: %t", name, i, a, seen)
			}
			if seen && (slot != a.Slot || slot == noSlot || keyIn[slot] != a.Key) {
				t.Fatalf("%s, arrival %d: %+v, before in slot %d", name, i, a, slot)
			}
			if a.Slot != noSlot && int(a.Slot) >= s.Slots() {
				t.Fatalf("%s, arrival %d: %+v of %d slots", name, i, a, s.Slots())
			}
			slotOf[a.Key], keyIn[a.Slot] = a.Slot, a.Key
		}
		if (s.Closed() != nil) != (name == "closed") {
			t.Errorf("%s: Closed is %v", name, s.Closed())
		}
		again, _ := take(traffic, 1, 20000)
		other, _ := take(traffic, 2, 20000)
		if !slices.Equal(arrivals, again) || name != "new" && slices.Equal(arrivals, other) {
			t.Errorf("%s: a seed does not decide the arrivals", name)
		}
	}
}

// Arrivals follow the laws of section 3.1, held against a list that is shifted as the
// paper says: the rank of each repeat and of each new message.
func TestWorkloadLaw(t *testing.T) {
	q := []float64{0.4, 0.3, 0.2, 0.1}
	for _, row := range []struct {
		arrivals      bloomproof.Arrivals
		weights, zeta []float64
	}{
		{bloomproof.ArrivalPopularity, nil, q},
		{bloomproof.ArrivalUniform, nil, []float64{0.25, 0.25, 0.25, 0.25}},
		{bloomproof.ArrivalLast, nil, []float64{0, 0, 0, 1}},
		{bloomproof.ArrivalFirst, nil, []float64{1, 0, 0, 0}},
		{0, []float64{1, 0, 3, 0}, []float64{0.25, 0, 0.75, 0}},
	} {
		const n, repeat = 100000, 0.6
		w := bloomproof.Workload{Popularity: bloomproof.Weights(q), Arrivals: row.arrivals, ArrivalWeights: row.weights, Repeat: repeat}
		list := []uint64{0, 1, 2, 3}
		s := pool(t, w)(stream(7, 0, "traffic")).(*workload)
		counts := map[string][]float64{"repeat": make([]float64, 4), "enter": make([]float64, 4)}
		var a [1]arrival
		for range n {
			s.Next(a[:])
			if !a[0].New {
				counts["repeat"][slices.Index(list, a[0].Key)]++
				continue
			}
			// Where the new one stands, the list shows by what it pushed down.
			j := slices.IndexFunc([]uint32{0, 1, 2, 3}, func(j uint32) bool { return s.keys[s.order.at(j)] == a[0].Key })
			list = slices.Insert(list[:3], j, a[0].Key)
			counts["enter"][j]++
			for j := range list {
				if s.keys[s.order.at(uint32(j))] != list[j] {
					t.Fatalf("%v: the order is not %v after %+v", w, list, a[0])
				}
			}
		}
		for j := range 4 {
			for what, p := range map[string]float64{"repeat": repeat * q[j], "enter": (1 - repeat) * row.zeta[j]} {
				if d := counts[what][j] - n*p; math.Abs(d) > 6*math.Sqrt(n*p*(1-p)) {
					t.Errorf("%v: %s at rank %d came %v times of %d, want %.0f", w, what, j, counts[what][j], n, n*p)
				}
			}
		}
	}
}

func TestTrafficErrors(t *testing.T) {
	work := func(w bloomproof.Workload) error { _, err := Keys(w, nil); return err }
	for _, row := range []struct {
		param string
		err   error
	}{
		{"repeat", work(bloomproof.Workload{Popularity: bloomproof.Uniform(3), Repeat: 2})},
		{"D", work(bloomproof.Workload{Popularity: bloomproof.Uniform(1 << 30)})},
		{"arrivals", work(bloomproof.Workload{Popularity: bloomproof.Uniform(3), ArrivalWeights: []float64{}})},
	} {
		var p *bloomproof.ParamError
		if !errors.As(row.err, &p) || p.Param != row.param {
			t.Errorf("error %v, want one about %s", row.err, row.param)
		}
	}
}

func BenchmarkNext(b *testing.B) {
	for _, d := range []uint64{1000, 1e6} {
		for _, w := range []bloomproof.Workload{
			{Popularity: bloomproof.Zipf(1, d), Repeat: 0.9},
			{Popularity: bloomproof.Zipf(1, d), Repeat: 0.01},
			{Popularity: bloomproof.Uniform(d), Repeat: 0.01},
			{Popularity: bloomproof.Uniform(d), Repeat: 0},
		} {
			b.Run(fmt.Sprintf("workload=%v", w), func(b *testing.B) {
				s := pool(b, w)(stream(1, 0, "traffic"))
				var a [batch]arrival
				for at := 0; at < b.N; at += batch {
					s.Next(a[:])
				}
			})
		}
	}
}
