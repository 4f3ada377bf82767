// Package sim measures recycling filters on streams of messages:
//
//   - Run: independent replications of a Setting by a Plan, with the filter of package kernel
//     or with one that draws ideal positions; each is a Tally
//   - Fill: those of a Filling, a filter that is never cleared, plain or counting; each is a
//     FillTally
//   - Rate and Ratio: what the runs say of a rate or of a capacity, with an Interval
//   - Traffic: arrival processes; AllNew, Immediate repeats, and the Workload of Dozier-FN
//     with its fixed and fading pools; its Keys make traces
//   - Truth: the ground truth of a stream of one's own, which tells the Class of each arrival;
//     a Tally counts the filter's verdicts against it
//
// # Words
//
// A message is New when it never arrived before, Recorded when it is recorded in the
// active or the frozen array, and Forgotten when it arrived before and is recorded in
// neither. New and Forgotten messages are cycle-new. The filter's verdict on an
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
