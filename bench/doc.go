// Package bench compares Bloomproof's filters with others in one binary and one run.
//
// It is a module of its own, so that peers and plotting never reach the library's
// go.mod. Nothing imports it. Command compare measures and writes RESULTS.md;
// command figures draws docs/figures.
package bench
