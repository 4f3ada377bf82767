//go:build gc && !purego && !race

package kernel

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// TestExportedEveryImplementation runs the exported operations as on hosts where another
// implementation is the best.
func TestExportedEveryImplementation(t *testing.T) {
	defer func(im impl) { best = im }(best)
	for _, best = range runs(host.Popcount) {
		t.Run(fmt.Sprintf("impl=%v", best), testExported)
	}
}

// TestExportedStackGrows lets the stack grow, and move, below a call that jumped on into
// Go with words on the stack.
func TestExportedStackGrows(t *testing.T) {
	defer func(im impl) { best = im }(best)
	best = portable
	var down func(depth int) int
	down = func(depth int) int {
		a, b := [3]uint64{7, uint64(depth), 1 << 63}, [3]uint64{6, ^uint64(0), 1 << 63}
		n := AndInto(a[:], b[:])
		if want := asm.CountPortable(a[:]); n != want || a != [3]uint64{6, uint64(depth), 1 << 63} {
			t.Errorf("depth %d: got %d, want %d, words %x", depth, n, want, a)
		}
		if depth == 0 {
			return 0
		}
		return down(depth-1) + 1
	}
	done := make(chan int)
	go func() { done <- down(20000) }()
	if n := <-done; n != 20000 {
		t.Errorf("%d calls", n)
	}
}

//go:embed bits_amd64.s
var entries string

// TestJumps proves, from the source, that each exported operation jumps to its own kernels
// and its own form in Go: they all give the same bits, so no result could tell which ran.
func TestJumps(t *testing.T) {
	for _, op := range ops {
		low := strings.ToLower(op.name[:1]) + op.name[1:]
		size := "56"
		if op.name == "Count" {
			size = "32"
		}
		var want strings.Builder
		for _, im := range []impl{popcnt, avx2, avx512} {
			name := map[impl]string{popcnt: "Popcnt", avx2: "AVX2", avx512: "AVX512"}[im]
			fmt.Fprintf(&want, "#define %-6s github·com∕bloomproof∕bloomproof∕kernel∕asm·%s%s\n", strings.ToUpper(name), op.name, name)
		}
		fmt.Fprintf(&want, "#define REST   ·%sRest\nTEXT ·%sAuto(SB), NOSPLIT, $0-%s\n#include \"bits_amd64.h\"\n", low, low, size)
		if !strings.Contains(entries, want.String()) {
			t.Errorf("no\n%s", want.String())
		}
	}
}
