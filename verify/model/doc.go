// Package model is the oracle of the filters: what each of them must do, written a
// second time in the plainest form, with sets in place of bit arrays and exact
// rationals in place of floats.
//
//   - Positions and Cycle follow the position derivation of docs/format.md, on big
//     integers.
//   - Filter and Recycling keep the messages that each array holds. A bit is set
//     when it is a position of one of them, and everything else is computed from
//     that anew each time, so there is no count that could go wrong. Counting keeps
//     how often each key is there, and the counters besides, for what saturates.
//   - FilterRun, RecyclingRun and CountingRun drive a filter of package kernel and its
//     model through the same operations and compare, after each of them, all that can be
//     seen of both. Property tests and fuzz targets differ only in where their
//     operations come from.
//
// # One form of program
//
// A program is a list of Op, each of which is valid in every state. That is the only form:
// tests of package kernel give it to gopter's commands, which draw and shrink it; fuzz
// targets decode it from bytes. Commands of gopter's own would be a second form, which no
// fuzzer could use, and those with preconditions may be shrunk to what was never generated.
// An operation that a filter lacks is another of its own, so that one decoder serves all.
// Every exported method of every filter is called by a run (TestRunsCallEveryMethod), those
// that only look after each operation.
//
//	FilterRun               Filter; MappedFilter on its snapshots (Map)
//	CountingRun             CountingFilter
//	RecyclingRun            RecyclingFilter, by any rule
//	ConcurrentFilterRun     ConcurrentFilter beside a Filter
//	ConcurrentRecyclingRun  ConcurrentRecycling beside a RecyclingFilter
//
// Nothing here is fast: a step costs time in proportion to the messages held.
package model
