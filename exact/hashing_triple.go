package exact

// With the hashing "triple", an item has a random start a and two random steps b and c, all from 0..m-1. Its positions
// are given by this formula:
//
//	a + ib + C(i,2) c mod m, 0 <= i < k.
//
// This hashing is from Dillinger and Manolios, Bloom Filters in Probabilistic Verification (2004). In other words, the
// first step is b, and each further step is the step before it plus c. Let m be a prime with m >= k. Then the positions
// of an item are the values of a random quadratic polynomial mod m at k different arguments. Therefore any three of the
// positions are independent.
var triple = linearDraws{
	d:        2,
	slope:    func(i int64) int64 { return i * (i - 1) / 2 },
	constant: func(int64) int64 { return 0 },
}
