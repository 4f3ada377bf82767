// Package interval is arithmetic on real intervals with outward-rounded big.Float
// endpoints: an operation's result contains every value that the operation can take
// on points of its operands. Package exact makes its guarantees from it.
//
// Methods have the shape of math/big: z.Op(x, y) sets z and returns it; z may be x
// or y; what z held before does not matter, except its precision, which says how
// many bits each endpoint of the result has. A precision of 0 takes the larger one
// of the operands, or 64.
//
// Endpoints are always finite. Where a result is unbounded or undefined (division by
// an interval that contains 0, the logarithm of a negative number, overflow), the
// result is marked by Valid() == false, and so is everything computed from it: no
// NaN, no panic. An upper bound never underflows to 0 and a lower bound never to 0
// from below: they stop at the smallest representable magnitude, 2^(MinExp-1).
//
// # Exponential and logarithm
//
// They are computed here, in fixed point with remainders and rounding errors counted
// in units of the last place beside the code that makes them. bigfloat is not used here:
// it rounds to nearest only, its error near 1 and for large arguments is not stated,
// and a margin around it can be proven for a part of the arguments only. For these it is the
// witness of package verify (TestWitness).
//
// # Complex numbers
//
// Complex is a rectangle of two intervals. Its argument, cosines and sines are computed
// here too, in fixed point after reduction by pi/2.
package interval
