// Package sequential holds the sequential tests of our own examinations:
//
//   - MeanTest: of the mean of bounded samples whose Law, mean and variance, is known, with a
//     false-alarm probability that is a theorem (Bennett's inequality) and not a normal
//     approximation; its Verdict is that of all tests of the package
//   - BetTest and CountTest: of bounded samples and of counts; they need no variance and no
//     last sample, and their false-alarm probability is a theorem (Ville's inequality)
//   - CountRange: the range of one count
//   - RatioTest: of a ratio of means, from replications
//
// # False alarms
//
// A test of alpha = 1e-3 over c laws gives each law alpha/c (Bonferroni), and
// MeanTest divides that again by two sides and by its number of looks. The overall
// probability of a false alarm is then at most alpha, whatever the dependence
// between the laws, provided that the samples of each law are independent and that
// mean and variance are those of one sample.
package sequential
