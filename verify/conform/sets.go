package conform

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// exactShapes are where the exact laws are examined.
var exactShapes = []bloomproof.Geometry{{M: 64, K: 3}, {M: 1000, K: 5}, {M: 1024, K: 4}, {M: 1 << 16, K: 7}}

// eachShape calls f with two new filters of each of the shapes and with n, about half of
// what fills them.
func (x *examination) eachShape(l Law, shapes []bloomproof.Geometry, f func(a, b filter, d model, n uint64, keys *source)) {
	if x.s.Seeded && l != lawConcurrentReads { // two filters that were made separately
		return
	}
	for i, s := range shapes {
		if !x.wants(l) {
			return
		}
		a, d, ok := x.open(s.M, s.K)
		if !ok {
			continue
		}
		b, _, ok := x.open(s.M, s.K)
		if !ok {
			continue
		}
		n := max(2, min(5000, d.m()/uint64(3*d.g.K)))
		x.where = fmt.Sprintf("%v, %d random keys", d, n)
		x.told[l] = true
		f(a, b, d, n, x.random(uint64(i)<<32|uint64(slices.Index(Laws(), l))<<16|1))
	}
}

// batch holds batches of every small size and some larger ones, with keys that repeat,
// against single calls.
func (x *examination) batch(l Law) {
	if x.s.AddBatch == nil && x.s.ContainsBatch == nil {
		return
	}
	x.eachShape(l, exactShapes, func(f, g filter, _ model, n uint64, keys *source) {
		for size := uint64(0); size < n; size += 1 + size/4 {
			first := keys.take(size)
			batch := make([][]byte, size)
			for i := range batch {
				batch[i] = slices.Clone(keys.key(first + uint64(i)/2)) // each key twice
				x.s.Add(g, batch[i])
			}
			if x.s.AddBatch != nil {
				x.s.AddBatch(f, batch)
				for i := range batch {
					if !x.s.Contains(f, batch[i]) {
						x.found(l, "key %d of a batch of %d is not contained after it was added", i, size)
						return
					}
				}
			} else {
				for _, key := range batch {
					x.s.Add(f, key)
				}
			}
			if x.s.ContainsBatch != nil {
				for i := range batch { // half of them new
					batch[i] = slices.Clone(keys.key(first + uint64(i)))
				}
				got := x.s.ContainsBatch(f, batch)
				if len(got) != len(batch) {
					x.found(l, "%d answers for a batch of %d", len(got), size)
					return
				}
				for i, key := range batch {
					if want := x.s.Contains(f, key); got[i] != want {
						x.found(l, "key %d of a batch of %d contained: %t, alone %t", i, size, got[i], want)
						return
					}
				}
			}
		}
		if diff := x.same(f, g, keys, 0, keys.take(500)); diff != "" {
			x.found(l, "after batches of all sizes: %s as after single calls", diff)
		}
	})
}

// testAndSet holds TestAndAdd against Contains and Add, with keys that repeat.
func (x *examination) testAndSet(l Law) {
	if x.s.TestAndAdd == nil {
		return
	}
	x.eachShape(l, exactShapes, func(f, g filter, _ model, n uint64, keys *source) {
		for i := range 2 * n {
			key := i
			if i%3 == 2 {
				key = i / 2
			}
			want := x.s.Contains(g, keys.key(key))
			if got := x.s.TestAndAdd(f, keys.key(key)); got != want {
				x.found(l, "addition %d says that its key was contained before: %t, and it was: %t", i, got, want)
				return
			}
			x.s.Add(g, keys.key(key))
			if !x.s.Contains(f, keys.key(key)) {
				x.found(l, "key %d is not contained after it", i)
				return
			}
		}
		if diff := x.same(f, g, keys, 0, 4*n); diff != "" {
			x.found(l, "after %d of them: %s as after Add", 2*n, diff)
		}
	})
}

