// Package stat holds the statistics that decide whether a filter keeps its laws:
//
//   - MeanTest: a sequential test of the mean of bounded samples whose mean and
//     variance are known, with a false-alarm probability that is a theorem (Bennett's
//     inequality) and not a normal approximation
//   - BetTest and CountTest: sequential tests of bounded samples and of counts that need no
//     variance and no last sample, with a false-alarm probability that is a theorem (Ville's
//     inequality); CountRange, the range of one count
//   - ClopperPearson: the exact interval of a proportion
//   - RatioTest: a sequential test of a ratio of means, from replications
//   - Sums, StudentT: the interval of a mean or of a ratio of means, from replications
//   - IncompleteBeta, on which these intervals stand
//
// # False alarms
//
// A test of alpha = 1e-3 over c laws gives each law alpha/c (Bonferroni), and
// MeanTest divides that again by two sides and by its number of looks. The overall
// probability of a false alarm is then at most alpha, whatever the dependence
// between the laws, provided that the samples of each law are independent and that
// mean and variance are those of one sample.
package stat
