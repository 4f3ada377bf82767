package verify_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/internal/defaults"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// growingSubject returns kernel.GrowingFilter as a subject of Conformance. It is no Bloom filter of m
// bits: its rate is its own. It begins for a quarter of the m keys that it must hold.
func growingSubject(h bloomproof.Hashing, block uint64) conform.Subject[*kernel.GrowingFilter] {
	var made sync.Map // layers by shape: the search for them would take most of the time
	return conform.Subject[*kernel.GrowingFilter]{
		OwnRate: func(f *kernel.GrowingFilter, _ uint64) float64 { return f.Rate() },
		New: func(m uint64, k int) (*kernel.GrowingFilter, error) {
			items := max(1, m/4)
			shape := bloomproof.Geometry{M: items, K: k}
			if layers, ok := made.Load(shape); ok {
				return kernel.NewGrowing(layers.([]bloomproof.Layer), kernel.Options{})
			}
			rate := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(k)))
			layers, err := exact.Growing{Hashing: h, Items: items, Rate: rate, Growth: 2, Tighten: big.NewRat(4, 5), Block: block}.Layers()
			if err != nil {
				return nil, err
			}
			layers = layers[:5] // a long list only makes its snapshots slow to examine
			made.Store(shape, layers)
			return kernel.NewGrowing(layers, kernel.Options{})
		},
		Add:             func(f *kernel.GrowingFilter, key []byte) { f.Add(key) },
		Contains:        (*kernel.GrowingFilter).Contains,
		AddBatch:        func(f *kernel.GrowingFilter, keys [][]byte) { f.AddBatch(nil, kernel.KeysOf(keys)) },
		ContainsBatch:   func(f *kernel.GrowingFilter, keys [][]byte) []bool { return f.ContainsBatch(nil, kernel.KeysOf(keys)) },
		TestAndAdd:      func(f *kernel.GrowingFilter, key []byte) bool { return !f.Add(key) },
		Bits:            (*kernel.GrowingFilter).Bits,
		Reset:           (*kernel.GrowingFilter).Clear,
		Rate:            (*kernel.GrowingFilter).Rate,
		Marshal:         (*kernel.GrowingFilter).MarshalBinary,
		Unmarshal:       (*kernel.GrowingFilter).UnmarshalBinary,
		ConcurrentReads: true,
		Items: func(f *kernel.GrowingFilter) float64 {
			n, _ := f.Items()
			return n
		},
	}
}

func TestGrowingConformance(t *testing.T) {
	longtest.Only(t, "TestGrowingBlocks and the model in package kernel hold the same filters")
	o := conform.Options{Effort: 0.1}
	verify.Conformance(t, growingSubject(bloomproof.Standard, 0), o)
	verify.Conformance(t, growingSubject(bloomproof.Partitioned, 64), o)
}

// FuzzOurGrowingFilter runs programs of operations on two growing filters.
func FuzzOurGrowingFilter(f *testing.F) { verify.FuzzFilter(f, growingSubject(bloomproof.Standard, 0)) }

// The mean of the real filters' rates, given their bits, is the exact rate of the chain.
// Claims: none of the four papers': they have no filter that grows.
func TestGrowingRate(t *testing.T) {
	r := rand.New(rand.NewPCG(defaults.Seed, 22))
	worst := 0.0
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		for _, d := range []exact.Growing{
			{Hashing: h, Items: 8, Rate: big.NewRat(1, 5), Growth: 1, Tighten: big.NewRat(1, 2)},
			{Hashing: h, Items: 10, Rate: big.NewRat(1, 10), Growth: 2, Tighten: big.NewRat(7, 10)},
			{Hashing: h, Items: 5, Rate: big.NewRat(1, 100), Growth: 4, Tighten: big.NewRat(9, 10)},
		} {
			layers, err := d.Layers()
			if err != nil {
				t.Fatal(err)
			}
			filters := longtest.More(100, 20_000)
			ns := []uint64{4, 12, 30, 80}
			sum, squares := make([]float64, len(ns)), make([]float64, len(ns))
			for range filters {
				f, err := kernel.NewGrowing(layers[:6], kernel.Options{})
				if err != nil {
					t.Fatal(err)
				}
				added := uint64(0)
				for i, n := range ns {
					for ; added < n; added++ {
						f.AddHash(kernel.Hash{H0: r.Uint64(), H1: r.Uint64()})
					}
					sum[i] += f.Rate()
					squares[i] += f.Rate() * f.Rate()
				}
			}
			for i, n := range ns {
				rate, err := exact.GrowingFPR(layers[:6], n)
				if err != nil {
					t.Fatal(err)
				}
				mean := sum[i] / float64(filters)
				deviation := math.Sqrt((squares[i]/float64(filters) - mean*mean) / float64(filters))
				lo, _ := rate.Lo().Float64()
				hi, _ := rate.Hi().Float64()
				z := max(lo-mean, mean-hi, 0) / deviation
				worst = max(worst, z)
				if z > 5 {
					t.Errorf("%v, n=%d: mean rate %.6g +- %.1g, exact %v", d, n, mean, deviation, rate)
				}
			}
		}
	}
	t.Logf("largest z %.1f", worst)
}

