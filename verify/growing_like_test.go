package verify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/internal/defaults"
	"github.com/bloomproof/bloomproof/verify/like"
)

// redisChain is a chain of RedisBloom's filters with the default settings, by src/sb.c: a new filter, for twice the
// keys at half the rate, when the last has had as many additions as it is for. An addition that sets no bit, or
// of a key that some filter contains, does not count. All filters take their positions from the same two words.
type redisChain struct {
	m     []uint64
	k     []int
	words [][]uint64
	left  uint64 // additions to the last filter
	next  uint64 // keys and rate of the next filter
	rate  float64
}

// grow adds a filter to the chain.
func (c *redisChain) grow(f *like.Filter) {
	m, k, _ := f.Own(c.next, c.rate) // which takes half the rate
	c.m, c.k, c.words = append(c.m, m), append(c.k, k), append(c.words, make([]uint64, m/64))
	c.left, c.next, c.rate = c.next, 2*c.next, c.rate/2
}

// contains reports whether filter i contains the key of the words a and b; it sets the key's bits if add is set.
func (c *redisChain) contains(i int, a, b uint64, add bool) bool {
	in := true
	for j := range uint64(c.k[i]) {
		p := (a + j*b) % c.m[i]
		w := &c.words[i][p/64]
		if *w>>(p%64)&1 == 0 {
			in = false
			if !add {
				return false
			}
			*w |= 1 << (p % 64)
		}
	}
	return in
}

func (c *redisChain) found(a, b uint64) bool {
	for i := range c.m {
		if c.contains(i, a, b, false) {
			return true
		}
	}
	return false
}

// The table of docs/other-filters.md on RedisBloom's chain: the rate when a filter is full, simulated, and what it
// would be if all positions were independent.
// Claims: none of a paper's: the chain and its rates are RedisBloom's.
func TestRedisBloomChain(t *testing.T) {
	if testing.Short() {
		t.Skip("short: it simulates a million look-ups; make test runs it")
	}
	redis, err := like.Find("redisbloom")
	if err != nil {
		t.Fatal(err)
	}
	const filters, chains, asked = 5, 250, 1000
	r := rand.New(rand.NewPCG(defaults.Seed, 28))
	var sum, squares [filters]float64
	var c *redisChain
	for range chains {
		c = &redisChain{next: 100, rate: 0.01}
		for i := range filters {
			c.grow(redis)
			for c.left > 0 {
				if a, b := r.Uint64(), r.Uint64(); !c.found(a, b) && !c.contains(i, a, b, true) {
					c.left--
				}
			}
			hits := 0.0
			for range asked {
				if c.found(r.Uint64(), r.Uint64()) {
					hits++
				}
			}
			sum[i] += hits / asked
			squares[i] += hits / asked * hits / asked
		}
	}
	var rows strings.Builder
	miss, n := 1.0, uint64(0)
	for i := range filters {
		own := uint64(100) << i
		n += own
		rate, _, err := exact.FPR(bloomproof.Geometry{M: c.m[i], K: c.k[i]}, own, 53, exact.Auto)
		if err != nil {
			t.Fatal(err)
		}
		miss *= 1 - rate.Float64()
		mean := sum[i] / chains
		half := 2.576 * math.Sqrt((squares[i]/chains-mean*mean)/(chains-1))
		fmt.Fprintf(&rows, "| %d | %d, %d | %d | %.2f %% to %.2f %% | %.3f %% |\n", i+1, c.m[i], c.k[i], n, 100*(mean-half), 100*(mean+half), 100*(1-miss))
	}
	page, err := os.ReadFile("../docs/other-filters.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), rows.String()) {
		t.Errorf("docs/other-filters.md must have the rows\n%s", rows.String())
	}
}
