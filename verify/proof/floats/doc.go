// Command floats proves the error bounds of the elementary functions in approx/internal/fm, and makes their tables. The
// functions e^x - 1 - x, ln(1+x) - x and x - sin x are among them. The command also proves the factor 1.3 in the error
// bound of the classic rate (approx/hashing_classic.go):
//
//	go run ./verify/proof/floats -out verify/proof/floats/certificate.txt   half a minute; make floats
//	go run ./verify/proof/floats -tables > approx/internal/fm/tables.go
//
// It prints one line for each function and part of its domain. The line has the proven bound and the bound that the
// comment of the function states. The domain was divided into pieces. The line also has the number of pieces, and it
// names the piece with the largest bound. The command fails if a stated bound is less than the proven bound. The tests
// of this folder prove a sample of the pieces. In a long run they prove all pieces and compare the lines with
// certificate.txt.
//
// # What is computed
//
// The command reads the source text of the functions and interprets their statements twice. So it needs no second copy
// of the functions.
//
// In the first pass, the command computes without rounding. It uses polynomials with rational coefficients. The result
// must be the power series of the function up to some degree. Its coefficients are rounded to float64. The method has
// two errors: the rounding of these coefficients, and the terms that the polynomial lacks. They give an error bound for
// the whole domain. The polynomial has a variable for each table entry. Some constants are stored as two float64
// numbers. The polynomial also has variables for these constants. Each variable must occur in the result at the correct
// place, as a factor or a summand. The errors of their values are bounded by rational arithmetic.
//
// In the second pass, the command computes with ranges of float64 numbers, one piece of the domain after another. A
// range describes the values that a variable can have. It has the smallest and the largest of these values. It also has
// a bound of the variable's rounding error. Finally it has the largest power of 2 that divides all these values. This
// power can prove that a sum or product is exact. The result is exact if at most 53 bits are enough for it. The command
// checks this for every multiple of that power, up to the largest possible result. A product must be converted to
// float64 at once, since Go may otherwise fuse it with a sum. The command refuses a function that contains a product
// without this conversion. So the bounds hold, and the results are the same, on all architectures.
//
// The bound is the sum of two terms. The first is the relative error of the last rounding, which is at most u/(1+u)
// with u = 2^-53. The second is the error of all earlier steps, divided by the smallest result in the piece.
//
// # The circles of the classic rate
//
// The comment of the method "circles" derives the set of all circles. For each number k of positions of a key, two
// parameters describe the circles. The pairs of their values are divided into smaller and smaller boxes. This ends when
// the bound of the ratio is at most 1.3 in each box. This bound comes from sums over ranges. It is computed in float64,
// with separate exponential and logarithm functions. It is then widened by the relative amount 1e-11. The sums have
// some hundred positive terms, and their rounding errors are smaller than this.
//
// # What is argued in comments, and not computed
//
// Some facts are not computed by the command. In Log and Atan2, a table index must belong to the interval of x.
// Comments in the code argue that the index is right. Other comments argue that the code can round to a whole number by
// adding a large number. They argue that the function "sum" returns the exact rounding error of a sum (Knuth). They
// also explain how subnormal results are rounded. Comments also derive the errors for arguments below 2^-60. For the
// sine and the cosine, comments derive the errors beyond 2^20. The operations of fm.Double reduce these large
// arguments. The proof uses the error bounds that the comment of fm.Double states. The comments of circles, ratio and
// offOf derive further facts about the circles.
package main
