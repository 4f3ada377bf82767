package fresh

// positionFaults returns filters whose positions depend on one another, or are not uniformly distributed.
func positionFaults() []Fault {
	return []Fault{
		{"in more than 2^23 bits, a multiple of 64, word and bit come from the same bits of a hash", "position", placed(overlapping)},
		{"positions are by enhanced double hashing, and two keys share all with a chance of 1/m^2", "position", placed(enhanced)},
		{"where m is a power of two, a hash has 32 bits", "hash", placed(hash32)},
		{"positions come from random numbers of 24 bits", "position", placed(float24)},
		{"one in 256 keys has one position", "position", few(placed(stepZero))},
		{"the ninth position stands a quarter of the array behind the first", "position", few(placed(ninth))},
	}
}

// The function "overlapping" has a fault that was reported in FastFilter/FilterPassword #4 and ben-manes/caffeine #85.
func overlapping(f *Filter, lo, hi uint64, i int) uint64 {
	if f.m <= 1<<23 || f.m%64 != 0 {
		return position(f, lo, hi, i)
	}
	z := stream(lo, hi, i)
	return reduce(z, f.m/64)<<6 | z>>41&63
}

// The function "enhanced" has a fault that was reported in facebook/rocksdb #4120. It uses the enhanced double hashing
// that was proposed later.
func enhanced(f *Filter, lo, hi uint64, i int) uint64 {
	n := uint64(i)
	return (reduce(mix(lo), f.m) + n*reduce(mix(hi), f.m) + (n*n*n-n)/6) % f.m
}

func hash32(f *Filter, lo, hi uint64, i int) uint64 {
	if f.m&(f.m-1) == 0 {
		lo = mix(lo&0xffffffff + 1)
		hi = mix(lo + 1)
	}
	return position(f, lo, hi, i)
}

func float24(f *Filter, lo, hi uint64, i int) uint64 {
	x := float64(stream(lo, hi, i)>>40) / (1 << 24)
	return uint64(x * float64(f.m))
}

// stepZero has a fault that was reported in data61/clkhash #33 and ipfs/bbloom #29. There, the step of double hashing
// may be zero.
func stepZero(f *Filter, lo, hi uint64, i int) uint64 {
	if hi&0xff == 0 {
		i = 0
	}
	return position(f, lo, hi, i)
}

func ninth(f *Filter, lo, hi uint64, i int) uint64 {
	if i == 8 {
		return (position(f, lo, hi, 0) + f.m/4) % f.m
	}
	return position(f, lo, hi, i)
}
