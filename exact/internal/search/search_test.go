package search

import (
	"errors"
	"math"
	"testing"
)

// TestFirstTrue searches for every place near both ends and between, from every kind of guess.
func TestFirstTrue(t *testing.T) {
	places := []uint64{0, 1, 2, 3, 100, 1 << 32, 1<<63 - 1, 1 << 63, math.MaxUint64 - 1, math.MaxUint64}
	for _, first := range places {
		for _, least := range places {
			for _, guess := range places {
				asked := 0
				n, found, err := FirstTrue(least, guess, func(n uint64) (bool, error) {
					if n < least {
						t.Fatalf("%d was asked for, below %d", n, least)
					}
					asked++
					return n >= first, nil
				})
				if err != nil || !found || n != max(first, least) || asked > 200 {
					t.Errorf("from %d near %d: %d, %v, %v after %d, want %d", least, guess, n, found, err, asked, max(first, least))
				}
			}
		}
	}
	if _, found, err := FirstTrue(5, 7, func(uint64) (bool, error) { return false, nil }); found || err != nil {
		t.Errorf("what is never true: %v, %v", found, err)
	}
	fault := errors.New("fault")
	if _, _, err := FirstTrue(5, 7, func(uint64) (bool, error) { return false, fault }); !errors.Is(err, fault) {
		t.Errorf("an error became %v", err)
	}
}
