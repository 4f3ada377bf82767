package bench

import (
	"math"
	"sync"
	"testing"

	"github.com/bloomproof/bloomproof/approx"
)

// Every filter for many goroutines finds what two of them added, has the rate of its shape, and
// says where its bits are.
func TestConcurrentPeers(t *testing.T) {
	m := Sizes[1].M
	chunks := uint64(2 * Items(m) / Chunk)
	for _, p := range ConcurrentPeers() {
		f, err := p.New(m, K)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		var wait sync.WaitGroup
		for g := range uint64(2) {
			wait.Add(1)
			go func() {
				defer wait.Done()
				k := NewKeys()
				for c := g; c < chunks; c += 2 {
					k.Fill(func(i uint64) uint64 { return c*Chunk + i })
					f.Add(k.Short)
				}
			}()
		}
		wait.Wait()
		k := NewKeys()
		for c := range chunks {
			k.Fill(func(i uint64) uint64 { return c*Chunk + i })
			if found := f.Contains(k.Short); found != Chunk {
				t.Errorf("%s: found %d of %d keys", p.Name, found, Chunk)
			}
		}
		found := 0
		const probed = 50
		for c := range uint64(probed) {
			k.Fill(func(i uint64) uint64 { return FirstMiss + c*Chunk + i })
			found += f.Contains(k.Short)
		}
		want, err := approx.FPR(Peer{Shape: p.Shape}.Geometry(m, K), chunks*Chunk)
		if err != nil {
			t.Fatal(err)
		}
		// Seven standard deviations of the count of positives, and as much again for the bits
		// of one filter: those of blocks and of shards differ more than those of one array.
		within := 14 * math.Sqrt(want*(1-want)/(probed*Chunk))
		if rate := float64(found) / (probed * Chunk); math.Abs(rate-want) > within {
			t.Errorf("%s: rate %.4f, want %.4f within %.4f", p.Name, rate, want, within)
		}
		words := 0
		for _, w := range f.Words() {
			words += len(w)
		}
		if uint64(words) != m/64 {
			t.Errorf("%s: %d words, want %d", p.Name, words, m/64)
		}
	}
}
