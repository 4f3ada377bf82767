module github.com/bloomproof/bloomproof

go 1.26

require (
	github.com/ALTree/bigfloat v0.2.0 // indirect
	github.com/dchest/siphash v1.2.3 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/leanovate/gopter v0.2.11 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	golang.org/x/sys v0.41.0 // indirect
)
