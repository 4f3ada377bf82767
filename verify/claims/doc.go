// Package claims is the registry of the papers' statements. It has an entry for every equation, theorem, lemma,
// corollary, remark, conjecture and stated number. Each entry has a verdict, and a check that examines the verdict:
//
//   - All returns the entries. A Claim has its statement, its domain, its Verdict and the evidence for the verdict.
//   - Check runs the checks. Options say whether it runs some cases or all, and whether the cases are divided among
//     several machines. A Result is the outcome of one check.
//
// The reference computations of this package (arith.go, law.go, rate.go, recycling.go) are the simplest correct code:
// they enumerate sets of urns, and they compute with rational numbers. They share no code with package exact. The
// checks use the enclosures of package exact where parameters are too large for enumeration.
//
// # Verdicts
//
//   - confirmed: the claim holds on the printed domain, as far as the domain was searched; Checked says how far
//   - conditional: the claim holds on a part of the printed domain; Domain says which part
//   - refuted: the claim is false; Counterexample is the smallest one, and Repair says what holds instead
//   - misprint: the printed form has a slip; Repair has the intended form
//   - open: the claim is neither proven nor refuted; Checked is the largest range without a counterexample
//
// If a claim is not confirmed, its check examines the counterexample, and examines the repaired statement on its range.
// If the claim says "smallest", the check also makes sure that no smaller counterexample exists. A check fails if the
// recorded verdict is wrong, in either direction.
//
// # A domain is text and check
//
// A claim consists of parts (part.go). A part is one of three things: a law with its domain, a law with the point at
// which it breaks, or a fixed example with its printed result. A domain is a box (domain.go): named variables with
// their ranges, and side conditions with words that describe them. The box supplies the text of the domain, and the
// line that says how far the check went.
//
// The check first visits the points of the ranges one by one. Then it visits the points of an attack (attack.go), whose
// values are not round numbers. If a law returns its margin, the attack also climbs towards smaller margins. A part
// that names a proof is checked in the same way.
//
// # Adding a claim
//
// The files are named by paper and section. Each lists its claims in the order of the text, and registry.go lists the
// files. A claim is a variable that has its statement, verdict, laws and domains together. An id consists of the paper
// and the place in it: burns.eq54, burns.thm15.upper, fan.thm2. If a paper uses a number twice, the id also contains
// the section. After a change run
//
//	go generate ./verify/claims
//
// which writes docs/claims.md from the registry.
//
// # Many machines
//
//	bloomproof claims -run -effort full -shard I/N
//
// For I = 1 to N, these N runs together examine every case exactly once. The number of a case alone decides which
// machine examines it, so the machines need not communicate. The lines of the N outputs can be concatenated. The claims
// hold if every line says pass. The numbers of cases of a claim add up. With -json the outputs form a stream of
// objects. A machine whose int has 32 bits lists the claims but refuses to check them: see Check.
package claims
