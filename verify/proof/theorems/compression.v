(* Burns' efficiency and compression: peaks of standard filters, and classic filters of one item.

   As in efficiency.v, log is any function from the rationals to an ordered field with log (x y) = log x + log y, which
   grows. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic sequences steps size search means claims occupancy laws moments strict efficiency.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Logarithm.
Variables (R : realFieldType) (log : rat -> R).
Hypothesis logM : forall x y, 0 < x -> 0 < y -> log (x * y) = log x + log y.
Hypothesis log_rises : forall x y, 0 < x -> x < y -> log x < log y.
Let log2_pos := log2_gt0 logM log_rises.

Lemma log_le x y : 0 < x -> x <= y -> log x <= log y.
Proof. by move=> x0; rewrite le_eqVlt => /orP[/eqP -> // | /(log_rises x0)/ltW]. Qed.

Lemma balls_rate_gt0 m N k : (0 < m)%N -> (0 < N)%N -> 0 < rate m N k.
Proof. by move=> m0 N0; apply: lt_le_trans (bloom_below _ m0 _); rewrite exprn_gt0 ?below_one. Qed.

Lemma more_positions_no_better m N k : (0 < m)%N -> (0 < N)%N -> (0 < k)%N ->
  efficiency log m (N%:R / k.+1%:R) (rate m N k.+1) <= efficiency log m (N%:R / k%:R) (rate m N k).
Proof.
move=> m0 N0 k0; have M0 : (0 : rat) < m%:R by rewrite ltr0n.
have f0 e := balls_rate_gt0 e m0 N0.
have le : rate m N k ^+ k.+1 <= rate m N k.+1 ^+ k.
  rewrite !rate_by_moment expr_div_n [X in _ <= X]expr_div_n -!natrX -!expnM mulnC.
  by rewrite ler_pmul2r ?invr_gt0 ?ltr0n ?expn_gt0 ?m0 //; exact: moments_rise.
have := log_le (exprn_gt0 _ (f0 k)) le; rewrite !(logX logM) //.
set a := log _; set b := log _ => ab.
have e x (y : R) : N%:R / x / m%:R * (y / log 2%:R) = N%:R / m%:R / log 2%:R * (y / x).
  by rewrite [LHS](AC (3*2) (((1*3)*5)*(4*2))).
rewrite /efficiency /log2 -/a -/b !mulNr ler_opp2 !e ler_pmul2l ?divr_gt0 ?ltr0n //.
by rewrite ler_pdivr_mulr ?ltr0n // mulrAC ler_pdivl_mulr ?ltr0n // [a * _]mulrC [b * _]mulrC.
Qed.

(* Burns, sections 1.2, 1.3 and 4.1.1, with N the number of balls, which is any number: with k + 1 positions in place of k,
   no number of balls has a larger efficiency. So the largest efficiency over N does not rise with k. It falls if N >= 2 balls
   have the largest efficiency with k + 1 positions, in two bits or more. *)
Theorem peaks_fall m k : (0 < m)%N -> (0 < k)%N -> let e N k := efficiency log m (N%:R / k%:R) (rate m N k) in
  (forall N, (0 < N)%N -> e N k.+1 <= e N k) /\
  (forall N N', (0 < N')%N -> (forall M, (0 < M)%N -> e M k <= e N k) ->
    e N' k.+1 <= e N k /\ ((1 < m)%N -> (1 < N')%N -> e N' k.+1 < e N k)).
Proof.
move=> m0 k0 e; have no_better N : (0 < N)%N -> e N k.+1 <= e N k by move=> N0; exact: more_positions_no_better.
split=> // N N' N0 top; split=> [|m2 N2]; first exact: le_trans (no_better _ N0) (top _ N0).
exact: lt_le_trans (fewer_positions_more_efficient logM log_rises m2 N2 k0) (top _ N0).
Qed.

(* Burns 4.3, for k <= m/2: a classic filter of one item is one of C(m, k) arrays, so w whole bits can name it if and only if w
   is at least b = log2 C(m, k). With b bits for m, its efficiency is 1. *)
Theorem one_item_compressed m k : (0 < k)%N -> (k.*2 <= m)%N -> let b := log2 log 'C(m, k)%:R in
  [/\ #|[set filled s | s in @classic.states m k 1]| = 'C(m, k), forall w, ('C(m, k) <= 2 ^ w)%N = (b <= w%:R), 0 < b
    & - (1 / b) * log2 log (classic_rate m k 1 k) = 1].
Proof.
move=> k0 km b; have k_m : (k <= m)%N by rewrite (leq_trans _ km) // -addnn leq_addr.
have lt_m : (k < m)%N by rewrite (leq_trans _ km) // -addnn -{1}[k]addn0 ltn_add2l.
have C1 : (1 < 'C(m, k))%N.
  case: m km k_m lt_m {b} => // m _ _ lt_m; rewrite -(prednK k0) binS.
  have some : (0 < 'C(m, k.-1.+1))%N by rewrite bin_gt0 prednK.
  by rewrite -addn1 leq_add // bin_gt0 (leq_trans (leq_pred k)).
have C0 : (0 : rat) < 'C(m, k)%:R by rewrite ltr0n ltnW.
have wE w : b <= w%:R = (log 'C(m, k)%:R <= log (2%:R ^+ w)) by rewrite (logX logM) ?ltr0n // /b /log2 ler_pdivr_mulr.
have b0 : 0 < b by rewrite divr_gt0 // -(log1 logM) log_rises // ltr1n.
split=> //.
- rewrite -card_items; apply: eq_card => a; apply/imsetP/idP => [[s /ffun_onP sF ->] | aF].
    by rewrite /filled big_ord1; exact: sF.
  exists [ffun=> a]; first by apply/ffun_onP => i; rewrite ffunE.
  by rewrite /filled big_ord1 ffunE.
- move=> w; rewrite wE -natrX; apply/idP/idP => [le | ]; first by apply: log_le; rewrite ?ler_nat.
  by apply: contraTT; rewrite -ltnNge -ltNge => lt; apply: log_rises; rewrite ?ltr0n ?expn_gt0 ?ltr_nat.
rewrite classic_one_item // (_ : log2 log _ = - b); last by rewrite /log2 (logV logM) // mulNr.
by rewrite mulrNN mul1r mulVf // gt_eqF.
Qed.
End Logarithm.
