// Package asmtest compares bit kernels in assembly with their portable twins, which do the same in Go. It has guarded
// buffers, adversarial words, every short length, every alignment in bytes, and for each family a table of kernels with
// its runner. It does not use package testing, so the self-test of the command line can run the same tables as the
// tests.
//
// Popcount lists the kernels of this build as Rows. Run runs all cases on one Row and returns the first disagreement as
// a Failure with a minimised input. Probe, RunProbe and ProbeFailure do the same for the operations at the positions of
// keys. Blocks lists the operations on keys with all positions in one block, for RunProbe. Transition, RunTransition
// and TransitionFailure are for float64 vectors. Hash, RunHash and HashFailure are for the hashing of keys.
//
// # What a case checks
//
//   - The result and every word of the arguments are compared with those of the twin. The twin runs on a copy of the
//     same memory, so any overlap is compared too.
//   - Reads and writes outside the arguments are Failures. The arguments lie directly next to forbidden pages, before
//     or after them. If the system has no such pages (see Guarded), only writes are detected.
//   - Stray writes near the arguments are Failures. The 16 words on each side must not change.
//   - Every alignment in bytes occurs, and every overlap by a distance in bytes up to two vectors. Some lengths exceed
//     32 bits. The kernel may then access only the shorter length of the other argument, or only the first page exists
//     and the kernel must reach the next page. There are calls with 2^32 keys, which a kernel must not mistake for 0
//     keys. On Linux there are also more ones than 32 bits can count, in a few words that are mapped many times.
//   - On Linux there are positions of more than 32 bits, in arrays that take memory only for the pages that are
//     written.
//   - In the probe family the arguments that are only read must not change. The memory for answers contains no valid
//     answers before the call.
//
// # What it cannot see
//
// It does not see a read outside the arguments that happens only for one length together with one alignment, if no case
// has this pair directly next to a forbidden page. It does not see a kernel that is wrong only for words or lengths
// that no case has, or that is wrong only on another CPU.
package asmtest
