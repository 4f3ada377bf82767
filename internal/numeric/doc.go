// Package numeric has the numerical functions that the statistics use. These are the incomplete beta function and the
// tails of the chi-square distribution and of Student's distribution. The type Sums has the sums from which a ratio of
// two means is estimated.
package numeric
