// Package fm is the float64 arithmetic of package approx. The package has elementary functions with error bounds. It
// computes the error term of Stirling's formula. It also computes products of counts; these products may exceed 2^64.
// It also has combinations of elementary functions. If these were evaluated as written, cancellation would lose digits.
// They are log(1-e^-t), log(1+x)-x, e^x-1-x and x-sin x.
//
// Errors are relative and in units of u = 2^-53. The number u is half the distance from 1 to the next float64. One ulp
// is at most 2u. The following functions are our own: the exponential functions, the logarithms, the trigonometric
// functions, and the combinations log(1+x)-x, e^x-1-x and x-sin x. The program verify/proof/floats proves their bounds
// from the text of exp.go, log.go, angle.go and elementary.go. Their results are the same on all architectures. The
// reason is that each product is converted to float64, so that Go cannot fuse it with a sum. The other bounds hold with
// and without fused multiply-add. The tests of fm check all bounds against math/big.
//
// Package approx uses package math only through this package.
package fm
