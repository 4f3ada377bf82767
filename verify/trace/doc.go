// Package trace reads traces of requests and says what traffic they are:
//
//   - Read: the Estimate of a trace; ReadBounded: the same in bounded memory, however many
//     keys there are; Options say which part is counted
//   - Estimate: counts of arrivals and keys, a bloomproof.Workload, whether the two halves are
//     alike (Stationarity), how far the arrivals are from independent ones (Correlation), and the
//     share that a filter of some capacity forgets (Forgotten)
//   - Ladder: what filters of every capacity forget of a trace, and ReadLadder in bounded memory;
//     Replicas: what one filter does
//   - Keys: traffic with gaps of one's own, to make traces of
//   - NewEstimator and Estimator: the same from arrivals of one's own, such as those that a
//     filter sees, with numbers for keys
//
// # What a trace is taken for
//
// In the workload of Dozier-FN, section 3.1, an arrival is a repeat with probability p_r,
// and then of rank j with probability q_j; or it is a new message, which enters at rank i
// with probability zeta_i. A trace tells which arrivals are repeats and of which key; it
// does not tell ranks, which change whenever a new message enters. The estimates take the
// rank of a key to be that of its repeats over the whole part of the trace that is counted:
//
//   - p_r is the share of arrivals that are repeats. Exact for the part.
//   - q is the share of the repeats that each key has, in order. A key that arrives once
//     has none: one-hit wonders are new messages that enter at a last rank with q = 0.
//   - zeta is the law of the rank that a new message of the part comes to have. A number
//     of repeats that several keys share stands for all their ranks alike.
//
// So the expected numbers of repeats and of new messages of each rank are those of the
// part. What is biased:
//
//   - A key whose popularity rises or fades counts with its mean, which makes q flatter
//     than it is at any time: more of the repeats then are of forgotten messages than in
//     the trace. With many new messages that become popular, such as arrivals equal to Q
//     or `first`, this is most of what the trace is like; Stationarity tells of it.
//   - A new message that comes late has had less time for repeats, and is taken for less
//     popular than it is; so is a key of q N < 1, whose repeats are 0 or a few.
//   - Without a warm-up every key is new once, whatever its popularity, and p_r is that of a
//     trace that begins: too low for the long run, in which the popular keys are known.
package trace
