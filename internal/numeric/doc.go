// Package numeric holds the functions that the statistics stand on: the incomplete beta
// function, the tails of chi-square and of Student's t, and the sums of a ratio of means.
package numeric
