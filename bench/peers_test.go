package bench

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/approx"
)

// blockSpread bounds the standard deviation of a block's rate at the load of TestPeers, as a share
// of the greatest possible one. To first order in the Poisson number of items of a block it is 0.07
// for blocks of 512 bits and 0.1 for those of 256, of 0.5: a fifth.
const blockSpread = 0.25

// Every peer finds what was added and has the rate of its shape: a benchmark against a
// broken or misconfigured peer would mean nothing. Filters are overfull here (7 of 8
// bits set), since near its optimum the rate hardly tells k from k-1: it is 0.39 for
// k = 7 but 0.33 for 6 and 0.46 for 8.
func TestPeers(t *testing.T) {
	m := Sizes[0].M
	chunks, probed := int(3*Items(m)/Chunk), 50
	n := uint64(chunks * Chunk)
	k := NewKeys()
	for _, p := range Peers() {
		g := p.Geometry(m, K)
		want, err := approx.FPR(g, n)
		if err != nil {
			t.Fatal(err)
		}
		// Seven standard deviations of the count of positives. Those of the rate given the
		// bits are below a tenth of that, but with blocks they count: a block's rate is
		// between 0 and 1, so that its standard deviation is at most 1/2.
		within := 7 * math.Sqrt(want*(1-want)/float64(probed*Chunk))
		if g.Block > 0 {
			within += 7 * 0.5 / math.Sqrt(float64(m/g.Block)) * blockSpread
		}
		if p.Coarse {
			within = 0.05
		}
		for _, form := range []struct {
			name     string
			add      func(Filter)
			contains func(Filter) int
		}{
			{"8 bytes", func(f Filter) { f.Add(k.Short) }, func(f Filter) int { return f.Contains(k.Short) }},
			{"30 bytes", func(f Filter) { f.Add(k.Long) }, func(f Filter) int { return f.Contains(k.Long) }},
			{"hash", func(f Filter) { f.(HashFilter).AddHashes(k.Hashes) }, func(f Filter) int { return f.(HashFilter).ContainsHashes(k.Hashes) }},
			{"uint64", func(f Filter) { f.(Uint64Filter).AddUint64s(k.Words) }, func(f Filter) int { return f.(Uint64Filter).ContainsUint64s(k.Words) }},
		} {
			f, err := p.New(m, K)
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			if _, ok := f.(HashFilter); form.name == "hash" && !ok {
				continue
			}
			if _, ok := f.(Uint64Filter); form.name == "uint64" && !ok {
				continue
			}
			for _, adding := range []bool{true, false} {
				for c := range chunks {
					k.Fill(func(i uint64) uint64 { return uint64(c*Chunk) + i })
					if adding {
						form.add(f)
					} else if found := form.contains(f); found != Chunk {
						t.Errorf("%s, %s: found %d of %d keys", p.Name, form.name, found, Chunk)
					}
				}
			}
			found := 0
			for c := range probed {
				k.Fill(func(i uint64) uint64 { return FirstMiss + uint64(c*Chunk) + i })
				found += form.contains(f)
			}
			rate := float64(found) / float64(probed*Chunk)
			t.Logf("%s, %s: rate %.4f, model %.4f", p.Name, form.name, rate, want)
			if math.Abs(rate-want) > within {
				t.Errorf("%s, %s: rate %.4f, want %.4f within %.4f", p.Name, form.name, rate, want, within)
			}
		}
	}
}

// Items sets half of the bits.
func TestItems(t *testing.T) {
	for _, s := range Sizes {
		if fill := -math.Expm1(-K * float64(Items(s.M)) / float64(s.M)); math.Abs(fill-0.5) > 1e-4 {
			t.Errorf("%s: fill %v", s.Name, fill)
		}
	}
}

// Memory finds all of a filter's bits: the keys in a full one are all contained.
func TestMemory(t *testing.T) {
	k := NewKeys()
	k.Fill(func(i uint64) uint64 { return i })
	for _, p := range Peers() {
		f, err := p.New(Sizes[0].M, K)
		if err != nil {
			t.Fatal(err)
		}
		words := Memory(f)
		if uint64(len(words)) != Sizes[0].M/64 {
			t.Errorf("%s: %d words", p.Name, len(words))
		}
		if found := f.Contains(k.Short); found != 0 {
			t.Errorf("%s: an empty filter contains %d keys", p.Name, found)
		}
		for i := range words {
			words[i] = ^uint64(0)
		}
		if found := f.Contains(k.Short); found != Chunk {
			t.Errorf("%s: a full filter contains %d keys", p.Name, found)
		}
	}
}

