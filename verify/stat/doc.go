// Package stat holds the intervals that a simulation's counts are told with:
//
//   - ClopperPearson: the exact interval of a proportion of independent trials
//   - RatioInterval: the interval of a mean or of a ratio of means, from replications
package stat
