(* The middle binomial coefficients, which give the largest efficiencies of classic filters with one item.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is any
   function with exp (ln x) = x for x > 0. *)
From Coq Require Import NArith Ring Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import fields natural.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Central.
Variable R : realFieldType.

Add Ring ring_of_R : (field_ring R).


(* The number of ways to choose j of 2 j, and the quotient of its next value and itself. *)
Definition central (j : nat) : R := 'C(j.*2, j)%:R.
Definition ratio (j : nat) : R := 4%:R - 2%:R / j.+1%:R.

Lemma central_gt0 j : 0 < central j.
Proof. by rewrite ltr0n bin_gt0 -addnn leq_addr. Qed.

Lemma next_choices j : ('C(j.+1.*2, j.+1) * j.+1 = 'C(j.*2, j) * (2 * j.*2.+1))%N.
Proof.
have e : (j.*2.+1 * 'C(j.*2, j) = j.+1 * 'C(j.*2.+1, j))%N.
  by have := mul_bin_down j.*2.+1 j; rewrite /= => ->; rewrite subSn -?addnn ?leq_addr // addnK.
by rewrite mulnC doubleS -mul_bin_diag /= -doubleS -mul2n -mulnA -e mulnA mulnC.
Qed.

Lemma ratioE j : ratio j * j.+1%:R = (2 * j.*2.+1)%:R.
Proof.
rewrite /ratio mulrBl divfK ?pnatr_eq0 // -natrM; apply/eqP; rewrite subr_eq -natrD; apply/eqP.
by rewrite -mulnSr -doubleS -mul2n mulnA.
Qed.

Lemma next_central j : central j.+1 = central j * ratio j.
Proof.
have J0 : (j.+1%:R : R) != 0 by rewrite pnatr_eq0.
by apply: (mulIf J0); rewrite -mulrA ratioE -!natrM next_choices.
Qed.

Lemma ratio_rises j : ratio j < ratio j.+1.
Proof. by rewrite ltr_add2l ltr_opp2 ltr_pmul2l ?ltr0n // ltf_pinv ?posrE ?ltr0n // ltr_nat. Qed.

Lemma ratio_gt0 j : 0 < ratio j.
Proof.
have J0 : (0 : R) < j.+1%:R by rewrite ltr0n.
by rewrite -(ltr_pmul2r J0) mul0r ratioE ltr0n.
Qed.
Let ratio_ge0 j : 0 <= ratio j := ltW (ratio_gt0 j).

Lemma central_below j : (0 < j)%N -> central j < ratio j ^+ j.
Proof.
elim: j => // -[_ _ | j IH _].
  by rewrite expr1 /ratio ltr_subr_addr -ltr_subr_addl ltr_pdivr_mulr ?ltr0n // -natrB // -natrM ltr_nat.
rewrite next_central exprSr; apply: (@lt_le_trans _ _ (ratio j.+1 ^+ j.+1 * ratio j.+1)).
  by rewrite ltr_pmul2r ?IH ?ratio_gt0.
apply: ler_pmul; rewrite ?exprn_ge0 ?ratio_ge0 ?(ltW (ratio_rises _)) //.
by apply: ler_expn2r; rewrite ?nnegrE ?ratio_ge0 ?(ltW (ratio_rises _)).
Qed.

Lemma central_above j : (0 < j)%N -> 4%:R ^+ j <= j.*2%:R * central j.
Proof.
elim: j => // -[_ _ | j IH _]; first by rewrite /central -natrM -natrX ler_nat.
rewrite exprS; apply: (@le_trans _ _ (4%:R * (j.+1.*2%:R * central j.+1))); first by rewrite ler_pmul2l ?ltr0n // IH.
have J0 : (0 : R) < j.+2%:R by rewrite ltr0n.
have n : central j.+2 * j.+2%:R = central j.+1 * (2 * j.+1.*2.+1)%:R by rewrite -!natrM next_choices.
have -> : j.+2.*2%:R * central j.+2 = central j.+1 * (4 * j.+1.*2.+1)%:R.
  by rewrite -mul2n mulnC natrM mulrC mulrA n -mulrA -natrM mulnAC.
