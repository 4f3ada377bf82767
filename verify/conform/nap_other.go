//go:build !linux

package conform

import "time"

// The function "nap" pauses for at least ten microseconds.
func nap() { time.Sleep(10 * time.Microsecond) }
