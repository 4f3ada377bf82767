//go:build !linux

package conform

import "time"

// nap pauses for at least ten microseconds.
func nap() { time.Sleep(10 * time.Microsecond) }
