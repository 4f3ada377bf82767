//go:build unix

package kernel_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// truncater returns a function that has another process truncate files. Where an emulator cannot start one, this
// process does: the mapping is the same.
func truncater(t *testing.T) func(path string, size int64) {
	const env = "BLOOMPROOF_TRUNCATE"
	if os.Getenv(env) != "" {
		var path string
		var size int64
		for {
			if _, err := fmt.Scanf("%q %d\n", &path, &size); err == io.EOF {
				os.Exit(0)
			} else if err != nil {
				t.Fatal(err)
			}
			fmt.Println(os.Truncate(path, size))
		}
	}
	if testing.Short() {
		return func(path string, size int64) {
			if err := os.Truncate(path, size); err != nil {
				t.Error(err)
			}
		}
	}
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), env+"=1")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := child.Wait(); err != nil {
			t.Error(err)
		}
	})
	answers := bufio.NewScanner(out)
	return func(path string, size int64) {
		if _, err := fmt.Fprintf(in, "%q %d\n", path, size); err != nil {
			t.Error(err)
		}
		if !answers.Scan() || answers.Text() != "<nil>" {
			t.Errorf("truncate %s: %q %v", path, answers.Text(), answers.Err())
		}
	}
}

// mappedShapes are filters of 64 pages and more, of each family of look-ups.
var mappedShapes = []bloomproof.Geometry{
	{M: 1 << 21, K: 1},
	{M: 1<<21 + 40, K: 7},
	{M: 1<<21 - 5, K: 20},
	{M: 1 << 21, K: 70},
	{M: 1 << 21, K: 7, Hashing: bloomproof.Classic},
	{M: 7 << 18, K: 7, Hashing: bloomproof.Partitioned},
	{M: 1 << 21, K: 16, Block: 512},
	{M: 1 << 21, K: 8, Block: 512, Hashing: bloomproof.Partitioned},
	{M: 1 << 21, K: 8, Block: 256, Hashing: bloomproof.Partitioned},
	{M: 1 << 21, K: 9, Block: 1024},
}

// A look is one way to look up many keys.
var looks = []struct {
	name string
	all  func(m *kernel.MappedFilter, keys []uint64) []bool
}{
	{"Contains", func(m *kernel.MappedFilter, keys []uint64) (in []bool) {
		for _, key := range keys {
			in = append(in, m.Contains(wordBytes(key)))
		}
		return in
	}},
	{"ContainsHash", func(m *kernel.MappedFilter, keys []uint64) (in []bool) {
		for _, key := range keys {
			in = append(in, m.ContainsHash(m.Hasher().Uint64(key)))
		}
		return in
	}},
	{"batches of 3", batchesOf(3)},
	{"batches of 12", batchesOf(12)},
	{"batches of 100", batchesOf(100)},
	{"batches of 3000", batchesOf(3000)},
}

func batchesOf(n int) func(m *kernel.MappedFilter, keys []uint64) []bool {
	return func(m *kernel.MappedFilter, keys []uint64) (in []bool) {
		for len(keys) > 0 {
			some := min(n, len(keys))
			in = m.ContainsBatch(in, kernel.KeysOf(keys[:some]))
			keys = keys[some:]
		}
		return in
	}
}

// mapWith maps a filter with the first keys of 0, 1, ....
func mapWith(t *testing.T, g bloomproof.Geometry, o kernel.Options, keys uint64) (m *kernel.MappedFilter, path string) {
	t.Helper()
	f := mustNew(t, g, o)
	for key := range keys {
		f.Add(wordBytes(key))
	}
	path = writeFile(t, mustMarshal(t, f))
	m, err := kernel.MapFilter(path, o)
	if err != nil {
		t.Fatal(err)
	}
	closing(t, m)
	return m, path
}

// numbers are n keys from the first on.
func numbers(first uint64, n int) (keys []uint64) {
	for i := range n {
		keys = append(keys, first+uint64(i))
	}
	return keys
}

