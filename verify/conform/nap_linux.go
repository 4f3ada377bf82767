package conform

import "syscall"

// nap pauses for some ten microseconds. time.Sleep would round this up to a millisecond.
func nap() { _ = syscall.Nanosleep(&syscall.Timespec{Nsec: 10_000}, nil) }
