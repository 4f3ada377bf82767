// Package claims is the registry of what the papers say: one entry for every equation,
// theorem, lemma, corollary, remark, conjecture and stated number, each with a verdict
// and with a check that decides it again.
//
// The witnesses here (arith.go, law.go, rate.go, recycling.go) are the dumbest correct code:
// enumeration of sets of urns and rational arithmetic. They share nothing with package
// exact, whose enclosures serve where parameters are too large for them.
//
// # Verdicts
//
//   - confirmed: holds on the printed domain as far as was searched, which Checked tells
//   - conditional: holds on a part of the printed domain, which Domain tells
//   - refuted: false; Counterexample is the smallest, Repair says what holds instead
//   - misprint: a slip of the printed form; Repair is the form that was meant
//   - open: neither; Checked is the largest range without a counterexample
//
// The check of a claim that is not confirmed examines the counterexample, that nothing
// smaller is one where it says "smallest", and the repaired statement on its range. It
// fails where the recorded verdict is wrong, whichever way.
//
// # Adding a claim
//
// The files are named by paper and section; each holds one function that returns its
// claims in the order of the text, listed in registry.go. Ids are paper and place:
// burns.eq54, burns.thm15.upper, fan.thm2; where a paper's numbering repeats they carry
// the section. A check loops over a box with run.all, looks for the smallest
// counterexample with run.smallest, and draws large cases with run.sample; run.upto
// chooses the size by effort. After a change run
//
//	go generate ./verify/claims
//
// which writes docs/claims.md from the registry.
//
// # Many machines
//
//	bloomproof claims -run -effort full -shard I/N
//
// for I = 1 to N examines every case once in all: cases are dealt round robin, whatever
// the machine. The lines of the N outputs can be concatenated; the claims hold where
// every line says pass, and the cases add up. With -json the outputs form a stream of
// objects.
package claims
