package trace

import (
	"container/heap"
	"iter"
)

// Keys returns arrivals whose keys come again after given gaps. The key of arrival i, counted from 0, comes again
// gap(i) arrivals later, or never again if gap(i) is 0. When no key is due, a new one comes. So a distribution of gaps
// that depends on i gives traffic that drifts, and gaps that end together give a burst.
//
// One key arrives at a time. Of several keys that are due, the one that was due first comes first, and of these the
// oldest key. So a gap is larger than asked for by a wait, which is short while new keys still come. The arrivals go on
// until the caller stops. Memory: 16 bytes a key that will come again. Cost: O(log of their number).
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
