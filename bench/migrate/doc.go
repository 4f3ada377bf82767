// Package migrate holds two packages that stand in for other Bloom filters: bitsandblooms
// for github.com/bits-and-blooms/bloom/v3 and holiman for github.com/holiman/bloomfilter/v2.
// They have those libraries' names over kernel.Filter, import nothing but Bloomproof and the
// standard library, and are made to be copied: see docs/migration.md. The tests here hold
// them to the libraries.
package migrate
