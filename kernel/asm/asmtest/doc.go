// Package asmtest holds bit kernels to their portable twins: guarded buffers,
// adversarial words, every short length and place to the byte, a table of kernels and its
// runner for each family. It does not use package testing, so the command line's
// self-test runs the same tables as the tests do.
//
// Popcount lists the kernels of this build as Rows; Run puts one Row through all
// cases and returns the first disagreement as a Failure with a minimised input. Probe,
// RunProbe and ProbeFailure do the same for the operations at the positions of keys; Blocks
// lists those of keys with all positions in one block, for RunProbe. Transition,
// RunTransition and TransitionFailure are for float64 vectors; Hash, RunHash and HashFailure
// for the hashing of keys.
//
// # What a case checks
//
//   - the result and every word of the arguments against the twin, which runs on a
//     copy of the same memory, so any overlap is compared too;
//   - reads and writes outside the arguments: arguments lie flush against pages that
//     may not be touched, in front or behind, and a touch is a Failure. Where the
//     system offers no such pages (Guarded reports it), only writes are seen;
//   - stray writes near the arguments: 16 words on each side must keep their value;
//   - every alignment in bytes, and every overlap by a distance in bytes up to two
//     vectors; lengths of which 32 bits are not enough to tell them, on an argument of
//     which only the shorter length of the other may be touched, or of which only the
//     first page is there, which a kernel must find out; 2^32 keys, which no kernel may
//     take for none; more ones than 32 bits can tell, in a few words that are mapped many
//     times (Linux only);
//   - positions beyond 32 bits, in arrays that take memory only where they are written
//     (Linux only);
//   - in the probe family, what is only read must keep its value too, and what is
//     written holds no answer before.
//
// # What it cannot see
//
// A read outside the arguments that happens only for one length together with one
// alignment, when that pair never lies flush against a forbidden page; a kernel wrong
// only for words or lengths that no case has; a kernel wrong only on another CPU.
package asmtest
