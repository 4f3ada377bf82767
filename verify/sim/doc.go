// Package sim measures recycling filters on streams of messages:
//
//   - Run: independent replications of a recycling filter under a bloomproof.Workload, as a Plan says, with the filter
//     of package kernel or with one that draws ideal positions
//   - Fill and FillCounting: replications of a plain or counting filter that is filled and never recycles
//   - Tally: the counts of one run; its rates and lengths are pairs of hits and trials
//   - Rate and Ratio: a rate or a capacity from all runs, with its Interval
//   - Keys: the arrivals of a workload, from which traces can be made
//
// A message is new if it never arrived before. It is recorded if the active or the frozen array records it. It is
// forgotten if it has arrived before, but neither array records it now. A message that is new or forgotten is also
// called cycle-new. An arrival has a class and gets an answer from the filter. Both refer to the moment before the
// arrival is recorded.
//
// After an arrival, its message is recorded in the active array if all positions of the message are set in this array.
// Some or all of these bits may have been set before the arrival. From then on, this array matches the message. Without
// copy-over, an arrival that matches only the frozen array sets no bits. Such an arrival does not record its message in
// the active array. If the message is already recorded, it stays recorded. The arrival that triggers a recycle is an
// exception. The table says in which array its message is recorded.
//
//	                        recorded after the recycle in
//	one phase               no array
//	two, freeze after       the array that freezes
//	two, freeze before      no array: the bits that it set are taken back
//	retaining, in addition  the new active array.
package sim
