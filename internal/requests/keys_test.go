package requests

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Keys are numbered as a map numbers them.
func TestKeys(t *testing.T) {
	keys, err := NewKeys()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	want := map[string]uint64{}
	for range 20_000 {
		key := fmt.Sprint(rng.IntN(5000))[rng.IntN(2):] // the empty key too
		number, known := want[key]
		if !known {
			number = uint64(len(want))
			want[key] = number
		}
		if got := keys.Number([]byte(key)); got != number {
			t.Fatalf("key %q is number %d, want %d", key, got, number)
		}
	}
	if len(keys.hashes) != len(want) {
		t.Errorf("%d keys, want %d", len(keys.hashes), len(want))
	}
}

func BenchmarkKeys(b *testing.B) {
	for _, d := range []int{1 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("keys=%d", d), func(b *testing.B) {
			keys, err := NewKeys()
			if err != nil {
				b.Fatal(err)
			}
			texts := make([][]byte, d)
			for i := range texts {
				texts[i] = fmt.Appendf(nil, "key %d", i*7919)
				keys.Number(texts[i])
			}
			rng := rand.New(rand.NewPCG(1, 2))
			for b.Loop() {
				keys.Number(texts[rng.IntN(len(texts))])
			}
		})
	}
}
