package conform

import (
	"fmt"

	"github.com/bloomproof/bloomproof/internal/sequential"
	"github.com/bloomproof/bloomproof/verify/conform/internal/families"
)

// The rate of a filter with OwnRate must be at least ownLeast times its declared rate. A declared rate may be an upper
// bound, but a bound of more than twice the rate is useless.
const ownLeast = 0.5

// ownLoads are the loads at which filters with OwnRate are examined. At each load, n keys are added to a filter that is
// made for n*room keys.
var ownLoads = []struct{ n, room uint64 }{{1, 1}, {30, 1}, {1000, 1}, {1000, 4}, {20000, 1}}

// ownRates examines filters that are not Bloom filters. For all families of keys, it compares the rate of such a filter
// with the declared rate. It also examines the law "no false negative". If the hash is a random function, the answers
// of a given filter about new keys are independent. So the number of hits is tested.
func (x *examination) ownRates() {
	for i, f := range append([]family{randomKeys}, families.Structured()...) {
		l := lawKeys
		if f.Name == randomKeys.Name {
			l = lawRate
		}
		for j, load := range ownLoads {
			if x.wants(l) || x.wants(lawNoFalseNegative) {
				x.guard(l, "", func() {
					x.ownCell(l, &source{family: f, seed: mix(x.o.Seed ^ mix(uint64(i)<<8|uint64(j)|1<<32))}, load.n, load.n*load.room)
				})
			}
		}
	}
}

// ownCell makes and tests filters at one load, until the test has an answer or the effort is used up.
func (x *examination) ownCell(l Law, keys *source, n, room uint64) {
	const k = 8
	q, share := max(n, 1000), x.o.Effort*1e5
	if l == lawRate { // no other test examines this law
		share *= 10
	}
	filters := min(uint64(share)/(2*n+q), keys.Most/(n+q))
	if n <= 1000 {
		filters = max(1, filters)
	}
	if n+q > keys.Most || filters == 0 {
		return
	}
	test, err := sequential.NewCountTest(x.alpha)
	if err != nil {
		x.note("%v", err)
		return
	}
	for range filters {
		f, _, ok := x.open(room, k)
		if !ok {
			return
		}
		x.where = fmt.Sprintf("room for %d keys, empty", room)
		rate, ok := x.declared(l, f, 0)
		if !ok {
			return
		}
		for i := range uint64(20) {
			if rate == 0 && x.s.Contains(f, keys.key(keys.Most-1-i)) {
				x.found(l, "an empty filter contains a key")
				return
			}
		}
		x.where = fmt.Sprintf("room for %d keys, %d %s", room, n, keys.Name)
		start := keys.take(n)
		x.fillWith(f, keys, start, n)
		if rate, ok = x.declared(l, f, n); !ok {
			return
		}
		x.told[lawNoFalseNegative], x.told[l] = true, true
		x.asked(f, keys, start, n, func(i uint64, contained bool) bool {
			if !contained {
				x.found(lawNoFalseNegative, "key %d of %d, %s, is not contained", i+1, n, shown(keys.key(start+i)))
			}
			return contained
		})
		hits, start := uint64(0), keys.take(q)
		x.asked(f, keys, start, q, func(_ uint64, contained bool) bool {
			if contained {
				hits++
			}
			return true
		})
		if rate == 0 && hits > 0 {
			x.found(l, "%d of %d new keys are contained, and the declared rate is 0", hits, q)
			return
		}
		if rate > 0 && test.Add(float64(hits), float64(q), rate*ownLeast*(1-ulps), min(1, rate*(1+ulps))) != sequential.Open {
			x.found(l, "new keys that are contained: %v", test)
			return
		}
	}
}

// A filter with OwnRate computes its false-positive rate itself. The method "declared" returns this rate for n items.
func (x *examination) declared(l Law, f filter, n uint64) (float64, bool) {
	rate := x.s.OwnRate(f, n)
	if !(rate >= 0 && rate <= 1) {
		x.found(l, "after %d keys a rate of %v is declared", n, rate)
		return 0, false
	}
	return rate, true
}
