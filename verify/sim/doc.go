// Package sim measures recycling filters on streams of messages:
//
//   - Run: independent replications of a recycling filter under a bloomproof.Workload by a Plan,
//     with the filter of package kernel or with one that draws ideal positions
//   - Fill and FillCounting: those of a filter that is filled and never recycles, plain or counting
//   - Tally: what a run of each counted; its rates and lengths are hits and trials
//   - Rate and Ratio: what the runs say of a rate or of a capacity, with an Interval
//   - Keys: the arrivals of a workload themselves, for traces to be made of
//
// # Words
//
// A message is new when it never arrived before, recorded when it is recorded in the
// active or the frozen array, and forgotten when it arrived before and is recorded in
// neither. New and forgotten messages are cycle-new. The filter's verdict on an
// arrival is taken before the arrival is recorded, and so is its class.
//
// # When a message is recorded
//
// An arrival is recorded in the active array when all its positions are set there
// afterwards, whether it set them or found them set: it can no longer be missed there.
// Without copy-over, one that matched the frozen array alone is not recorded anew, and
// keeps its old record if it has one. The trigger of a recycle is an exception:
//
//	                        recorded after the recycle in
//	one phase               no array
//	two, freeze after       the array that freezes
//	two, freeze before      no array: the bits that it set are taken back
//	retaining, in addition  the new active array
package sim
