package main

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/bits-and-blooms/bloom/v3"
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/stat"
)

// smallFilters draws the rate of small filters with 16 bits per item. It draws the exact rate, the textbook formula,
// and the measured rates of package kernel and of a widely used library. The sizes m are powers of two. For the widely
// used library the CSV also has the rate of the filter whose size is the largest prime below m, with the same number of
// items.
func smallFilters(to plan) error {
	const perItem, k = 16, 11
	c := chart{
		title:   fmt.Sprintf("The rate of small filters: %d bits an item, k = %d, the best by the textbook", perItem, k),
		xColumn: "m", x: "m, bits", y: "false-positive rate",
		logX: true, logY: true, yMin: 4e-4, yMax: 1.2e-2,
	}
	line := series{column: "exact", name: "exact", color: blue}
	textbook := series{column: "textbook", name: "textbook, (1-exp(-kn/m))^k", color: gray, dash: true}
	ours := series{column: "measured", name: "bloomproof, measured", color: blue}
	theirs := series{column: "measured_bits_and_blooms", name: "bits-and-blooms v3.7.1, measured", color: red}
	primes := series{column: "prime"}
	primeLine := series{column: "prime_exact"}
	primeTheirs := series{column: "measured_prime_bits_and_blooms"}
	for e := 5; e <= 14; e++ {
		m := uint64(1) << e
		n := m / perItem
		c.at = append(c.at, float64(m))
		f, err := rate(m, n, k, bloomproof.Standard)
		if err != nil {
			return err
		}
		t, err := approx.Bound(bloomproof.BoundExponential, bloomproof.Geometry{M: m, K: k}, n)
		if err != nil {
			return err
		}
		line.y, textbook.y = append(line.y, f), append(textbook.y, t)
		filters := max(to.filters*128/int(n+128), fillRuns) // the work is the same at each size
		if err := ours.fill(bloomproof.Geometry{M: m, K: k}, n, filters, m); err != nil {
			return err
		}
		if err := theirs.fillOther(m, n, k, filters); err != nil {
			return err
		}
		prime := m - 1
		for !new(big.Int).SetUint64(prime).ProbablyPrime(0) { // this test is exact below 2^64
			prime--
		}
		if f, err = rate(prime, n, k, bloomproof.Standard); err != nil {
			return err
		}
		primes.y, primeLine.y = append(primes.y, float64(prime)), append(primeLine.y, f)
		if err := primeTheirs.fillOther(prime, n, k, filters); err != nil {
			return err
		}
	}
	c.series = []series{line, textbook, ours, theirs, primes, primeLine, primeTheirs}
	return c.save(to.base("small-filters"))
}

// fillOther fills filters of the library bits-and-blooms with n keys of 8 random bytes, and looks up n + 64 other keys
// in each. It adds the rate as the next point. The library has no seed, so different filters have different keys.
func (s *series) fillOther(m, n uint64, k, filters int) error {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], m)
	keys := rand.NewChaCha8(seed)
	var key [8]byte
	next := func() []byte {
		binary.LittleEndian.PutUint64(key[:], keys.Uint64())
		return key[:]
	}
	f := bloom.New(uint(m), uint(k))
	var pairs [][2]float64
	for range filters {
		f.ClearAll()
		for range n {
			f.Add(next())
		}
		found := 0.0
		for range n + 64 {
			if f.Test(next()) {
				found++
			}
		}
		pairs = append(pairs, [2]float64{found, float64(n + 64)})
	}
	mean, low, high, err := stat.RatioInterval(pairs, confidence)
	s.append(sim.Interval{Mean: mean, Low: max(low, 0), High: high})
	return err
}
