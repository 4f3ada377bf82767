package exact

import (
	"flag"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

var bruteLimit = flag.Int("brute", 220_000, "enumerate cases of up to this many outcomes of all insertions")

// enumerate returns the exact rate and the second moment of the rate given the state,
// by walking through all outcomes of n insertions and one query.
func enumerate(g bloomproof.Geometry, n int) (rate, second *big.Rat, count int) {
	masks := outcomes.Masks(g)
	states := make([]int64, 1<<g.M) // how many outcomes lead to each state
	var insert func(state uint32, left int)
	insert = func(state uint32, left int) {
		if left == 0 {
			states[state]++
			count++
			return
		}
		for _, mask := range masks {
			insert(state|mask, left-1)
		}
	}
	insert(0, n)
	sum, sum2, t := new(big.Int), new(big.Int), new(big.Int)
	for state, count := range states {
		if count == 0 {
			continue
		}
		hits := int64(0)
		for _, mask := range masks {
			if mask&^uint32(state) == 0 {
				hits++
			}
		}
		t.Mul(big.NewInt(count), big.NewInt(hits))
		sum.Add(sum, t)
		sum2.Add(sum2, t.Mul(t, big.NewInt(hits)))
	}
	all := big.NewInt(int64(len(masks)))
	den := new(big.Int).Exp(all, big.NewInt(int64(n+1)), nil)
	rate = new(big.Rat).SetFrac(sum, den)
	return rate, new(big.Rat).SetFrac(sum2, new(big.Int).Mul(den, all)), count
}

// everyRoute compares every route to the rate, in rationals and in intervals, with the rate.
func everyRoute(t *testing.T, g bloomproof.Geometry, n uint64, rate *big.Rat) {
	t.Helper()
	if got := rationalOf(g, n); got.Cmp(rate) != 0 {
		t.Fatalf("the rational rate of %v, n=%d is %v, not %v", g, n, got, rate)
	}
	routes, err := Routes(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range append(routes, Auto) {
		e, _, err := FPR(g, n, 80, route)
		if err != nil || !e.Contains(rate) || e.Sign() != rate.Sign() {
			t.Fatalf("FPR(%v, n=%d, %v) = %v, %v; the rate is %v", g, n, route, e, err, rate)
		}
		if n == 0 || g.M == 1 || route == Auto || route == routeDifference || route == ClosedForm || g.Block > 0 {
			continue
		}
		if r := publishedRational(route, g, n); r.Cmp(rate) != 0 {
			t.Fatalf("route %v of %v n=%d gives %v, not %v", route, g, n, r, rate)
		}
	}
	if g.Block > 0 || n == 0 || g.M == 1 {
		return
	}
	if balls := integer.Product(n, g.K); g.Hashing == bloomproof.Standard {
		e, err := momentKSum(g.M, balls, g.K, 80)
		if err != nil || !e.Contains(rate) {
			t.Fatalf("momentKSum(%v, n=%d) = %v, %v; the rate is %v", g, n, e, err, rate)
		}
		if lastFill(balls, g.K) < int(g.M) {
			e, err := momentSmallFill(g.M, balls, g.K, 80)
			if err != nil || !e.Contains(rate) {
				t.Fatalf("momentSmallFill(%v, n=%d) = %v, %v; the rate is %v", g, n, e, err, rate)
			}
		}
	}
	if g.Hashing == bloomproof.Classic {
		e, err := classicKSum(g.M, n, g.K, 80)
		if err != nil || !e.Contains(rate) {
			t.Fatalf("classicKSum(%v, n=%d) = %v, %v; the rate is %v", g, n, e, err, rate)
		}
	}
}

// TestBruteForce compares every route, in rationals and in intervals, with the
// enumeration of all hash outcomes.
func TestBruteForce(t *testing.T) {
	limit := *bruteLimit / longtest.Of(10, 4, 1)
	total, cases := 0, 0
	outcomes.EachShape(14, func(g bloomproof.Geometry) {
		most := math.Pow(float64(g.M), float64(g.K)) // of all allHashings; classic passes through fewer
		if g.Hashing == bloomproof.Classic {
			most = math.Pow(2, float64(g.M))
		}
		if most > float64(limit) {
			return
		}
		perItem := len(outcomes.Masks(g))
		for n, outcomes := 0, 1; n <= 8 && outcomes <= limit; n, outcomes = n+1, outcomes*perItem {
			rate, second, walked := enumerate(g, n)
			total += walked
			cases++
			everyRoute(t, g, uint64(n), rate)
			if e, err := SecondMoment(g, uint64(n), 80); err != nil || !e.Contains(second) {
				t.Fatalf("SecondMoment(%v, n=%d) = %v, %v; enumeration gives %v", g, n, e, err, second)
			}
			if perItem == 1 && n > 2 {
				break
			}
		}
	})
	t.Logf("%d outcomes of insertions in %d cases", total, cases)
}
