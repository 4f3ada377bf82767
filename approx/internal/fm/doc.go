// Package fm is the float64 arithmetic of package approx. It has the elementary functions with error bounds on which
// approx relies, the error term of Stirling's formula, and products of counts beyond 2^64. It also has combinations of
// elementary functions that would lose digits to cancellation if evaluated as written: log(1-e^-t), log(1+x)-x, e^x-1-x
// and x-sin x.
//
// Errors are relative and in units of u = 2^-53, half the distance from 1 to the next float64; one ulp is at most 2u.
// The bounds hold on all architectures, with and without fused multiply-add; the tests of fm check them against
// math/big.
//
// approx uses package math only through this package.
package fm
