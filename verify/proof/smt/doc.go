// Command smt runs the proof obligations of this folder with z3, one line a file:
//
//	go run ./verify/proof/smt            every file
//	go run ./verify/proof/smt reduce     the files whose names contain the word
//	go run ./verify/proof/smt -table     the table of README.md; runs nothing
//
// It fails when z3 is missing, when an answer is not the one that the file states, or
// when a file is not well formed. `make prove` is the first of these; the tests of this
// folder check the form of all files, and run them where z3 is installed.
//
// # Files
//
// A file is SMT-LIB. Its head says what is proved, what that assumes, and of which
// files of the module, each followed by the constants that it shares with them (a test
// looks for them there). Each (check-sat) states the answer beside it, and has one of
// three roles:
//
//	(check-sat) ; unsat: claim      the claim, asserted as (not ...), has no counterexample
//	(check-sat) ; sat               the premises can hold, so nothing follows from nonsense
//	(check-sat) ; sat, broken: how  a claim or premise broken on purpose: z3 must object
//
// An unsat check that has premises comes after a sat check of exactly these premises,
// and every file has a claim that is broken on purpose.
//
// # What this is worth
//
// The obligations are about the arithmetic that the code is meant to do, written down
// by hand a second time: a proof ends where the code does something else. That the
// instructions do what is written is tested (package kernel/asm/asmtest) and not
// proved. z3 is trusted.
package main
