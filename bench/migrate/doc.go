// Package migrate holds kernel/compat/bitsandblooms and kernel/compat/holiman to the libraries whose names
// they have, github.com/bits-and-blooms/bloom/v3 and github.com/holiman/bloomfilter/v2: its tests run both.
package migrate