// The batch form of a filter is the same filter.
func TestBatchForms(t *testing.T) {
	k := NewKeys()
	k.Fill(func(i uint64) uint64 { return i })
	of := map[string]Filter{}
	for _, p := range Peers() {
		f, err := p.New(Sizes[0].M, K)
		if err != nil {
			t.Fatal(err)
		}
		of[p.Name] = f
		if p.Of == "" {
			continue
		}
		b, ok := of[p.Of].(Batcher)
		if !ok {
			t.Errorf("%s: %s has no batch form", p.Name, p.Of)
			continue
		}
		b.Add(k.Short)
		if found := b.Batch().Contains(k.Short); found != Chunk {
			t.Errorf("%s: %d of %d keys", p.Name, found, Chunk)
		}
	}
}

// Advice about pages keeps the words, of arrays with whole huge pages and without.
func TestAdvise(t *testing.T) {
	for _, n := range []int{3 * hugePage / 8, 1000} {
		words := make([]uint64, n)
		pieces := slices.Collect(slices.Chunk(words, hugePage/16))
		for _, huge := range []bool{true, false} {
			Half(words)
			before := plainCount(words)
			if ok := Advise([][]uint64{words}, huge); plainCount(words) != before {
				t.Errorf("%d words, huge %v (taken: %v): %d ones, were %d", n, huge, ok, plainCount(words), before)
			}
			if ok := Advise(pieces, huge); plainCount(words) != before {
				t.Errorf("%d words in pieces, huge %v (taken: %v): %d ones, were %d", n, huge, ok, plainCount(words), before)
			}
			if share, ok := HugeShare(words); ok && (share < 0 || share > 1) {
				t.Errorf("%d words, huge %v: a share of %v", n, huge, share)
			}
		}
	}
	if Advise(nil, true) {
		t.Error("no words took advice")
	}
}

// Every form that counts ones agrees.
func TestWordsPeers(t *testing.T) {
	a, b := make([]uint64, 1000), make([]uint64, 1000)
	Half(a)
	Half(b[1:])
	for _, n := range []int{1, 8, 100, 1000} {
		count, and := plainCount(a[:n]), plainAndCount(a[:n], b[:n])
		for _, p := range WordsPeers() {
			if p.Name == Limit {
				continue
			}
			if got := p.Count(a[:n])(); got != count {
				t.Errorf("%s: %d ones of %d words, want %d", p.Name, got, n, count)
			}
			if p.AndCount != nil {
				if got := p.AndCount(a[:n], b[:n])(); got != and {
					t.Errorf("%s: %d common ones of %d words, want %d", p.Name, got, n, and)
				}
			}
		}
	}
}

// benchmarked are the sizes of BenchmarkFilter; the comparison has all.
func benchmarked() []Size {
	if testing.Short() {
		return Sizes[:2]
	}
	return Sizes[:3]
}

// BenchmarkFilter reports ns/key of every peer: inserts into and look-ups in a filter of
// which half of the bits are set at random.
func BenchmarkFilter(b *testing.B) {
	for _, s := range benchmarked() {
		for _, p := range Peers() {
			f, err := p.New(s.M, K)
			if err != nil {
				b.Fatal(err)
			}
			Half(Memory(f))
			k := NewKeys()
			k.Fill(func(i uint64) uint64 { return i })
			run := func(op string, do func()) {
				b.Run(fmt.Sprintf("op=%s/size=%s/impl=%s", op, s.Name, p.Name), func(b *testing.B) {
					for b.Loop() {
						do()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/Chunk, "ns/key")
				})
			}
			found := 0
			run("miss", func() { found += f.Contains(k.Short) })
			run("add", func() { f.Add(k.Short) })
			run("hit", func() { found += f.Contains(k.Short) })
		}
	}
}

// BenchmarkWords reports GB/s of every implementation that counts ones.
func BenchmarkWords(b *testing.B) {
	for _, s := range WordsSizes {
		if testing.Short() && s.Words > 1<<17 {
			continue
		}
		words := make([]uint64, s.Words)
		Half(words)
		for _, p := range WordsPeers() {
			count := p.Count(words)
			b.Run(fmt.Sprintf("op=count/words=%d/impl=%s", s.Words, p.Name), func(b *testing.B) {
				b.SetBytes(int64(8 * s.Words))
				for b.Loop() {
					count()
				}
			})
		}
	}
}
