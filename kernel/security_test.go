package kernel_test

// The Go blocks of SECURITY.md, which the root package's TestGoBlocks holds to these bodies.

import (
	"fmt"
	"log"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

func Example_chosenKeys() {
	// A filter for 300 keys at a rate of 1 %, whose seed the adversary knows.
	g := bloomproof.Geometry{M: 2876, K: 7}
	fair, err := kernel.New(g, kernel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	chosen := fair.Clone()
	for i := range 300 {
		fair.Add(fmt.Appendf(nil, "key %d", i))
	}
	// Only keys are sent whose seven positions are all free.
	var positions []uint64
	set, tried := map[uint64]bool{}, 0
	for sent := 0; sent < 300; tried++ {
		key := fmt.Appendf(nil, "key %d", tried)
		positions, err = kernel.AppendPositions(positions[:0], g, chosen.Hasher().Bytes(key))
		if err != nil {
			log.Fatal(err)
		}
		free := 0
		for free < g.K && !set[positions[free]] && !slices.Contains(positions[:free], positions[free]) {
			free++
		}
		if free == g.K {
			for _, p := range positions {
				set[p] = true
			}
			chosen.Add(key)
			sent++
		}
	}
	fmt.Printf("any 300 keys:  rate %.4f\n", fair.Rate())
	fmt.Printf("chosen ones:   rate %.4f, after %d keys tried\n", chosen.Rate(), tried)
	// Output:
	// any 300 keys:  rate 0.0105
	// chosen ones:   rate 0.1107, after 166810 keys tried
}

func Example_snapshotTells() {
	// Two lists of customers as filters of 64 Kibit, of 5000 and 4000 names, 1000 in both.
	g := bloomproof.Geometry{M: 1 << 16, K: 7}
	a, err := kernel.New(g, kernel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	b := a.Clone()
	for i := range 5000 {
		a.Add(fmt.Appendf(nil, "customer %d", i))
	}
	for i := 4000; i < 8000; i++ {
		b.Add(fmt.Appendf(nil, "customer %d", i))
	}
	// Who has the two snapshots and no key learns:
	n, _ := a.Items()
	both, _, err := a.IntersectionItems(b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("about %.0f names, about %.0f of them in both\n", n, both)
	wrong := 0
	for i := range 100_000 {
		if a.Contains(fmt.Appendf(nil, "customer %d", i)) != (i < 5000) {
			wrong++
		}
	}
	fmt.Printf("of 100000 names that there could be, %d are judged wrongly\n", wrong)
	// Output:
	// about 4980 names, about 981 of them in both
	// of 100000 names that there could be, 197 are judged wrongly
}
