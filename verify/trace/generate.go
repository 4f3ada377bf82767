package trace

import (
	"container/heap"
	"iter"
)

// Keys returns a sequence of arrivals in which each key arrives again after a given gap. Arrivals are counted from 0.
// The key of arrival i arrives again at arrival i + gap(i). If gap(i) is 0, this key does not arrive again. If no key
// is due, the next arrival has a new key. If the distribution of gaps depends on i, the traffic changes over time. Gaps
// that end at the same time cause a burst.
//
// One key arrives at a time. If several keys are due, the one that was due earliest comes first. If several of them
// were due at the same time, the one with the earliest first arrival comes first. So a gap can be longer than gap(i).
// While new keys still arrive, it is only slightly longer. The arrivals go on until the caller stops. Memory: 16 bytes
// for each key that will return.
// Cost: O(log of the number of such keys).
func Keys(gap func(i uint64) uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		var waiting schedule
		fresh := uint64(0)
		for i := uint64(0); ; i++ {
			key := fresh
			if len(waiting) > 0 && waiting[0].at <= i {
				key = heap.Pop(&waiting).(visit).key
			} else {
				fresh++
			}
			if !yield(key) {
				return
			}
			if g := gap(i); g > 0 {
				heap.Push(&waiting, visit{i + g, key})
			}
		}
	}
}

// The type "visit" represents a future arrival of a key. The field "at" is the number of this arrival.
type visit struct{ at, key uint64 }

// The type "schedule" represents a heap of visits, the earliest first. Its methods implement heap.Interface.
type schedule []visit

func (s schedule) Len() int { return len(s) }
func (s schedule) Less(i, j int) bool {
	return s[i].at < s[j].at || s[i].at == s[j].at && s[i].key < s[j].key
}
func (s schedule) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s *schedule) Push(x any)   { *s = append(*s, x.(visit)) }
func (s *schedule) Pop() any {
	old := *s
	x := old[len(old)-1]
	*s = old[:len(old)-1]
	return x
}
