package interleave

//lint:file-ignore SA2001 what is tested is the locking

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// explore explores goroutines over a fresh state.
func explore[S any](o Options, fresh func() *S, check func(*S) error, goroutines ...func(*S)) Report {
	return Explore(o, func() Program {
		s := fresh()
		var p Program
		for _, do := range goroutines {
			p.Goroutines = append(p.Goroutines, func() { do(s) })
		}
		p.Check = func() error { return check(s) }
		return p
	})
}

// memory is what the programs of these tests share.
type memory struct {
	word  [3]uint64
	lock  [2]Mutex
	rw    RWMutex
	flag  Bool
	group WaitGroup
	plain [2]uint64
	saw   [MaxGoroutines][]uint64
}

func newMemory() *memory { return &memory{} }

func fine(*memory) error { return nil }

// Known numbers of classes: n goroutines that write one location have n! orders; goroutines that share nothing have
// one; readers commute.
func TestClasses(t *testing.T) {
	or := func(m *memory) { OrUint64(&m.word[0], 1) }
	twice := func(m *memory) { or(m); or(m) }
	read := func(m *memory) { LoadUint64(&m.word[0]) }
	locked := func(m *memory) { m.lock[0].Lock(); m.lock[0].Unlock() }
	reader := func(m *memory) { m.rw.RLock(); m.rw.RUnlock() }
	writer := func(m *memory) { m.rw.Lock(); m.rw.Unlock() }
	for _, c := range []struct {
		what       string
		goroutines []func(*memory)
		want       int
	}{
		{"three writers", []func(*memory){or, or, or}, 6},
		{"two that write twice", []func(*memory){twice, twice}, 6},
		{"three that write twice", []func(*memory){twice, twice, twice}, 90},
		{"three readers", []func(*memory){read, read, read}, 1},
		{"a writer and two readers", []func(*memory){or, read, read}, 4},
		{"three critical sections", []func(*memory){locked, locked, locked}, 6},
		{"two readers of a lock", []func(*memory){reader, reader}, 1},
		{"strangers", []func(*memory){or, locked, func(m *memory) { OrUint64(&m.word[1], 1) }}, 1},
		{"a choice of three, twice", []func(*memory){func(m *memory) { Choose(3); or(m); Choose(3) }}, 9},
		{"two writers of a lock", []func(*memory){writer, writer}, 2},
	} {
		seen := map[uint64]int{}
		r := explore(Options{Seen: seen}, newMemory, fine, c.goroutines...)
		if r.Err != nil || len(seen) != c.want || r.Schedules != c.want {
			t.Errorf("%s: %d classes in %d schedules, %v; want %d", c.what, len(seen), r.Schedules, r.Err, c.want)
		}
	}
}

// randomProgram returns goroutines that do random operations, some of which depend on what was read before.
func randomProgram(r *rand.Rand, goroutines, most int) (all []func(*memory)) {
	for g := range goroutines {
		n := 1 + r.IntN(most)
		kinds := make([]int, n)
		for i := range kinds {
			kinds[i] = r.IntN(12)
		}
		all = append(all, func(m *memory) {
			for i := 0; i < n; i++ {
				w := &m.word[kinds[i]%2]
				switch kinds[i] {
				case 0, 1:
					m.saw[g] = append(m.saw[g], LoadUint64(w))
				case 2, 3:
					StoreUint64(w, uint64(10*g+i+1))
				case 4, 5:
					m.saw[g] = append(m.saw[g], OrUint64(w, 1<<g))
				case 6: // the control flow depends on what others did
					if LoadUint64(w) != 0 {
						OrUint64(&m.word[2], 1<<g)
						i++
					}
				case 7, 8:
					m.lock[kinds[i]%2].Lock()
					m.saw[g] = append(m.saw[g], AddUint64(&m.word[2], 1))
					m.lock[kinds[i]%2].Unlock()
				case 9:
					if m.lock[0].TryLock() {
						m.saw[g] = append(m.saw[g], 77)
						AddUint64(w, 1)
						m.lock[0].Unlock()
					}
				case 10:
					m.rw.RLock()
					m.saw[g] = append(m.saw[g], LoadUint64(w))
					m.rw.RUnlock()
				case 11:
					m.rw.Lock()
					StoreUint64(w, uint64(g))
					m.rw.Unlock()
				}
			}
		})
	}
	return all
}

