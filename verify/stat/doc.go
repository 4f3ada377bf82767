// Package stat has confidence intervals for the counts of a simulation:
//
//   - ClopperPearson: the exact confidence interval of a probability, from independent trials
//   - RatioInterval: the confidence interval of a mean, or of a ratio of means, from replications
package stat
