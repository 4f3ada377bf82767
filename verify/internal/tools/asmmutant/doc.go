// Command asmmutant breaks the assembly of package kernel/asm on purpose, one instruction, constant or condition at a
// time, and runs that package's tests on each broken function. If no test notices a broken function (a mutant), the
// tests would not notice such a fault in the code either. It needs Linux and the go command.
//
//	make mutate                                                      every mutant that this host can run
//	go run ./verify/internal/tools/asmmutant -family popcount        the mutants of the files popcount_*.s
//	go run ./verify/internal/tools/asmmutant -impl avx2 -shard 2/4   the second quarter of the AVX2 mutants
//	go run ./verify/internal/tools/asmmutant -resume r.jsonl         mutants without a result in r.jsonl; adds results
//
// A result remains valid as long as three things are unchanged: the text of the mutant, the tests of its family and the
// Go version. So with -resume, which make mutate uses, a stopped run can be continued, and after a change only the
// affected mutants are run. The exit code is 1 if a mutant survives and equivalent.txt does not list it.
//
// # Mutants
//
// Macros and includes are expanded first, so that each use of a macro, and each loop that a file includes, is changed
// separately. An instruction is deleted, or replaced by another one with the same operands. In other mutants, its
// operands are exchanged, a register is replaced by another of the same class, or its memory address is moved by 8
// bytes. A condition is negated, or replaced by a condition that gives a different result only for equal values, or the
// jump becomes unconditional. A constant c is replaced by c+1, c-1, 0 and 2c; constants in DATA are changed too.
// Prefetches, alignment and VZEROUPPER are not changed.
//
// All mutants of a file are assembled into one test binary of package kernel/asm. Each function first fills the
// registers with junk, or with 0 when the long tests run, because no function may rely on their contents. It then jumps
// to the mutant that the environment selects. The files are replaced by Go's -overlay, so nothing in the source tree is
// written. Every mutant runs in a separate process. The system ends the process when it has used a given CPU time. So a
// mutant that never returns is detected like one that returns nonsense or crashes. Mutants that the assembler refuses
// are counted and left out. Each function is examined by the tests that have a subtest op=<operation>/impl=<word> for
// it. These tests run first in their short form. It is an error if a function has no such test. The arm64 mutants run
// under qemu-aarch64-static. Mutants that need instructions which the CPU lacks are reported as not run.
//
// # Equivalent mutants
//
// equivalent.txt lists mutants that have the same results as the original, and why. Other mutants with the same results
// are proved, see below. Most of the listed mutants select another loop with the same result, so they only take longer.
// A line of the list names file, function, label, statement and change. A line that matches no mutant, or only mutants
// that tests kill, is an error, so the list cannot become out of date.
//
// # Proofs
//
// With -prove (make prove-mutants) the mutants of functions that verify/proof/machine has proved are not run. Instead
// the prover tries to prove them, with the invariants of the function. The solvers see only the claims that the change
// alters. They stop at the first claim that does not hold or takes too long. A mutant that the tests kill must not be
// proved: that would be a fault of the prover, and is an error.
//
// With -write, proofs.txt gets the mutants that are proved. A record in proofs.txt replaces a line of equivalent.txt: a
// surviving mutant must have either a record or a line. A record names the prover and the mutant by hashes, so the
// record no longer counts after a change of the prover, of the invariants or of the function. The command make mutate
// lists the records that no longer count. It is also an error if the tests kill a mutant that has a record. A line of
// equivalent.txt whose mutants are all proved by the present prover is an error. So after a complete run the list has
// only mutants that the prover cannot prove. Such a mutant may be right only for the arguments that occur in a program,
// or may have an instruction that the prover does not know.
//
// A record also has a hash of all claims that the solvers have proved about the mutant. If a later prover makes the
// same claims, they are not proved again. So after a change of the prover, a run with -equivalent -known -write brings
// the records up to date in minutes. With -equivalent the command runs only those mutants that equivalent.txt or a
// record names. With -known no solver is asked, and mutants that need one have no result.
//
// # Results
//
// summary.txt is the output of make mutate for the present assembly, on a host with AVX-512 and with
// qemu-aarch64-static. TestSummary checks that the numbers of mutants in summary.txt are the present ones.
//
// # Limits
//
// Three kinds of faults are not covered: a fault that needs two changes at once, a missing instruction, and code that
// correctly implements a wrong specification. Tests of other packages do not run.
package main
