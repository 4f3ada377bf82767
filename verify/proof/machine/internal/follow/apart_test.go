package follow

import (
	"testing"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// TestApart asserts that a load passes a store only if the words are apart, and that it does not return what was stored
// before such a word. A branch may depend on a word only if "loads" sees it, also in an operation on numbers.
func TestApart(t *testing.T) {
	p := term.NewPool()
	a, b, v := p.Var("a", 64), p.Var("b", 64), p.Var("v", 64)
	memory := func(apart bool) *symbolic {
		m := &symbolic{now: p.Var("memory", term.Memory)}
		if apart {
			m.apart = func(_, _ *term.Term) bool { return true }
		}
		m.write(p, a, v)
		return m
	}
	of := func(m *symbolic, at *term.Term) *term.Term { return m.read(p, at, 8).Args[0] }
	if m := memory(false); of(m, b) != m.now {
		t.Error("a load passes a store")
	}
	m := memory(true)
	if of(m, b) != m.now.Args[0] {
		t.Error("a load does not pass a store to a word that is apart")
	}
	if m.read(p, a, 8) != v {
		t.Error("a load does not return what was stored last")
	}
	m.write(p, b, v)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a load passes a store, and returns what was stored before")
			}
		}()
		m.read(p, a, 8)
	}()
	word := memory(false).read(p, b, 8)
	for _, c := range []struct {
		t    *term.Term
		want bool
	}{{p.Ult(a, v), false}, {p.Ult(a, word), true}, {p.Eq(arm64.FMul(p, v, word), v), true}, {p.Eq(arm64.FMul(p, v, a), v), false}} {
		if got := loads(c.t); got != c.want {
			t.Errorf("%s: %v", c.t, got)
		}
	}
}
