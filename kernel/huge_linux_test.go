package kernel_test

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Words are zero, also where the memory was in use before, and of the length asked for,
// with nothing past it to be reached; large ones begin at a huge page.
func TestMakeWords(t *testing.T) {
	for _, n := range []int{0, 1, 1000, kernel.HugeFrom/8 - 1, kernel.HugeFrom / 8, kernel.HugeFrom/8 + 1, kernel.HugeFrom/8 + 300_001} {
		for range longtest.More(2, 3) {
			words := kernel.MakeWords(n)
			if len(words) != n || cap(words) != n && n >= kernel.HugeFrom/8 {
				t.Fatalf("%d words: length %d, capacity %d", n, len(words), cap(words))
			}
			if at := uintptr(unsafe.Pointer(unsafe.SliceData(words))); n >= kernel.HugeFrom/8 && at%kernel.HugeBytes != 0 {
				t.Fatalf("%d words begin at %#x", n, at)
			}
			if i := slices.IndexFunc(words, func(x uint64) bool { return x != 0 }); i >= 0 {
				t.Fatalf("%d words: word %d is %#x", n, i, words[i])
			}
			for i := range words {
				words[i] = ^uint64(0) // for whoever has this memory next
			}
			runtime.GC()
		}
	}
}

// advised reports whether the mapping that holds the address is marked for huge pages
// (flag hg of /proc/self/smaps).
func advised(t *testing.T, at uintptr) bool {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip("this host does not list its mappings: ", err)
	}
	inside := false
	for line := range strings.Lines(string(maps)) {
		word, _, _ := strings.Cut(line, " ")
		if from, to, ok := strings.Cut(word, "-"); ok {
			lo, err1 := strconv.ParseUint(from, 16, 64)
			hi, err2 := strconv.ParseUint(to, 16, 64)
			if err1 == nil && err2 == nil {
				inside = lo <= uint64(at) && uint64(at) < hi
			}
		}
		if inside && word == "VmFlags:" {
			return slices.Contains(strings.Fields(line), "hg")
		}
	}
	return false
}

// Every whole huge page of a large filter's words is marked.
func TestLargeWordsAskForHugePages(t *testing.T) {
	control, err := syscall.Mmap(-1, 0, 2*kernel.HugeBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Munmap(control); err != nil {
			t.Error(err)
		}
	}()
	if err := syscall.Madvise(control, syscall.MADV_HUGEPAGE); err != nil {
		t.Skip("this host has no huge pages: ", err)
	}
	if !advised(t, uintptr(unsafe.Pointer(unsafe.SliceData(control)))) {
		t.Skip("this host does not tell what is marked for huge pages")
	}
	words := kernel.MakeWords(kernel.HugeFrom/8 + 1000)
	for at := 0; at < kernel.HugeFrom; at += kernel.HugeBytes {
		if !advised(t, uintptr(unsafe.Pointer(&words[at/8]))) {
			t.Errorf("the huge page at byte %d is not marked", at)
		}
	}
}
