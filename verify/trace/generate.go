package trace

import (
	"container/heap"
	"iter"
)

// Keys returns arrivals whose keys come again after given gaps: the key of arrival i, from 0, next
// comes gap(i) arrivals later, and never again for 0. Where no key is due a new one comes. So a law
// of gaps that depends on i is traffic that drifts, and gaps that end together are a burst.
//
// One key arrives at a time: of several that are due the one that was due first, and of these the
// one that is oldest. So gaps are larger than asked for by a wait, which is short while new keys
// still come. The arrivals end when the caller has had enough.
// Memory: 16 bytes a key that will come again. Cost: O(log of their number).
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

// visit is an arrival to come.
type visit struct{ at, key uint64 }

// schedule is a heap of visits, the earliest first. Its methods are those of heap.Interface.
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
