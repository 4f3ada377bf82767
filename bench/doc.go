// Package bench compares Bloomproof's filters with others in one binary and one run.
//
// It is a module of its own, so that peers and plotting never reach the library's
// go.mod. Nothing imports it. Its folders are commands, each with a page or figures of its own:
//
//   - compare measures, with C++ peers where their headers are found, and writes RESULTS.md
//   - conformance examines other filters, in Go and in other languages, and writes docs/conformance.md
//   - figures draws docs/figures, for some of which fan has the data
//
// The tests of migrate hold the packages of kernel/compat to the libraries whose names they have. In beam,
// one more module, an Apache Beam pipeline builds one filter from many shards.
package bench
