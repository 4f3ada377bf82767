module github.com/bloomproof/bloomproof/bench

go 1.26

replace github.com/bloomproof/bloomproof => ../

require (
	github.com/bits-and-blooms/bloom/v3 v3.7.1
	github.com/bloomproof/bloomproof v0.0.0-00010101000000-000000000000
	github.com/greatroar/blobloom v0.8.1
	github.com/holiman/bloomfilter/v2 v2.0.3
	github.com/klauspost/cpuid/v2 v2.4.2
	github.com/zeebo/xxh3 v1.1.0
)

require (
	github.com/bits-and-blooms/bitset v1.24.2 // indirect
	github.com/dchest/siphash v1.2.3 // indirect
	golang.org/x/sys v0.41.0 // indirect
)
