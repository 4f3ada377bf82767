// Package mutant holds filters that are broken on purpose, each with one fault that has been found in real libraries.
// The table (All) gives the law that each breaks:
//
//	double hashing           rate above      p_j = h1 + j h2 mod m, the usual scheme
//	one probe too few        rate above      k positions added, k-1 looked up
//	modulo of a short word   place below     word mod m instead of word m / 2^bits
//	same bit twice           repeats above   two of the k positions always coincide
//
// An examination of filters must catch every one of them, by that law and in that direction; TestMutantsAreCaught of
// package verify checks this.
//
// Recycling is a recycling filter with a Fault of its semantics. There is one Fault for each clause. The hand-made
// histories of package verify and the model of package model must catch them all (TestRecyclingMutantsBreakClauses,
// TestRecyclingMutantsAreToldFromModel).
package mutant
