(* The efficiency of a filter is above 0 and at most 1.

   As in efficiency.v, log is any function from the rationals to an ordered field with log (x y) = log x + log y, which
   grows. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic sequences steps size search claims occupancy laws moments order strict efficiency.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Jensen's inequality for x^-n, by the tangent at the mean. *)
Lemma power_tangent (x f : rat) n : 0 < x -> 0 < f -> 1 + n%:R * (1 - x / f) <= f ^+ n * (x ^+ n)^-1.
Proof.
move=> x0 f0; set y := x / f; have y0 : 0 < y by rewrite divr_gt0.
have -> : f ^+ n * (x ^+ n)^-1 = (1 + (y^-1 - 1)) ^+ n by rewrite addrC subrK invf_div expr_div_n.
have := @tangent 1 (y^-1 - 1) n ler01; rewrite !expr1n mulr1 addrC subrK => up.
apply: le_trans (up _); last by rewrite invr_ge0 ltW.
rewrite ler_add2l ler_wpmul2l ?ler0n // -subr_ge0.
have -> : y^-1 - 1 - (1 - y) = (1 - y) ^+ 2 / y.
  have y1 : y != 0 by rewrite gt_eqF.
  by apply: (mulIf y1); rewrite divfK // !mulrBl mulVf //; identity.
by rewrite divr_ge0 ?sqr_ge0 // ltW.
Qed.

(* Let each state have a set B, and at most the share x(B)^n of the states have the same B. Then the mean of x is at least
   the n-th root of 2^-m. *)
Section Mean.
Variables (T : finType) (S : pred T) (m n : nat) (B : T -> {set 'I_m}) (x : {set 'I_m} -> rat).
Hypothesis some : (0 < #|S|)%N.
Hypothesis x0 : forall t, t \in S -> 0 < x (B t).
Hypothesis few : forall A, #|[pred t in S | B t == A]|%:R <= #|S|%:R * x A ^+ n.
Let f := (\sum_(t in S) x (B t)) / #|S|%:R.

Let N0 : (0 : rat) < #|S|%:R. Proof. by rewrite ltr0n. Qed.

Lemma mean_gt0 : 0 < f.
Proof.
have [t tS] := card_gt0P some; rewrite divr_gt0 // (bigD1 t) //=; apply: ltr_paddr; last exact: x0.
by apply: sumr_ge0 => i /andP[iS _]; exact: ltW (x0 iS).
Qed.

Lemma states_few : \sum_(t in S) (x (B t) ^+ n)^-1 <= (2 ^ m)%:R * #|S|%:R.
Proof.
rewrite (partition_big B predT) //=.
have -> : (2 ^ m)%:R * #|S|%:R = \sum_(A : {set 'I_m}) #|S|%:R :> rat.
  by rewrite sumr_const -[RHS]mulr_natl -[X in _ = X%:R * _]cardsT -powersetT card_powerset cardsT card_ord.
apply: ler_sum => A _; rewrite (eq_bigr (fun=> (x A ^+ n)^-1)) => [|t /andP[_ /eqP ->]] //.
rewrite sumr_const -[_ *+ _]mulr_natl; have [z | pos] := posnP #|[pred t in S | B t == A]|.
  by rewrite (eq_card0 (A := fun i => (i \in S) && (B i == A))) ?mul0r ?ltW // => t; have := card0_eq z t; rewrite !inE.
have [t /andP[tS /eqP tA]] := card_gt0P pos; have xA : 0 < x A ^+ n by rewrite exprn_gt0 // -tA x0.
by rewrite ler_pdivr_mulr //; exact: few.
Qed.

Lemma mean_power : (2%:R ^+ m)^-1 <= f ^+ n.
Proof.
have f0 := mean_gt0; rewrite -natrX -[leLHS]mul1r ler_pdivr_mulr ?ltr0n ?expn_gt0 // -(ler_pmul2r N0) mul1r -mulrA.
apply: le_trans (_ : \sum_(t in S) f ^+ n * (x (B t) ^+ n)^-1 <= _); last first.
  by rewrite -mulr_sumr ler_pmul2l ?exprn_gt0 //; exact: states_few.
apply: (@le_trans _ _ (\sum_(t in S) (1 + n%:R * (1 - x (B t) / f)))); last first.
  by apply: ler_sum => t tS; exact: power_tangent (x0 tS) f0.
rewrite big_split /= sumr_const -mulr_sumr sumrB sumr_const -mulr_suml.
have -> : \sum_(t in S) x (B t) = #|S|%:R * f by rewrite /f mulrC divfK ?gt_eqF.
by rewrite mulfK ?gt_eqF // subrr mulr0 addr0.
Qed.
End Mean.

Lemma standard_power m n k : (0 < m)%N -> (0 < n)%N -> (0 < k)%N -> (2%:R ^+ m)^-1 <= rate m (n * k) k ^+ n.
Proof.
move=> m0 n0 k0; have M0 : (0 : rat) < m%:R by rewrite ltr0n.
have card : #|{: {ffun 'I_(n * k) -> 'I_m}}| = (m ^ (n * k))%N := card_throws m (n * k).
have rE : rate m (n * k) k = (\sum_(t in predT) (#|hits (t : {ffun 'I_(n * k) -> 'I_m})|%:R / m%:R) ^+ k) / #|{: {ffun 'I_(n * k) -> 'I_m}}|%:R.
  rewrite card rate_by_moment /power_sum mulrAC; congr (_ / _); rewrite mulr_suml; apply: eq_bigr => t _.
  by rewrite expr_div_n natrX.
rewrite rE; apply: (@mean_power _ predT m n (fun t : {ffun 'I_(n * k) -> 'I_m} => hits t) (fun A => (#|A|%:R / m%:R) ^+ k)).
- by rewrite card expn_gt0 m0.
- move=> t _; rewrite exprn_gt0 // divr_gt0 // ltr0n card_gt0; apply/set0Pn; have nk : (0 < n * k)%N by rewrite muln_gt0 n0.
  by exists (t (Ordinal nk)); apply/imsetP; exists (Ordinal nk).
move=> A; rewrite card natrX -exprM mulnC expr_div_n mulrCA divff ?mulr1 ?expf_neq0 ?gt_eqF // -natrX ler_nat.
rewrite [(k * n)%N]mulnC -card_within -[X in (_ <= X)%N]cardsE; apply: subset_leq_card; apply/subsetP => t.
by rewrite !inE => /eqP ->.
Qed.

Lemma classic_power m n k : (0 < n)%N -> (0 < k)%N -> (k <= m)%N -> (2%:R ^+ m)^-1 <= classic_rate m k n k ^+ n.
Proof.
move=> n0 k0 km; have C0 : (0 : rat) < 'C(m, k)%:R by rewrite ltr0n bin_gt0.
have card := @card_states m k n.
have rE : classic_rate m k n k = (\sum_(s in @classic.states m k n) ('C(#|filled s|, k)%:R / 'C(m, k)%:R)) / #|@classic.states m k n|%:R.
  by rewrite card; exact: classic_mean.
rewrite rE; apply: (@mean_power _ (@classic.states m k n) m n (fun s => filled s) (fun A => 'C(#|A|, k)%:R / 'C(m, k)%:R)).
- by rewrite card expn_gt0 bin_gt0 km.
- move=> s /ffun_onP sF; rewrite divr_gt0 // ltr0n bin_gt0; have := sF (Ordinal n0); rewrite inE => /eqP <-.
  by apply: subset_leq_card; exact: (bigcup_sup (Ordinal n0)).
move=> A; rewrite card natrX expr_div_n mulrCA divff ?mulr1 ?expf_neq0 ?gt_eqF // -natrX ler_nat.
have <- : #|[set a : {set 'I_m} | a \subset A & #|a| == k]| = 'C(#|A|, k) by rewrite cards_draws.
rewrite -[X in (_ ^ X)%N]card_ord -card_ffun_on; apply: subset_leq_card; apply/subsetP => s.
rewrite inE => /andP[/ffun_onP sF /eqP <-]; apply/ffun_onP => i; rewrite inE; have := sF i; rewrite inE => ->.
by rewrite andbT (bigcup_sup i).
Qed.

Section Logarithm.
Variables (R : realFieldType) (log : rat -> R).
Hypothesis logM : forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y.
Hypothesis log_rises : forall x y, 0 < x -> x < y -> log x < log y.

Lemma in_range m n (f : rat) : (0 < m)%N -> (0 < n)%N -> 0 <= f -> (2%:R ^+ m)^-1 <= f ^+ n ->
  efficiency log m n%:R f <= 1 /\ (f < 1 -> 0 < efficiency log m n%:R f).
Proof.
move=> m0 n0 f_ge0 le; have M0 : (0 : R) < m%:R by rewrite ltr0n.
have f0 : 0 < f.
  rewrite lt_neqAle f_ge0 andbT eq_sym; apply: contraTneq le => ->.
  by rewrite expr0n eqn0Ngt n0 -ltNge invr_gt0 exprn_gt0 ?ltr0n.
split.
  rewrite /efficiency mulNr -mulrN mulrAC ler_pdivr_mulr // mul1r.
  by have := log2_at_most logM log_rises f0 le.
move=> f1; rewrite /efficiency mulNr -mulrN mulr_gt0 ?divr_gt0 ?ltr0n // oppr_gt0 /log2 pmulr_llt0 ?invr_gt0 ?(log2_gt0 logM log_rises) //.
by rewrite -(log1 logM); exact: log_rises.
Qed.

Lemma standard_below_one m N k : (1 < m)%N -> (0 < k)%N -> rate m N k < 1.
Proof.
case: k => // k m1 _; have m0 := ltnW m1; apply: (@le_lt_trans _ _ (rate m N 1)).
  by elim: k => // k IH; apply: le_trans (rate_falls_in_positions N k.+1 m0) IH.
rewrite one_position_standard // ltr_subl_addr ltr_addl exprn_gt0 // subr_gt0 invf_lt1 ?ltr0n // ltr1n //.
Qed.

Lemma classic_below_one m n k : (0 < k)%N -> (k < m)%N -> classic_rate m k n k < 1.
Proof.
move=> k0 km; have M0 : (0 : rat) < m%:R by rewrite ltr0n (leq_ltn_trans _ km).
have x0 : (0 : rat) < 1 - k%:R / m%:R by rewrite subr_gt0 ltr_pdivr_mulr // mul1r ltr_nat.
have x1 : 1 - k%:R / m%:R <= 1 :> rat by rewrite ler_subl_addr ler_addl divr_ge0 ?ler0n.
apply: le_lt_trans (classic_upper _ _ _) _; rewrite ?(ltnW km) //.
rewrite exprn_ilt1 -?lt0n // ?subr_ge0 ?exprn_ile1 ?(ltW x0) //.
by rewrite ltr_subl_addr ltr_addl exprn_gt0.
Qed.

(* Burns 4, after Walker: the efficiency of a filter with n >= 1 items and k >= 1 positions is at most 1. It is above 0 for
   standard filters of at least two bits, and for classic filters with k < m. *)
Theorem efficiency_in_range m n k : (0 < m)%N -> (0 < n)%N -> (0 < k)%N ->
  let standard := efficiency log m n%:R (rate m (n * k) k) in
  let classic := efficiency log m n%:R (classic_rate m k n k) in
  [/\ standard <= 1, (1 < m)%N -> 0 < standard, (k <= m)%N -> classic <= 1 & (k < m)%N -> 0 < classic].
Proof.
move=> m0 n0 k0 standard classic.
have rate0 : 0 <= rate m (n * k) k.
  by apply: le_trans (bloom_below (n * k) m0 k); rewrite exprn_ge0 // ltW // below_one // muln_gt0 n0.
have [S1 S0] := in_range m0 n0 rate0 (standard_power m0 n0 k0).
split=> // [m1 | km | km]; first by apply: S0; exact: standard_below_one.
  by have [] := in_range m0 n0 (classic_ge0 _ _ _ _) (classic_power n0 k0 km).
have [_ C0] := in_range m0 n0 (classic_ge0 _ _ _ _) (classic_power n0 k0 (ltnW km)).
by apply: C0; exact: classic_below_one.
Qed.
End Logarithm.