by rewrite mulrA -natrM mulrC ler_pmul2l ?central_gt0 // ler_nat leq_mul2l leqnSn.
Qed.

(* The product of Wallis, whose limit is half of the number pi. *)
Definition wallis (j : nat) : R := \prod_(i < j) (i.+1.*2%:R ^+ 2 / (i.*2.+1%:R * i.*2.+3%:R)).

Lemma wallis_central j : central j ^+ 2 * j.*2.+1%:R * wallis j = 16%:R ^+ j.
Proof.
elim: j => [|j IH]; first by rewrite /central /wallis big_ord0 bin0 !mulr1 !expr0 expr1n.
have a0 : (j.*2.+1%:R : R) != 0 by rewrite pnatr_eq0.
have b0 : (j.*2.+3%:R : R) != 0 by rewrite pnatr_eq0.
have n : central j.+1 * j.+1%:R = central j * (2 * j.*2.+1)%:R by rewrite -!natrM next_choices.
have w : wallis j.+1 * (j.*2.+1%:R * j.*2.+3%:R) = wallis j * (2%:R * j.+1%:R) ^+ 2.
  by rewrite /wallis big_ord_recr /= -mulrA divfK ?mulf_neq0 // -mul2n natrM.
rewrite [16%:R ^+ _]exprS -IH [in LHS]doubleS; apply: (mulIf a0).
have -> : central j.+1 ^+ 2 * j.*2.+3%:R * wallis j.+1 * j.*2.+1%:R = central j.+1 ^+ 2 * (wallis j.+1 * (j.*2.+1%:R * j.*2.+3%:R)).
  by move: (central j.+1) (wallis j.+1) (j.*2.+1%:R : R) (j.*2.+3%:R : R) => x y z t; same R.
rewrite w; have -> : central j.+1 ^+ 2 * (wallis j * (2%:R * j.+1%:R) ^+ 2) = 4%:R * (central j.+1 * j.+1%:R) ^+ 2 * wallis j.
  by move: (central j.+1) (wallis j) (j.+1%:R : R) => x y z; same R.
by rewrite n natrM; move: (central j) (wallis j) (j.*2.+1%:R : R) => x y z; same R.
Qed.

Lemma wallis_ge1 j : 1 <= wallis j.
Proof.
elim: j => [|j IH]; first by rewrite /wallis big_ord0.
rewrite /wallis big_ord_recr /= -/(wallis j) -[leLHS]mulr1; apply: ler_pmul => //.
rewrite ler_pdivl_mulr ?mulr_gt0 ?ltr0n // mul1r -natrM -natrX ler_nat doubleS -mulnn.
by apply/ssrnat.leP; rewrite -!multE; lia.
Qed.
End Central.