// Layers with blocks are accepted by the kernel and keep the rate asked for while keys come; each takes the
// keys it is made for in the mean of some filters, to within what five standard deviations and the design's own error allow.
// Claims: none of the four papers': they have no filter that grows.
func TestGrowingBlocks(t *testing.T) {
	const designError = 0.02
	r := rand.New(rand.NewPCG(defaults.Seed, 23))
	for _, d := range []exact.Growing{
		{Items: 1, Rate: big.NewRat(1, 2), Growth: 2, Tighten: big.NewRat(1, 2), Block: 64},
		{Items: 500, Rate: big.NewRat(1, 20), Growth: 4, Tighten: big.NewRat(7, 10), Block: 64},
		{Items: 500, Rate: big.NewRat(1, 100), Growth: 2, Tighten: big.NewRat(4, 5), Block: 512},
		{Items: 2000, Rate: big.NewRat(1, 1000), Growth: 1, Tighten: big.NewRat(9, 10), Block: 512, Hashing: bloomproof.Partitioned},
		{Items: 1000, Rate: big.NewRat(1, 100), Growth: 4, Tighten: big.NewRat(7, 10), Block: 256, Hashing: bloomproof.Partitioned},
		{Items: 3000, Rate: big.NewRat(1, 10_000), Growth: 2, Tighten: big.NewRat(4, 5), Block: 4096},
		{Items: 1 << 20, Rate: big.NewRat(1, 1_000_000), Growth: 2, Tighten: big.NewRat(4, 5), Block: 512},
	} {
		if !longtest.Enabled() && (d.Block >= 512 || d.Items > 10_000) {
			continue // the search for their layers takes most of the time
		}
		layers, err := d.Layers()
		if err != nil {
			t.Fatal(err)
		}
		promised, err := exact.GrowingBound(layers, 53)
		if err != nil || promised.Hi().Cmp(new(big.Float).SetRat(d.Rate)) > 0 {
			t.Fatalf("%+v: at most %v, %v", d, promised, err)
		}
		if d.Items > 10_000 {
			continue // kernel.NewGrowing would take its memory
		}
		filters := longtest.More(4, 200)
		keys, squares := 0.0, 0.0 // until the second layer closes
		for range filters {
			f, err := kernel.NewGrowing(layers, kernel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			n := 0.0
			for ; len(f.LayerBits()) < 3; n++ {
				f.AddHash(kernel.Hash{H0: r.Uint64(), H1: r.Uint64()})
			}
			keys, squares = keys+n, squares+n*n
			if most := promised.Float64(); f.Rate() > most || f.Overfull() {
				t.Errorf("%+v: %v has a rate of %v, promised %v", d, f, f.Rate(), most)
			}
		}
		mean, want := keys/float64(filters), float64(d.Items*(1+d.Growth))
		deviation := math.Sqrt(max(0, squares/float64(filters)-mean*mean) / float64(filters))
		t.Logf("%v block=%d, %v keys: the second layer closes after %.0f +- %.1f", d.Hashing, d.Block, want, mean, deviation)
		if d.Items > 1 && (mean < want*(1-designError)-5*deviation || mean > want*(1+2*designError)+5*deviation) {
			t.Errorf("%+v: the second layer closes after %v keys, made for %v", d, mean, want)
		}
	}
}

// The tables of docs/sizing.md: what growth costs in bits, and the rate while keys come.
// Claims: none of the four papers': they have no filter that grows.
func TestGrowingTables(t *testing.T) {
	longtest.Only(t, "the tables of a page; TestGrowingRate and TestGrowingBlocks hold the layers")
	page, err := os.ReadFile("../docs/sizing.md")
	if err != nil {
		t.Fatal(err)
	}
	p := big.NewRat(1, 100)
	one := func(n uint64) float64 { // bits of one filter that is right for n keys
		best, err := exact.LeastBits(bloomproof.Geometry{}, n, p, 53)
		if err != nil {
			t.Fatal(err)
		}
		return float64(best.Geometry.M)
	}
	var bits, rates strings.Builder
	for _, growth := range []uint64{1, 2, 4} {
		for tenths := int64(5); tenths <= 9; tenths++ {
			layers, err := exact.Growing{Items: 1000, Rate: p, Growth: growth, Tighten: big.NewRat(tenths, 10)}.Layers()
			if err != nil {
				t.Fatal(err)
			}
			keys, total, n, used, opened := uint64(0), uint64(0), uint64(1000), 0, 0.0
			for keys < 16_000 {
				l := layers[used]
				if keys > 0 {
					opened = float64(total+l.M) / one(keys)
				}
				total, keys, n, used = total+l.M, keys+n, n*growth, used+1
			}
			fmt.Fprintf(&bits, "| %d | 0.%d | %d | %d | %.2f | %.2f |\n", growth, tenths, used, keys, float64(total)/one(keys), opened)
		}
	}
	for _, growth := range []uint64{1, 2, 4} {
		layers, err := exact.Growing{Items: 100, Rate: p, Growth: growth, Tighten: big.NewRat(1, 2)}.Layers()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&rates, "| %d |", growth)
		for _, n := range []uint64{50, 100, 200, 400, 800} {
			rate, err := exact.GrowingFPR(layers, n)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&rates, " %.3f %% |", 100*rate.Float64())
		}
		rates.WriteString("\n")
	}
	for _, table := range []string{bits.String(), rates.String()} {
		if !strings.Contains(string(page), table) {
			t.Errorf("docs/sizing.md must have the rows\n%s", table)
		}
	}
}