// A file that another process truncates at a page costs no false negative and ends no program: by any kernel and in any
// form, the look-up that finds its page gone answers true, and so do all that follow.
func TestMappedTruncated(t *testing.T) {
	truncate := truncater(t)
	if bigEndian {
		t.Skip("a big-endian host reads the file")
	}
	page := int64(os.Getpagesize())
	const added = 300
	for ii, im := range kernel.Impls() {
		for gi, g := range mappedShapes {
			for li, look := range looks {
				if every := longtest.Of(5, 4, 1); (ii+gi+li)%every != 0 { // each shape in each form, or nearly
					continue
				}
				what := fmt.Sprintf("%s %v %s", im, g, look.name)
				m, path := mapWith(t, g, kernel.Options{Impl: im}, added)
				for _, in := range look.all(m, numbers(1000, 9)) { // it works
					if in && g.K > 1 {
						t.Errorf("%s: an absent key", what)
					}
				}
				if err := m.Err(); err != nil {
					t.Errorf("%s: %v", what, err)
				}
				truncate(path, []int64{0, page, 3 * page}[(ii+gi+li)%3])
				for key, in := range look.all(m, numbers(0, added)) {
					if !in {
						t.Fatalf("%s: key %d is lost", what, key)
					}
				}
				// Hundreds of look-ups have met a page that is gone; Err was not asked.
				for _, in := range look.all(m, numbers(1000, 3000)) {
					if !in {
						t.Fatalf("%s: an absent key is not contained", what)
					}
				}
				err := m.Err()
				if !errors.Is(err, kernel.ErrCorrupt) || !strings.Contains(err.Error(), "truncated") {
					t.Errorf("%s: Err %v", what, err)
				}
				if again, verify := m.Err(), m.Verify(); again != err || !errors.Is(verify, kernel.ErrCorrupt) {
					t.Errorf("%s: Err %v, then %v; Verify %v", what, err, again, verify)
				}
				if r := m.Rate(); r != 1 {
					t.Errorf("%s: Rate %v", what, r)
				}
			}
		}
	}
	if debug.SetPanicOnFault(false) {
		t.Error("faults of this goroutine are still panics")
	}
}

// What reads the whole file meets the missing page too, in many goroutines at once.
func TestMappedTruncatedWhole(t *testing.T) {
	truncate := truncater(t)
	if bigEndian {
		t.Skip("a big-endian host reads the file")
	}
	for _, g := range mappedShapes {
		m, path := mapWith(t, g, kernel.Options{}, 300)
		truncate(path, int64(os.Getpagesize()))
		if err := m.Verify(); !errors.Is(err, kernel.ErrCorrupt) || m.Err() == nil {
			t.Errorf("%v: Verify %v, Err %v", g, err, m.Err())
		}
		m, path = mapWith(t, g, kernel.Options{}, 300)
		truncate(path, int64(os.Getpagesize()))
		if g.Block == 0 && g.Hashing != bloomproof.Partitioned {
			continue // its rate follows from the header
		}
		var wait sync.WaitGroup
		for range 4 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				if r := m.Rate(); r != 1 {
					t.Errorf("%v: Rate %v", g, r)
				}
			}()
		}
		wait.Wait()
	}
}

// Goroutines look up while the file is truncated, with stacks that must grow in the fault, and while garbage is
// collected: their frames in assembly are dead, and are not scanned.
func TestMappedTruncatedMeanwhile(t *testing.T) {
	truncate := truncater(t)
	if bigEndian {
		t.Skip("a big-endian host reads the file")
	}
	const added = 300
	readers := longtest.More(6, 24)
	for i, g := range mappedShapes {
		m, path := mapWith(t, g, kernel.Options{}, added)
		var wait sync.WaitGroup
		var started atomic.Int32
		for depth := range readers {
			wait.Add(1)
			go func() {
				defer wait.Done()
				var deep func(n int) bool
				deep = func(n int) bool {
					var frame [200]byte
					if n > 0 {
						frame[n] = 1
						return deep(n-1) && frame[n] == 1
					}
					started.Add(1)
					for {
						for key, in := range looks[depth%len(looks)].all(m, numbers(0, added)) {
							if !in {
								t.Errorf("%v: key %d is lost", g, key)
								return false
							}
						}
						if looks[depth%len(looks)].all(m, numbers(1<<40, 1))[0] && m.Err() != nil {
							return true
						}
						runtime.Gosched() // whoever truncates waits for no time slice
					}
				}
				deep(depth * 24 / readers)
			}()
		}
		for started.Load() < int32(readers) {
			runtime.Gosched()
		}
		runtime.GC()
		truncate(path, int64(i%4*os.Getpagesize()))
		runtime.GC()
		wait.Wait()
	}
}