// With the reduction every class of executions is explored, exactly once, and every outcome is met that is met without.
func TestReductionLosesNothing(t *testing.T) {
	programs := longtest.Of(40, 120, 4000)
	pruned, saved := 0, 0
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(21, seed))
		goroutines := randomProgram(r, 2+r.IntN(2), 3)
		o := Options{Spurious: seed%3 == 0, Most: 3000}
		var outcomes [2]map[string]bool
		var classes [2]map[uint64]int
		var reports [2]Report
		for whole := range 2 {
			outcomes[whole], classes[whole] = map[string]bool{}, map[uint64]int{}
			o.Whole, o.Seen = whole == 1, classes[whole]
			reports[whole] = explore(o, newMemory, func(m *memory) error {
				outcomes[whole][fmt.Sprint(m.word, m.saw)] = true
				return nil
			}, goroutines...)
		}
		if reports[1].Cut {
			continue
		}
		if reports[0].Err != nil || reports[1].Err != nil {
			t.Fatalf("program %d: %v, %v", seed, reports[0].Err, reports[1].Err)
		}
		if len(classes[0]) != len(classes[1]) || len(outcomes[0]) != len(outcomes[1]) {
			t.Errorf("program %d: %d of %d classes and %d of %d outcomes", seed, len(classes[0]), len(classes[1]), len(outcomes[0]), len(outcomes[1]))
		}
		for class, n := range classes[0] {
			if n != 1 || classes[1][class] == 0 {
				t.Errorf("program %d: a class is explored %d times, and %d times without reduction", seed, n, classes[1][class])
			}
		}
		pruned += reports[0].Pruned
		saved += reports[1].Schedules - reports[0].Schedules
	}
	if pruned == 0 && !testing.Short() || saved < 500 {
		t.Errorf("%d schedules were pruned and %d saved: the test does not test the reduction", pruned, saved)
	}
	t.Logf("%d schedules saved, %d given up", saved, pruned)
}

