//go:build !linux

package conform

import "time"

// nap pauses for a moment.
func nap() { time.Sleep(10 * time.Microsecond) }
