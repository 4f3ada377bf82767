package kernel

import (
	"runtime"
	"testing"
)

// TestParts checks the number of lanes and of parts of a tally against its definition.
func TestParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for n := 1; n <= 70; n++ {
		want := 1
		for want < n && want < 64 {
			want *= 2
		}
		runtime.GOMAXPROCS(n)
		if got := parts(); got != want {
			t.Errorf("%d processors: %d parts, want %d", n, got, want)
		}
	}
}
