// Package fnr computes the false-negative rates of recycling Bloom filters, with the guarantees
// of package exact.
//
// After a recycling filter has cleared itself, it can report a message as new although the message came before: a false
// negative.
//
//	System, New   such a filter under a workload that repeats messages
//	Rates         of tiny filters, every rule and workload; the type holds the rates by name
//	Lasting       the same, given that the filter has not stopped recycling
//	CycleRates    of filters of real size with fresh positions
//	CycleBounds   bounds of the same if new messages enter by popularity
//	FixedRates    bounds for filters of real size with fixed positions
//
// exact.Distribution is the distribution of the number of bits that i distinct messages set in an array, Dozier-FN (1).
//
// Source: Dozier et al., "Analysis of false negative rates for recycling Bloom filters", cited as Dozier-FN.
package fnr