// What no page fault tells, Err does: the rest of a page that reads as zeros, a file that was written to. It is not
// alarmed by SaveFile, nor by Close.
func TestMappedErr(t *testing.T) {
	g := bloomproof.Geometry{M: 4000, K: 3}
	later := time.Now().Add(time.Minute)
	for what, change := range map[string]func(path string) error{
		"truncated in a page": func(path string) error { return os.Truncate(path, 200) },
		"longer":              func(path string) error { return os.Truncate(path, 4096) },
		"written to":          func(path string) error { return os.Chtimes(path, later, later) },
	} {
		m, path := mapWith(t, g, kernel.Options{}, 50)
		if err := errors.Join(m.Verify(), m.Err()); err != nil {
			t.Fatal(err)
		}
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		if bigEndian {
			if err := m.Err(); err != nil {
				t.Errorf("%s: %v, of a file that was read", what, err)
			}
			continue
		}
		if err := m.Verify(); !errors.Is(err, kernel.ErrCorrupt) {
			t.Errorf("%s: Verify %v", what, err)
		}
		if err := m.Err(); !errors.Is(err, kernel.ErrCorrupt) {
			t.Errorf("%s: Err %v", what, err)
		}
		if in := m.ContainsBatch(nil, kernel.KeysOf(numbers(1e6, 99))); !m.Contains(nil) || !m.ContainsHash(kernel.Hash{H0: 5}) || strings.Contains(fmt.Sprint(in), "false") || m.Rate() != 1 {
			t.Errorf("%s: not every look-up is true", what)
		}
	}
	m, path := mapWith(t, g, kernel.Options{}, 50)
	if err := kernel.SaveFile(path, mustNew(t, g, kernel.Options{})); err != nil {
		t.Fatal(err)
	}
	if err := m.Err(); err != nil || !m.Contains(wordBytes(7)) {
		t.Errorf("after SaveFile: %v", err)
	}
	if err := errors.Join(os.Remove(path), m.Err()); err != nil {
		t.Errorf("after a removal: %v", err)
	}
	if err := errors.Join(m.Close(), m.Err()); err != nil {
		t.Errorf("after Close: %v", err)
	}
}

// A fault that is not in the filter's file is not taken for one that is, and the goroutine's own choice about faults
// stays.
func TestMappedForeignFault(t *testing.T) {
	if bigEndian {
		t.Skip("a big-endian host reads the file")
	}
	m, _ := mapWith(t, bloomproof.Geometry{M: 1 << 16, K: 3}, kernel.Options{}, 50)
	path := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(path, make([]byte, 2*os.Getpagesize()), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	keys, err := syscall.Mmap(int(file.Fd()), 0, 2*os.Getpagesize(), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Munmap(keys) }()
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	key := keys[os.Getpagesize():][:100]
	for what, look := range map[string]func(){
		"Contains":      func() { m.Contains(key) },
		"ContainsBatch": func() { m.ContainsBatch(nil, kernel.KeysOf([][]byte{key, key, key, key, key})) },
	} {
		for _, before := range []bool{false, true} {
			debug.SetPanicOnFault(before)
			func() {
				defer func() {
					p := recover()
					if _, ok := p.(runtime.Error); !ok {
						t.Errorf("%s: panic %v", what, p)
					}
					fault, ok := p.(interface{ Addr() uintptr }) // which qemu does not tell
					if at := uintptr(unsafe.Pointer(&key[0])); ok && (fault.Addr() < at || fault.Addr() >= at+100) {
						t.Errorf("%s: panic %v", what, fault)
					}
				}()
				look()
				t.Errorf("%s: no panic", what)
			}()
			if debug.SetPanicOnFault(false) != before {
				t.Errorf("%s: the goroutine's choice was %t", what, before)
			}
		}
	}
	if err := m.Err(); err != nil {
		t.Error(err)
	}
}
