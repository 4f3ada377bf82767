package fuzz

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
)

// options returns one of the hash schemes.
func options(b uint8) kernel.Options {
	switch b % 3 {
	case 1:
		return kernel.Options{Seed: uint64(b) * 0x9e3779b97f4a7c15}
	case 2:
		return kernel.Keyed([]byte{b, 1, 15: 0})
	}
	return kernel.Options{}
}

// small returns a geometry with m <= 1024 and k <= 70, beyond the 64 positions up to
// which classic hashing scans, and the most operations of a program on it: a step
// costs the model time in proportion to k. A fuzzer makes long programs of one of 8 inputs.
func small(m uint16, k, hashing uint8, data []byte) (bloomproof.Geometry, int) {
	g := bloomproof.Geometry{M: uint64(m % 1025), K: int(k % 71), Hashing: bloomproof.Hashing(hashing)}
	if longtest.Part(8, data...)(0) {
		return g, 20 + 400/(g.K+1)
	}
	return g, 8 + 32/(g.K+1)
}

// play applies at most so many operations to a run. After each of them the run compares the
// bits and answers. For a fuzzer, it compares all that follows from the bits, which costs
// more, only after one of 4 operations and after the last one.
func play(ops []model.Op, most int, run interface {
	Apply(model.Op) error
	FiguresEvery(int)
}) error {
	if longtest.Fuzzing() {
		run.FiguresEvery(4)
	}
	n := min(len(ops), most)
	for i, op := range ops[:n] {
		if i == n-1 {
			run.FiguresEvery(1)
		}
		cases.Add(1)
		if err := run.Apply(op); err != nil {
			return fmt.Errorf("operation %d of %v: %w", i, ops, err)
		}
	}
	return nil
}

// possible reports whether there are filters of a geometry: of some hashings the rate alone is known.
func possible(g bloomproof.Geometry) bool {
	_, err := kernel.New(bloomproof.Geometry{M: 64, K: 1, Hashing: g.Hashing}, kernel.Options{})
	return err == nil && g.Validate() == nil
}

// FuzzFilter decodes data into operations on a filter of any small geometry, and on a second
// filter, and after each operation compares both with their models, and a concurrent filter with
// the first.
func FuzzFilter(f *testing.F) {
	f.Fuzz(func(t *testing.T, m uint16, k, hashing, scheme uint8, data []byte) {
		g, most := small(m, k, hashing, data)
		run, err := model.NewConcurrentFilterRun(g, options(scheme))
		if err != nil {
			if possible(g) {
				t.Fatalf("%v: %v", g, err)
			}
			return
		}
		if err := play(model.Decode(data), most, run); err != nil {
			t.Fatalf("%v: %v", g, err)
		}
	})
}
