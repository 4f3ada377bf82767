// Package claims is the registry of what the papers say: one entry for every equation,
// theorem, lemma, corollary, remark, conjecture and stated number, each with a verdict
// and with a check that decides it again:
//
//   - All: the entries; a Claim has its statement, domain and Verdict, and what decides it
//   - Check with Options: their checks, on a part of the cases or on all, here or on one machine
//     of many; a Result is what became of one
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
// # Domain and check are one
//
// A claim consists of parts (part.go): a law with the domain on which it holds, a law with the
// point at which it breaks, or a fixed example that comes out as printed. A domain is a box
// (domain.go): named variables with their ranges, and side conditions with the words for
// them. The domain that readers see is made from it, and so is the line that says how far
// the check went. The check visits the points of the box: those of a range one by one, and
// then those of an attack (attack.go), which are not round. A law that returns its margin is
// attacked by climbing as well. A part that names a proof is visited all the same.
//
// # Adding a claim
//
// The files are named by paper and section; each lists its claims in the order of the text,
// and registry.go the files. A claim is a variable, with its statement, verdict, laws and
// domains together. Ids are paper and place: burns.eq54, burns.thm15.upper, fan.thm2; where a
// paper's numbering repeats they carry the section. After a change run
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
// objects. A machine whose int has 32 bits lists the claims and refuses to check them: see
// Check.
package claims
