// Package fnr computes the false-negative rates of recycling Bloom filters, with the guarantees
// of package exact.
//
// A recycling filter that clears itself calls a message new although it came before: a false
// negative. A System is such a filter under a workload in which messages come again. Rates is
// for tiny filters of any rule and workload, Lasting for those among them that can come to
// recycle no more, Grouped, RepeatsOnly and ArrivalsLast are for filters of real size. StateAfter
// has what does not depend on the workload: the set bits after i distinct messages.
//
// Source: Dozier et al., "Analysis of false negative rates for recycling Bloom filters"; here
// Dozier-FN.
package fnr
