// Package stat has confidence intervals for the counts of a simulation:
//
//   - ClopperPearson: the exact interval of the probability of independent trials
//   - RatioInterval: the interval of a mean or of a ratio of means, from replications
package stat
