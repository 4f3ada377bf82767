// Package numeric has the numerical functions that the statistics use: the incomplete beta function, the tails of
// chi-square and of Student's t, and the sums of a ratio of means.
package numeric
