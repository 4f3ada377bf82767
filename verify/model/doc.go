// Package model is the test oracle of the filters. It implements each filter a second time, in the simplest form. It
// uses sets instead of bit arrays, and exact rationals instead of floats.
//
//   - Positions and Cycle implement the position derivation of docs/format.md with big integers.
//   - Filter and Recycling keep the messages that each array has recorded. A bit is set if it is a position of one of
//     these messages. Everything else is computed from the messages each time, so no stored count can be wrong.
//     Counting keeps how often each key was added. It also keeps the counters, because they can saturate.
//   - FilterRun, RecyclingRun and CountingRun drive a filter of package kernel and its model through the same
//     operations. After each operation they compare everything that the filter and the model both show. Property tests
//     and fuzz targets differ only in the source of their operations.
//
// # Programs
//
// A program is a list of Ops. Each Op is valid in every state. The tests of package kernel and the fuzz targets use the
// same form of program. The tests draw and shrink programs with gopter's package commands, and the fuzz targets decode
// them from bytes. If a filter lacks an operation, another of its operations is used instead. So one decoder is enough
// for all filters. A run calls every exported method of every filter (TestRunsCallEveryMethod). After each operation it
// calls all methods that only read. Each type of run calls the methods of certain filters. The table shows these
// filters.
//
//	FilterRun               Filter; MappedFilter on its snapshots (Map)
//	CountingRun             CountingFilter
//	RecyclingRun            RecyclingFilter, by any rule
//	ConcurrentFilterRun     ConcurrentFilter, compared with a Filter
//	ConcurrentRecyclingRun  ConcurrentRecycling, compared with a RecyclingFilter.
//
// The models are slow: the time for one operation is proportional to the number of recorded messages.
package model
