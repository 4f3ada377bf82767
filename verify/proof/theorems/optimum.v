(* The best number of positions per item (Burns, Conjecture 24): its last part for all filters, and counterexamples to
   two of its other parts as printed.

   A number n/m above ln 2 is written with integers: n/m > ln 2 if and only if 2^m < (1 + 1/j)^(j n) for some j > 0,
   because (1 + 1/j)^j increases to e. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import sequences standard partitioned classic size search cases.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* (1 - 1/m)^m (1 + 1/j)^j <= 1, because the mean of the m + j factors is 1. *)
Lemma below_inverse_e (m j : nat) : (0 < m)%N -> (0 < j)%N -> (1 - m%:R^-1) ^+ m * (1 + j%:R^-1) ^+ j <= (1 : rat).
Proof.
move=> m0 j0; have m1 : (m%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have j1 : (j%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
pose E (i : 'I_(m + j)) : rat := if (i < m)%N then 1 - m%:R^-1 else 1 + j%:R^-1.
have E0 : {in @predT 'I_(m + j), forall i, 0 <= E i}.
  move=> i _; rewrite /E; case: ifP => _; first by case/andP: (share01 m0).
  by rewrite addr_ge0 ?invr_ge0 ?ler0n.
have El i : E (lshift j i) = 1 - m%:R^-1 by rewrite /E /= ltn_ord.
have Er i : E (rshift m i) = 1 + j%:R^-1 by rewrite /E /= ltnNge leq_addr.
have := (leif_AGM E0).1; rewrite card_ord.
rewrite (eq_bigl xpredT) // [\sum_(i in _) _](eq_bigl xpredT) //.
rewrite !big_split_ord /= !(eq_bigr _ (fun i _ => El i)) !(eq_bigr _ (fun i _ => Er i)).
rewrite !prodr_const !sumr_const !card_ord.
have -> : (1 - m%:R^-1) *+ m + (1 + j%:R^-1) *+ j = (m + j)%:R :> rat.
  rewrite -[X in X + _]mulr_natr -[X in _ + X]mulr_natr mulrBl mulrDl !mul1r !mulVf // natrD.
  by rewrite addrA addrAC addrNK.
by rewrite divff ?expr1n // pnatr_eq0 -lt0n addn_gt0 m0.
Qed.

Section Full.
Variables m n j : nat.
Hypothesis m_two : (1 < m)%N.
Hypothesis j_positive : (0 < j)%N.
Hypothesis full : 2%:R ^+ m < (1 + j%:R^-1) ^+ (j * n) :> rat.

Let m0 : (0 < m)%N. Proof. exact: ltn_trans m_two. Qed.

Lemma some_item : (0 < n)%N.
Proof.
case: (posnP n) => // n0; move: full; rewrite n0 muln0 expr0 ltNge => /negP[].
by rewrite exprn_ege1 // ler1n.
Qed.

Lemma below_half : (1 - m%:R^-1) ^+ n < (2%:R^-1 : rat).
Proof.
have /andP[x0 x1] := share01 m0; rewrite ltNge; apply/negP => half.
have e0 : (0 : rat) <= (1 + j%:R^-1) ^+ j by rewrite exprn_ge0 // addr_ge0 ?invr_ge0 ?ler0n.
have two : (0 : rat) < 2%:R ^+ m by rewrite exprn_gt0 ?ltr0n.
have : (2%:R^-1 ^+ m) * ((1 + j%:R^-1) ^+ j) ^+ n <= (1 : rat).
  apply: (@le_trans _ _ (((1 - m%:R^-1) ^+ n) ^+ m * ((1 + j%:R^-1) ^+ j) ^+ n)).
    apply: ler_wpmul2r; first exact: exprn_ge0.
    by apply: ler_expn2r; rewrite ?nnegrE ?invr_ge0 ?ler0n ?exprn_ge0.
  rewrite exprAC -exprMn; apply: exprn_ile1; first by apply: mulr_ge0 => //; apply: exprn_ge0.
  exact: below_inverse_e.
rewrite -exprM exprVn mulrC ler_pdivr_mulr // mul1r leNgt => /negP[]; exact: full.
Qed.

Lemma below_itself (y : rat) k : 0 < y -> y < 2%:R^-1 -> (1 < k)%N -> k%:R * y ^+ k < y.
Proof.
move=> y0 y2; case: k => // k k1; rewrite exprSr mulrA gtr_pmull //.
have le : (k.+1 <= 2 ^ k)%N by rewrite ltn_expl.
apply: (@lt_le_trans _ _ (k.+1%:R * 2%:R^-1 ^+ k)).
  by rewrite ltr_pmul2l ?ltr0n // ltr_expn2r ?nnegrE ?ltW ?invr_gt0 ?ltr0n // -lt0n.
rewrite exprVn ler_pdivr_mulr ?exprn_gt0 ?ltr0n // mul1r -natrX ler_nat; exact: le.
Qed.

Lemma standard_one_best k : (1 < k)%N -> rate m n 1 < rate m (n * k) k.
Proof.
move=> k1; have /andP[x0 x1] := share01 m0; rewrite one_position //.
apply: le_lt_trans (bloom_strictly_below m_two _ k1).
  by apply: half_full; rewrite ?exprn_ge0 ?exprM ?(ltW below_half) // (ltn_trans _ k1).
by rewrite (leq_trans k1) // leq_pmull // some_item.
Qed.

Lemma classic_one_best k : (1 < k)%N -> (k <= m)%N -> classic_rate m 1 n 1 < classic_rate m k n k.
Proof.
move=> k1 km; have /andP[x0 x1] := share01 m0; apply: lt_le_trans (classic_union n km m0).
have -> : classic_rate m 1 n 1 = 1 - (1 - m%:R^-1) ^+ n.
  rewrite classic_difference // big_ord_recl big_ord1 /= subn0 !bin0 !bin1 divff ?pnatr_eq0 -?lt0n // expr1n !mul1r.
  by rewrite expr1 mulN1r subn1 -subn1 natrB // mulrBl divff ?pnatr_eq0 -?lt0n // mul1r.
have xp : (0 : rat) < 1 - m%:R^-1 by rewrite subr_gt0 invf_lt1 ?ltr0n ?ltr1n.
rewrite ltr_add2l ltr_opp2; apply: le_lt_trans (below_itself (exprn_gt0 n xp) below_half k1).
rewrite ler_wpmul2l ?ler0n // exprAC; have /andP[y0 y1] := share01k km m0.
rewrite ler_expn2r ?nnegrE ?exprn_ge0 //.
have inv01 : 0 <= (m%:R^-1 : rat) <= 1 by rewrite invr_ge0 ler0n invf_le1 ?ltr0n ?ler1n.
by have := bernoulli k inv01.
Qed.

(* Burns, Conjecture 24, last part: if m/n < 1/ln 2, one position per item is best, for standard and for classic filters. *)
Theorem one_position_best k : (1 < k)%N ->
  rate m n 1 < rate m (n * k) k /\ ((k <= m)%N -> classic_rate m 1 n 1 < classic_rate m k n k).
Proof. by move=> k1; split; [exact: standard_one_best | exact: classic_one_best]. Qed.
End Full.

(* a/b < c/d, if Coq computes a d + e + 1 = c b. *)
Lemma less (a b c d : N) : (a * d + (c * b - (a * d + 1)) + 1 = c * b)%num -> (N.pred b + 1 = b)%num -> (N.pred d + 1 = d)%num ->
  rat_of_N a / rat_of_N b < rat_of_N c / rat_of_N d.
Proof.
move=> h b1 d1; have pos (x : N) : (N.pred x + 1 = x)%num -> (0 : rat) < rat_of_N x.
  by move=> <-; rewrite /rat_of_N nat_of_add_bin ltr0n addn1.
rewrite ltr_pdivr_mulr ?pos // mulrAC ltr_pdivl_mulr ?pos // /rat_of_N -!natrM ltr_nat -!nat_of_mul_bin -h.
by rewrite !nat_of_add_bin addn1 ltnS leq_addr.
Qed.

(* Burns, Conjecture 24, first inequality, fails at m = 5, n = 2: one position is best, and m/(2n) = 5/4. *)
Theorem conjecture_low_fails k : (1 < k)%N -> (k <= 5)%N -> classic_rate 5 1 2 1 < classic_rate 5 k 2 k.
Proof. by case: k => [|[|[|[|[|[|k]]]]]] // _ _; rewrite !classic_cases; apply: less; vm_compute; reflexivity. Qed.

(* Burns, Conjecture 24, third inequality, fails at m = 8, n = 3: two positions are better than one, and (8/3) ln 2 is
   1.85. *)
Theorem conjecture_high_fails : rate 8 (3 * 2) 2 < rate 8 (3 * 1) 1.
Proof. by rewrite !standard_cases; apply: less; vm_compute; reflexivity. Qed.
