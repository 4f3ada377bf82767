// Package interval implements arithmetic on real intervals with big.Float endpoints that are rounded outward. Choose
// any point from each operand. Then the result of an operation contains the exact result for these points. The
// guarantees of package exact rest on this.
//
// Methods have the same form as in math/big: z.Op(x, y) sets z to the result and returns z. The receiver z may be x or
// y, and its previous value does not matter. The precision of z is the number of bits of each endpoint of the result.
// If the precision of z is 0, the result has the largest precision of the operands. If this precision is 0 too, the
// result has 64 bits.
//
// Endpoints are always finite. Some operations have an unbounded or undefined result: division by an interval that
// contains 0, the logarithm of a negative number, and overflow. For such a result, and for everything computed from it,
// Valid returns false. No operation returns NaN or panics. A positive upper bound and a negative lower bound never
// underflow to 0. Instead they become the smallest representable magnitude, 2^(MinExp-1).
//
// The package computes the exponential function and the logarithm in fixed point. Comments next to the code bound the
// remainders of series and the rounding errors. These bounds are in units in the last place. The package does not use
// the module bigfloat, for three reasons. Bigfloat only rounds to nearest. Bigfloat does not state its error near 1 and
// for large arguments. The error of bigfloat has a proven bound for some arguments only. For these arguments, package
// verify compares the results with bigfloat (TestWitness).
//
// Complex is a rectangle whose real and imaginary parts are intervals. The package also computes the argument of a
// Complex, and cosine and sine, in fixed point. For cosine and sine it first reduces the angle modulo pi/2.
package interval