// Each kind of failure is found, and its absence is not.
func TestFailures(t *testing.T) {
	lockBoth := func(a, b int) func(*memory) {
		return func(m *memory) { m.lock[a].Lock(); m.lock[b].Lock(); m.lock[b].Unlock(); m.lock[a].Unlock() }
	}
	write := func(m *memory) { *W(&m.plain[0]) = 1 }
	read := func(m *memory) { _ = *R(&m.plain[0]) }
	publish := func(m *memory) { write(m); m.flag.Store(true) }
	guarded := func(m *memory) {
		if m.flag.Load() {
			read(m)
		}
	}
	atomically := func(m *memory) { LoadUint64(&m.plain[0]) }
	in := func(do func(*memory)) func(*memory) {
		return func(m *memory) { m.lock[0].Lock(); do(m); m.lock[0].Unlock() }
	}
	forever := func(m *memory) {
		for LoadUint64(&m.word[0]) == 0 {
		}
	}
	for _, c := range []struct {
		what       string
		goroutines []func(*memory)
		want       error
	}{
		{"locks in two orders", []func(*memory){lockBoth(0, 1), lockBoth(1, 0)}, ErrDeadlock},
		{"locks in one order", []func(*memory){lockBoth(0, 1), lockBoth(0, 1)}, nil},
		{"a lock twice", []func(*memory){lockBoth(0, 0)}, ErrDeadlock},
		{"two plain writes", []func(*memory){write, write}, ErrRace},
		{"a plain read and a write", []func(*memory){read, write}, ErrRace},
		{"two plain reads", []func(*memory){read, read}, nil},
		{"a plain write and an atomic load", []func(*memory){write, atomically}, ErrRace},
		{"a plain read and an atomic load", []func(*memory){read, atomically}, nil},
		{"a plain write under a lock", []func(*memory){in(write), in(write), in(read)}, nil},
		{"a plain write under a lock, and without", []func(*memory){in(write), write}, ErrRace},
		{"publication by a flag", []func(*memory){publish, guarded}, nil},
		{"a flag that another sets too", []func(*memory){publish, guarded, func(m *memory) { m.flag.Store(true) }}, ErrRace},
		{"a flag by or, which others observe", []func(*memory){
			func(m *memory) { write(m); OrUint64(&m.word[0], 1) },
			func(m *memory) { OrUint64(&m.word[0], 2) },
			func(m *memory) {
				if LoadUint64(&m.word[0]) == 3 {
					read(m)
				}
			},
		}, nil},
		{"a failed compare-and-swap releases nothing", []func(*memory){
			func(m *memory) { write(m); CompareAndSwapUint64(&m.word[0], 5, 6) },
			func(m *memory) { StoreUint64(&m.word[0], 7) },
			func(m *memory) {
				if LoadUint64(&m.word[0]) == 7 {
					read(m)
				}
			},
		}, ErrRace},
		{"a failed TryLock synchronises with nothing", []func(*memory){
			func(m *memory) { m.lock[0].Lock(); write(m); LoadUint64(&m.word[0]); m.lock[0].Unlock() },
			func(m *memory) {
				if !m.lock[0].TryLock() {
					read(m)
				}
			},
		}, ErrRace},
		{"a wait for ever", []func(*memory){forever}, ErrEndless},
		{"an unlock of what is not locked", []func(*memory){func(m *memory) { m.lock[0].Unlock() }}, ErrPanic},
		{"a goroutine that is started races", []func(*memory){func(m *memory) { Go(func() { write(m) }); write(m) }}, ErrRace},
		{"a goroutine that is started and waited for", []func(*memory){func(m *memory) {
			write(m)
			m.group.Add(1)
			Go(func() { write(m); m.group.Done() })
			m.group.Wait()
			write(m)
		}}, nil},
		{"readers of a lock and a writer", []func(*memory){
			func(m *memory) { m.rw.RLock(); read(m); m.rw.RUnlock() },
			func(m *memory) { m.rw.RLock(); read(m); m.rw.RUnlock() },
			func(m *memory) { m.rw.Lock(); write(m); m.rw.Unlock() },
		}, nil},
		{"a reader that writes", []func(*memory){
			func(m *memory) { m.rw.RLock(); write(m); m.rw.RUnlock() },
			func(m *memory) { m.rw.RLock(); read(m); m.rw.RUnlock() },
		}, ErrRace},
		{"a reader that reads again while a writer waits", []func(*memory){
			func(m *memory) { m.rw.RLock(); m.rw.RLock(); m.rw.RUnlock(); m.rw.RUnlock() },
			func(m *memory) { m.rw.Lock(); m.rw.Unlock() },
		}, ErrDeadlock},
		{"a check that fails in one order of many", []func(*memory){
			func(m *memory) { StoreUint64(&m.word[0], LoadUint64(&m.word[0])+1) },
			func(m *memory) { StoreUint64(&m.word[0], LoadUint64(&m.word[0])+1) },
			func(m *memory) { OrUint64(&m.word[1], 1) },
		}, errLost},
	} {
		for _, whole := range []bool{false, true} {
			r := explore(Options{Whole: whole, MaxSteps: 40}, newMemory, func(m *memory) error {
				if c.want == errLost && m.word[0] != 2 {
					return errLost
				}
				return nil
			}, c.goroutines...)
			if !errors.Is(r.Err, c.want) {
				t.Errorf("%s (whole: %t): %v after %d schedules, want %v; %s", c.what, whole, r.Err, r.Schedules, c.want, r.Trace)
			}
			if (r.Err != nil) != (r.Trace != "") && c.what != "a goroutine that is started races" && c.want != ErrRace {
				t.Errorf("%s: trace %q", c.what, r.Trace)
			}
		}
	}
}

var errLost = errors.New("an addition is lost")

// With Spurious a TryLock of a free lock fails in some schedule, and without in none.
func TestSpurious(t *testing.T) {
	for _, spurious := range []bool{false, true} {
		failed := false
		r := explore(Options{Spurious: spurious}, newMemory, fine, func(m *memory) {
			if m.lock[0].TryLock() {
				m.lock[0].Unlock()
			} else {
				failed = true
			}
		})
		if r.Err != nil || failed != spurious {
			t.Errorf("spurious %t: failed %t, %v", spurious, failed, r.Err)
		}
	}
}

