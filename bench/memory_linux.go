package bench

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Advise asks the system to back the pieces of a filter with huge pages, or with small ones
// alone, and keeps its words. It reports whether the system took all advice; false for a filter
// that has no room for a huge page, which is left as it is.
func Advise(pieces [][]uint64, huge bool) bool {
	size := 0
	for _, words := range pieces {
		size += len(words) * 8
	}
	taken := size >= hugePage
	for _, words := range pieces {
		taken = taken && advise(words, huge)
	}
	return taken
}

// advise is Advise for one piece. Whole huge pages within words that are there as small ones do
// not change, so they are given back and come anew. Words without a whole huge page are put into
// huge ones together with what lies beside them: the Go heap maps memory by arenas of many huge
// pages.
func advise(words []uint64, huge bool) bool {
	if len(words) == 0 {
		return false
	}
	start := unsafe.Pointer(unsafe.SliceData(words))
	skip := -uintptr(start) % hugePage
	size := uintptr(len(words)) * 8
	if size < skip+hugePage {
		if !huge {
			return true // the heap asks for none
		}
		// By number: a pointer before the array would be one to what the collector may have freed.
		before := uintptr(start) % hugePage
		_, _, refused := unix.Syscall(unix.SYS_MADVISE, uintptr(start)-before,
			(before+size+hugePage-1)/hugePage*hugePage, unix.MADV_COLLAPSE)
		return refused == 0
	}
	size = (size - skip) / hugePage * hugePage
	whole := unsafe.Slice((*byte)(unsafe.Add(start, skip)), size)
	advice := unix.MADV_NOHUGEPAGE
	if huge {
		advice = unix.MADV_HUGEPAGE
	}
	if unix.Madvise(whole, advice) != nil {
		return false
	}
	var kept []byte // nil for a filter that is empty, as most are here
	if slices.ContainsFunc(words, func(w uint64) bool { return w != 0 }) {
		kept = slices.Clone(whole)
	}
	if unix.Madvise(whole, unix.MADV_DONTNEED) != nil {
		return false
	}
	if kept != nil {
		copy(whole, kept)
	}
	return true
}

// HugeShare returns the share of the memory that is resident in the mappings that hold words
// which is in huge pages; false where the system does not say, and for words that have no room
// for a huge page, whose mapping says nothing about them.
func HugeShare(words []uint64) (share float64, ok bool) {
	first := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(words))))
	return HugeShareOf(os.Getpid(), first, first+uint64(len(words))*8)
}

// HugeShareOf is HugeShare of the memory from first to end of a process.
func HugeShareOf(pid int, first, end uint64) (share float64, ok bool) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid))
	if err != nil || end < first+hugePage {
		return 0, false
	}
	var resident, huge uint64
	inside := false
	for line := range strings.Lines(string(maps)) {
		fields := strings.Fields(line)
		if from, to, ok := strings.Cut(fields[0], "-"); ok {
			lo, err1 := strconv.ParseUint(from, 16, 64)
			hi, err2 := strconv.ParseUint(to, 16, 64)
			if err1 == nil && err2 == nil {
				inside = lo < end && first < hi
				continue
			}
		}
		if !inside || len(fields) < 2 {
			continue
		}
		kib, _ := strconv.ParseUint(fields[1], 10, 64)
		switch fields[0] {
		case "Rss:":
			resident += kib
		case "AnonHugePages:":
			huge += kib
		}
	}
	if resident == 0 {
		return 0, false
	}
	return float64(huge) / float64(resident), true
}
