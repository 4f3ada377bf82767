// Package stat holds the statistics that decide whether a filter keeps its laws:
//
//   - MeanTest, with Law and Verdict: a sequential test of the mean of bounded samples whose
//     mean and variance are known, with a false-alarm probability that is a theorem (Bennett's
//     inequality) and not a normal approximation
//   - ClopperPearson: the exact interval of a proportion
//   - RatioInterval: the interval of a mean or of a ratio of means, from replications
//
// # False alarms
//
// A test of alpha = 1e-3 over c laws gives each law alpha/c (Bonferroni), and
// MeanTest divides that again by two sides and by its number of looks. The overall
// probability of a false alarm is then at most alpha, whatever the dependence
// between the laws, provided that the samples of each law are independent and that
// mean and variance are those of one sample.
package stat
