// Package search finds the first number for which a monotone predicate holds.
package search

import "math"

// FirstTrue returns the smallest n >= least for which pred is true. If there is no such n below 2^64, the result
// "found" is false. The predicate "pred" must be monotone: if it is true for n, it is true for all larger numbers. The
// search begins near guess.
func FirstTrue(least, guess uint64, pred func(n uint64) (bool, error)) (n uint64, found bool, err error) {
	const most = math.MaxUint64
	low, high := least, uint64(most) // pred is false below low; if found is true, pred is true at high
	at := max(guess, least)
	for step := uint64(1); low < high || !found; step = max(step, step<<1) {
		ok, err := pred(at)
		switch {
		case err != nil:
			return 0, false, err
		case ok:
			high, found = at, true
		case at == most:
			return 0, false, nil
		default:
			low = at + 1
		}
		switch {
		case found && low > least:
			at = low + (high-low)/2
		case found:
			at = high - min(step, high-low)
		default:
			at += min(step, most-at)
		}
	}
	return high, true, nil
}
