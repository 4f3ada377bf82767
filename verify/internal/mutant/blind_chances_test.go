package mutant_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/chances"
)

// TestSoundChances holds the sound subject to what the faults are to break, and makes each fault's filter.
func TestSoundChances(t *testing.T) {
	s := chances.Sound()
	rng := rand.New(rand.NewPCG(1, 1))
	var keys [][]byte
	for range 2000 {
		keys = append(keys, binary.LittleEndian.AppendUint64(nil, rng.Uint64()))
	}
	for _, m := range []uint64{1, 47, 1000, 1 << 14, 1<<20 + 1} {
		for _, k := range []int{1, 4, 20, 64} {
			f, _ := s.New(m, k)
			g, err := s.New(m, k)
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range keys[:500] {
				s.Add(f, key)
			}
			s.AddBatch(g, keys[500:1000])
			if err := s.Union(f, g); err != nil {
				t.Fatal(err)
			}
			b, err := s.Marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			for i := range b {
				b[i] ^= 1
				if s.Unmarshal(g, b) == nil {
					t.Fatalf("m = %d, k = %d: byte %d changed, and the snapshot was read", m, k, i)
				}
				b[i] ^= 1
				if i == 100 {
					break
				}
			}
			h, _ := s.New(1, 1)
			if err := s.Unmarshal(h, b); err != nil {
				t.Fatal(err)
			}
			for i, yes := range s.ContainsBatch(h, keys[:1000]) {
				if !yes {
					t.Fatalf("m = %d, k = %d: key %d is lost", m, k, i)
				}
			}
			if s.Bits(f) != s.Bits(h) {
				t.Errorf("m = %d, k = %d: %d bits, then %d", m, k, s.Bits(f), s.Bits(h))
			}
		}
	}
	if m, k := s.Size(1000, 0.01); s.RateFor(m, k, 1000) > 0.01 || m > 9700 {
		t.Errorf("Size advises %d bits and %d positions", m, k)
	}
	names := map[string]bool{}
	for _, fault := range chances.All() {
		if names[fault.Name] {
			t.Errorf("two faults are %q", fault.Name)
		}
		names[fault.Name] = true
		f, err := fault.Subject.New(1024, 4)
		if err != nil {
			t.Errorf("%s: %v", fault.Name, err)
			continue
		}
		fault.Subject.Add(f, keys[0])
		if !fault.Subject.Contains(f, keys[0]) {
			t.Errorf("%s: the first key is lost", fault.Name)
		}
	}
	t.Log(len(names), "faults")
}
