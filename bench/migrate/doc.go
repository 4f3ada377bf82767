// Package migrate has tests that compare kernel/compat/bitsandblooms and kernel/compat/holiman with the libraries that
// they replace, github.com/bits-and-blooms/bloom/v3 and github.com/holiman/bloomfilter/v2.
package migrate
