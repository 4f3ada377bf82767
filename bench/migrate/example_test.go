package migrate

import (
	"fmt"

	peerbloom "github.com/bits-and-blooms/bloom/v3"
	bloom "github.com/bloomproof/bloomproof/kernel/compat/bitsandblooms"
)

func Example() {
	old := peerbloom.NewWithEstimates(10_000, 0.01)
	for i := range 10_000 {
		old.Add(fmt.Appendf(nil, "key %d", i))
	}
	stored, err := old.MarshalBinary()
	if err != nil {
		panic(err)
	}
	next := new(bloom.BloomFilter)
	if err := next.UnmarshalBinary(stored); err != nil {
		panic(err)
	}
	found, differ := 0, 0
	for i := range 110_000 {
		key := fmt.Appendf(nil, "key %d", i)
		if next.Test(key) {
			found++
		}
		if next.Test(key) != old.Test(key) {
			differ++
		}
	}
	fmt.Println(found, "of 110000 keys are contained;", differ, "answers differ")
	// Output: 10993 of 110000 keys are contained; 0 answers differ
}
