// Command floats proves the error bounds of the elementary functions in approx/internal/fm, and makes their tables. It
// also proves the factor 1.3 in the error bound of the classic rate (approx/hashing_classic.go):
//
//	go run ./verify/proof/floats -out verify/proof/floats/certificate.txt   half a minute; make floats
//	go run ./verify/proof/floats -tables > approx/internal/fm/tables.go
//
// It prints one line for each function and part of its domain: the proven bound, the bound that the comment of the
// function states, the number of pieces into which the domain was divided, and the piece with the largest bound. It
// fails if a stated bound is below a proven one. The tests of this folder prove a sample of the pieces. In a long run
// they prove all pieces and compare the lines with certificate.txt.
//
// # What is computed
//
// The command reads the text of the functions and follows their statements twice. It has no second copy of them.
//
// The first time it follows them without rounding, as polynomials with rational coefficients. The result must be the
// power series of the function, to some degree, with coefficients that were rounded to float64. These differences and
// the terms left out bound the error of the method on the whole domain. Entries of tables and constants of two words
// enter as variables. They must leave the result as factors and sums that are right, and their errors are bounds of
// rational arithmetic.
//
// The second time it follows them with ranges, for each piece: the smallest and largest float64 that a variable can
// have, a bound of its error, and the largest power of 2 that divides all values. The last makes it a proof that a sum
// or product is exact: then all its values have at most 53 bits. A product must be converted to float64 at once, since
// Go may otherwise fuse it with a sum. The command refuses a text with other products. So the bounds hold, and the
// results are the same, on all architectures.
//
// The last rounding has a relative error of at most u/(1+u). The bound is this plus the error of everything before,
// divided by the smallest result of the piece.
//
// # The circles of the classic rate
//
// The comment of the function circles derives which circles there are. Two parameters describe the circles of a k. They
// are divided into boxes, in which the ratio is bounded by sums over ranges, until the bound of each box is at most 1.3.
// The bounds are computed in float64, with exponentials and logarithms of their own, and are widened by 1e-11. This is
// more than the roundings of a sum of some hundred positive terms.
//
// # What is argued in comments, and not computed
//
// How bits are selected: that the index of a table is the one of the interval in which x lies (Log, Atan2), and that a
// number is rounded to a whole number by adding a large one. How subnormal results are rounded. That the function sum
// returns the exact error of a sum (Knuth). Arguments beyond 2^20 of the sine and the cosine, whose reduction has the
// bounds of fm.Double. Arguments below 2^-60. The comments of circles, ratio and offOf.
package main
