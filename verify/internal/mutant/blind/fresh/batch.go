package fresh

import (
	"bytes"
	"slices"
	"sync/atomic"
)

// batchFaults returns filters with faults in calls for many keys.
func batchFaults() []Fault {
	return []Fault{
		{"batches of look-ups count their keys in 16 bits", "batch", batch16()},
		{"of a key that a batch of look-ups has twice only the last is answered", "batch", lastOfTwins()},
		{"a batch of additions sorts the caller's list", "batch", sortedList()},
		{"a batch of as many keys as the filter is made for replaces what was there", "batch", bulkLoad()},
		{"a batch of additions sums the bits of a key in a word, and a position that came twice moves on", "batch", summedMask()},
	}
}

func batch16() subject {
	s := Sound()
	s.ContainsBatch = func(f *Filter, keys [][]byte) []bool {
		answers := make([]bool, len(keys))
		for n := range keys {
			i := uint16(n)
			answers[i] = sound.contains(f, keys[i])
		}
		return answers
	}
	return s
}

func lastOfTwins() subject {
	s := Sound()
	s.ContainsBatch = func(f *Filter, keys [][]byte) []bool {
		at := make(map[string]int, len(keys))
		for i, key := range keys {
			at[string(key)] = i
		}
		answers := make([]bool, len(keys))
		for _, i := range at {
			answers[i] = sound.contains(f, keys[i])
		}
		return answers
	}
	return s
}

func sortedList() subject {
	s := Sound()
	s.AddBatch = func(f *Filter, keys [][]byte) {
		if len(keys) >= 256 {
			slices.SortFunc(keys, bytes.Compare)
		}
		for _, key := range keys {
			sound.add(f, key)
		}
	}
	return s
}

func bulkLoad() subject {
	s := alone()
	s.AddBatch = func(f *Filter, keys [][]byte) {
		if 2*uint64(len(keys))*uint64(f.k) >= f.m {
			f.words = make([]uint64, len(f.words))
		}
		for _, key := range keys {
			sound.add(f, key)
		}
	}
	return s
}

// summedMask has a fault that was reported in igrigorik/bloomfilter-rb #26. The code used addition where it should have
// used a bitwise OR.
func summedMask() subject {
	s := Sound()
	s.AddBatch = func(f *Filter, keys [][]byte) {
		places := make([]uint64, f.k)
		for _, key := range keys {
			lo, hi := hash(key)
			for i := range places {
				places[i] = position(f, lo, hi, i)
			}
			slices.Sort(places)
			for i := 0; i < len(places); {
				word, mask := places[i]>>6, uint64(0)
				for ; i < len(places) && places[i]>>6 == word; i++ {
					mask += 1 << (places[i] & 63)
				}
				atomic.OrUint64(&f.words[word], mask)
			}
		}
	}
	return s
}
