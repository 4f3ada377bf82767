// Package model is the test oracle of the filters. It says what each filter must do, written a
// second time in the plainest form, with sets in place of bit arrays and exact
// rationals in place of floats.
//
//   - Positions and Cycle follow the position derivation of docs/format.md, on big
//     integers.
//   - Filter and Recycling keep the messages that each array holds. A bit is set
//     when it is a position of one of them. Everything else is computed from
//     the messages anew each time, so no stored count can be wrong. Counting keeps
//     how often each key was added, and also the counters, because they can saturate.
//   - FilterRun, RecyclingRun and CountingRun drive a filter of package kernel and its
//     model through the same operations. After each operation they compare everything that can be
//     observed of both. Property tests and fuzz targets differ only in the source of their
//     operations.
//
// # One form of program
//
// A program is a list of Op, each of which is valid in every state. That is the only form.
// Tests of package kernel give it to gopter's commands, which draw and shrink it. Fuzz
// targets decode it from bytes. Commands of gopter's own would be a second form, which no
// fuzzer could use; gopter may shrink commands with preconditions to programs that it never generates.
// An operation that a filter lacks stands for another of its operations, so one decoder serves all filters.
// A run calls every exported method of every filter (TestRunsCallEveryMethod). It calls the methods
// that only read after each operation.
//
//	FilterRun               Filter; MappedFilter on its snapshots (Map)
//	CountingRun             CountingFilter
//	RecyclingRun            RecyclingFilter, by any rule
//	ConcurrentFilterRun     ConcurrentFilter, compared with a Filter
//	ConcurrentRecyclingRun  ConcurrentRecycling, compared with a RecyclingFilter
//
// Nothing here is fast: a step takes time in proportion to the number of messages held.
package model
