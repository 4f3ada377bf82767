package mutant_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/states"
)

func key(i uint64) []byte { return binary.LittleEndian.AppendUint64(nil, i) }

func TestSoundStates(t *testing.T) {
	s := states.Sound()
	for _, m := range []uint64{1, 47, 64, 1000, 1024, 100_003} {
		f, g, h := made(t, s, m, 4), made(t, s, m, 4), made(t, s, m, 4)
		for i := range uint64(100) {
			s.Add(f, key(i))
			if was := s.Contains(g, key(1000+i)); was != s.TestAndAdd(g, key(1000+i)) {
				t.Errorf("m = %d: TestAndAdd does not answer as Contains", m)
			}
		}
		if err := s.Union(f, g); err != nil {
			t.Fatal(err)
		}
		data, err := s.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Unmarshal(h, data); err != nil {
			t.Fatal(err)
		}
		for i := range uint64(100) {
			if got := s.ContainsBatch(h, [][]byte{key(i), key(1000 + i)}); !got[0] || !got[1] {
				t.Errorf("m = %d: a key is lost", m)
			}
		}
		if !slices.Equal(s.Words(f), s.Words(h)) || s.Bits(h) > m {
			t.Errorf("m = %d: a snapshot came back as another filter", m)
		}
		for i := range data {
			data[i] ^= 4
			if s.Unmarshal(h, data) == nil || s.Unmarshal(h, data[:i]) == nil {
				t.Fatalf("m = %d: a corrupt snapshot was read", m)
			}
			data[i] ^= 4
		}
		if err := s.Intersect(f, g); err != nil || !slices.Equal(s.Words(f), s.Words(g)) {
			t.Errorf("m = %d: an intersection is not what both contain, %v", m, err)
		}
		if s.Reset(f); s.Bits(f) != 0 || s.Contains(f, key(0)) || s.Items(f) != 0 || s.Rate(f) != 0 {
			t.Errorf("m = %d: a reset filter is not empty", m)
		}
	}
	if m, k := s.Size(1000, 0.01); s.RateFor(m, k, 1000) > 0.01 || m > 10_000 {
		t.Errorf("a rate of 0.01 for 1000 items: m = %d, k = %d", m, k)
	}
}

func TestStates(t *testing.T) {
	names := make(map[string]bool)
	for _, fault := range states.All() {
		if names[fault.Name] || fault.Name == "" || fault.Kind == "" {
			t.Errorf("%q has no name of its own, or no kind", fault.Name)
		}
		names[fault.Name] = true
		s := fault.Subject
		f := made(t, s, 1024, 4)
		if s.Add(f, key(1)); !s.Contains(f, key(1)) {
			t.Errorf("%s: the first key is lost", fault.Name)
		}
	}
}

func made(t *testing.T, s conform.Subject[*states.Filter], m uint64, k int) *states.Filter {
	t.Helper()
	f, err := s.New(m, k)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
