// Package sequential has the sequential statistical tests that the module uses:
//
//   - MeanTest tests the mean of bounded samples whose Law (mean and variance) is known. Its false-alarm probability is
//     a theorem (Bennett's inequality) and not a normal approximation. All tests of the package return its type Verdict
//   - BetTest tests bounded samples, and CountTest counts. They need no variance and take any number of samples, and
//     their false-alarm probability is a theorem (Ville's inequality)
//   - CountRange returns the range of one count
//   - RatioTest tests a ratio of means, from replications
//
// # False alarms
//
// Suppose that c laws are tested together, with alpha = 1e-3. Then the test of a single law may raise a false alarm
// with probability alpha/c (Bonferroni). MeanTest divides alpha/c by 2, because the mean can be too large or too small.
// MeanTest also divides alpha/c by the number of times that it looks at the samples. The overall probability of a false
// alarm is then at most alpha, even if the laws depend on one another. There are two conditions. The samples of each
// law must be independent. Each sample must have the mean and the variance of the law.
package sequential
