// Package claims is the registry of the papers' statements. It has an entry for every equation, theorem, lemma,
// corollary, remark, conjecture and stated number, each with a verdict and a check of the verdict:
//
//   - All: the entries; a Claim has its statement, its domain, its Verdict and the evidence for it
//   - Check with Options: runs the checks, on some cases or on all, on one machine or divided among many; a Result is
//     the outcome of one check
//
// The witnesses here (arith.go, law.go, rate.go, recycling.go) are the simplest correct code:
// enumeration of sets of urns and rational arithmetic. They share nothing with package
// exact; its enclosures are used where parameters are too large for the witnesses.
//
// # Verdicts
//
//   - confirmed: holds on the printed domain as far as it was searched; Checked says how far
//   - conditional: holds on a part of the printed domain; Domain says which part
//   - refuted: false; Counterexample is the smallest, Repair says what holds instead
//   - misprint: a slip of the printed form; Repair is the form that was meant
//   - open: neither proven nor refuted; Checked is the largest range without a counterexample
//
// If a claim is not confirmed, its check examines the counterexample, and the repaired statement on its range. If the
// claim says "smallest", it also checks that no smaller counterexample exists. A check fails if the recorded verdict is
// wrong, in either direction.
//
// # Domain and check are one
//
// A claim consists of parts (part.go): a law with the domain on which it holds, a law with the point at which it
// breaks, or a fixed example with its printed result. A domain is a box (domain.go): named variables with their ranges,
// and side conditions with words for them. The text of the domain is made from the box, and so is the line that says
// how far the check went. The check first visits the points of the ranges one by one, and then the points of an attack
// (attack.go), which are not round. If a law returns its margin, the attack also climbs towards smaller margins. A part
// that names a proof is checked in the same way.
//
// # Adding a claim
//
// The files are named by paper and section. Each lists its claims in the order of the text, and registry.go lists the
// files. A claim is a variable that has its statement, verdict, laws and domains together. An id is made of paper and
// place: burns.eq54, burns.thm15.upper, fan.thm2. If the numbering of a paper repeats, the id contains the section.
// After a change run
//
//	go generate ./verify/claims
//
// which writes docs/claims.md from the registry.
//
// # Many machines
//
//	bloomproof claims -run -effort full -shard I/N
//
// for I = 1 to N examines every case exactly once in all: cases are dealt round robin, whatever
// the machine is. The lines of the N outputs can be concatenated. The claims hold where
// every line says pass, and the numbers of cases add up. With -json the outputs form a stream of
// objects. A machine whose int has 32 bits lists the claims and refuses to check them: see
// Check.
package claims