// union holds the union of two filters, with keys in common, against one filter of all keys.
func (x *examination) union(l Law) {
	if x.s.Union == nil {
		return
	}
	x.eachShape(l, exactShapes, func(f, g filter, d model, n uint64, keys *source) {
		both, _, _ := x.open(d.m(), d.g.K)
		twin, _, _ := x.open(d.m(), d.g.K)
		x.fillWith(f, keys, 0, n/2)
		for _, h := range []filter{g, twin} {
			x.fillWith(h, keys, n/4, n/2)
		}
		x.fillWith(both, keys, 0, n/4+n/2)
		if err := x.s.Union(f, g); err != nil {
			x.found(l, "two filters of one shape: %v", err)
			return
		}
		for i := range n/4 + n/2 {
			if !x.s.Contains(f, keys.key(i)) {
				x.found(l, "a key that one of the two contains is lost")
				return
			}
		}
		if diff := x.same(f, both, keys, 0, n+2000); diff != "" {
			x.found(l, "%s as in the filter of all keys", diff)
			return
		}
		if diff := x.same(g, twin, keys, 0, n+100); diff != "" {
			x.found(l, "the filter that was added has changed: %s", diff)
			return
		}
		x.fillWith(f, keys, n+5000, 1)
		if diff := x.same(g, twin, keys, n+5000, 1); diff != "" {
			x.found(l, "the filter that was added changes when the union does: %s", diff)
			return
		}
		if other, od, ok := x.open(2*d.m(), d.g.K); ok && od != d && !d.own && x.s.Union(f, other) == nil {
			x.found(l, "accepts the union with %v", od)
		}
	})
}

// intersection holds the intersection against what the two contain: every position of a key
// is set in both or it is not in it.
func (x *examination) intersection(l Law) {
	if x.s.Intersect == nil {
		return
	}
	x.eachShape(l, exactShapes, func(f, g filter, d model, n uint64, keys *source) {
		a, _, _ := x.open(d.m(), d.g.K)
		b, _, _ := x.open(d.m(), d.g.K)
		for _, h := range []filter{f, a} {
			x.fillWith(h, keys, 0, n)
		}
		for _, h := range []filter{g, b} {
			x.fillWith(h, keys, n/2, n)
		}
		if err := x.s.Intersect(f, g); err != nil {
			x.found(l, "two filters of one shape: %v", err)
			return
		}
		for i := range n + n/2 + 2000 {
			want := x.s.Contains(a, keys.key(i)) && x.s.Contains(b, keys.key(i))
			if got := x.s.Contains(f, keys.key(i)); got != want {
				x.found(l, "key %d contained: %t, in both: %t", i, got, want)
				return
			}
		}
		if diff := x.same(g, b, keys, 0, n+100); diff != "" {
			x.found(l, "the other filter has changed: %s", diff)
			return
		}
		x.fillWith(f, keys, n+5000, 1)
		if !x.s.Contains(f, keys.key(n+5000)) {
			x.found(l, "a key that was added afterwards is not contained")
			return
		}
		if other, od, ok := x.open(2*d.m(), d.g.K); ok && od != d && !d.own && x.s.Intersect(f, other) == nil {
			x.found(l, "accepts the intersection with %v", od)
		}
	})
}

// reset holds a filter that was used and reset against a new one, empty and filled again.
func (x *examination) reset(l Law) {
	if x.s.Reset == nil {
		return
	}
	x.eachShape(l, exactShapes, func(f, g filter, d model, n uint64, keys *source) {
		x.fillWith(f, keys, 0, 3*n)
		x.s.Reset(f)
		for i := range 3*n + 1000 {
			if x.s.Contains(f, keys.key(i)) {
				x.found(l, "key %d is contained afterwards", i)
				return
			}
		}
		diff := x.same(f, g, keys, 0, 100)
		if diff == "" {
			diff = x.sameSnapshot(f, g)
		}
		if diff != "" {
			x.found(l, "%s as in a new filter", diff)
			return
		}
		for _, h := range []filter{f, g} {
			x.fillWith(h, keys, 5000, n)
		}
		diff = x.same(f, g, keys, 5000, n+2000)
		if diff == "" {
			diff = x.sameSnapshot(f, g)
		}
		if diff != "" {
			x.found(l, "filled again: %s as in a new filter", diff)
		}
	})
}

// sameSnapshot compares snapshots, where there are any.
func (x *examination) sameSnapshot(f, g filter) string {
	if x.s.Marshal == nil {
		return ""
	}
	a, err1 := x.s.Marshal(f)
	b, err2 := x.s.Marshal(g)
	if err1 != nil || err2 != nil || !slices.Equal(a, b) {
		return "not the snapshot"
	}
	return ""
}
