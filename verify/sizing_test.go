package verify_test

// The Go blocks of docs/sizing.md, which TestGoBlocks of the root package holds to these
// bodies.

import (
	"bytes"
	"fmt"
	"log"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
)

func Example_sizing() {
	// The fewest bits for 10,000 keys at a rate of one in a thousand, and the best k (0).
	best, err := exact.LeastBits(bloomproof.Geometry{}, 10_000, big.NewRat(1, 1000), exact.PrecFor(10))
	if err != nil {
		log.Fatal(err)
	}
	filter, err := kernel.New(best.Geometry, kernel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 10_000 {
		filter.Add(fmt.Appendf(nil, "key %d", i))
	}
	n, _ := filter.Items()
	fmt.Printf("m = %d, k = %d, expected rate %.9f\n", best.Geometry.M, best.Geometry.K, best.Rate.Float64())
	fmt.Printf("this filter: %d bits, about %.0f keys, rate %.9f\n", filter.Bits(), n, filter.Rate())

	wrong := 0
	for i := range 100_000 {
		if filter.Contains(fmt.Appendf(nil, "other %d", i)) {
			wrong++
		}
	}
	fmt.Println(wrong, "of 100000 other keys are called contained")
	// Output:
	// m = 143779, k = 10, expected rate 0.000999994
	// this filter: 72108 bits, about 10010 keys, rate 0.001006653
	// 105 of 100000 other keys are called contained
}

func Example_growing() {
	// Layers for 1000 keys at first, then for twice as many each, at a rate of 1 % for ever.
	layers, err := exact.Growing{Items: 1000, Rate: big.NewRat(1, 100), Growth: 2, Tighten: big.NewRat(4, 5)}.Layers()
	if err != nil {
		log.Fatal(err)
	}
	filter, err := kernel.NewGrowing(layers, kernel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 100_000 {
		filter.Add(fmt.Appendf(nil, "key %d", i))
	}
	n, _ := filter.Items()
	fmt.Printf("%d layers, about %.0f keys, rate %.6f\n", len(filter.LayerBits()), n, filter.Rate())
	// Output:
	// 7 layers, about 100061 keys, rate 0.007338
}

func Example_shards() {
	// Every shard has the shape that all keys together need, and writes a snapshot.
	g := bloomproof.Geometry{M: 143_779, K: 10}
	var shards []bytes.Buffer
	for shard := range 4 {
		filter, err := kernel.New(g, kernel.Options{})
		if err != nil {
			log.Fatal(err)
		}
		for i := range 2_500 {
			filter.Add(fmt.Appendf(nil, "key %d", 2_500*shard+i))
		}
		var snapshot bytes.Buffer
		if _, err := filter.WriteTo(&snapshot); err != nil {
			log.Fatal(err)
		}
		shards = append(shards, snapshot)
	}
	all, err := kernel.New(g, kernel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range shards {
		var shard kernel.Filter
		if _, err := shard.ReadFrom(&shards[i]); err != nil {
			log.Fatal(err)
		}
		if err := all.Union(&shard); err != nil {
			log.Fatal(err) // another shape, scheme or seed
		}
	}
	n, _ := all.Items()
	fmt.Printf("about %.0f keys, rate %.9f\n", n, all.Rate())
	// Output:
	// about 10010 keys, rate 0.001006653
}
