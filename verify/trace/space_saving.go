package trace

import "github.com/bloomproof/bloomproof/kernel"

// spaceSaving counts the heavy hitters of a stream with a fixed number of counters. A key that has no counter takes
// over the smallest counter, including its count. Suppose that there are n arrivals and k counters. Then every key with
// more than n/k arrivals has a counter. These inequalities hold for each counter.
//
//	count - excess <= true count <= count,
//	excess <= smallest count <= n/k.
//
// Source: Metwally, Agrawal and El Abbadi, ICDT 2005, lemmas 3 and 4, theorems 1 and 2.
type spaceSaving struct {
	of   map[kernel.Hash]int // for each key, the index of its counter in heap
	heap []counter           // the smallest count first
}

type counter struct {
	key           kernel.Hash
	count, excess uint64
}

func newSpaceSaving(counters int) *spaceSaving {
	return &spaceSaving{of: make(map[kernel.Hash]int), heap: make([]counter, 0, counters)}
}

// The method "observe" counts an arrival of the given key.
// Cost: O(log k); usually O(1) for popular keys.
func (s *spaceSaving) observe(key kernel.Hash) {
	i, known := s.of[key]
	switch {
	case known:
	case len(s.heap) < cap(s.heap): // the new counter has count 0, so it goes to the top
		s.heap = append(s.heap, counter{})
		for i = len(s.heap) - 1; i > 0; i = (i - 1) / 2 {
			s.put(i, s.heap[(i-1)/2])
		}
		s.put(0, counter{key: key})
	default:
		least := s.heap[0]
		delete(s.of, least.key)
		s.put(0, counter{key, least.count, least.count})
	}
	s.heap[i].count++
	c := s.heap[i]
	for {
		child := 2*i + 1
		if child >= len(s.heap) {
			break
		}
		if child+1 < len(s.heap) && s.heap[child+1].count < s.heap[child].count {
			child++
		}
		if c.count <= s.heap[child].count {
			break
		}
		s.put(i, s.heap[child])
		i = child
	}
	s.put(i, c)
}

func (s *spaceSaving) put(i int, c counter) {
	s.heap[i] = c
	s.of[c.key] = i
}
