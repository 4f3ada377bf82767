// Command smt runs the proof obligations of this folder with z3, and prints one line for each file:
//
//	go run ./verify/proof/smt            every file
//	go run ./verify/proof/smt reduce     the files whose names contain the word
//	go run ./verify/proof/smt -table     the table of README.md; runs nothing.
//
// It fails if z3 is missing or a file is not well formed. It also fails if an answer differs from the answer in the
// file. `make prove` runs every file. The tests of this folder check the form of all files, and run them if z3 is
// installed.
//
// The files are in SMT-LIB. The first lines of a file say what is proved and what is assumed. They also name the files
// of the module that have the code in question. Some constants occur both in this code and in the obligation. These
// constants are listed after the name of the code's file. A test looks for these constants in the file. The comment
// after each (check-sat) states the expected answer. A check has one of three roles:
//
//	(check-sat) ; unsat: claim      the claim, asserted as (not ...), has no counterexample
//	(check-sat) ; sat               the premises can all hold: they do not contradict one another
//	(check-sat) ; sat, broken: how  a claim or premise broken on purpose: z3 must object.
//
// A claim may have premises. Then an earlier check, with exactly the same premises, must show that all of them can hold
// together. Every file has a claim that is broken on purpose.
//
// The obligations are written by hand. They restate the intended arithmetic of the code. If the code computes something
// else, they prove nothing about it. Tests check the code; for assembly, these are the tests of package
// kernel/asm/asmtest. But the obligations do not prove that the instructions of the code compute the intended values.
// The solver z3 is trusted.
package main
