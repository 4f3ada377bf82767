//go:build !unix

package main

import "time"

var started = time.Now()

// cpuSeconds returns the time since the start of this process, because this system has no better clock.
func cpuSeconds() float64 { return time.Since(started).Seconds() }
