package mutant_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/fresh"
)

func numbered(from, to uint64) [][]byte {
	var keys [][]byte
	for i := from; i < to; i++ {
		keys = append(keys, binary.LittleEndian.AppendUint64([]byte("key "), i))
	}
	return keys
}

// TestSoundFresh uses the sound filter in short, and makes a filter of each fault.
func TestSoundFresh(t *testing.T) {
	s := fresh.Sound()
	for _, m := range []uint64{1, 47, 1024, 100_003} {
		for _, k := range []int{1, 4, 20} {
			f, _ := s.New(m, k)
			g, _ := s.New(m, k)
			both, _ := s.New(m, k)
			a, b := numbered(0, m/20+1), numbered(m/20+1, m/10+2)
			s.AddBatch(f, a)
			for _, key := range b {
				s.Add(g, key)
			}
			s.AddBatch(both, a)
			for _, key := range b {
				if s.Contains(both, key) != s.TestAndAdd(both, key) {
					t.Errorf("m %d, k %d: TestAndAdd is not Contains", m, k)
				}
			}
			old, _ := s.Marshal(f)
			if err := s.Union(f, g); err != nil {
				t.Fatal(err)
			}
			for i, found := range s.ContainsBatch(f, append(a, b...)) {
				if !found {
					t.Errorf("m %d, k %d: key %d is lost", m, k, i)
				}
			}
			joined, _ := s.Marshal(f)
			if want, _ := s.Marshal(both); !bytes.Equal(joined, want) {
				t.Errorf("m %d, k %d: the union is another filter", m, k)
			}
			n := float64(m/10 + 2)
			if got := s.Items(f); k == 4 && m > 1000 && math.Abs(got-n) > 0.05*n {
				t.Errorf("m %d: %v items of %v", m, got, n)
			}
			if s.Unmarshal(g, joined[1:]) == nil || s.Unmarshal(g, append(joined, 0)) == nil {
				t.Error("Unmarshal takes a wrong snapshot")
			}
			if err := s.Unmarshal(g, old); err != nil {
				t.Fatal(err)
			}
			if again, _ := s.Marshal(g); !bytes.Equal(again, old) {
				t.Errorf("m %d, k %d: a snapshot comes back as another filter", m, k)
			}
			if s.Reset(f); s.Bits(f) != 0 {
				t.Error("bits are left after Reset")
			}
		}
	}
	for _, n := range []uint64{1, 100, 1_000_000} {
		for _, p := range []float64{0.5, 0.1, 1e-6} {
			m, k := s.Size(n, p)
			if got := s.RateFor(m, k, n); got > p || n >= 100 && got < 0.9*p {
				t.Errorf("Size(%d, %v) = %d, %d has rate %v", n, p, m, k, got)
			}
		}
	}
	names := map[string]bool{}
	for _, fault := range fresh.All() {
		if names[fault.Name] {
			t.Errorf("two faults are named %q", fault.Name)
		}
		names[fault.Name] = true
		f, err := fault.Subject.New(1024, 4)
		if err != nil {
			t.Fatalf("%s: %v", fault.Name, err)
		}
		key := []byte("a key")
		if fault.Subject.Add(f, key); !fault.Subject.Contains(f, key) {
			t.Errorf("%s: the first key is lost", fault.Name)
		}
	}
	if len(names) != 60 {
		t.Errorf("%d faults", len(names))
	}
}
