// Command asmmutant breaks the assembly of package kernel/asm on purpose, one instruction, constant or condition at a
// time, and runs that package's tests on each broken function. If no test notices a mutant, the tests would not have
// noticed such a fault in the code either. It needs Linux and the go command.
//
//	make mutate                                       every mutant that this host can run
//	go run ./verify/internal/tools/asmmutant -family popcount        those of files popcount_*.s
//	go run ./verify/internal/tools/asmmutant -impl avx2 -shard 2/4   the second quarter of the AVX2 ones
//	go run ./verify/internal/tools/asmmutant -resume r.jsonl         skips what r.jsonl has, adds to it
//
// A result remains valid as long as three things are unchanged: the text of the mutant, the tests of its family and the
// Go version. So with -resume (which make mutate uses) a stopped run continues, and after a change only the affected
// mutants are run. The exit code is 1 if a mutant survives that equivalent.txt does not list.
//
// # Mutants
//
// Macros and includes are expanded first, so that each use of a macro, and each loop that a file includes, is changed
// separately. An instruction is deleted, or replaced by another one with the same operands. Or it gets exchanged
// operands, another register of the same class, memory 8 bytes before or after, the negated condition, the condition
// that differs only for equal values, or an unconditional jump. A constant is replaced by one more, one less, 0 and
// twice as much; constants in DATA are changed too. Prefetches, alignment and VZEROUPPER are not changed.
//
// All mutants of a file are assembled into one test binary of package kernel/asm. Each function first fills the
// registers with junk, or with 0 when the long tests run, because no function may rely on their contents. It then jumps
// to the mutant that the environment selects. The files are replaced by Go's -overlay, so nothing in the source tree is
// written. Every mutant runs in a separate process with a limit of CPU time, after which the system ends it. So a
// mutant that never returns is detected like one that returns nonsense or crashes. Mutants that the assembler refuses
// are counted and left out. The tests that run are those with a subtest op=<operation>/impl=<word>, the short ones
// first; a function without such a test is an error. The arm64 mutants run under qemu-aarch64-static. Mutants that need
// instructions which the CPU lacks are reported as not run.
//
// # Equivalent mutants
//
// equivalent.txt lists mutants that have the same results as the original, and why. Others are proved, see below. Most of them select another
// loop with the same result, and only cost time. Its lines name file, function, label, statement and change. A line
// that matches no mutant, or no survivor, is an error, so the list cannot become out of date.
//
// # Proofs
//
// With -prove (make prove-mutants) the mutants of functions that verify/proof/machine has proved are not run. Instead
// the prover tries to prove them, with the invariants of the function. The solvers see only the claims that the change
// makes different, and stop at the first that does not hold or takes too long. A mutant that the tests kill must not be
// proved: that would be a fault of the prover, and is an error.
//
// With -write, proofs.txt gets the mutants that are proved. A record there replaces a line of equivalent.txt: a
// survivor must have one of the two. A record names the prover and the mutant by hashes, so it does not count after a
// change of the prover, of the invariants or of the function. make mutate says which records those are. A mutant with a
// record that the tests kill is an error too. A line of equivalent.txt whose mutants are all proved by the present prover
// is an error. So with a complete run the list has only what the prover cannot prove: a mutant that is right only for
// arguments that a program has, or that has an instruction which the prover does not know. With -equivalent only the
// mutants of the list and of the records run. With -known no solver is asked, and mutants that need one have no result.
//
// # Results
//
// summary.txt is the output of make mutate for the present assembly, on a host with AVX-512 and with
// qemu-aarch64-static. TestSummary checks that it is about the present mutants.
//
// # Limits
//
// Three kinds of faults are not covered: a fault that needs two changes at once, a missing instruction, and code that
// correctly implements a wrong specification. Tests of other packages do not run.
package main
