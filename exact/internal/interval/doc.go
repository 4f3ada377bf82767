// Package interval implements arithmetic on real intervals with big.Float endpoints that are rounded outward. The
// result of an operation contains every value that the operation can have for points of its operands. The guarantees of
// package exact are based on it.
//
// Methods have the same form as in math/big: z.Op(x, y) sets z to the result and returns z. z may be x or y, and its
// previous value does not matter. The precision of z is the number of bits of each endpoint of the result. If it is 0,
// the larger precision of the operands is used, or 64.
//
// Endpoints are always finite. A result is unbounded or undefined for a division by an interval that contains 0, the
// logarithm of a negative number, or overflow. Then Valid returns false for it and for everything computed from it.
// There is no NaN and no panic. A positive upper bound and a negative lower bound never underflow to 0: they stop at
// the smallest representable magnitude, 2^(MinExp-1).
//
// # Exponential and logarithm
//
// The package computes both in fixed point. Comments next to the code bound remainders and rounding errors in units of
// the last place. The package does not use the module bigfloat, for three reasons. bigfloat only rounds to nearest. It
// does not state its error near 1 and for large arguments. A margin could be proven for some arguments only. For those
// arguments package verify compares the results with bigfloat (TestWitness).
//
// # Complex numbers
//
// Complex is a rectangle of two intervals. The package also computes its argument, cosine and sine, in fixed point
// after reduction by pi/2.
package interval
