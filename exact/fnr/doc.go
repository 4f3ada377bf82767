// Package fnr computes the false-negative rates of recycling Bloom filters, with the guarantees
// of package exact.
//
// A false negative of a recycling filter is a message that came before but is reported as new. The reason is that the
// filter has cleared itself in the meantime.
//
//	System        represents a recycling filter under a workload that repeats messages.
//	New           makes a System.
//	Rates         computes the rates of tiny filters, for every rule and workload.
//	Lasting       computes the same rates, given that the filter has not stopped recycling.
//	CycleRates    computes the rates of filters of practical size with fresh positions.
//	CycleBounds   computes bounds of these rates if new messages enter at any rank.
//
// FixedRates encloses the rates of filters of practical size with fixed positions. The results of these methods have
// the types Rates and FixedRates.
//
// Equation (1) of Dozier-FN is about the number of bits that i distinct messages set in an array. The type
// exact.Distribution is the distribution of this number.
//
// Source: Dozier et al., "Analysis of false negative rates for recycling Bloom filters", cited as Dozier-FN.
package fnr
