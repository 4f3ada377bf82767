(* Limits with the exponential function and the natural logarithm.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is any
   function with exp (ln x) = x for x > 0. For x > 0, the power x^y is exp (y ln x). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import natural decimals.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Exponential.
Variables (R : realFieldType) (exp ln : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.
Hypothesis lnK : forall x, 0 < x -> exp (ln x) = x.

Let pos := exp_gt0 expD above.
Let mono := exp_le expD above.
Let strict := exp_lt expD above.
Let expV := expN expD above.
Let exp_0 := exp0 expD above.
Let expP := expX expD above.
Let tangent := ln_below expD above lnK.
Let lnV' := lnV expD above lnK.
Let lnM' := lnM expD above lnK.
Let order := ln_lt expD above lnK.
Let expK' := expK expD above lnK.
Let close := log_near expD above lnK.
Let L := ln 2%:R.
Let L0 : 0 < L.
Proof. by apply: lt_le_trans (ln2_low expD above lnK); rewrite divr_gt0 ?ltr0n. Qed.

(* The largest efficiency of a standard filter of m bits, by Burns (74): 1/(m log2 (m/(m-1))). *)
Definition standard_peak (m : nat) : R := (m%:R * (ln (m%:R / (m.-1)%:R) / L))^-1.

Lemma peakE m : standard_peak m = L / (m%:R * ln (m%:R / (m.-1)%:R)).
Proof. by rewrite /standard_peak mulrA invf_div. Qed.

Lemma log_gt0 m : (1 < m)%N -> 0 < m%:R * ln (m%:R / (m.-1)%:R).
Proof.
move=> m2; have [lo _] := close m2; have m0 : (0 : R) < m%:R by rewrite ltr0n ltnW.
by rewrite mulr_gt0 // (lt_trans _ lo) // invr_gt0.
Qed.

Lemma logs_fall m : (1 < m)%N -> m.+1%:R * ln (m.+1%:R / m%:R) < m%:R * ln (m%:R / (m.-1)%:R).
Proof.
move=> m2; have m0 : (0 : R) < m%:R by rewrite ltr0n ltnW.
have p0 : (0 : R) < (m.-1)%:R by rewrite ltr0n -subn1 subn_gt0.
have n0 : (0 : R) < m.+1%:R by rewrite ltr0n.
have M0 : (m%:R : R) != 0 by rewrite gt_eqF.
have pE : (m.-1)%:R = m%:R - 1 :> R by rewrite -subn1 natrB // ltnW.
have nE : m.+1%:R = m%:R + 1 :> R by rewrite mulrSr.
set r : R := (m.-1)%:R / m%:R * (m.+1%:R / m%:R).
have r0 : 0 < r by rewrite mulr_gt0 ?divr_gt0.
have rE : r = 1 - (m%:R ^+ 2)^-1.
  rewrite /r mulrACA -invfM pE nE -expr2 -subr_sqr expr1n mulrBl mul1r divff // expf_neq0 //.
have split_ : ln (m.+1%:R / m%:R) = ln r + ln (m%:R / (m.-1)%:R).
  have one : (m.-1)%:R / m%:R * (m%:R / (m.-1)%:R) = 1 :> R by rewrite mulrA divfK // divff // gt_eqF.
  by rewrite -lnM' ?divr_gt0 // /r mulrAC one mul1r.
have small : ln r < - (m%:R ^+ 2)^-1.
  have r1 : r != 1 by rewrite rE -subr_eq0 addrAC subrr add0r oppr_eq0 invr_eq0 expf_neq0.
  by apply: lt_le_trans (tangent r0 r1) _; rewrite rE addrAC subrr add0r.
have [_] := close (ltnW m2 : 1 < m.+1)%N; rewrite /= => hi.
rewrite [X in X * ln _ < _]nE mulrDl mul1r {1}split_ mulrDr addrAC gtr_addr.
apply: (@lt_trans _ _ (m%:R * ln r + m%:R^-1)); first by rewrite ltr_add2l.
rewrite -ltr_subr_addr sub0r -ltr_pdivl_mull // mulrN -invfM -expr2 //.
Qed.

Lemma rounded (x : R) (p c h P : nat) : (2 * c < h)%N -> (0 < P)%N -> x <= (p * h + c)%:R / (P * h)%:R ->
  x - p%:R / P%:R < (2 * P)%:R^-1.
Proof.
move=> ch P0 le; have h0 : (0 : R) < h%:R by rewrite ltr0n (leq_ltn_trans _ ch).
have P0' : (0 : R) < P%:R by rewrite ltr0n.
rewrite ltr_subl_addl; apply: le_lt_trans le _.
rewrite natrD mulrDl natrM [(P * h)%:R]natrM -mulf_div divff ?gt_eqF // mulr1 ltr_add2l.
rewrite ltr_pdivr_mulr ?mulr_gt0 // natrM invfM -mulrA mulKf ?gt_eqF // mulrC ltr_pdivl_mulr ?ltr0n //.
by rewrite -natrM ltr_nat mulnC.
Qed.

(* Burns, Corollary 30, for standard filters: 1/(m log2 (m/(m-1))) rises strictly with m, and its limit is ln 2, which is
   0.6931 when it is rounded. *)
Theorem standard_peak_rises :
  [/\ forall m, (1 < m)%N -> standard_peak m < standard_peak m.+1,
      forall m, (1 < m)%N -> standard_peak m < ln 2%:R,
      forall e m, 0 < e -> ln 2%:R / e < m%:R -> (1 < m)%N -> `|standard_peak m - ln 2%:R| < e
    & `|ln 2%:R - (69 * 100 + 31)%:R / (100 * 100)%:R| < (2 * (100 * 100))%:R^-1].
Proof.
have low m : (1 < m)%N -> standard_peak m < L.
  move=> m2; have m0 : (0 : R) < m%:R by rewrite ltr0n ltnW.
  rewrite peakE ltr_pdivr_mulr ?log_gt0 // -[ltLHS]mulr1 ltr_pmul2l //.
  by have [lo _] := close m2; rewrite mulrC -ltr_pdivr_mulr // div1r.
split=> //.
- move=> m m2; rewrite !peakE ltr_pmul2l // ltf_pinv ?posrE ?log_gt0 ?logs_fall //.
  exact: ltnW.
- move=> e m e0 me m2; have m0 : (0 : R) < m%:R by rewrite ltr0n ltnW.
  rewrite distrC gtr0_norm ?subr_gt0 ?low //; apply: (@le_lt_trans _ _ (L / m%:R)); last first.
    by rewrite ltr_pdivr_mulr // mulrC -ltr_pdivr_mulr.
  rewrite ler_subl_addr -ler_subl_addl -[X in X - _]mulr1 -mulrBr peakE ler_pmul2l //.
  have [_ hi] := close m2; rewrite -[leRHS]div1r ler_pdivl_mulr ?log_gt0 //.
  have p0 : (0 : R) < (m.-1)%:R by rewrite ltr0n -subn1 subn_gt0.
  have -> : 1 - m%:R^-1 = (m.-1)%:R / m%:R :> R.
    by rewrite -subn1 natrB ?(ltnW m2) // mulrBl mul1r divff ?gt_eqF.
  by rewrite mulrA divfK ?gt_eqF // mulrC -ler_pdivl_mulr // div1r ltW.
have [lo hi] := ln2_digits expD above lnK; rewrite ger0_norm ?subr_ge0 //.
exact: (rounded _ _ hi).
Qed.

(* Fan (21): (1 - 1/x)^(-x) tends to e, which is exp 1, as x grows. *)
Theorem to_e e x : 0 < e -> 2%:R + exp 1 / e < x -> `|exp (- x * ln (1 - x^-1)) - exp 1| < e.
Proof.
move=> e0 ex; have x2 : 2%:R < x by apply: lt_trans ex; rewrite ltr_addl divr_gt0.
have x0 : 0 < x by apply: lt_trans x2; rewrite ltr0n.
have y0 : 0 < x - 1 by rewrite subr_gt0 (lt_trans _ x2) // ltr1n.
have z0 : 0 < x - 2%:R by rewrite subr_gt0.
have yE : x - 1 = (x - 2%:R) + 1 by rewrite -addrA; congr (_ + _); rewrite -[2%:R](natrD _ 1 1) opprD addrNK.
have u0 : 0 < 1 - x^-1 by rewrite subr_gt0 invf_lt1 // (lt_trans _ x2) // ltr1n.
have uE : 1 - x^-1 = (x - 1) / x by rewrite mulrBl mul1r divff ?gt_eqF.
have lo : 1 < - x * ln (1 - x^-1).
  rewrite mulNr -mulrN mulrC -ltr_pdivr_mulr // div1r ltr_oppr.
  apply: lt_le_trans (tangent u0 _) _; last by rewrite addrAC subrr add0r.
  by rewrite -subr_eq0 addrAC subrr add0r oppr_eq0 invr_eq0 gt_eqF.
have hi : - x * ln (1 - x^-1) <= 1 + (x - 1)^-1.
  rewrite mulNr -mulrN -lnV' // -ler_pdivl_mull //.
  have v0 : 0 < (1 - x^-1)^-1 by rewrite invr_gt0.
  have v1 : (1 - x^-1)^-1 != 1.
    by rewrite invr_eq1 -subr_eq0 addrAC subrr add0r oppr_eq0 invr_eq0 gt_eqF.
  have e1 : 1 + (x - 1)^-1 = x / (x - 1).
    by rewrite -[X in X + _](@divff _ (x - 1)) ?gt_eqF // -[X in _ + X]div1r -mulrDl subrK.
  by apply: le_trans (ltW (tangent v0 v1)) _; rewrite uE invf_div -e1 addrAC subrr add0r e1 mulKf ?gt_eqF.
have up : exp (x - 1)^-1 <= (x - 1) / (x - 2%:R).
  rewrite -[leLHS]invrK -expV -invf_div lef_pinv ?posrE ?divr_gt0 //.
  apply: le_trans (above _); rewrite ler_subr_addr -[X in _ + X]div1r -mulrDl -yE divff ?gt_eqF //.
rewrite gtr0_norm ?subr_gt0 ?strict //; apply: (@le_lt_trans _ _ (exp 1 * (x - 1) / (x - 2%:R) - exp 1)).
  rewrite ler_add2r -mulrA; apply: le_trans (mono hi) _; rewrite expD ler_pmul2l ?pos //.
rewrite yE mulrDr mulr1 mulrDl mulfK ?gt_eqF // addrAC subrr add0r ltr_pdivr_mulr // mulrC -ltr_pdivr_mulr //.
by rewrite ltr_subr_addl.
Qed.

(* Fan, after (15): the best k by (15), -(ln 2/n)/ln (1 - 1/m), is below the best k by (9), (m/n) ln 2, and the difference is
   less than (ln 2)/n. *)
Theorem best_close m n : (1 < m)%N -> (0 < n)%N ->
  let by9 := m%:R / n%:R * ln 2%:R in
  let by15 := - (ln 2%:R / n%:R) / ln (1 - m%:R^-1) in
  by15 < by9 /\ by9 < by15 + ln 2%:R / n%:R.
Proof.
move=> m2 n0 by9 by15; have m0 : (0 : R) < m%:R by rewrite ltr0n ltnW.
have p0 : (0 : R) < (m.-1)%:R by rewrite ltr0n -subn1 subn_gt0.
have q0 : 0 < L / n%:R by rewrite divr_gt0 ?ltr0n.
have [lo hi] := close m2; have l0 : 0 < ln (m%:R / (m.-1)%:R) by apply: lt_trans lo; rewrite invr_gt0.
have -> : by9 = L / n%:R * m%:R by rewrite /by9 mulrC mulrA mulrAC.
have -> : by15 = L / n%:R / ln (m%:R / (m.-1)%:R).
  rewrite /by15; have -> : 1 - m%:R^-1 = ((m%:R : R) / (m.-1)%:R)^-1.
    by rewrite invf_div -subn1 natrB ?(ltnW m2) // mulrBl mul1r divff ?gt_eqF.
  by rewrite lnV' ?divr_gt0 // invrN mulrNN.
rewrite -[X in _ /\ (_ < _ + X)]mulr1 -mulrDr !ltr_pmul2l //.
have e : m%:R - 1 = (m.-1)%:R :> R by rewrite -subn1 natrB // ltnW.
split; first by rewrite -[ltLHS]div1r ltr_pdivr_mulr // mulrC -ltr_pdivr_mulr // div1r.
by rewrite -ltr_subl_addr e -[ltRHS]div1r ltr_pdivl_mulr // mulrC -ltr_pdivl_mulr // div1r.
Qed.
End Exponential.
