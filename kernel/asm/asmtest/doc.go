// Package asmtest compares bit kernels in assembly with their portable twins, which are the same operations in Go. Its
// cases have arguments next to forbidden pages, and words that are likely to reveal errors. The cases include all short
// lengths and all byte alignments. Each family of kernels has a table of kernels, and a function that runs all cases on
// one of them. The package does not use package testing. So the self-test of the command line program can run the same
// cases as the tests.
//
// Popcount returns a Row for each kernel of this build that counts bits. Run runs all cases on one Row. It returns the
// first wrong result as a Failure. It makes the arguments in the Failure as small as it can. For operations on the bits
// at the positions of keys, use Probe, RunProbe and ProbeFailure. Blocks returns the rows for keys whose positions all
// lie in one block. Use RunProbe for these rows too. For operations on vectors of float64 numbers, use Transition,
// RunTransition and TransitionFailure. For hashing keys, use Hash, RunHash and HashFailure.
//
// # What a case checks
//
//   - The result and every word of the arguments are compared with those of the twin. The twin runs on a copy of the
//     same memory, so any overlap is compared too.
//   - Reads and writes outside the arguments are Failures. The arguments lie directly next to forbidden pages, before
//     or after them. If the system has no such pages (see Guarded), only writes are detected.
//   - Stray writes near the arguments are Failures. The 16 words on each side must not change.
//   - Every alignment in bytes occurs, and two arguments overlap at every distance in bytes up to the size of two
//     vectors. Some lengths do not fit in 32 bits. There are two kinds of arguments with such a length. For the first
//     kind, the other argument is shorter and limits what the kernel may access. For the second kind, only the first
//     page exists, and the kernel must reach the next page. There are calls with 2^32 keys, which a kernel must not
//     mistake for 0 keys. On Linux some arguments also have more ones than 32 bits can count. The memory of these
//     arguments is only a few words, which are mapped to many addresses.
//   - On Linux there are positions of more than 32 bits, in arrays that take memory only for the pages that are
//     written.
//   - In the probe family the arguments that are only read must not change. The memory for answers contains no valid
//     answers before the call.
//
// # Limits
//
// Some errors are not detected. For example, a kernel may read outside its arguments, but only for one length and one
// alignment. Such a read is detected only next to a forbidden page. So a case must place arguments of this length and
// alignment directly next to such a page. An error is also not detected if it occurs only for words or lengths that no
// case has. The same is true of an error that occurs only on another CPU.
package asmtest
