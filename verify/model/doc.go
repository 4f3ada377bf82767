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
// Nothing here is fast: a step costs time in proportion to the messages held.
package model
