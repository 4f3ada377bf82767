//go:build !unix

package main

import "time"

var started = time.Now()

// cpuSeconds returns the time since the start of this process, for want of a better clock.
func cpuSeconds() float64 { return time.Since(started).Seconds() }
