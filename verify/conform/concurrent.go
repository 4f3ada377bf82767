package conform

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// goroutines is how many work at once: more than there are processors, so that some are
// stopped in the middle of what they do.
func goroutines() int { return max(8, 2*runtime.GOMAXPROCS(0)) }

// together runs f in many goroutines at once; a panic of one becomes the caller's.
func together(f func(worker int)) {
	var begin, end sync.WaitGroup
	var trouble atomic.Value
	begin.Add(1)
	for w := range goroutines() {
		end.Add(1)
		go func() {
			defer end.Done()
			defer func() {
				if p := recover(); p != nil {
					trouble.CompareAndSwap(nil, fmt.Sprint(p))
				}
			}()
			begin.Wait()
			f(w)
		}()
	}
	begin.Done()
	end.Wait()
	if p := trouble.Load(); p != nil {
		panic(p)
	}
}

// concurrentReads holds look-ups by many goroutines against those by one. Under the race
// detector it finds writes as well.
func (x *examination) concurrentReads(l Law) {
	if !x.s.ConcurrentReads {
		return
	}
	x.eachShape(l, exactShapes, func(f, _ filter, _ model, n uint64, keys *source) {
		x.fillWith(f, keys, 0, n)
		want := make([]bool, 4*n)
		for i := range want {
			want[i] = x.s.Contains(f, keys.key(uint64(i)))
		}
		var wrong atomic.Uint64
		together(func(w int) {
			own := &source{family: keys.family, seed: keys.seed}
			for i := range want {
				i = (i + w*7) % len(want)
				if x.s.Contains(f, own.key(uint64(i))) != want[i] {
					wrong.Add(1)
				}
			}
		})
		if n := wrong.Load(); n > 0 {
			x.found(l, "%d of %d answers are not those that one goroutine gets", n, goroutines()*len(want))
		}
	})
}

// concurrentAdds holds a filter that many goroutines filled against one that one filled, many
// times: small filters, whose words are all contested.
func (x *examination) concurrentAdds(l Law) {
	if !x.s.ConcurrentAdds {
		return
	}
	rounds := max(3, int(min(1000, 60*x.o.Effort)))
	for round := range rounds {
		x.eachShape(l, exactShapes[2:3], func(f, g filter, d model, n uint64, keys *source) {
			keys.seed += uint64(round)
			n *= 2
			together(func(w int) {
				own := &source{family: keys.family, seed: keys.seed}
				for i := uint64(w); i < n; i += uint64(goroutines()) {
					x.s.Add(f, own.key(i))
				}
			})
			x.fillWith(g, keys, 0, n)
			for i := range n {
				if !x.s.Contains(f, keys.key(i)) {
					x.found(l, "a key is lost, round %d", round)
					return
				}
			}
			if diff := x.same(f, g, keys, 0, 4*n); diff != "" {
				x.found(l, "%s as when one goroutine adds, round %d", diff, round)
			}
		})
	}
}
