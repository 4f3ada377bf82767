// Command asmmutant breaks the assembly of package kernel/asm on purpose. It changes one instruction, constant or
// condition at a time, and runs the package's tests on each broken function. If no test notices a broken function (a
// mutant), the tests would not notice such a fault in the code either. It needs Linux and the go command.
//
//	make mutate                                                      every mutant that this host can run
//	go run ./verify/internal/tools/asmmutant -family popcount        the mutants of the files popcount_*.s
//	go run ./verify/internal/tools/asmmutant -impl avx2 -shard 2/4   the second quarter of the AVX2 mutants
//	go run ./verify/internal/tools/asmmutant -resume r.jsonl         mutants without a result in r.jsonl; adds results
//
// A result remains valid as long as three things are unchanged: the text of the mutant, the tests of its family and the
// Go version. So a run with -resume continues a stopped run. After a change of the code, it runs only the affected
// mutants. The flag -resume is also used by make mutate. A survivor must be in equivalent.txt or in proofs.txt.
// Otherwise the exit code is 1.
//
// # Mutants
//
// Macros and includes are expanded first. So each use of a macro has its own mutants. Each copy of an included loop
// also has its own mutants. An instruction is deleted, or replaced by another one with the same operands. In other
// mutants, its operands are exchanged. A register is replaced by another of the same class. The address of a memory
// operand is moved by 8 bytes. A condition is negated. In other mutants, a condition is replaced by a similar one, such
// as < by <=. The results of the two conditions then differ only for equal values. A conditional jump becomes
// unconditional. A constant c is replaced by c+1, c-1, 0 and 2c; constants in DATA are changed too. Prefetches,
// alignment and VZEROUPPER are not changed.
//
// All mutants of a file are assembled into one test binary of package kernel/asm. No function may rely on the contents
// of registers. So each function first fills the registers with junk, or with 0 when the long tests run. It then jumps
// to the mutant that an environment variable selects. The flag -overlay of the go command replaces the files. So the
// source tree does not change. Every mutant runs in a separate process. The system ends the process when it has used a
// given CPU time. So the command also detects a mutant that never returns. Mutants that the assembler refuses are
// counted and left out. A function is examined by some of the tests. They are the tests that have a subtest for this
// function. The subtest has the name op=<operation>/impl=<word>. They run first in their short form. It is an error if
// a function has no such test. The arm64 mutants run under qemu-aarch64-static. Some mutants have an instruction that
// the CPU does not have. They are reported as not run.
//
// # Equivalent mutants
//
// The list equivalent.txt names mutants that have the same results as the original. It gives a reason for each. Other
// mutants with the same results are proved (see below). Most of the listed mutants select another loop with the same
// result, so they only take longer. A line of the list has five parts: a file, a function, a label, a statement and a
// change. It is an error if a line matches no mutant. A line can match several mutants. If the tests kill all these
// mutants, the command reports an error. So the list stays up to date.
//
// # Proofs
//
// The flag -prove (make prove-mutants) is for functions that verify/proof/machine has proved, for both platforms. The
// mutants of these functions are not run. Instead the prover tries to prove that each mutant is correct. It uses the
// invariants of the original function. The solvers get only the claims that the change alters, and the prover executes
// only the paths that the change is on. The solvers stop at the first claim that does not hold. They also stop if a claim
// exceeds its limit. Some mutants have no claims, for example if the prover does not know an instruction. They are
// rejected too, and counted separately. If the prover proves a mutant that the tests kill, the prover
// has a fault. So this is an error.
//
// With -write, the proved mutants are recorded in proofs.txt. A surviving mutant must have either a record in
// proofs.txt or a line in equivalent.txt. A record has hashes of the prover, the invariants and the mutant. If one of
// these three changes, the record is no longer valid. The hash of the prover is of the code that makes claims, and not
// of package solve, which asks the solvers. If a fault of package solve is found, delete the records, and do not use
// results of an earlier run. The command make mutate lists the records that are no longer
// valid. It is also an error if the tests kill a mutant that has a record. A line of equivalent.txt matches some
// mutants. It is an error if the prover can prove all of them. So each line matches at least one mutant whose proof
// fails. Such a mutant may be right only for the arguments that occur in a program. Or it may have an instruction that
// the prover does not know.
//
// A record also has a hash of all claims that the solvers have proved about the mutant. A change of the prover may
// leave all claims about a mutant the same. Then the claims are not decided again. The results in the file of -resume
// have such hashes too, also those of rejected mutants. If only the prover has changed, the records can be updated in
// minutes. This needs a run with -known -write, and the same file for -resume. With -known no solver is run, and only
// mutants are tried that have a record or a result of an earlier prover.
//
// The flag -equivalent selects the mutants in equivalent.txt and those that have a record. The flag -each selects a
// random sample of each function.
//
// # Results
//
// The file summary.txt is the output of make mutate for the present assembly. The host had AVX-512 and
// qemu-aarch64-static. TestSummary checks that the numbers of mutants in summary.txt are up to date.
//
// # Limits
//
// Three kinds of faults are not covered. The first kind needs two changes at once. The second kind is a missing
// instruction. The third kind is a wrong specification. Tests of other packages do not run.
package main
