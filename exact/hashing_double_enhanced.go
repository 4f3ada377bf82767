package exact

// enhancedDouble draws a start a and a step b from 0..m-1 for the positions
//
//	a + ib + (i^3-i)/6 mod m, 0 <= i < k,
//
// (Dillinger and Manolios, Bloom Filters in Probabilistic Verification, 2004). When the step is multiplied by a unit of
// the integers mod m, the cubic term is not. So no two steps of a query can be treated together, and the outcomes are
// counted for each step.
var enhancedDouble = linearDraws{d: 1, constant: func(i int64) int64 { return (i*i*i - i) / 6 }}
