// Package bench compares Bloomproof's filters with others in one binary and one run.
//
// It is a separate module, so that the go.mod of the library does not list peers and plotting packages. No package
// imports it. Each of its folders is a command that writes a page or figures:
//
//   - compare measures, with C++ peers where their headers are found, and writes RESULTS.md
//   - conformance examines other filters, in Go and in other languages, and writes docs/conformance.md
//   - figures draws docs/figures, and fan measures the data for some of them
//
// The tests of migrate compare the packages of kernel/compat with the libraries that they replace. The folder beam is
// another module, in which an Apache Beam pipeline builds one filter from many shards.
package bench
