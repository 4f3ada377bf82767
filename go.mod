module github.com/bloomproof/bloomproof

go 1.24.0

require (
	github.com/ALTree/bigfloat v0.2.0
	github.com/bits-and-blooms/bitset v1.24.2
	github.com/cespare/xxhash/v2 v2.3.0
	github.com/dchest/siphash v1.2.3
	github.com/klauspost/cpuid/v2 v2.4.2
	github.com/leanovate/gopter v0.2.11
	github.com/twmb/murmur3 v1.1.8
	github.com/zeebo/xxh3 v1.1.0
	golang.org/x/exp v0.0.0-20260112195511-716be5621a96
)

require golang.org/x/sys v0.41.0 // indirect
