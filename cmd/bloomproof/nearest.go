package main

import (
	"fmt"
	"strings"
)

// The function "unknown" returns the error text for a word that is not one of the known words. Commas separate the
// known words.
func unknown(known, word string) string {
	return fmt.Sprintf("must be one of %s, got %s; the nearest is %s", known, quote(word), nearest(short(word), strings.Split(known, ", ")))
}

// The function "nearest" returns the known word with the smallest Levenshtein distance from word. If several words
// have this distance, it returns the first.
func nearest(word string, known []string) (best string) {
	least := -1
	for _, k := range known {
		if d := edits(word, k); least < 0 || d < least {
			best, least = k, d
		}
	}
	return best
}

// The function "edits" returns the Levenshtein distance of a and b, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1) // distances of the first i bytes of a from each prefix of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0]++
		for j := range len(b) {
			d := before
			if a[i] != b[j] {
				d = 1 + min(before, row[j], row[j+1])
			}
			before, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}
