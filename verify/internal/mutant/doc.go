// Package mutant has filters that are broken on purpose. Each has one fault that was found in real libraries. The
// function All lists these filters. Each law names a quantity. The second column has the law that the filter breaks. It
// also says whether the quantity is above or below its exact value:
//
//	double hashing           rate above      p_j = h1 + j h2 mod m, the usual scheme
//	one probe too few        rate above      k positions added, k-1 looked up
//	modulo of a short word   place below     word mod m instead of word m / 2^bits
//	same bit twice           repeats above   two of the k positions always coincide
//
// An examination must find the fault of each of these filters, under the stated law and in the stated direction.
// TestMutantsAreCaught of package verify checks this.
//
// Recycling is a recycling filter with a Fault in its semantics. There is a Fault for each clause of the semantics. The
// hand-made histories of package verify must find each of these faults (TestRecyclingMutantsBreakClauses). The model in
// package model must also find each of these faults (TestRecyclingMutantsAreToldFromModel).
package mutant
