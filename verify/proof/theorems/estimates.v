(* Burns' estimates of m from the number of occupied places: unbiased, and the only unbiased functions of that number. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic sequences steps size search claims occupancy laws means differences strict.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Two functions of the number of occupied places with the same mean for every m are the same, where the weights w i are
   not 0: the means are a triangular system. *)
Lemma means_decide (w : nat -> rat) lo hi (g h : nat -> rat) :
  (forall i, (lo <= i)%N -> (i <= hi)%N -> w i != 0) -> (forall i, (i < lo)%N -> w i = 0) ->
  (forall m, (lo <= m)%N -> (m <= hi)%N -> \sum_(i < m.+1) 'C(m, i)%:R * (w i * g i) = \sum_(i < m.+1) 'C(m, i)%:R * (w i * h i)) ->
  forall i, (lo <= i)%N -> (i <= hi)%N -> g i = h i.
Proof.
move=> w0 wz same i; elim/ltn_ind: i => i IH lo_i i_hi.
have := same i lo_i i_hi; rewrite !big_ord_recr /= binn !mul1r.
rewrite (eq_bigr (fun j : 'I_i => 'C(i, j)%:R * (w j * h j))) => [/addrI /(mulfI (w0 i lo_i i_hi)) //|j _].
have [lj | jl] := leqP lo j; last by rewrite wz // !mul0r.
by rewrite (IH j) // (leq_trans _ i_hi) // ltnW.
Qed.

(* Burns (48), second case, with Lemma 19: for 1 <= m <= N the mean of S(N + 1, X)/S(N, X) is m, and every function of X
   with this mean for all these m has the same values. So no other unbiased function of X has a smaller variance. *)
Theorem estimate_by_throws N :
  let mean m (f : nat -> rat) := (\sum_(t : {ffun 'I_N -> 'I_m}) f #|hits t|) / (m ^ N)%:R : rat in
  let estimate x : rat := (stirling2 N.+1 x)%:R / (stirling2 N x)%:R in
  (forall m, (0 < m)%N -> (m <= N)%N -> mean m estimate = m%:R) /\
  forall g, (forall m, (0 < m)%N -> (m <= N)%N -> mean m g = m%:R) -> forall x, (0 < x)%N -> (x <= N)%N -> g x = estimate x.
Proof.
move=> mean estimate.
have S0 i : (0 < i)%N -> (i <= N)%N -> ((stirling2 N i)%:R : rat) != 0 by move=> i0 iN; rewrite pnatr_eq0 -lt0n stirling2_gt0.
have T0 m : (0 < m)%N -> ((m ^ N)%:R : rat) != 0 by move=> m0; rewrite pnatr_eq0 -lt0n expn_gt0 m0.
have meanE m f : mean m f = (\sum_(i < m.+1) 'C(m, i)%:R * (onto N i * f i)) / (m ^ N)%:R by rewrite /mean sum_by_hits.
have unbiased m : (0 < m)%N -> (m <= N)%N -> mean m estimate = m%:R.
  move=> m0 mN; rewrite meanE; apply: (mulIf (T0 m m0)); rewrite divfK ?T0 //.
  transitivity (\sum_(i < m.+1) 'C(m, i)%:R * onto N.+1 i); last by rewrite all_throws expnS natrM.
  apply: eq_bigr => i _; congr (_ * _); have iN : (i <= N)%N by rewrite (leq_trans _ mN) // -ltnS.
  rewrite !onto_stirling2 -mulrA; congr (_ * _); case: (posnP i) => [-> | i0]; last by rewrite /estimate mulrC divfK ?S0.
  by rewrite /estimate /= mul0r mulr0.
split=> // g gm x x0 xN.
apply: (@means_decide (onto N) 1 N g estimate) => // [i i1 iN | i | m m1 mN].
- by rewrite onto_stirling2 mulf_neq0 ?S0 // pnatr_eq0 -lt0n fact_gt0.
- rewrite ltnS leqn0 => /eqP ->; rewrite onto_stirling2; case: N x0 xN {mean estimate S0 T0 meanE unbiased gm} => [|e]; first by case: x.
  by rewrite /= mulr0.
have := unbiased m m1 mN; rewrite -(gm m m1 mN) !meanE => /(mulIf (x := _^-1)) e; apply/esym/e; by rewrite invr_eq0 T0.
Qed.

Lemma spread_above (c : nat -> rat) k e b : log_concave c -> (e <= k)%N -> (e <= b)%N -> c (b - e)%N <= iter k spread c b.
Proof.
move=> lc; elim: k e b => [|k IH] e b; first by rewrite leqn0 => /eqP -> _; rewrite subn0.
have [pos _] := log_concave_iter k lc; rewrite leq_eqVlt => /orP[/eqP -> | ek] eb.
  case: b eb => // b eb; rewrite subSS; apply: (le_trans (IH k b (leqnn k) eb)).
  by rewrite -[leRHS]/(iter k spread c b.+1 + iter k spread c b) ler_addr pos.
apply: (le_trans (IH e b ek eb)); rewrite -[leRHS]/(iter k spread c b + before (iter k spread c) b) ler_addl; exact: (before_ge0 b (log_concave_iter k lc)).
Qed.

(* Some n sets of k places have exactly b places together, for all b from k to n k. *)
Lemma committees_gt0 k n b : (0 < k)%N -> (k <= b)%N -> (b <= n.+1 * k)%N -> 0 < committees k n.+1 b.
Proof.
move=> k0; elim: n b => [|n IH] b kb bn.
  by rewrite (_ : b = k) ?committees_of_least //; apply/eqP; rewrite eqn_leq kb andbT -[k in (_ <= k)%N]mul1n.
have -> : committees k n.+2 b = 'C(b, k)%:R * iter k spread (committees k n.+1) b by [].
rewrite mulr_gt0 ?ltr0n ?bin_gt0 //; have [bs | sb] := leqP b (n.+1 * k).
  by apply: lt_le_trans (spread_above (log_concave_committees k n.+1) (leq0n k) (leq0n b)); rewrite subn0 IH.
have ek : (b - n.+1 * k <= k)%N by rewrite leq_subLR addnC -mulSn.
apply: lt_le_trans (spread_above (log_concave_committees k n.+1) ek (leq_subr _ _)).
by rewrite subKn 1?ltnW // IH // leq_pmull.
Qed.

Lemma committees_difference k n b : committees k n b = nabla b (fun y => 'C(y, k)%:R ^+ n) b.
Proof.
have all x : choices (fun _ : 'I_n => k) x = 'C(x, k)%:R ^+ n by rewrite /choices prodr_const card_ord.
rewrite -(eq_nabla b b all); have := committees_cover k n [set: 'I_b]; rewrite cardsT card_ord => <-.
have := occupied_exactly (@batches_within b n (fun=> k)) [set: 'I_b]; rewrite cardsT card_ord => <-.
by apply: eq_bigl => s.
Qed.

(* Burns (47), Lemma 19: for m from k to n k the mean of X (1 + c(X - 1)/c(X)) is m, where c(X) is the difference of order
   X of C(x, k)^n at 0, and every function of X with this mean for all these m has the same values. So no other unbiased
   function of X has a smaller variance. *)
Theorem estimate_by_committees n k : (0 < n)%N -> (0 < k)%N ->
  let mean m (f : nat -> rat) := (\sum_(s in @states m k n) f #|filled s|) / ('C(m, k) ^ n)%:R : rat in
  let c i := nabla i (fun y => 'C(y, k)%:R ^+ n) i in
  let estimate x : rat := x%:R * (1 + c x.-1 / c x) in
  (forall m, (k <= m)%N -> (m <= n * k)%N -> mean m estimate = m%:R) /\
  forall g, (forall m, (k <= m)%N -> (m <= n * k)%N -> mean m g = m%:R) -> forall x, (k <= x)%N -> (x <= n * k)%N -> g x = estimate x.
Proof.
move=> n0 k0 mean c estimate; have cE i : c i = committees k n i by rewrite committees_difference.
have c0 i : (k <= i)%N -> (i <= n * k)%N -> c i != 0.
  by rewrite cE; case: n n0 {mean c estimate cE} => // e _ ki ie; rewrite gt_eqF // committees_gt0.
have cz i : (i < k)%N -> c i = 0.
  by rewrite cE; case: n n0 {mean c estimate cE c0} => // e _ ik; exact: few_committees.
have T0 m : (k <= m)%N -> (('C(m, k) ^ n)%:R : rat) != 0 by move=> km; rewrite pnatr_eq0 -lt0n expn_gt0 bin_gt0 km.
have meanE m f : mean m f = (\sum_(i < m.+1) 'C(m, i)%:R * (c i * f i)) / ('C(m, k) ^ n)%:R.
  by rewrite /mean sum_by_filled; congr (_ / _); apply: eq_bigr => i _; rewrite cE.
have unbiased m : (k <= m)%N -> (m <= n * k)%N -> mean m estimate = m%:R.
  move=> km mn; rewrite meanE; apply: (mulIf (T0 m km)); rewrite divfK ?T0 //.
  rewrite -all_sequences; case: m km mn => [|m] km mn; first by move: km; rewrite leqNgt k0.
  have -> : \sum_(b < m.+2) row m.+1 b * committees k n b = \sum_(i < m.+2) 'C(m.+1, i)%:R * c i.
    by apply: eq_bigr => i _; rewrite cE.
  rewrite (pascal_sum c) big_ord_recl /= /estimate !mul0r !mulr0 add0r mulr_sumr; apply: eq_bigr => i _.
  rewrite /bump /= add1n /=; have im : (i.+1 <= n * k)%N by rewrite (leq_trans _ mn) // ltnS -ltnS.
  have -> : c i.+1 * (i.+1%:R * (1 + c i / c i.+1)) = i.+1%:R * (c i + c i.+1).
    have [ki | ik] := leqP k i.+1; last by rewrite !cz ?mul0r ?addr0 ?mulr0 // ltnW.
    by rewrite mulrCA mulrDr mulr1 [c i.+1 * (_ / _)]mulrC divfK ?c0 // addrC.
  by rewrite !mulrA -!natrM [('C(_, _) * _)%N]mulnC -mul_bin_diag.
split=> // g gm x kx xn.
apply: (@means_decide c k (n * k) g estimate) => // m km mn.
have := unbiased m km mn; rewrite -(gm m km mn) !meanE => /(mulIf (x := _^-1)) e; apply/esym/e; by rewrite invr_eq0 T0.
Qed.
