package conform_test

import (
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

var processSeed = rand.Uint64()

func deep(n int) int {
	if n < 0 {
		return 0
	}
	return deep(n+1) + 1
}

// What ends the process, or never ends, breaks the law under examination, and the other laws are
// examined all the same.
func TestChild(t *testing.T) {
	if testing.Short() {
		t.Skip("short, as under an emulator, which cannot start the test binary again")
	}
	type subject = conform.Subject[*mutant.Plain]
	for _, c := range []struct {
		name, text string
		law        conform.Law
		long       bool
		change     func(s *subject)
	}{
		{"concurrent map writes", "fatal error: concurrent map", "concurrent adds", false, func(s *subject) {
			set := map[string]bool{}
			var calls atomic.Int64
			add := s.Add
			s.Add = func(f *mutant.Plain, key []byte) {
				add(f, key)
				if calls.Add(1) > 10 {
					set[string(key)] = true
				}
			}
		}},
		{"an exit", "status 0", "union", false, func(s *subject) {
			s.Union = func(_, _ *mutant.Plain) error { os.Exit(0); return nil }
		}},
		{"a stack overflow", "stack overflow", "reset", true, func(s *subject) {
			s.Reset = func(*mutant.Plain) {
				debug.SetMaxStack(1 << 24) // the usual gigabyte takes longer than a call may where pages are dear
				processSeed += uint64(deep(0))
			}
		}},
		{"a goroutine's panic", "panic: alone", "intersection", true, func(s *subject) {
			s.Intersect = func(_, _ *mutant.Plain) error {
				go panic("alone")
				time.Sleep(time.Second)
				return nil
			}
		}},
		{"a call that does not return", "does not return", "test and set", false, func(s *subject) {
			s.TestAndAdd = func(*mutant.Plain, []byte) bool { select {} }
		}},
		{"an endless loop", "does not return", "no false negative", true, func(s *subject) {
			s.Contains = func(*mutant.Plain, []byte) bool {
				for i := 0; ; i++ {
				}
			}
		}},
		{"a seed of the process", "in another process", "snapshot", false, func(s *subject) {
			salt := func(key []byte) []byte { return append([]byte{byte(processSeed), byte(processSeed >> 8)}, key...) }
			add, contains := s.Add, s.Contains
			s.Add = func(f *mutant.Plain, key []byte) { add(f, salt(key)) }
			s.Contains = func(f *mutant.Plain, key []byte) bool { return contains(f, salt(key)) }
			s.TestAndAdd, s.ConcurrentReads = nil, false
		}},
		{"nothing", "", "", true, func(*subject) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.long {
				longtest.Only(t, "others end their process, too")
			}
			s := mutant.Sound(bloomproof.Standard, 0)
			s.AddBatch, s.ContainsBatch, s.Rate, s.RateFor, s.Items, s.Size = nil, nil, nil, nil, nil, nil
			if c.law != "concurrent adds" {
				s.ConcurrentAdds = false
			}
			if c.law != "test and set" && c.law != "concurrent adds" {
				s = small(s, 1<<12)
			}
			c.change(&s)
			if c.text == "does not return" {
				defer patience(2 * time.Second)()
			}
			laws := []conform.Law{longtest.More[conform.Law]("reset", "no false negative"), "union"}
			if c.law != "" && !slices.Contains(laws, c.law) {
				laws = append(laws, c.law)
			}
			if c.name == "an endless loop" {
				laws = laws[:1]
			}
			report, err := conform.Examine(s, conform.Options{Effort: longtest.More(0.002, 0.01), Laws: laws, Child: verify.Child(t)})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range laws {
				i := slices.IndexFunc(report.Findings, func(f conform.Finding) bool { return f.Law == l })
				switch {
				case l == c.law && (i < 0 || !strings.Contains(report.Findings[i].Text, c.text)):
					t.Errorf("not accused under %q of %q:\n%v", l, c.text, report)
				case l != c.law && i >= 0:
					t.Errorf("accused of what it keeps: %v", report.Findings[i])
				case l != c.law && !slices.Contains(report.Kept, l):
					t.Errorf("%q was not examined:\n%v", l, report)
				}
			}
			if len(report.Findings) > 0 {
				t.Log(report.Findings[0])
			}
		})
	}
}

// A filter that adds a key with the next one is accused.
func TestLateFilter(t *testing.T) {
	s := mutant.Sound(bloomproof.Standard, 0)
	add, late := s.Add, map[*mutant.Plain][]byte{}
	s.Add = func(f *mutant.Plain, key []byte) {
		if last, ok := late[f]; ok {
			add(f, last)
		}
		late[f] = slices.Clone(key)
	}
	report, err := conform.Examine(s, conform.Options{Effort: 0.01, Laws: []conform.Law{"no false negative"}})
	if err != nil || !broken(report, "no false negative") {
		t.Errorf("%v\n%v", err, report)
	}
}
