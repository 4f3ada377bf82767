// Package trace reads traces of requests and estimates their traffic:
//
//   - Read returns the Estimate of a trace. ReadBounded does the same in bounded memory, for any number of keys.
//     Options say which part of the trace is counted.
//   - Estimate has the counts of arrivals and keys, and a bloomproof.Workload. It also says whether the two halves have
//     the same popularities (Stationarity), and how far the arrivals are from independent ones (Correlation). Forgotten
//     is the share of the arrivals that a filter of a given capacity forgets.
//   - Ladder computes the share of a trace that filters of each capacity forget. ReadLadder computes it in bounded
//     memory. Replicas are simulations of one filter.
//   - Keys returns traffic with given gaps. Traces can be made from it.
//   - NewEstimator returns an Estimator, which computes the Estimate of arrivals that the caller passes one by one. Its
//     keys are numbers.
//
// # The model of a trace
//
// In the workload of Dozier-FN, section 3.1, an arrival is a repeat with probability p_r. With probability q_j, a
// repeat is an arrival of the message at rank j. Any other arrival is a new message, which enters at rank i with
// probability zeta_i. A trace shows which arrivals are repeats, and the key of each repeat. It does not show ranks,
// which change whenever a new message enters. The estimates rank the keys by their numbers of repeats. All repeats in
// the counted part of the trace are used:
//
//   - p_r is the share of arrivals that are repeats. It is exact for the part.
//   - q has each key's share of the repeats, in descending order. A key that arrives once has no repeats. Such one-hit
//     wonders are new messages that enter at a last rank with q = 0.
//   - zeta is the distribution of the ranks of the new messages of the part. If several keys have the same number of
//     repeats, their ranks are equally likely.
//
// So two numbers of the workload agree with the counted part of the trace, for each rank. These are the expected number
// of repeats and the expected number of new messages. The estimates are biased in these cases:
//
//   - A key whose popularity changes counts with its mean popularity. So q is flatter than the popularities at any one
//     time, and the workload has more repeats of forgotten messages than the trace. If many new messages become
//     popular, as with arrivals equal to Q or `first`, this effect dominates; Stationarity shows it.
//   - A new message that comes late in the part has less time for repeats, so its popularity is underestimated. The
//     same is true of a key with q N < 1, which has only a few repeats or none.
//   - Without a warm-up every key is new once, whatever its popularity. So p_r is lower than in the long run, in which
//     the popular keys are known.
package trace
