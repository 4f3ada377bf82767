package conform

import "syscall"

// The function "nap" pauses for some ten microseconds. The function time.Sleep would round this time up to a
// millisecond.
func nap() { _ = syscall.Nanosleep(&syscall.Timespec{Nsec: 10_000}, nil) }
