package sim

import "slices"

// The type "ranks" represents a list of slots in the order of popularity. A new slot can be inserted at any place of
// the list. The last slot then leaves the list. The list is stored in chunks, with a Fenwick tree of their lengths.
//
// Cost: the method "at" takes O(log D) steps, where D is the number of slots. The method "push" takes O(log D) steps
// too, and moves at most 4*chunk bytes. A push may also split a chunk, which takes O(D/chunk) steps. The constant
// "chunk" is 128. If all pushes go to the same rank, about one push among 128 splits a chunk. So splitting adds about
// D/chunk^2 steps per push on average. For D up to 2^20 this is less than the other costs.
type ranks struct {
	chunks [][]uint32
	tree   []uint32 // Fenwick sums of the chunks' lengths, from index 1
	top    int      // the largest power of two up to the number of chunks
}

// The constant "chunk" is the initial number of slots in a chunk of the list. A chunk can grow to twice this number of
// slots.
const chunk = 128

// newRanks returns a list of the slots 0, 1, ..., d-1 in this order.
func newRanks(d int) *ranks {
	r := new(ranks)
	for at := 0; at < d; at += chunk {
		c := make([]uint32, min(chunk, d-at), 2*chunk)
		for i := range c {
			c[i] = uint32(at + i)
		}
		r.chunks = append(r.chunks, c)
	}
	r.sum()
	return r
}

// The method "sum" computes the Fenwick tree of the lengths of all chunks.
func (r *ranks) sum() {
	r.tree = append(r.tree[:0], 0)
	for _, c := range r.chunks {
		r.tree = append(r.tree, uint32(len(c)))
	}
	for i := range r.tree {
		if up := i + i&-i; i > 0 && up < len(r.tree) {
			r.tree[up] += r.tree[i]
		}
	}
	for r.top = 1; 2*r.top < len(r.tree); r.top *= 2 {
	}
}

// The method "find" returns the index c of a chunk. This chunk contains rank j. The second result is the place of rank
// j in this chunk. For the rank after the last one, c is the number of chunks.
func (r *ranks) find(j uint32) (c int, place uint32) {
	if first := uint32(len(r.chunks[0])); j < first {
		return 0, j
	}
	for step := r.top; step > 0; step /= 2 {
		if next := c + step; next < len(r.tree) && r.tree[next] <= j {
			c = next
			j -= r.tree[next]
		}
	}
	return c, j
}

// The method "at" returns the slot at rank j.
func (r *ranks) at(j uint32) uint32 {
	c, place := r.find(j)
	return r.chunks[c][place]
}

// The method "push" moves the slot at the last rank to rank j, and returns this slot. The other slots from rank j on
// move down by one rank.
func (r *ranks) push(j uint32) uint32 {
	n := len(r.chunks)
	last := r.chunks[n-1]
	slot := last[len(last)-1]
	r.chunks[n-1] = last[:len(last)-1]
	r.tree[n]-- // no other sum includes the last chunk
	if len(last) == 1 && n > 1 {
		n--
		r.chunks, r.tree = r.chunks[:n], r.tree[:n+1]
		if r.top > n {
			r.top /= 2
		}
	}
	c, place := r.find(j)
	if c == n { // c is one past the last chunk
		c, place = n-1, uint32(len(r.chunks[n-1]))
	}
	r.chunks[c] = slices.Insert(r.chunks[c], int(place), slot)
	for i := c + 1; i <= n; i += i & -i {
		r.tree[i]++
	}
	if full := r.chunks[c]; len(full) == cap(full) {
		half := append(make([]uint32, 0, 2*chunk), full[chunk:]...)
		r.chunks[c] = full[:chunk]
		r.chunks = slices.Insert(r.chunks, c+1, half)
		r.sum()
	}
	return slot
}
