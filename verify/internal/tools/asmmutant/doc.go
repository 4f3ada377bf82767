// Command asmmutant breaks the assembly of package kernel/asm on purpose, one instruction,
// constant or condition at a time, and runs that package's tests on each broken function:
// a mutant that no test notices is a fault that no test would have noticed. It needs Linux
// and the go command.
//
//	make mutate                                       every mutant that this host can run
//	go run ./verify/internal/tools/asmmutant -family popcount        those of files popcount_*.s
//	go run ./verify/internal/tools/asmmutant -impl avx2 -shard 2/4   the second quarter of the AVX2 ones
//	go run ./verify/internal/tools/asmmutant -resume r.jsonl         skips what r.jsonl has, adds to it
//
// A result counts as long as the text of the mutant, what tests its family and the Go
// version are what they were, so with -resume (which make mutate uses) a run that was
// stopped goes on, and one after a change runs what the change concerns. The exit code is
// 1 if a mutant survives that equivalent.txt does not list.
//
// # Mutants
//
// The preprocessor's work is done first, so that each use of a macro and each loop that a
// file includes is changed by itself. In place of an instruction comes one of the same
// shape (its operands exchanged, another register of the class, memory 8 bytes before or
// after, the negated condition or the one that differs where both sides are equal, an
// unconditional jump) or nothing; in place of a constant comes one more, one less, 0 and
// twice as much; constants in DATA are changed too. Prefetches, alignment and VZEROUPPER
// are left alone.
//
// All mutants of a file are assembled into one test binary of package kernel/asm. Each
// function begins by filling the registers with junk, or with 0 when the long tests run,
// on which no function may rely, and jumps to the mutant that the environment names; the
// package is laid over with go's -overlay, and nothing in the tree is written. Every
// mutant has a process of its own and a limit of CPU time, after which the system ends
// it: a mutant that never returns is found like one that returns nonsense or crashes.
// What the assembler refuses is counted and left out. The tests that run are those with a
// subtest op=<operation>/impl=<word>, the short ones first; a function without one is an
// error. The arm64 mutants run under qemu-aarch64-static, those for which the CPU lacks
// something are reported as not run.
//
// # Equivalent mutants
//
// equivalent.txt lists the mutants that give the same results, and why: most choose
// another loop that does the same, and cost only time. Its lines name file, function,
// label, statement and change. A line that matches no mutant, or no survivor, is an
// error: the list cannot outlive what it speaks of.
//
// # Proofs
//
// With -prove (make prove-mutants) the mutants of the functions that verify/proof/machine has proved
// are not run but given to that prover, with the invariants of the function. One that the tests
// kill must not be proved: that would be a fault of the prover, and an error. One that
// equivalent.txt lists may be; where it is not, it goes another way than the invariants
// say, or has an instruction that the prover does not know, and stays with its reason in the list.
// proofs.txt is what samples said.
//
// # What it showed
//
// summary.txt is what make mutate says of the present assembly, on a host with AVX-512 and
// with qemu-aarch64-static; TestSummary asserts that it is of these mutants.
//
// # What it does not show
//
// A fault that takes two changes at once; an instruction that is missing; a fault in what
// was written correctly for the wrong specification. Tests of other packages do not run.
package main
