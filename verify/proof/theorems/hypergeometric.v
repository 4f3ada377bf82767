(* The hypergeometric forms of Burns: his series F[-r, k_1-m, ..., k_n-m; -m, ..., -m; 1] has r + 1 terms. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search claims occupancy laws.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The rising factorial x (x + 1) ... (x + j - 1). *)
Definition rising (x : rat) (j : nat) : rat := \prod_(i < j) (x + i%:R).

Lemma risingN a j : rising (- a%:R) j = (-1) ^+ j * (a ^_ j)%:R.
Proof.
elim: j => [|j IH]; first by rewrite /rising big_ord0 mul1r ffactn0.
rewrite /rising big_ord_recr /= -/(rising _ _) IH ffactnSr exprSr natrM -!mulrA; congr (_ * _).
have [ja | aj] := leqP j a; first by rewrite natrB // mulN1r -mulrN opprB addrC.
by rewrite ffact_small // !mul0r mulr0.
Qed.

Lemma choose_fewer m k j : ('C(m - j, k) * m ^_ j = 'C(m, k) * (m - k) ^_ j)%N.
Proof.
elim: j => [|j IH]; first by rewrite subn0 !ffactn0.
rewrite !ffactnSr [RHS]mulnA -IH [LHS]mulnCA -[RHS]mulnA [RHS]mulnCA; congr (_ * _)%N.
rewrite subnAC; case e: (m - j)%N => [|a]; first by rewrite sub0n !muln0.
by rewrite subnS e /= mulnC mul_bin_down mulnC.
Qed.

Section Series.
Variables (n m : nat) (k : 'I_n -> nat).
Hypothesis km : forall d, (k d <= m)%N.

(* Burns' F with n + 1 upper and n lower parameters, at 1. *)
Definition series (r : nat) : rat :=
  \sum_(j < r.+1) rising (- r%:R) j / j`!%:R * \prod_d (rising ((k d)%:R - m%:R) j / rising (- m%:R) j).

(* Theorem 4 of Burns, the identity of its proof. *)
Theorem series_term r j : (j <= m)%N ->
  rising (- r%:R) j / j`!%:R * \prod_d (rising ((k d)%:R - m%:R) j / rising (- m%:R) j) =
  (-1) ^+ j * 'C(r, j)%:R * \prod_d ('C(m - j, k d)%:R / 'C(m, k d)%:R) :> rat.
Proof.
move=> jm; congr (_ * _).
  rewrite risingN -mulrA -bin_ffact natrM mulfK // pnatr_eq0 -lt0n fact_gt0 //.
apply: eq_bigr => d _; have -> : (k d)%:R - m%:R = - (m - k d)%:R :> rat by rewrite natrB // opprB.
have m0 : (m ^_ j)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n ffact_gt0.
have C0 : 'C(m, k d)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n bin_gt0.
rewrite !risingN invfM mulrACA divff ?mul1r ?signr_eq0 //.
apply/eqP; rewrite eqr_div // -!natrM; apply/eqP; congr _%:R.
by rewrite choose_fewer mulnC.
Qed.

(* Burns (23): rho(r, m), which says how probable it is that r given places are occupied. *)
Theorem series_occupied r : (r <= m)%N -> nabla r (choices k) m / choices k m = series r.
Proof.
move=> rm; rewrite /nabla /series mulr_suml; apply: eq_bigr => j _.
have jr : (j <= r)%N by rewrite -ltnS ltn_ord.
rewrite series_term ?(leq_trans jr) //.
by rewrite prodf_div /choices -!mulrA mulrCA.
Qed.

(* Burns (25): the mean of C(X, r), where X is the number of occupied places. *)
Theorem series_moment r : (r <= m)%N ->
  (\sum_(s in @batches m n k) 'C(#|filled s|, r)%:R) / #|@batches m n k|%:R = 'C(m, r)%:R * series r.
Proof. by move=> rm; rewrite batches_moment series_occupied. Qed.
End Series.

(* Burns (62) with h = k: a classic filter's rate as a series of h + 1 terms. *)
Theorem classic_series m k n h : (k <= m)%N -> (h <= m)%N -> classic_rate m k n h = series m (fun _ : 'I_n => k) h.
Proof.
move=> km hm; rewrite classic_difference // /series; apply: eq_bigr => j _.
have jm : (j <= m)%N by rewrite (leq_trans _ hm) // -ltnS ltn_ord.
by rewrite series_term // prodr_const card_ord -mulrA mulrCA.
Qed.
