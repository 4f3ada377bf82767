// Package fnr computes the false-negative rates of recycling Bloom filters, with the guarantees
// of package exact.
//
// A recycling filter that clears itself calls a message new although it came before: a false
// negative.
//
//	System, New   such a filter under a workload in which messages come again
//	Rates         of tiny filters, every rule and workload; the type has the rates by name
//	Lasting       the same, given that the filter has not come to recycle no more
//	CycleRates    of filters of real size with fresh positions
//	CycleBounds   the same where new messages enter by popularity, between bounds
//	FixedRates    of filters of real size with fixed positions, between bounds
//
// What i distinct messages leave in an array, Dozier-FN (1), is the exact.Distribution of their
// positions.
//
// Source: Dozier et al., "Analysis of false negative rates for recycling Bloom filters"; here
// Dozier-FN.
package fnr
