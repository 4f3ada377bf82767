package exact

// With enhancedDouble, an item has a random start a and a random step b, both from 0..m-1. For 0 <= i < k, position i
// of the item is:
//
//	a + ib + (i^3-i)/6 mod m.
//
// This hashing is from Dillinger and Manolios, Bloom Filters in Probabilistic Verification (2004). Multiplying the step
// by a unit of the integers mod m does not change the cubic part (i^3-i)/6. Therefore two steps of the query can have
// different terms. So the outcomes are counted for each step separately.
var enhancedDouble = linearDraws{d: 1, constant: func(i int64) int64 { return (i*i*i - i) / 6 }}
