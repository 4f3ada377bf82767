// Package sequential holds the sequential tests of our own examinations, besides that of
// package stat:
//
//   - BetTest and CountTest: of bounded samples and of counts; they need no variance and no
//     last sample, and their false-alarm probability is a theorem (Ville's inequality)
//   - CountRange: the range of one count
//   - RatioTest: of a ratio of means, from replications
package sequential
