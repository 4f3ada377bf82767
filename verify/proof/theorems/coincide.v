(* Fan's Figures 7, 9 and 11: with six positions, the bounds of the rate of a large filter almost coincide.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is any
   function with exp (ln x) = x for x > 0. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard search order natural decimals peaks bose.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma sixth_power (R : realFieldType) (u e : R) : 0 <= u -> 0 < e -> 1000%:R * e <= 1 -> u * 2%:R <=
  (6%:R - 1) * e / (1 - 6%:R * e) ->
  (1 + u) ^+ 6 <= 1 + 16%:R * e.
Proof.
move=> u0 e0 e1 uw; have few (c : nat) : (c < 1000)%N -> c%:R * e < 1.
  by move=> c1000; apply: lt_le_trans e1; rewrite ltr_pmul2r // ltr_nat.
have six : 6%:R - 1 = 5%:R :> R by rewrite mulrSr addrK.
have d0 : 0 < 1 - 6%:R * e by rewrite subr_gt0 few.
rewrite six ler_pdivl_mulr // in uw; have less := power_less 6 u0.
have two0 : (0 : R) < 2%:R by rewrite ltr0n.
have c1 : 0 < 1 - 15%:R * e / (1 - 6%:R * e).
  by rewrite subr_gt0 ltr_pdivr_mulr // mul1r ltr_subr_addr -mulrDl -natrD few.
have uc : 6%:R * u <= 15%:R * e / (1 - 6%:R * e).
  rewrite ler_pdivl_mulr // -(ler_pmul2r two0).
  have -> : 6%:R * u * (1 - 6%:R * e) * 2%:R = 6%:R * (u * 2%:R * (1 - 6%:R * e)) by
    rewrite [LHS](AC (2*1*1) (1*((2*4)*3))).
  by apply: le_trans (ler_wpmul2l (ler0n _ _) uw) _; rewrite mulrA [leRHS]mulrAC -!natrM.
rewrite -(ler_pmul2r c1); apply: (@le_trans _ _ 1).
  apply: le_trans less; apply: ler_wpmul2l; first by rewrite exprn_ge0 // addr_ge0 ?ler01.
  by rewrite ler_add2l ler_opp2.
rewrite -(ler_pmul2r d0) mul1r -mulrA [(1 - _ / _) * _]mulrBl mul1r divfK; last by rewrite gt_eqF.
rewrite [leRHS]mulrDl mul1r -addrA ler_addl addrC subr_ge0 -mulrA [e * _]mulrC mulrA ler_pmul2r //.
rewrite -addrA -opprD -mulrDl -natrD mulrBr mulr1 ler_subr_addr mulrA -natrM.
have -> : 16%:R = 15%:R + 1 :> R by rewrite -mulrSr.
by rewrite ler_add2l ltW // few.
Qed.

(* The quotient of the two bounds, less 1, is at most 16/m. *)
Lemma beta_small m n (p : rat := 1 - (1 - m%:R^-1) ^+ (n * 6)) : (0 < n)%N -> (1000 <= m)%N ->
  (1 - (1 - 6%:R / m%:R) ^+ n) ^+ 6 <= p ^+ 6 * (1 + 16%:R / m%:R).
Proof.
move=> n0 big; have m1 : (1 < m)%N by apply: leq_trans big.
have [u] := @close_bounds m n 6 m1 n0 isT (leq_trans (isT : (6 * 6 <= 1000)%N) big); rewrite -/p => -[p0 u0 _ ->
  [uw _]].
have M0 : (0 : rat) < m%:R by rewrite ltr0n ltnW.
have e0 : (0 : rat) < m%:R^-1 by rewrite invr_gt0.
have e1 : (1000%:R * m%:R^-1 : rat) <= 1 by rewrite (ler_pdivr_mulr _ _ M0) mul1r ler_nat.
rewrite (exprMn 6 p _); apply: ler_wpmul2l (sixth_power u0 e0 e1 uw); exact: exprn_ge0 (ltW p0).
Qed.

(* A bit stays 0 with a probability of at most (b/(a + b))^2 if a/b <= 3 n/m. *)
Lemma clear_below m n a b : (1 < m)%N -> (0 < b)%N -> (a * m <= 3 * b * n)%N -> (1 - m%:R^-1) ^+ (n * 6) <=
  (b%:R / (a + b)%:R) ^+ 2 :> rat.
Proof.
move=> m1 b0 abn; have M0 : (0 : rat) < m%:R by rewrite ltr0n ltnW.
have e0 : (0 : rat) <= m%:R^-1 by rewrite invr_ge0 ler0n.
have q0 : 0 <= 1 - m%:R^-1 :> rat by rewrite subr_ge0 invf_le1 // ler1n ltnW.
have B0 : (0 : rat) < b%:R by rewrite ltr0n.
have d0 : (0 : rat) < (a + b)%:R by rewrite ltr0n addn_gt0 b0 orbT.
rewrite (_ : n * 6 = (n * 3) * 2)%N; last by rewrite -mulnA.
rewrite exprM; apply: ler_expn2r; rewrite ?nnegrE ?exprn_ge0 // ?divr_ge0 ?ler0n //.
rewrite -[leRHS]invf_div -[leRHS]div1r ler_pdivl_mulr ?divr_gt0 //.
apply: (@le_trans _ _ ((1 - m%:R^-1) ^+ (n * 3) * (1 + m%:R^-1) ^+ (n * 3))).
  apply: ler_wpmul2l; first exact: exprn_ge0.
  have := @tangent 1 m%:R^-1 (n * 3) ler01; rewrite !expr1n mulr1 => up; apply: le_trans (up (addr_ge0 ler01 e0)).
  rewrite natrD mulrDl divff ?gt_eqF // addrC ler_add2l ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -!natrM ler_nat.
  by apply: leq_trans abn _; rewrite -[(n * 3 * b)%N]mulnA [(3 * b * n)%N]mulnC.
rewrite -exprMn; apply: exprn_ile1; first exact: mulr_ge0 q0 (addr_ge0 ler01 e0).
by rewrite (_ : _ * _ = 1 - m%:R^-1 * m%:R^-1) ?ler_subl_addr ?ler_addl ?mulr_ge0 //; set e : rat := _^-1; identity.
Qed.

Section Exponential.
Variables (R : realFieldType) (exp ln : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.
Hypothesis lnK : forall x, 0 < x -> exp (ln x) = x.

Let lnM' := lnM expD above lnK.
Let lnV' := lnV expD above lnK.
Let lnX' := lnX expD above lnK.

Lemma ln_tangent (x : R) : 0 < x -> ln x <= x - 1.
Proof. by move=> x0; rewrite ler_subr_addl -[leRHS](lnK x0) above. Qed.

(* The relative error t of Bose et al. has t^2 <= (6/p)^2 ((13 + 6 (1/p - 1))/m + 2^-20). *)
Lemma logs_small m (p : R) : (0 < m)%N -> 0 < p ->
  (ln m%:R - 6%:R * ln p) / m%:R <= (13%:R + 6%:R * (p^-1 - 1)) / m%:R + (2%:R ^+ 20)^-1.
Proof.
move=> m0 p0; have M0 : (0 : R) < m%:R by rewrite ltr0n.
have T0 : (0 : R) < 2%:R ^+ 20 by rewrite exprn_gt0 ?ltr0n.
have lm : ln m%:R <= 13%:R + m%:R / 2%:R ^+ 20.
  rewrite -[X in ln X](divfK (lt0r_neq0 T0)) lnM' ?divr_gt0 // lnX' ?ltr0n // addrC.
  have h := ln_tangent (divr_gt0 M0 T0); apply: (@le_trans _ _ (14%:R + (m%:R / 2%:R ^+ 20 - 1))); last first.
    by rewrite [14%:R]mulrSr -addrA [1 + _]addrC subrK.
  apply: ler_add h; apply: le_trans (ler_wpmul2l (ler0n _ _) (ln2_high expD above lnK)) _.
  by rewrite mulrA ler_pdivr_mulr ?ltr0n // -!natrM ler_nat.
have lp : - ln p <= p^-1 - 1 by rewrite -lnV' //; apply: ln_tangent; rewrite invr_gt0.
rewrite ler_pdivr_mulr // [leRHS]mulrDl divfK ?gt_eqF // [leRHS]addrAC [_^-1 * m%:R]mulrC -mulrN.
apply: ler_add; first exact: lm.
by rewrite ler_wpmul2l ?ler0n.
Qed.

Lemma error_small m (p t : R) (a c d A S s v w : nat) : (0 < m)%N -> (a * 1000 <= m)%N -> (0 < c)%N -> (0 < d)%N ->
  (0 < w)%N -> c%:R <= d%:R * p ->
  t ^+ 2 = (6%:R / p) ^+ 2 * ((ln m%:R - 6%:R * ln p) / m%:R) ->
  [&& 36 * (d * d) <= A * (c * c), 6 * d + 7 * c <= S * c, S * 1000 <= s * a, w * A <= v * 1000 & v * s.+1 * 400 <=
    9 * w * 1000]%N ->
  0 <= t -> t <= 3%:R / 20%:R.
Proof.
move=> m0 am c0 d0 w0 cp tE /and5P[tA tS ts tw tv] t0; have C0 : (0 : R) < c%:R by rewrite ltr0n.
have D0 : (0 : R) < d%:R by rewrite ltr0n.
have p0 : 0 < p by rewrite -(pmulr_rgt0 _ D0) (lt_le_trans C0).
have M0 : (0 : R) < m%:R by rewrite ltr0n.
have K0 : (0 : R) < 1000%:R by rewrite ltr0n.
have W0 : (0 : R) < w%:R by rewrite ltr0n.
have ip : p^-1 <= d%:R / c%:R by rewrite -[leRHS]invf_div lef_pinv ?posrE ?divr_gt0 // ler_pdivr_mulr // mulrC.
set u : R := 1000%:R^-1; have u0 : 0 < u by rewrite invr_gt0.
have uK : u * 1000%:R = 1 by rewrite mulVf ?gt_eqF.
have hA : (6%:R / p) ^+ 2 <= A%:R.
  apply: (@le_trans _ _ ((6%:R * (d%:R / c%:R)) ^+ 2)).
    apply: ler_expn2r; first by rewrite nnegrE; apply: divr_ge0; [exact: ler0n | exact: ltW].
      by rewrite nnegrE; apply: mulr_ge0; [exact: ler0n | apply: divr_ge0; exact: ler0n].
    by apply: ler_wpmul2l; [exact: ler0n | exact: ip].
  by rewrite mulrA expr_div_n ler_pdivr_mulr ?exprn_gt0 // exprMn -!natrX -!natrM ler_nat; apply: leq_trans tA _;
    rewrite mulnn.
have hS : 13%:R + 6%:R * (p^-1 - 1) <= S%:R.
  have -> : 13%:R = 7%:R + 6%:R :> R by rewrite -natrD.
  rewrite mulrBr mulr1 -addrA [6%:R + _]addrC subrK; apply: (@le_trans _ _ (7%:R + 6%:R * (d%:R / c%:R))).
    by rewrite ler_add2l ler_wpmul2l ?ler0n.
  by rewrite mulrA -(ler_pmul2r C0) mulrDl divfK ?gt_eqF // -!natrM -natrD ler_nat addnC.
have hs : S%:R / m%:R <= s%:R * u ^+ 2.
  rewrite ler_pdivr_mulr //; apply: (@le_trans _ _ (s%:R * u ^+ 2 * (a * 1000)%:R)); last first.
    by apply: ler_wpmul2l; rewrite ?ler_nat // mulr_ge0 ?ler0n // exprn_ge0 // ltW.
  have -> : s%:R * u ^+ 2 * (a * 1000)%:R = (s * a)%:R * u :> R.
    by rewrite !natrM expr2 mulrACA -[u * u * _]mulrA uK mulr1.
  by rewrite /u ler_pdivl_mulr // -natrM ler_nat.
have h20 : (2%:R ^+ 20)^-1 <= u ^+ 2.
  rewrite /u -exprVn -[20%N]/(10 * 2)%N exprM exprVn; apply: ler_expn2r; rewrite ?nnegrE ?invr_ge0 ?exprn_ge0 ?ler0n //.
  by rewrite lef_pinv ?posrE ?exprn_gt0 ?ltr0n // -natrX ler_nat.
have hQ : (ln m%:R - 6%:R * ln p) / m%:R <= s.+1%:R * u ^+ 2.
  apply: le_trans (logs_small m0 p0) _; rewrite [s.+1%:R]mulrSr [leRHS]mulrDl mul1r; apply: ler_add; last exact: h20.
  by apply: le_trans hs; rewrite ler_pmul2r ?invr_gt0.
have B0 : (0 : R) < 20%:R by rewrite ltr0n.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?divr_ge0 ?ler0n // tE; apply: (@le_trans _ _ (A%:R * (s.+1%:R * u ^+ 2))).
  apply: (@le_trans _ _ ((6%:R / p) ^+ 2 * (s.+1%:R * u ^+ 2))); first by rewrite ler_wpmul2l ?sqr_ge0.
  by apply: ler_wpmul2r => //; rewrite mulr_ge0 ?ler0n // exprn_ge0 // ltW.
have hw : A%:R * u <= v%:R / w%:R.
  by rewrite ler_pdivl_mulr // -(ler_pmul2r K0) mulrAC -[A%:R * u * 1000%:R]mulrA uK mulr1 -!natrM ler_nat mulnC.
apply: (@le_trans _ _ (v%:R / w%:R * (s.+1%:R * u))).
  have -> : A%:R * (s.+1%:R * u ^+ 2) = A%:R * u * (s.+1%:R * u) :> R by rewrite expr2 -!mulrA; congr (_ * _);
    rewrite mulrCA.
  by apply: ler_wpmul2r => //; rewrite mulr_ge0 ?ler0n // ltW.
rewrite expr_div_n ler_pdivl_mulr ?exprn_gt0 // -(ler_pmul2r W0) -(ler_pmul2r K0).
have -> : v%:R / w%:R * (s.+1%:R * u) * 20%:R ^+ 2 * w%:R * 1000%:R = (v * s.+1 * 400)%:R :> R.
  have cancel (x1 x2 x3 x4 x5 x6 x7 : R) : x2 * x6 = 1 -> x4 * x7 = 1 ->
    x1 * x2 * (x3 * x4) * x5 * x6 * x7 = x1 * x3 * x5.
    move=> e1 e2; transitivity (x1 * x3 * x5 * (x2 * x6) * (x4 * x7)); last by rewrite e1 e2 !mulr1.
    by rewrite [LHS](AC (2*2*1*1*1) ((1*3*5)*(2*6)*(4*7))).
  by rewrite cancel ?mulVf ?gt_eqF // -natrX -!natrM.
by rewrite -natrX -!natrM ler_nat.
Qed.

(* Fan's Figures 7, 9 and 11, with k = 6: the rate f_S is above Bloom's value and below the upper bound (19). The bound
   (19) is above Bloom's value by at most a share of 10^-4 for m >= 850000 bits and n >= 3m/50 items,
     and for m >= 255000
   bits and n >= m/10 items. The bound (5) of Bose et al., with the constant 1 in place of O, is above Bloom's value by
   the share t. This share is larger, and at most 15 %. *)
Theorem bounds_coincide m n (t : R) :
  (850 * 1000 <= m)%N && (3 * m <= 50 * n)%N || (255 * 1000 <= m)%N && (m <= 10 * n)%N ->
  let p : rat := 1 - (1 - m%:R^-1) ^+ (n * 6) in
  let bloom := p ^+ 6 in
  let upper : rat := (1 - (1 - 6%:R / m%:R) ^+ n) ^+ 6 in
  let beta := (upper - bloom) / bloom in
  0 <= t -> t ^+ 2 = (6%:R / ratr p) ^+ 2 * ((ln m%:R - 6%:R * ln (ratr p)) / m%:R) ->
  [/\ bloom < rate m (n * 6) 6 < upper, 0 < beta, beta <= (10 ^ 4)%:R^-1, ratr beta < t & t <= 3%:R / 20%:R].
Proof.
have [K KE] : exists K : nat, K = 1000%N by exists 1000%N.
rewrite -{1 2}KE => domain p bloom upper beta t0 tE.
have big : (255 * K <= m)%N by case/orP: domain => /andP[le _]; [apply: leq_trans le;
  rewrite leq_mul2r orbT | exact: le].
have mK : (K <= m)%N by apply: leq_trans big; rewrite leq_pmull.
have K0 : (0 < K)%N by rewrite KE.
have m1 : (1 < m)%N by apply: leq_trans mK; rewrite KE.
have m0 := ltnW m1; have M0 : (0 : rat) < m%:R by rewrite ltr0n.
have none3 : (3 * m <= 50 * 0)%N = false by rewrite muln0 leqn0 muln_eq0 /= gtn_eqF.
have none1 : (m <= 10 * 0)%N = false by rewrite muln0 leqn0 gtn_eqF.
have n0 : (0 < n)%N by rewrite lt0n; apply: contraTneq domain => ->; rewrite none3 none1 !andbF.
have m1000 : (1000 <= m)%N by rewrite -KE.
have p1 : p < 1 by rewrite ltr_subl_addr ltr_addl exprn_gt0 // subr_gt0 invf_lt1 // ltr1n.
have inside : bloom < rate m (n * 6) 6 < upper by apply: between_bounds => //; exact: leq_trans m1000.
have p0 : 0 < p.
  rewrite subr_gt0 exprn_ilt1 ?muln_eq0 ?negb_or -?lt0n ?n0 //; first by rewrite subr_ge0 invf_le1 // ler1n.
  by rewrite ltr_subl_addr ltr_addl invr_gt0.
have b0 : 0 < bloom by rewrite exprn_gt0.
have beta0 : 0 < beta by rewrite divr_gt0 // subr_gt0; case/andP: inside; exact: lt_trans.
have betam : beta <= 16%:R / m%:R.
  by rewrite (ler_pdivr_mulr _ _ b0) ler_subl_addl mulrC -[X in X + _]mulr1 -mulrDr; exact: beta_small.
have M0' : (0 : R) < m%:R by rewrite ltr0n.
split; [exact: inside | exact: beta0 | | |].
- have T0 : (0 : rat) < (10 ^ 4)%:R by rewrite ltr0n expn_gt0.
  apply: le_trans betam _; rewrite (ler_pdivr_mulr _ _ M0) mulrC (ler_pdivl_mulr _ _ T0) -natrM ler_nat.
  apply: leq_trans big; have -> : (10 ^ 4 = 10 * K)%N by rewrite KE (expnD 10 1 3).
  rewrite mulnA; exact: (leq_mul (isT : (16 * 10 <= 255)%N) (leqnn K)).
- have P0 : 0 < ratr p :> R by rewrite ltr0q.
  have B0 : 0 <= ratr beta :> R by rewrite ler0q ltW.
  rewrite -(@ltr_pexpn2r _ 2) ?nnegrE // -(ltr_pmul2r M0').
  have bM : ratr beta <= 16%:R / m%:R :> R.
    by rewrite -(ratr_nat R 16) -(ratr_nat R m) -fmorphV -rmorphM ler_rat.
  apply: (@lt_le_trans _ _ 36%:R).
    apply: (@le_lt_trans _ _ ((16%:R / m%:R) ^+ 2 * m%:R)).
      rewrite ler_pmul2r //; apply: ler_expn2r bM; first by rewrite nnegrE.
      by rewrite nnegrE divr_ge0 ?ler0n.
    rewrite expr2 -mulrA divfK ?gt_eqF // mulrAC ltr_pdivr_mulr // -!natrM ltr_nat.
    apply: (@leq_trans (36 * 1000)%N); first by vm_compute.
    by rewrite leq_mul2l.
  rewrite tE -mulrA divfK ?gt_eqF // expr_div_n.
  have P1 : ratr p <= 1 :> R by rewrite -(rmorph1 (ratr_rmorphism R)) ler_rat ltW.
  have -> : 36%:R = 6%:R ^+ 2 * 1 :> R by rewrite mulr1 -natrX.
  apply: ler_pmul; rewrite ?ler01 ?exprn_ge0 ?ler0n //.
    by rewrite ler_pdivl_mulr ?exprn_gt0 // ler_pimulr ?exprn_ge0 ?ler0n // exprn_ile1 // ltW.
  apply: le_trans (ln_above expD above lnK (leq_trans (isT : (2 < 1000)%N) m1000)) _.
  by rewrite ler_addl oppr_ge0 pmulr_rle0 ?ltr0n // (bose.ln_below expD above lnK).
have share a b c d : (0 < b)%N -> (a * m <= 3 * b * n)%N -> (c * (a + b) ^ 2 + d * b ^ 2 <= d * (a + b) ^ 2)%N ->
  c%:R <= d%:R * ratr p :> R.
  move=> bb abn test; rewrite -(ratr_nat R c) -(ratr_nat R d) -rmorphM ler_rat.
  have d0 : (0 : rat) < (a + b)%:R ^+ 2 by rewrite exprn_gt0 // ltr0n addn_gt0 bb orbT.
  have := clear_below m1 bb abn; rewrite expr_div_n ler_pdivl_mulr // => le.
  rewrite mulrBr mulr1 ler_subr_addr -(ler_pmul2r d0) mulrDl.
  apply: (@le_trans _ _ (c%:R * (a + b)%:R ^+ 2 + d%:R * b%:R ^+ 2)); last by rewrite -!natrX -!natrM -natrD ler_nat.
  by rewrite ler_add2l -mulrA ler_wpmul2l ?ler0n.
case/orP: domain => /andP[large many].
- have lower : 13%:R <= 49%:R * ratr p :> R.
    apply: (share 1 6 13 49)%N; [by [] | | by vm_compute].
    by rewrite mul1n -(leq_pmul2l (isT : (0 < 3)%N)) (leq_trans many) // mulnA leq_mul2r orbT.
  have big1000 : (850 * 1000 <= m)%N by rewrite -KE.
  apply: (@error_small m (ratr p) t 850%N 13%N 49%N 512%N 30%N 36%N 3%N 5%N m0 big1000 isT isT isT lower tE _ t0); by
    vm_compute.
have lower : 2%:R <= 5%:R * ratr p :> R.
  apply: (share 3 10 2 5)%N; [by [] | | by vm_compute].
  by rewrite -mulnA leq_mul2l.
have big1000 : (255 * 1000 <= m)%N by rewrite -KE.
apply: (@error_small m (ratr p) t 255%N 2%N 5%N 225%N 22%N 87%N 1%N 4%N m0 big1000 isT isT isT lower tE _ t0); by
  vm_compute.
Qed.
End Exponential.
