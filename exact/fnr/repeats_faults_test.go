package fnr

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
)

// TestRetainedFault lets the iteration for the retained message fail. Then ofRepeatsLarge must not return rates.
func TestRetainedFault(t *testing.T) {
	c := repeatsOnly(t, bloomproof.Geometry{M: 1 << 20, K: 2}, bloomproof.Recycling{Messages: 3, Retain: true}, bloomproof.Uniform(3))
	defer fault.Inject(func(calls []uintptr) error {
		if frame, _ := runtime.CallersFrames(calls).Next(); !strings.HasSuffix(frame.Function, ").retained") {
			return nil
		}
		return fault.ErrInjected
	})()
	if x, err := c.ofRepeatsLarge(3); x != nil || !errors.Is(err, fault.ErrInjected) {
		t.Errorf("the rates are %v, %v", x, err)
	}
}
