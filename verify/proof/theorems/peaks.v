(* The largest value of ln y ln (1 - y), and the peaks of the approximations of the rate and of the efficiency.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is any
   function with exp (ln x) = x for x > 0. For x > 0, the power x^y is exp (y ln x). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import natural decimals approach.
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
Let L := ln 2%:R.

Let low : 69%:R / 100%:R <= L := ln2_low expD above lnK.
Let L0 : 0 < L. Proof. by apply: lt_le_trans low; rewrite divr_gt0 ?ltr0n. Qed.
Let high : L < 7%:R / 10%:R.
Proof.
apply: le_lt_trans (ln2_high expD above lnK) _; rewrite ltr_pdivr_mulr ?ltr0n // mulrAC ltr_pdivl_mulr ?ltr0n // -!natrM ltr_nat.
by [].
Qed.

(* exp x is at least (1 + x/n)^n. *)
Lemma power_below n x : (0 < n)%N -> - n%:R <= x -> (1 + x / n%:R) ^+ n <= exp x.
Proof.
move=> n0 nx; have N0 : (0 : R) < n%:R by rewrite ltr0n.
have -> : exp x = exp (x / n%:R) ^+ n by rewrite -expP mulrC divfK // gt_eqF.
apply: ler_expn2r; rewrite ?nnegrE ?(ltW (pos _)) ?above //.
by rewrite -(ler_pmul2r N0) mul0r mulrDl mul1r divfK ?gt_eqF // -ler_subl_addl sub0r.
Qed.

Lemma power_above n x : (0 < n)%N -> x < n%:R -> exp x <= ((1 - x / n%:R) ^+ n)^-1.
Proof.
move=> n0 xn; have N0 : (0 : R) < n%:R by rewrite ltr0n.
have := @power_below n (- x) n0; rewrite ler_opp2 (ltW xn) => /(_ isT); rewrite mulNr expV => le.
by rewrite -[exp x]invrK lef_pinv ?posrE ?invr_gt0 // exprn_gt0 // subr_gt0 ltr_pdivr_mulr // mul1r.
Qed.

Lemma cube_above t : 0 < t -> exp (- t) <= (3%:R / (3%:R + t)) ^+ 3.
Proof.
move=> t0; have t3 : 0 < 3%:R + t by rewrite addr_gt0 ?ltr0n.
have := @power_below 3 t isT; rewrite (le_trans _ (ltW t0)) ?oppr_le0 ?ler0n // => /(_ isT) le.
rewrite expV -[leRHS]invrK lef_pinv ?posrE ?invr_gt0 ?exprn_gt0 ?divr_gt0 ?ltr0n //.
by rewrite -exprVn invf_div mulrDl divff ?pnatr_eq0.
Qed.

Lemma third : exp (- 1) <= 27%:R / 64%:R.
Proof. by apply: le_trans (cube_above ltr01) _; rewrite expr_div_n -(natrD _ 3 1) -!natrX. Qed.

Lemma far_first s : 1 < s -> exp (- s) <= 27%:R / 64%:R / s.
Proof.
move=> s1; have -> : - s = - 1 - (s - 1) by rewrite opprB addKr.
rewrite expD; apply: ler_pmul; rewrite ?(ltW (pos _)) ?third // expV lef_pinv ?posrE ?pos ?(lt_trans ltr01) //.
by apply: le_trans (above _); rewrite addrC subrK.
Qed.

Lemma far_second s : 0 < s -> exp (L * s / (L + s)) <= 2%:R * ((L + s) / (L + s + L ^+ 2)).
Proof.
move=> s0; have Ls : 0 < L + s by rewrite addr_gt0.
have D0 : 0 < L + s + L ^+ 2 by rewrite addr_gt0 ?exprn_gt0.
have -> : L * s / (L + s) = L - L ^+ 2 / (L + s).
  by apply: (mulIf (lt0r_neq0 Ls)); rewrite mulrBl !divfK ?gt_eqF // mulrDr expr2 [X in X - _]addrC addrK.
rewrite expD lnK ?ltr0n // ler_pmul2l ?ltr0n // expV -[leRHS]invrK lef_pinv ?posrE ?pos ?invr_gt0 ?divr_gt0 // invf_div.
by apply: le_trans (above _); rewrite mulrDl divff ?gt_eqF.
Qed.

Lemma far_numbers : 27%:R * (L + 1 + L ^+ 2) < 128%:R * L ^+ 2.
Proof.
have h69 : 69%:R * L <= 100%:R * L ^+ 2.
  by move: low; rewrite ler_pdivr_mulr ?ltr0n // expr2 mulrA => le; rewrite ler_pmul2r // mulrC.
have h27 : 27%:R < 42%:R * L.
  rewrite mulrC -ltr_pdivr_mulr ?ltr0n //; apply: lt_le_trans low.
  by rewrite ltr_pdivr_mulr ?ltr0n // mulrAC ltr_pdivl_mulr ?ltr0n // -!natrM ltr_nat.
rewrite !mulrDr mulr1; apply: (@lt_le_trans _ _ (27%:R * L + 42%:R * L + 27%:R * L ^+ 2)).
  by rewrite ltr_add2r ltr_add2l.
rewrite -mulrDl -natrD; apply: (@le_trans _ _ (100%:R * L ^+ 2 + 27%:R * L ^+ 2)); first by rewrite ler_add2r.
by rewrite -mulrDl -natrD ler_pmul2r ?exprn_gt0 // ler_nat.
Qed.

Lemma far s : 1 < s -> exp (- s) + exp (L * s / (L + s)) < 2%:R.
Proof.
move=> s1; have s0 : 0 < s by apply: lt_trans s1.
have D0 : 0 < L + s + L ^+ 2 by rewrite !addr_gt0 ?exprn_gt0.
apply: le_lt_trans (ler_add (far_first s1) (far_second s0)) _; rewrite -ltr_subr_addr.
have -> : 2%:R - 2%:R * ((L + s) / (L + s + L ^+ 2)) = 2%:R * L ^+ 2 / (L + s + L ^+ 2).
  rewrite -[X in X - _]mulr1 -mulrBr -mulrA; congr (_ * _); apply: (mulIf (lt0r_neq0 D0)).
  by rewrite mulrBl !divfK ?gt_eqF // mul1r addrC addKr.
rewrite ltr_pdivr_mulr // mulrAC ltr_pdivl_mulr // mulrAC ltr_pdivr_mulr ?ltr0n //.
apply: (@le_lt_trans _ _ (s * (27%:R * (L + 1 + L ^+ 2)))).
  rewrite mulrCA ler_wpmul2l ?ler0n // !mulrDr mulr1; apply: ler_add; last by rewrite ler_pemull ?exprn_ge0 // ltW.
  by rewrite ler_add2r ler_pemull // ltW.
have -> : 2%:R * L ^+ 2 * s * 64%:R = s * (128%:R * L ^+ 2).
  by rewrite mulrAC [_ * s]mulrC; congr (_ * _); rewrite mulrAC -natrM.
by rewrite ltr_pmul2l // far_numbers.
Qed.

Lemma near s : 0 < s -> exp (- s) + exp (L * s / (L + s)) < 2%:R.
Proof.
move=> s0; have Ls : 0 < L + s by rewrite addr_gt0.
have s3 : 0 < 3%:R + s by rewrite addr_gt0 ?ltr0n.
have [s1 | s1] := lerP s 1.
  apply: le_lt_trans (fractions s0 s1); apply: ler_add.
    by rewrite -[X in X - s / _](@divff _ (3%:R + s)) ?gt_eqF // -mulrBl addrK cube_above.
  have w3 : L * s / (L + s) < 3%:R.
    apply: (@lt_trans _ _ 1); rewrite ?ltr1n // ltr_pdivr_mulr // mul1r (le_lt_trans (ler_wpmul2l (ltW L0) s1)) //.
    by rewrite mulr1 ltr_addl.
  apply: le_trans (power_above _ w3) _ => //; rewrite -exprVn.
  have q0 : 0 < 21%:R + 23%:R * s by rewrite addr_gt0 ?mulr_gt0 ?ltr0n.
  have w0 : 0 < 1 - L * s / (L + s) / 3%:R by rewrite subr_gt0 ltr_pdivr_mulr ?ltr0n // mul1r.
  apply: ler_expn2r; rewrite ?nnegrE ?invr_ge0 ?(ltW w0) //.
    by rewrite addr_ge0 ?divr_ge0 ?mulr_ge0 ?ler0n ?(ltW s0) ?(ltW q0) ?ler01.
  set q := 21%:R + _ in q0 *; rewrite -[leLHS]mul1r ler_pdivr_mulr //.
  rewrite -[X in X + _ / q](@divff _ q) ?gt_eqF // -mulrDl mulrAC ler_pdivl_mulr // mul1r.
  have qE : q + 7%:R * s = (7%:R + 10%:R * s) * 3%:R.
    by rewrite /q mulrDl -addrA -mulrDl -natrD [10%:R * s]mulrC -mulrA -!natrM [s * _]mulrC.
  rewrite mulrBr mulr1 ler_subr_addr ler_add2l qE.
  have -> x : (7%:R + 10%:R * s) * 3%:R * (x / 3%:R) = (7%:R + 10%:R * s) * x by rewrite -mulrA [3%:R * _]mulrC divfK ?pnatr_eq0.
  rewrite [leLHS]mulrA ler_pdivr_mulr //.
  have -> : (7%:R + 10%:R * s) * (L * s) = 7%:R * s * L + s * (10%:R * L * s).
    by rewrite mulrDl; congr (_ + _); [rewrite -mulrA [s * L]mulrC | rewrite [10%:R * s]mulrC -[LHS]mulrA [10%:R * (_ * _)]mulrA].
  rewrite mulrDr ler_add2l [7%:R * s]mulrC -[leRHS]mulrA ler_pmul2l // ler_pmul2r //.
  by rewrite mulrC -ler_pdivl_mulr ?ltr0n // ltW.
exact: far.
Qed.

Lemma below_half y : 0 < y -> y < 2%:R^-1 -> ln y * ln (1 - y) < L ^+ 2.
Proof.
move=> y0 y2; have z0 : 0 < 1 - y.
  by rewrite subr_gt0 (lt_trans y2) // invf_lt1 ?ltr0n ?ltr1n.
have s0 : 0 < - ln y - L by rewrite subr_gt0 ltr_oppr -lnV' ?ltr0n // order ?invr_gt0 ?ltr0n.
have a0 : 0 < - ln y by apply: lt_trans s0 _; rewrite ltr_subl_addr ltr_addl.
have := near s0; rewrite opprB opprK expD [exp L]lnK ?ltr0n // [exp (ln y)]lnK // [L + _]addrC subrK -ltr_subr_addl.
have -> : 2%:R - 2%:R * y = exp (L + ln (1 - y)) by rewrite expD !lnK ?ltr0n // mulrBr mulr1.
move=> lt; have {lt} : L * (- ln y - L) / - ln y < L + ln (1 - y).
  by rewrite ltNge; apply: contraL lt => /mono; rewrite -leNgt.
rewrite ltr_pdivr_mulr // mulrBr -expr2 mulrDl ltr_subl_addr -addrA ltr_addl mulrN.
by rewrite addrC subr_gt0 mulrC.
Qed.

Lemma other_half : 1 - 2%:R^-1 = 2%:R^-1 :> R.
Proof. by rewrite [X in X - _](splitr 1) mul1r addrK. Qed.

(* The largest value of ln y ln (1 - y) for y between 0 and 1 is the square of ln 2, at y = 1/2 only. *)
Lemma largest y : 0 < y -> y < 1 -> y != 2%:R^-1 -> ln y * ln (1 - y) < L ^+ 2.
Proof.
move=> y0 y1; rewrite neq_lt => /orP[y2 | y2]; first exact: below_half.
have z0 : 0 < 1 - y by rewrite subr_gt0.
have := below_half z0; rewrite subKr mulrC; apply.
by rewrite ltr_subl_addl -ltr_subl_addr other_half.
Qed.

Lemma at_half : ln 2%:R^-1 * ln (1 - 2%:R^-1) = L ^+ 2.
Proof. by rewrite other_half lnV' ?ltr0n // mulrNN. Qed.

Lemma lnX x n : 0 < x -> ln (x ^+ n) = n%:R * ln x.
Proof. by move=> x0; rewrite -[RHS]expK' expP lnK. Qed.

Lemma exp_below1 x : 0 < x -> exp (- x) < 1.
Proof. by move=> x0; rewrite -[ltRHS]exp_0 strict // oppr_lt0. Qed.

(* An efficiency -(n/m) log2 of the rate (1 - e^(-k n r))^k. *)
Lemma peak (m r : R) k : 0 < m -> 0 < r -> (0 < k)%N ->
  let efficiency n := - (n / m) * (ln ((1 - exp (- (k%:R * n * r))) ^+ k) / L) in
  efficiency (L / (k%:R * r)) = L / (m * r) /\
  forall n, 0 < n -> n != L / (k%:R * r) -> efficiency n < L / (m * r).
Proof.
move=> m0 r0 k0 efficiency; have K0 : (0 : R) < k%:R by rewrite ltr0n.
have e n : 0 < n -> efficiency n = ln (exp (- (k%:R * n * r))) * ln (1 - exp (- (k%:R * n * r))) / (L * (m * r)).
  move=> n0; have z0 : 0 < 1 - exp (- (k%:R * n * r)) by rewrite subr_gt0 exp_below1 ?mulr_gt0.
  rewrite /efficiency lnX // expK'; set l := ln _; rewrite !mulNr mulf_div; congr (- _).
  have -> : k%:R * n * r * l = n * (k%:R * l) * r by rewrite mulrAC [k%:R * n]mulrC -[n * _ * l]mulrA.
  have -> : L * (m * r) = m * L * r by rewrite mulrA [L * m]mulrC.
  by rewrite -[RHS]mulf_div divff ?gt_eqF // mulr1.
have kr0 : 0 < k%:R * r by rewrite mulr_gt0.
have arg n : k%:R * n * r = n * (k%:R * r) by rewrite mulrAC mulrC.
split=> [|n n0 ne].
  rewrite e ?divr_gt0 // arg divfK ?gt_eqF // expV lnK ?ltr0n // at_half expr2.
  by rewrite -mulf_div divff ?gt_eqF // mul1r.
rewrite e // -[ltRHS]mul1r -[X in _ < X * _](@divff _ L) ?gt_eqF // mulf_div -expr2 ltr_pmul2r ?invr_gt0 ?mulr_gt0 //.
apply: largest; rewrite ?pos ?exp_below1 ?mulr_gt0 //.
apply: contraNneq ne => /(congr1 ln); rewrite expK' lnV' ?ltr0n // => /oppr_inj; rewrite arg => /(canRL (mulfK _)) -> //.
by rewrite gt_eqF.
Qed.

(* Burns 4.1: with e^(-kn/m) for the probability that a bit is 0, the largest efficiency over the real n > 0 is ln 2, at
   n = (m/k) ln 2 only. *)
Theorem peak_exponential m k : (0 < m)%N -> (0 < k)%N ->
  let efficiency n := - (n / m%:R) * (ln ((1 - exp (- (k%:R * n / m%:R))) ^+ k) / ln 2%:R) in
  efficiency (m%:R / k%:R * ln 2%:R) = ln 2%:R /\
  forall n, 0 < n -> n != m%:R / k%:R * ln 2%:R -> efficiency n < ln 2%:R.
Proof.
move=> m0 k0 efficiency; have M0 : (0 : R) < m%:R by rewrite ltr0n.
have i0 : (0 : R) < m%:R^-1 by rewrite invr_gt0.
have -> : m%:R / k%:R * ln 2%:R = L / (k%:R * m%:R^-1) by rewrite mulrC invfM invrK [_^-1 * _]mulrC.
by have := peak M0 i0 k0; rewrite divff ?gt_eqF // divr1.
Qed.

(* Burns 4.1: with Bloom's value for the rate, the largest efficiency over the real n > 0 is ln 2/(m ln (m/(m-1))), at
   n = ln 2/(k ln (m/(m-1))) only. The power (1 - 1/m)^(k n) is exp (k n ln (1 - 1/m)). *)
Theorem peak_bloom m k : (1 < m)%N -> (0 < k)%N ->
  let efficiency n := - (n / m%:R) * (ln ((1 - exp (k%:R * n * ln (1 - m%:R^-1))) ^+ k) / ln 2%:R) in
  let largest := ln 2%:R / (m%:R * ln (m%:R / (m.-1)%:R)) in
  let best := ln 2%:R / (k%:R * ln (m%:R / (m.-1)%:R)) in
  efficiency best = largest /\ forall n, 0 < n -> n != best -> efficiency n < largest.
Proof.
move=> m2 k0 efficiency top best; have M0 : (0 : R) < m%:R by rewrite ltr0n ltnW.
have p0 : (0 : R) < (m.-1)%:R by rewrite ltr0n -subn1 subn_gt0.
have [lo _] := log_near expD above lnK m2; have l0 : 0 < ln (m%:R / (m.-1)%:R) by apply: lt_trans lo; rewrite invr_gt0.
have e : ln (1 - m%:R^-1) = - ln (m%:R / (m.-1)%:R).
  have -> : 1 - m%:R^-1 = ((m%:R : R) / (m.-1)%:R)^-1.
    by rewrite invf_div -subn1 natrB ?(ltnW m2) // mulrBl mul1r divff ?gt_eqF.
  by rewrite lnV' ?divr_gt0.
have [a b] := peak M0 l0 k0.
have fE n : efficiency n = - (n / m%:R) * (ln ((1 - exp (- (k%:R * n * ln (m%:R / (m.-1)%:R)))) ^+ k) / L).
  by rewrite /efficiency e mulrN.
by split=> [|n n0 ne]; rewrite fE; [exact: a | exact: b].
Qed.

Lemma least c k : 0 < c -> 0 < k -> k != c * L ->
  exp (c * L * ln (1 - exp (- (c * L / c)))) < exp (k * ln (1 - exp (- (k / c)))).
Proof.
move=> c0 k0 ne; apply: strict; set y := exp (- (k / c)).
have -> : c * L / c = L by rewrite mulrAC divff ?gt_eqF // mul1r.
rewrite expV lnK ?ltr0n // other_half lnV' ?ltr0n //.
have kE : k = c * - ln y by rewrite expK' opprK mulrC divfK ?gt_eqF.
rewrite {1}kE !mulrN mulNr ltr_opp2 -!mulrA ltr_pmul2l // -expr2.
apply: largest; rewrite ?pos ?exp_below1 ?divr_gt0 //.
by apply: contraNneq ne => yE; rewrite {1}kE yE lnV' ?ltr0n // opprK.
Qed.

(* Fan (9): let c be m/n. (1 - e^(-k/c))^k, over the real k > 0, is least at k = c ln 2 only. *)
Theorem best_exponential c : 0 < c ->
  let f k := exp (k * ln (1 - exp (- (k / c)))) in
  forall k, 0 < k -> k != c * ln 2%:R -> f (c * ln 2%:R) < f k.
Proof. by move=> c0 f k k0 ne; apply: least. Qed.

(* Dozier-FP, after (1): Bloom's value, over the real k > 0, is least at k = -(ln 2/n)/ln (1 - 1/M) only, which is below
   (M/n) ln 2 by less than (ln 2)/n. The powers x^y are exp (y ln x). *)
Theorem best_bloom m n : (1 < m)%N -> (0 < n)%N ->
  let f k := exp (k * ln (1 - exp (k * n%:R * ln (1 - m%:R^-1)))) in
  let best := - (ln 2%:R / n%:R) / ln (1 - m%:R^-1) in
  [/\ forall k, 0 < k -> k != best -> f best < f k, best < m%:R / n%:R * ln 2%:R
    & m%:R / n%:R * ln 2%:R < best + ln 2%:R / n%:R].
Proof.
move=> m2 n0 f best; have [below_ above_] := best_close expD above lnK m2 n0; split=> //.
have M0 : (0 : R) < m%:R by rewrite ltr0n ltnW.
have N0 : (0 : R) < n%:R by rewrite ltr0n.
have l0 : ln (1 - m%:R^-1) < 0.
  have u0 : 0 < 1 - m%:R^-1 :> R by rewrite subr_gt0 invf_lt1 // ltr1n.
  apply: lt_le_trans (tangent u0 _) _; last by rewrite addrAC subrr add0r oppr_le0 invr_ge0 ltW.
  by rewrite -subr_eq0 addrAC subrr add0r oppr_eq0 invr_eq0 gt_eqF.
set l := ln _ in l0; set c := - (n%:R * l)^-1.
have c0 : 0 < c by rewrite oppr_gt0 invr_lt0 pmulr_rlt0.
have bestE : best = c * L by rewrite /best /c !mulNr invfM; congr (- _); rewrite [RHS]mulrC mulrA.
have fE k : f k = exp (k * ln (1 - exp (- (k / c)))).
  by rewrite /f -[ln (1 - m%:R^-1)]/l /c invrN invrK mulrN opprK mulrA.
by move=> k k0; rewrite bestE !fE => ne; apply: least.
Qed.
End Exponential.
