// Package numeric has the numerical functions that the statistics use: the incomplete beta function, the tails of
// chi-square and of Student's t, and the sums from which a ratio of two means is estimated.
package numeric
