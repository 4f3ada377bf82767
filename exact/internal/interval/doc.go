// Package interval implements arithmetic on real intervals with outward-rounded big.Float endpoints: the result of an
// operation contains every value that the operation can take on points of its operands. The guarantees of package exact
// are based on it.
//
// Methods have the shape of math/big: z.Op(x, y) sets z and returns it; z may be x or y. The previous value of z does
// not matter. The precision of z is the number of bits of each endpoint of the result. If it is 0, the larger precision
// of the operands is used, or 64.
//
// Endpoints are always finite. If a result is unbounded or undefined (division by an interval that contains 0, the
// logarithm of a negative number, overflow), Valid returns false for it and for everything computed from it; there is
// no NaN and no panic. A positive upper bound and a negative lower bound never underflow to 0: they stop at the
// smallest representable magnitude, 2^(MinExp-1).
//
// # Exponential and logarithm
//
// The package computes both in fixed point. Comments next to the code bound remainders and rounding errors in units of
// the last place. The package does not use bigfloat, which only rounds to nearest, does not state its error near 1 and
// for large arguments, and could be given a proven margin for some arguments only. For those arguments package verify
// compares with it (TestWitness).
//
// # Complex numbers
//
// Complex is a rectangle of two intervals. The package also computes its argument, cosine and sine, in fixed point
// after reduction by pi/2.
package interval
