// Package fm is the float64 arithmetic under package approx: the elementary
// functions with the error that approx may count on, and the combinations of them
// that would cancel if they were written as they are read (log(1-e^-t),
// log(1+x)-x, e^x-1-x, x-sin x), the error term of Stirling's formula and products
// of counts beyond 2^64.
//
// Errors are relative and in units of u = 2^-53, half the distance from 1 to the
// next float64; one ulp is at most 2u. Figures are for all architectures, fused
// multiply-add or not; fm's tests hold them against math/big.
//
// approx takes nothing from package math but through here.
package fm
