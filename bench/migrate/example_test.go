package migrate

import (
	"fmt"

	peerbloom "github.com/bits-and-blooms/bloom/v3"
	bloom "github.com/bloomproof/bloomproof/bench/migrate/bitsandblooms"
)

func Example_sideBySide() {
	old := peerbloom.NewWithEstimates(10_000, 0.01)
	next := bloom.NewWithEstimates(10_000, 0.01)
	for i := range 10_000 {
		key := fmt.Appendf(nil, "key %d", i)
		old.Add(key)
		next.Add(key)
	}
	lost, oldOnly, nextOnly := 0, 0, 0
	for i := range 110_000 {
		key := fmt.Appendf(nil, "key %d", i)
		switch was, is := old.Test(key), next.Test(key); {
		case i < 10_000 && !is:
			lost++
		case was && !is:
			oldOnly++
		case is && !was:
			nextOnly++
		}
	}
	fmt.Println(lost, "lost; false positives of one alone:", oldOnly, "and", nextOnly)
	// Output: 0 lost; false positives of one alone: 983 and 973
}
