package exact

// The hashing triple draws a start a and two steps b and c from 0..m-1. The positions are given by this formula:
//
//	a + ib + C(i,2) c mod m, 0 <= i < k.
//
// This hashing is from Dillinger and Manolios, Bloom Filters in Probabilistic Verification (2004). In other words, c is
// added to the step after each use. If m is a prime with m >= k, the positions are the values of a quadratic polynomial
// mod m at k arguments, so any three of them are independent.
var triple = linearDraws{
	d:        2,
	slope:    func(i int64) int64 { return i * (i - 1) / 2 },
	constant: func(int64) int64 { return 0 },
}