Section Exponential.
Variables (R : realFieldType) (exp ln : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.
Hypothesis lnK : forall x, 0 < x -> exp (ln x) = x.

Let pos := exp_gt0 expD above.
Let expP := expX expD above.
Let expK' := expK expD above lnK.
Let lnM' := lnM expD above lnK.
Let order := ln_lt expD above lnK.
Let tangent := ln_below expD above lnK.
Let L := ln 2%:R.

Let L0 : 0 < L.
Proof. by rewrite -[X in X < _](expK' 0) (exp0 expD above) order ?ltr01 ?ltr0n // ltr1n. Qed.

Let lnX x n : 0 < x -> ln (x ^+ n) = n%:R * ln x.
Proof. by move=> x0; rewrite -[RHS]expK' expP lnK. Qed.

Let order_le x y : 0 < x -> 0 < y -> x <= y -> ln x <= ln y.
Proof. by move=> x0 y0; rewrite le_eqVlt => /orP[/eqP-> // | xy]; rewrite ltW // order. Qed.

Let two j : ln (4%:R ^+ j) = j.*2%:R * L.
Proof.
have -> : 4%:R = 2%:R ^+ 2 :> R by rewrite -natrX.
by rewrite -exprM lnX ?ltr0n // mul2n.
Qed.

(* The square root of x > 0. *)
Definition root (x : R) : R := exp (ln x / 2%:R).
Lemma root_square x : 0 < x -> root x ^+ 2 = x.
Proof. by move=> x0; rewrite /root -expP mulrC divfK ?pnatr_eq0 // lnK. Qed.

Lemma log_small x : 0 < x -> ln x < 2%:R * root x.
Proof.
move=> x0; rewrite -{1}(root_square x0) lnX ?pos // ltr_pmul2l ?ltr0n //.
have [-> | ne] := eqVneq (root x) 1; last first.
  by apply: lt_trans (tangent (pos _) ne) _; rewrite gtr_addl ltrN10.
by rewrite -[X in ln X](exp0 expD above) expK' ltr01.
Qed.

Definition peak (j : nat) : R := ln (central R j) / ln 2%:R / j.*2%:R.
Let c0 j : 0 < central R j := central_gt0 R j.

Let scale j : (0 < j)%N -> 0 < L * j.*2%:R.
Proof. by move=> j0; rewrite mulr_gt0 // ltr0n double_gt0. Qed.

Let peakE j : peak j = ln (central R j) / (L * j.*2%:R).
Proof. by rewrite /peak -mulrA -invfM. Qed.

Let low j : (0 < j)%N -> ln (central R j) < j.*2%:R * L.
Proof.
move=> j0; rewrite -two order ?c0 ?exprn_gt0 ?ltr0n //; apply: lt_le_trans (central_below R j0) _.
apply: ler_expn2r; rewrite ?nnegrE ?ler0n ?(ltW (ratio_gt0 R j)) //.
by rewrite /ratio ger_addl oppr_le0 divr_ge0 ?ler0n.
Qed.

Let peak_rises j : (0 < j)%N -> peak j < peak j.+1.
Proof.
move=> j0; rewrite !peakE ltr_pdivr_mulr ?scale // mulrAC ltr_pdivl_mulr ?scale //.
have dbl i : L * i.*2%:R = L * (2%:R * i%:R) by rewrite -mul2n natrM.
rewrite !dbl ![ln (central _ _) * _]mulrC -!mulrA !ltr_pmul2l ?ltr0n // -!lnX ?c0 // order ?exprn_gt0 ?c0 //.
rewrite exprSr (next_central R j) exprMn ltr_pmul2l ?exprn_gt0 ?c0 //.
exact: central_below.
Qed.

Let peak_below j : (0 < j)%N -> peak j < 1.
Proof. by move=> j0; rewrite peakE ltr_pdivr_mulr ?scale // mul1r mulrC low. Qed.

Let peak_limit e j : 0 < e -> (0 < j)%N -> (2%:R / (e * ln 2%:R)) ^+ 2 < j.*2%:R -> 1 - e < peak j.
Proof.
move=> e0 j0; have d0 : 0 < j.*2%:R :> R by rewrite ltr0n double_gt0.
set s := root j.*2%:R; have s0 : 0 < s := pos _; have sE : s ^+ 2 = j.*2%:R by rewrite root_square.
have el0 : 0 < e * L by rewrite mulr_gt0.
rewrite -{1}sE ltr_pexpn2r ?nnegrE ?divr_ge0 ?ler0n ?(ltW el0) ?(ltW s0) // => big.
rewrite peakE ltr_pdivl_mulr ?scale // mulrBl mul1r ltr_subl_addr [L * _]mulrC -two.
have top := order_le _ _ (central_above R j0); apply: le_lt_trans (top _ _) _.
- by rewrite exprn_gt0 ?ltr0n.
- exact: mulr_gt0 d0 (c0 j).
rewrite lnM' // addrC ltr_add2l; apply: lt_trans (log_small d0) _; rewrite -/s.
by rewrite two -sE [_ * L]mulrC mulrA expr2 mulrA ltr_pmul2r // -ltr_pdivr_mull // mulrC.
Qed.

Let quotient_limit pi e j : 0 < pi -> 0 < e -> `|2%:R * wallis R j - pi| < e -> e^-1 < j%:R ->
  `|central R j * root (pi * j%:R) / 4%:R ^+ j - 1| < e.
Proof.
move=> pi0 e0 near je; have J0 : 0 < j%:R :> R by apply: lt_trans je; rewrite invr_gt0.
set q := _ / _; have q0 : 0 < q by rewrite divr_gt0 ?exprn_gt0 ?mulr_gt0 ?pos ?c0 ?ltr0n.
have w1 := wallis_ge1 R j; set w := wallis R j in near w1 *; have w0 : 0 < w by apply: lt_le_trans w1.
have D0 : 0 < j.*2.+1%:R * w by rewrite mulr_gt0 ?ltr0n.
have qD : q ^+ 2 * (j.*2.+1%:R * w) = pi * j%:R.
  have p16 : (4%:R ^+ j) ^+ 2 = 16%:R ^+ j :> R by rewrite -!exprM mulnC exprM -natrX.
  rewrite /q expr_div_n exprMn root_square ?mulr_gt0 // p16 -(wallis_central R j) -/w.
  have frac (x y d : R) : x != 0 -> d != 0 -> x * y / (x * d) * d = y.
    by move=> x0 d0; rewrite [x * y]mulrC [x * d]mulrC -mulf_div divff // mulr1 divfK.
  by rewrite -[central R j ^+ 2 * _ * w]mulrA frac // ?expf_neq0 // gt_eqF ?c0.
have sq : `|q - 1| <= `|q ^+ 2 - 1|.
  rewrite -[X in q ^+ 2 - X](expr1n _ 2) subr_sqr normrM ler_pemulr //.
  by rewrite ger0_norm ?addr_ge0 ?(ltW q0) ?ler01 // ler_addr (ltW q0).
apply: le_lt_trans sq _; rewrite -(ltr_pmul2r D0) -{1}(gtr0_norm D0) -normrM mulrBl mul1r qD.
have -> : pi * j%:R - j.*2.+1%:R * w = - (j%:R * (2%:R * w - pi)) - w.
  by rewrite -addn1 natrD -mul2n natrM mulrBr opprB mulrDl mul1r opprD addrA mulrCA mulrA [pi * _]mulrC.
apply: le_lt_trans (ler_norm_sub _ _) _; rewrite normrN normrM (gtr0_norm J0) (gtr0_norm w0).
have ej : 1 < j%:R * e by rewrite -ltr_pdivr_mulr // div1r.
apply: (@lt_trans _ _ (j%:R * e + j%:R * e * w)).
  by apply: ltr_add; rewrite ?ltr_pmul2l // ltr_pmull.
apply: (@le_lt_trans _ _ (j%:R * e * w + j%:R * e * w)); first by rewrite ler_add2r ler_pemulr // mulr_ge0 ?ltW.
rewrite -mulrDl mulrA ltr_pmul2r // -mulrDl mulrC ltr_pmul2l // -natrD addnn ltr_nat; exact: ltnSn.
Qed.

(* Burns, Corollary 30, for classic filters: (1/m) log2 C(m, m/2), for m = 2 j, rises strictly with j, and its limit is
   1. Let W_j be the product of Wallis, whose limit is pi/2. Then C(2 j, j)^2 (2 j + 1) W_j = 16^j, and so the quotient
   of C(2 j, j) and 4^j/sqrt (pi j) tends to 1. The theorem does not say that (1/m) log2 C(m, m/2) is the largest
   efficiency. *)
Theorem classic_peak_rises :
  let peak j := ln (central R j) / ln 2%:R / j.*2%:R in
  [/\ forall j, (0 < j)%N -> peak j < peak j.+1,
      forall j, (0 < j)%N -> peak j < 1,
      forall e j, 0 < e -> (0 < j)%N -> (2%:R / (e * ln 2%:R)) ^+ 2 < j.*2%:R -> 1 - e < peak j,
      forall j, central R j ^+ 2 * j.*2.+1%:R * wallis R j = 16%:R ^+ j
    & forall pi e j, 0 < pi -> 0 < e -> `|2%:R * wallis R j - pi| < e -> e^-1 < j%:R ->
        `|central R j * root (pi * j%:R) / 4%:R ^+ j - 1| < e].
Proof. by move=> p; split; [exact: peak_rises | exact: peak_below | exact: peak_limit | exact: wallis_central | exact: quotient_limit]. Qed.
End Exponential.
