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

// Advise asks the system to use huge pages, or only small pages, for the pieces of a filter. The words of the filter
// keep their values. Advise reports whether the system accepted all advice. For a filter smaller than a huge page it
// changes nothing and returns false.
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

// advise does the same as Advise for one piece. Existing small pages do not become huge pages. So advise gives the
// memory of all whole huge pages in words back to the system, which then allocates it again. If no whole huge page fits
// into words, the words and the memory around them are moved to huge pages together. This is possible because the Go
// heap maps memory in arenas of many huge pages.
func advise(words []uint64, huge bool) bool {
	if len(words) == 0 {
		return false
	}
	start := unsafe.Pointer(unsafe.SliceData(words))
	skip := -uintptr(start) % hugePage
	size := uintptr(len(words)) * 8
	if size < skip+hugePage {
		if !huge {
			return true // the Go heap requests no huge pages
		}
		// The variable named before holds an address as a number. A pointer to memory before the array would be
		// invalid, because the garbage collector may have freed this memory.
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
	var kept []byte // nil if the filter is empty, which is the usual case
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

// HugeShare finds the memory mappings that contain words. It returns the share of their resident memory that is in huge
// pages. The result ok is false if the system does not report this share. It is also false if words has fewer bytes
// than a huge page, because the mapping then gives no information about so small a part.
func HugeShare(words []uint64) (share float64, ok bool) {
	first := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(words))))
	return HugeShareOf(os.Getpid(), first, first+uint64(len(words))*8)
}

// HugeShareOf returns the same as HugeShare for the memory of a process between the addresses first and end.
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
