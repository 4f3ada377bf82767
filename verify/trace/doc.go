// Package trace reads traces of requests and estimates their traffic:
//
//   - Read: the Estimate of a trace; ReadBounded: the same in bounded memory, however many
//     keys there are; Options say which part is counted
//   - Estimate: counts of arrivals and keys, a bloomproof.Workload, whether the two halves have the same popularities
//     (Stationarity), how far the arrivals are from independent ones (Correlation), and the share that a filter of a
//     given capacity forgets (Forgotten)
//   - Ladder: what filters of every capacity forget of a trace; ReadLadder does this in bounded memory; Replicas: what
//     one filter does
//   - Keys: traffic with given gaps, to make traces of
//   - NewEstimator and Estimator: the Estimate of arrivals that the caller passes one by one, with numbers for keys,
//     such as those that a filter sees
//
// # What a trace is taken for
//
// In the workload of Dozier-FN, section 3.1, an arrival is a repeat with probability p_r. A repeat is of rank j with
// probability q_j. Any other arrival is a new message, which enters at rank i with probability zeta_i. A trace tells
// which arrivals are repeats, and which key each repeats. It does not tell ranks, which change whenever a new message
// enters. The estimates rank the keys by their repeats over the whole part of the trace that is counted:
//
//   - p_r is the share of arrivals that are repeats. Exact for the part.
//   - q is the share of the repeats that each key has, in falling order. A key that arrives once has no repeats:
//     one-hit wonders are new messages that enter at a last rank with q = 0.
//   - zeta is the distribution of the rank that a new message of the part comes to have. If several keys have the same
//     number of repeats, their ranks are equally likely.
//
// So the expected numbers of repeats and of new messages of each rank are those of the part. The estimates are biased
// in these cases:
//
//   - A key whose popularity rises or fades counts with its mean. This makes q flatter than it is at any time, so that
//     the workload has more repeats of forgotten messages than the trace. With many new messages that become popular,
//     such as arrivals equal to Q or `first`, this effect dominates; Stationarity shows it.
//   - A new message that comes late has had less time for repeats, so its popularity is underestimated. The same is
//     true of a key with q N < 1, which has no repeats or a few.
//   - Without a warm-up every key is new once, whatever its popularity. Then p_r is too low for the long run, in which
//     the popular keys are known.
package trace
