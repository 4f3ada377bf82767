package exact

// enhancedDouble draws a start a and a step b from 0..m-1. The positions are given by this formula:
//
//	a + ib + (i^3-i)/6 mod m, 0 <= i < k.
//
// This hashing is from Dillinger and Manolios, Bloom Filters in Probabilistic Verification (2004). If the step is
// multiplied by a unit of the integers mod m, the cubic term stays the same. So the terms can be different for every
// step of the query, and the outcomes are counted for each step separately.
var enhancedDouble = linearDraws{d: 1, constant: func(i int64) int64 { return (i*i*i - i) / 6 }}
