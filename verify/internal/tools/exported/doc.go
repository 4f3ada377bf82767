// Package exported has only tests. They look at the exported names of all packages at once, by their types:
//
//   - docs/api.txt lists each of them (TestAPI).
//   - A function that takes a Geometry or a Hashing answers for those that it has a formula for, and refuses all others
//     with a ParamError (TestUndeclaredHashing, TestBlocksRefused, TestRatesAlone).
//   - The runs of package model call each method of each filter (TestRunsCallEveryMethod).
//
// The tests need go/types and the export data of the whole module, so make test-tools runs them, and not make test.
package exported
