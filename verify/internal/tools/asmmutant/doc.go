// Command asmmutant breaks the assembly of package kernel/asm on purpose, one instruction, constant or condition at a
// time, and runs that package's tests on each broken function. A mutant that no test notices is a fault that no test
// would have noticed. It needs Linux and the go command.
//
//	make mutate                                       every mutant that this host can run
//	go run ./verify/internal/tools/asmmutant -family popcount        those of files popcount_*.s
//	go run ./verify/internal/tools/asmmutant -impl avx2 -shard 2/4   the second quarter of the AVX2 ones
//	go run ./verify/internal/tools/asmmutant -resume r.jsonl         skips what r.jsonl has, adds to it
//
// A result counts as long as three things are unchanged: the text of the mutant, the tests of its family and the Go
// version. So with -resume (which make mutate uses) a stopped run continues, and a run after a change runs only what
// the change concerns. The exit code is 1 if a mutant survives that equivalent.txt does not list.
//
// # Mutants
//
// The preprocessor's work is done first, so that each use of a macro, and each loop that a file includes, is changed
// separately. An instruction is deleted, or replaced by another of the same shape: with its operands exchanged, another
// register of the class, memory 8 bytes before or after, the negated condition, the condition that differs where both
// sides are equal, or an unconditional jump. A constant is replaced by one more, one less, 0 and twice as much;
// constants in DATA are changed too. Prefetches, alignment and VZEROUPPER are left alone.
//
// All mutants of a file are assembled into one test binary of package kernel/asm. Each function first fills the
// registers with junk, or with 0 when the long tests run, because no function may rely on their contents. It then jumps
// to the mutant that the environment names. The package is overlaid with go's -overlay, and nothing in the tree is
// written. Every mutant has a process of its own and a limit of CPU time, after which the system ends it. So a mutant
// that never returns is detected like one that returns nonsense or crashes. Mutants that the assembler refuses are
// counted and left out. The tests that run are those with a subtest op=<operation>/impl=<word>, the short ones first; a
// function without such a test is an error. The arm64 mutants run under qemu-aarch64-static. Mutants for which the CPU
// lacks something are reported as not run.
//
// # Equivalent mutants
//
// equivalent.txt lists the mutants that give the same results, and why. Most of them choose another loop that does the
// same, and cost only time. Its lines name file, function, label, statement and change. A line that matches no mutant,
// or no survivor, is an error, so the list cannot become out of date.
//
// # Proofs
//
// With -prove (make prove-mutants) the mutants of the functions that verify/proof/machine has proved are not run. They
// are given to that prover, with the invariants of the function. A mutant that the tests kill must not be proved: that
// would be a fault of the prover, and is an error. A mutant that equivalent.txt lists may be proved. If it is not, it
// takes another way than the invariants say, or has an instruction that the prover does not know; it stays in the list
// with its reason. proofs.txt has the results of samples.
//
// # What it showed
//
// summary.txt is the output of make mutate for the present assembly, on a host with AVX-512 and with
// qemu-aarch64-static. TestSummary checks that it is about the present mutants.
//
// # What it does not show
//
// A fault that needs two changes at once; a missing instruction; a fault in code that correctly implements a wrong
// specification. Tests of other packages do not run.
package main
