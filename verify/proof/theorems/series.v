(* More claims of the papers that follow from the theorems in a line or some. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard partitioned classic sequences size search means claims occupancy order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Bose's formula with its sign corrected, after Fan (4): the number of sequences of N throws that hit all of a set of i
   places and no other is the sum over j of (-1)^(i-j) C(i, j) j^N, which is (-1)^i times what is printed. *)
Theorem sign_of_bose m N (A : {set 'I_m}) :
  (#|[set t : {ffun 'I_N -> 'I_m} | hits t == A]|)%:R = \sum_(j < #|A|.+1) (-1) ^+ (#|A| - j) * ('C(#|A|, j)%:R * (j ^ N)%:R) :> rat /\
  (#|[set t : {ffun 'I_N -> 'I_m} | hits t == A]|)%:R = (-1) ^+ #|A| * \sum_(j < #|A|.+1) (-1) ^+ j * ('C(#|A|, j)%:R * (j ^ N)%:R) :> rat.
Proof.
have e1 : (#|[set t : {ffun 'I_N -> 'I_m} | hits t == A]|)%:R = \sum_(j < #|A|.+1) (-1) ^+ (#|A| - j) * ('C(#|A|, j)%:R * (j ^ N)%:R) :> rat.
  rewrite onto_counts /onto (reindex_inj rev_ord_inj) /=; apply: eq_bigr => j _; rewrite subSS.
  have jA : (j <= #|A|)%N by rewrite -ltnS.
  by rewrite bin_sub // subKn // mulrCA.
split=> //; rewrite e1 mulr_sumr; apply: eq_bigr => j _; rewrite [RHS]mulrA; congr (_ * _).
have jA : (j <= #|A|)%N by rewrite -ltnS.
by move: (nat_of_ord j) jA => l lA; rewrite -exprD -{2}(subnK lA) -addnA addnn exprD -[X in _ = _ * X]signr_odd odd_double expr0 mulr1.
Qed.

(* Burns, the Taylor series of (X/m)^k about any mu: it ends at i = k, so the mean of (X/m)^k is exactly the mean of the
   series. The derivative of order i of (x/m)^k is k (k - 1) ... (k - i + 1) x^(k-i)/m^k. *)
Theorem taylor_series m N k (mu : rat) :
  \sum_(t : {ffun 'I_N -> 'I_m}) (#|hits t|%:R / m%:R) ^+ k =
  \sum_(t : {ffun 'I_N -> 'I_m}) \sum_(i < k.+1) (k ^_ i)%:R * mu ^+ (k - i) / m%:R ^+ k / i`!%:R * (#|hits t|%:R - mu) ^+ i :> rat.
Proof.
apply: eq_bigr => t _; rewrite expr_div_n -{1}(subrK mu #|hits t|%:R) addrC exprDn mulr_suml.
apply: eq_bigr => i _; rewrite -bin_ffact natrM -[_ *+ 'C(k, i)]mulr_natl.
have f0 : i`!%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n fact_gt0.
by rewrite [RHS](ACl ((1*(3*6)*4)*(2*5))) /= mulfV // mulr1.
Qed.

(* Dozier-FN, appendix A: the probabilities of the moves from a state add up to 1. *)
Theorem moves_add_up (T : finType) (i : T) (x y : rat) (p : T -> rat) : \sum_(j | j != i) p j = 1 ->
  (1 - x) * y + \sum_(j | j != i) p j * (1 - y) + \sum_(j | j != i) p j * x * y = 1.
Proof.
move=> p1; rewrite -mulr_suml p1 mul1r (eq_bigr (fun j => p j * (x * y))) => [|j _]; last by rewrite mulrA.
by rewrite -mulr_suml p1 mul1r mulrBl mul1r addrAC subrK addrCA subrr addr0.
Qed.

(* Burns, the proof of Corollary 23: U is the sum over i of C(m, i) onto k i ff(mu, i)/ff(m, i) divided by m^k, where
   C(m, i) onto k i = S(k, i) ff(m, i); and ff(mu, i)/ff(m, i) is at least the probability that throws hit i places. *)
Theorem upper_as_sum m k n : (0 < k)%N -> (k <= m)%N ->
  let mu : rat := m%:R * (1 - (1 - k%:R / m%:R) ^+ n) in
  let quotient i := \prod_(j < i) ((mu - j%:R) / (m%:R - j%:R)) in
  (1 - (1 - k%:R / m%:R) ^+ n) ^+ k = (\sum_(i < m.+1) 'C(m, i)%:R * (onto k i * quotient i)) / m%:R ^+ k /\
  forall i, (i <= k)%N -> hit (n * k) i m / (m ^ (n * k))%:R <= quotient i.
Proof.
move=> k0 km mu quotient; have m0 : (m%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n (leq_trans k0).
split; last by move=> i ik; exact: throws_below.
rewrite -(sum_by_hits m k quotient); have -> : \sum_(q : {ffun 'I_k -> 'I_m}) quotient #|hits q| = mu ^+ k by exact: sum_over_queries.
by rewrite -expr_div_n /mu mulrAC mulfV // mul1r.
Qed.