// A program that does not do the same under the same schedule is refused.
func TestDiverged(t *testing.T) {
	runs := 0
	or := func(m *memory) { OrUint64(&m.word[0], 1) }
	for what, second := range map[string]func(m *memory){
		"no operation": func(m *memory) {
			if runs < 2 {
				or(m)
			}
		},
		"another choice": func(m *memory) { Choose(1 + min(runs, 2)); or(m) },
	} {
		runs = 0
		r := explore(Options{}, func() *memory { runs++; return newMemory() }, fine, or, second)
		if !errors.Is(r.Err, ErrDiverged) {
			t.Errorf("%s: %v after %d schedules", what, r.Err, r.Schedules)
		}
	}
}

// pointed has words of several sizes behind a pointer.
type pointed struct {
	a     uint8
	b     uint8
	c     [2]uint64
	d     struct{ e, f uint32 }
	words []uint64
}

// Accesses to structures and slices reach each of their words, and neighbours do not race.
func TestMemory(t *testing.T) {
	fresh := func() *pointed { return &pointed{words: make([]uint64, 4, 8)} }
	all := func(p *pointed) { _ = *R(p) }
	for _, c := range []struct {
		what string
		a, b func(*pointed)
		race bool
	}{
		{"neighbouring bytes", func(p *pointed) { *W(&p.a) = 1 }, func(p *pointed) { *W(&p.b) = 1 }, false},
		{"a structure and its byte", all, func(p *pointed) { *W(&p.b) = 1 }, true},
		{"a structure and an element", all, func(p *pointed) { *W(&p.c[1]) = 1 }, true},
		{"a structure and a field", all, func(p *pointed) { *RW(&p.d.f)++ }, true},
		{"a structure and an element of its slice", all, func(p *pointed) { *W(&p.words[1]) = 1 }, false},
		{"a structure and its slice", all, func(p *pointed) { *W(&p.words) = nil }, true},
		{"two updates", func(p *pointed) { *RW(&p.d.f)++ }, func(p *pointed) { *RW(&p.d.f)++ }, true},
		{"a clear and an element", func(p *pointed) { Clear(p.words) }, func(p *pointed) { _ = *R(&p.words[3]) }, true},
		{"a copy and an element", func(p *pointed) { Copy(make([]uint64, 9), p.words) }, func(p *pointed) { *W(&p.words[3]) = 1 }, true},
		{"a copy of others", func(p *pointed) { Copy(make([]uint64, 9), p.words[:3]) }, func(p *pointed) { *W(&p.words[3]) = 1 }, false},
		{"a copy to it", func(p *pointed) { Copy(p.words, make([]uint64, 9)) }, func(p *pointed) { _ = *R(&p.words[3]) }, true},
		{"an append in place", func(p *pointed) { Append(p.words, 1) }, func(p *pointed) { _ = *R(&p.words[:5][4]) }, true},
		{"an append in place and the old", func(p *pointed) { Append(p.words, 1) }, func(p *pointed) { *W(&p.words[3]) = 1 }, false},
		{"an append that moves", func(p *pointed) { AppendAll(p.words, make([]uint64, 9)) }, func(p *pointed) { *W(&p.words[3]) = 1 }, true},
		{"an append of it", func(p *pointed) { AppendAll([]uint64(nil), p.words) }, func(p *pointed) { *W(&p.words[3]) = 1 }, true},
		{"a range", func(p *pointed) {
			for i := range Range(p.words) {
				if i == 2 {
					return
				}
			}
		}, func(p *pointed) { *W(&p.words[2]) = 1 }, true},
		{"a range that stops before", func(p *pointed) {
			for i := range Range(p.words) {
				if i == 1 {
					return
				}
			}
		}, func(p *pointed) { *W(&p.words[2]) = 1 }, false},
	} {
		r := explore(Options{}, fresh, func(*pointed) error { return nil }, c.a, c.b)
		if errors.Is(r.Err, ErrRace) != c.race || r.Err != nil && !c.race {
			t.Errorf("%s: %v", c.what, r.Err)
		}
	}
}
