package exact

// enhancedDouble draws a start a and a step b from 0..m-1 for the positions
//
//	a + ib + (i^3-i)/6 mod m, 0 <= i < k,
//
// (Dillinger and Manolios, Bloom Filters in Probabilistic Verification, 2004). The cubic term is not
// multiplied by a unit when the step is, so the steps of a query differ, and each is counted.
var enhancedDouble = linearDraws{d: 1, constant: func(i int64) int64 { return (i*i*i - i) / 6 }}
