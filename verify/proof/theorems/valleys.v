(* Derivatives of the approximations of the rate and of the efficiency.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is any
   function with exp (ln x) = x for x > 0. For x > 0, the power x^y is exp (y ln x). *)
From Coq Require Import NArith Ring.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import fields natural decimals approach peaks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Derivatives.
Variable R : realFieldType.
Implicit Types (f g : R -> R) (x d h r c e : R).

Add Ring ring_of_R : (field_ring R).

(* The number d is the derivative of f at x. *)
Definition derivative f x d := forall e, 0 < e -> exists2 r, 0 < r & forall h, `|h| <= r -> `|f (x + h) - f x - d * h| <= e * `|h|.

(* The same, with an error of at most c h^2. *)
Definition smooth f x d := exists r c, [/\ 0 < r, 0 <= c & forall h, `|h| <= r -> `|f (x + h) - f x - d * h| <= c * h ^+ 2].

Lemma smooth_derivative f x d : smooth f x d -> derivative f x d.
Proof.
move=> [r [c [r0 c0 near]]] e e0; have c1 : 0 < c + 1 by rewrite ltr_spaddr ?ltr01.
exists (Num.min r (e / (c + 1))) => [|h]; first by rewrite lt_minr r0 divr_gt0.
rewrite le_minr => /andP[hr he]; apply: le_trans (near _ hr) _; rewrite -[h ^+ 2]ger0_norm ?sqr_ge0 // normrX expr2 mulrA.
apply: ler_wpmul2r => //; apply: (@le_trans _ _ ((c + 1) * `|h|)); first by apply: ler_wpmul2r; rewrite ?ler_addl ?ler01.
by rewrite mulrC -ler_pdivl_mulr.
Qed.

Lemma smooth_eq f g x d d' : f =1 g -> d = d' -> smooth f x d -> smooth g x d'.
Proof. by move=> fg <- [r [c [r0 c0 near]]]; exists r, c; split=> // h /near; rewrite !fg. Qed.

Lemma smooth_line (a b : R) x : smooth (fun y => a * y + b) x a.
Proof.
exists 1, 0; split=> [||h _]; rewrite ?ltr01 // mul0r (_ : _ - _ - _ = 0) ?normr0 //.
by move: x h => x h; same R.
Qed.

Lemma smooth_scale (a : R) f x d : smooth f x d -> smooth (fun y => a * f y) x (a * d).
Proof.
move=> [r [c [r0 c0 near]]]; exists r, (`|a| * c); split=> [//| |h /near le]; first by rewrite mulr_ge0.
by rewrite -mulrBr -mulrA -mulrBr normrM -mulrA ler_wpmul2l.
Qed.

(* A smooth function is bounded by a line nearby. *)
Lemma smooth_bounded f x d : smooth f x d -> exists r c, [/\ 0 < r, 0 < c & forall h, `|h| <= r -> `|f (x + h) - f x| <= c * `|h|].
Proof.
move=> [r [c [r0 c0 near]]]; exists r, (c * r + `|d| + 1); split=> // [|h hr].
  by rewrite ltr_spaddr ?ltr01 // addr_ge0 // mulr_ge0 // ltW.
rewrite -[X in `|X|](subrK (d * h)) ; apply: le_trans (ler_norm_add _ _) _; rewrite 2!mulrDl normrM mul1r -[leLHS]addr0.
apply: ler_add => //; apply: ler_add => //; apply: le_trans (near _ hr) _.
by rewrite -[h ^+ 2]ger0_norm ?sqr_ge0 // normrX expr2 mulrA; apply: ler_wpmul2r => //; apply: ler_wpmul2l.
Qed.

Lemma smooth_mul f g x d e : smooth f x d -> smooth g x e -> smooth (fun y => f y * g y) x (d * g x + f x * e).
Proof.
move=> F G; have [r1 [c1 [r10 c10 near1]]] := smooth_bounded F; have [r2 [c2 [r20 c20 near2]]] := smooth_bounded G.
move: F G => [r3 [c3 [r30 c30 near3]]] [r4 [c4 [r40 c40 near4]]].
exists (Num.min (Num.min r1 r2) (Num.min r3 r4)), (c1 * c2 + c3 * `|g x| + `|f x| * c4); split.
- by rewrite !lt_minr r10 r20 r30.
- by rewrite !addr_ge0 ?mulr_ge0 // ltW.
move=> h; rewrite !le_minr => /andP[/andP[h1 h2] /andP[h3 h4]].
have -> : f (x + h) * g (x + h) - f x * g x - (d * g x + f x * e) * h =
  (f (x + h) - f x) * (g (x + h) - g x) + (f (x + h) - f x - d * h) * g x + f x * (g (x + h) - g x - e * h).
  by move: (f (x + h)) (g (x + h)) (f x) (g x) => a b a' b'; same R.
rewrite 2!mulrDl; apply: le_trans (ler_norm_add _ _) (ler_add (le_trans (ler_norm_add _ _) (ler_add _ _)) _); rewrite normrM.
- have -> : c1 * c2 * h ^+ 2 = (c1 * `|h|) * (c2 * `|h|).
    by rewrite [RHS]mulrACA -expr2 -normrX ger0_norm ?sqr_ge0.
  by apply: ler_pmul; rewrite ?near1 ?near2.
- by rewrite mulrAC ler_wpmul2r ?near3.
- by rewrite -mulrA ler_wpmul2l ?near4.
Qed.

Lemma smooth_comp f g x d e : smooth f x d -> smooth g (f x) e -> smooth (fun y => g (f y)) x (e * d).
Proof.
move=> F; have [r1 [c1 [r10 c10 near1]]] := smooth_bounded F.
move: F => [r3 [c3 [r30 c30 near3]]] [r4 [c4 [r40 c40 near4]]].
exists (Num.min (Num.min r1 (r4 / c1)) r3), (c4 * c1 ^+ 2 + `|e| * c3); split.
- by rewrite !lt_minr r10 r30 divr_gt0.
- by rewrite addr_ge0 ?mulr_ge0 ?(ltW c10).
move=> h; rewrite !le_minr => /andP[/andP[h1 h2] h3]; set u := f (x + h) - f x.
have uh : `|u| <= c1 * `|h| by rewrite near1.
have ur : `|u| <= r4 by apply: le_trans uh _; rewrite mulrC -ler_pdivl_mulr.
have fE : f (x + h) = f x + u by rewrite /u addrCA subrr addr0.
have -> : g (f (x + h)) - g (f x) - e * d * h = (g (f x + u) - g (f x) - e * u) + e * (u - d * h).
  by rewrite fE; move: (g _) (g _) => a b; same R.
rewrite mulrDl; apply: le_trans (ler_norm_add _ _) (ler_add _ _); last by rewrite normrM -mulrA ler_wpmul2l // near3.
apply: le_trans (near4 _ ur) _; rewrite -mulrA ler_wpmul2l // -exprMn -[u ^+ 2]ger0_norm ?sqr_ge0 // normrX.
by rewrite -[X in _ <= X]ger0_norm ?sqr_ge0 // normrX; apply: ler_expn2r; rewrite ?nnegrE // normrM (gtr0_norm c10).
Qed.
End Derivatives.

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

Add Ring ring_of_R : (field_ring R).

Let half_lt1 : 2%:R^-1 < 1 :> R. Proof. by rewrite invf_lt1 ?ltr0n ?ltr1n. Qed.

Lemma smooth_exp x : smooth exp x (exp x).
Proof.
exists 2%:R^-1, (2%:R * exp x); split; rewrite ?mulr_ge0 ?ler0n ?invr_gt0 ?ltr0n ?(ltW (pos _)) // => h hr.
have h1 : h <= 2%:R^-1 by apply: le_trans (ler_norm _) hr.
have u0 : 0 < 1 - h by rewrite subr_gt0 (le_lt_trans h1).
rewrite expD -{2}[exp x]mulr1 -!mulrBr normrM (gtr0_norm (pos _)) mulrAC [_ * exp x]mulrC ler_pmul2l ?pos //.
have lo : 0 <= exp h - 1 - h by rewrite -addrA -opprD subr_ge0 above.
rewrite ger0_norm //; have hi : exp h <= (1 - h)^-1.
  by rewrite -[exp h]invrK lef_pinv ?posrE ?invr_gt0 ?pos // -expV above.
apply: (@le_trans _ _ (h ^+ 2 / (1 - h))).
  rewrite ler_pdivl_mulr // mulrBl mulrBl; apply: (@le_trans _ _ (1 - 1 * (1 - h) - h * (1 - h))).
    by rewrite !ler_add2r -ler_pdivl_mulr // div1r.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; same R.
rewrite [leRHS]mulrC; apply: ler_wpmul2l; rewrite ?sqr_ge0 // -[leRHS]invrK lef_pinv ?posrE ?invr_gt0 ?ltr0n //.
by rewrite ler_subr_addl -ler_subr_addr other_half.
Qed.

Lemma ln1_below x : 0 < x -> ln x <= x - 1.
Proof. by move=> x0; rewrite ler_subr_addl -[leRHS](lnK x0) above. Qed.

Lemma smooth_ln x : 0 < x -> smooth ln x x^-1.
Proof.
move=> x0; exists (x / 2%:R), (2%:R * x^-1 ^+ 2); split; rewrite ?divr_gt0 ?ltr0n //.
  by rewrite mulr_ge0 ?ler0n // sqr_ge0.
move=> h hr.
pose u := x^-1 * h; have hE : h = x * u by rewrite /u mulVKf // gt_eqF.
have u2 : `|u| <= 2%:R^-1 by rewrite /u normrM gtr0_norm ?invr_gt0 // mulrC ler_pdivr_mulr // mulrC.
have u0 : 0 < 1 + u.
  rewrite -ltr_subl_addl sub0r; apply: lt_le_trans (_ : - 2%:R^-1 <= u); first by rewrite ltr_opp2.
  by move: u2; rewrite ler_norml => /andP[].
have -> : x + h = x * (1 + u) by rewrite mulrDr mulr1 -hE.
rewrite lnM' // [ln x + _]addrC addrK -/u -[X in _ <= X]mulrA -exprMn -/u ler0_norm ?subr_le0; last first.
  by apply: le_trans (ln1_below u0) _; rewrite addrAC subrr add0r.
rewrite opprB ler_subl_addr -ler_subl_addl -[ln _]opprK -lnV' // ler_oppr.
apply: le_trans (ln1_below _) _; rewrite ?invr_gt0 // ler_subl_addr -[leLHS]div1r ler_pdivr_mulr // opprB.
have uu : 0 <= u ^+ 2 by rewrite sqr_ge0.
have lo : - 2%:R^-1 <= u by move: u2; rewrite ler_norml => /andP[].
rewrite -subr_ge0 (_ : _ - 1 = u ^+ 2 * (1 + 2%:R * u)); last by same R.
by rewrite mulr_ge0 // -ler_subl_addl sub0r -ler_pdivr_mull ?ltr0n // mulrN mulr1.
Qed.

(* The bracket of Burns' proof: y ln y - (1 - y) ln (1 - y). *)
Lemma bracket_below y : 0 < y -> y < 2%:R^-1 -> y * ln y < (1 - y) * ln (1 - y).
Proof.
move=> y0 y2; have y1 : y < 1 by apply: lt_trans half_lt1.
have z0 : 0 < 1 - y by rewrite subr_gt0.
pose c := (1 - y) / y; have c0 : 0 < c by rewrite divr_gt0.
have tan t : 0 < t -> ln t <= ln c + (t / c - 1).
  move=> t0; rewrite -ler_subl_addl -lnV' // addrC -lnM' ?invr_gt0 // [_ * t]mulrC; apply: ln1_below; exact: divr_gt0.
have w0 : 0 < 1 - 2%:R * y by rewrite subr_gt0 mulrC -ltr_pdivl_mulr ?ltr0n // div1r.
have cne : y^-1 / c - 1 != 0.
  rewrite subr_eq0 /c invf_div mulrA mulVf; last by rewrite gt_eqF.
  by rewrite mul1r gt_eqF // invf_gt1 // ltr_subl_addr ltr_addl.
have lt : - ln y < ln c + (y^-1 / c - 1).
  rewrite -lnV' // -ltr_subl_addl -lnV' // addrC -lnM' ?invr_gt0 // [_ * y^-1]mulrC.
  by apply: tangent; rewrite ?divr_gt0 ?invr_gt0 // -subr_eq0.
have le : 0 <= ln c + (1 / c - 1).
  by have := tan 1 ltr01; rewrite -{1}exp_0 expK'.
pose q := (1 - y)^-1; have qE : (1 - y) * q = 1 by rewrite /q divff // gt_eqF.
have e1 : 1 / c = y * q by rewrite /c invf_div mul1r.
have e2 : y^-1 / c = q by rewrite /c invf_div mulrA mulVf ?gt_eqF // mul1r.
have lc : ln c = ln (1 - y) - ln y by rewrite /c lnM' ?invr_gt0 // lnV'.
rewrite -subr_gt0; have -> : (1 - y) * ln (1 - y) - y * ln y =
  y * (ln c + (1 / c - 1)) + (1 - 2%:R * y) * (ln c + (y^-1 / c - 1) + ln y) - (1 - y) * ((1 - y) * q - 1).
  by rewrite e1 e2 lc; clear e1 e2 qE; move: (ln (1 - y)) (ln y) q => a b t; same R.
rewrite qE subrr mulr0 subr0 ltr_paddl ?mulr_ge0 ?(ltW y0) // mulr_gt0 //.
by rewrite -ltr_subl_addr sub0r.
Qed.

(* Burns, after (67): with c = m/n, the derivative over the real k > 0 of (1 - e^(-nk/m))^k = (1 - e^(-k/c))^k is 0 at
   k = c ln 2, and the least value of (1 - e^(-k/c))^k is there only. *)
Theorem rate_flat c : 0 < c ->
  let f k := exp (k * ln (1 - exp (- (k / c)))) in
  let k0 := c * ln 2%:R in
  derivative f k0 0 /\ forall k, 0 < k -> k != k0 -> f k0 < f k.
Proof.
move=> c0 f k0; split; last by move=> k; apply: (best_exponential expD above lnK).
apply: smooth_derivative.
have y2 : exp (- c^-1 * k0 + 0) = 2%:R^-1 by rewrite addr0 mulNr mulKf ?gt_eqF // expV lnK ?ltr0n.
have S1 := smooth_comp (smooth_line (- c^-1) 0 k0) (smooth_exp _); rewrite y2 in S1.
have p2 : 0 < -1 * exp (- c^-1 * k0 + 0) + 1 by rewrite y2 mulN1r addrC subr_gt0.
have S2 := smooth_comp S1 (smooth_line (- 1) 1 _).
have S3 := smooth_comp S2 (smooth_ln p2).
have S4 := smooth_mul (smooth_line 1 0 k0) S3.
have S5 := smooth_comp S4 (smooth_exp _).
apply: smooth_eq S5 => [k | ] /=; first by rewrite /f mul1r !addr0 mulN1r [- _ + 1]addrC mulNr [c^-1 * k]mulrC.
rewrite y2 mulN1r [- _ + 1]addrC other_half invrK lnV' ?ltr0n // mul1r !addr0 mul1r.
have -> : k0 * (2%:R * (-1 * (2%:R^-1 * - c^-1))) = ln 2%:R.
  by rewrite mulN1r [_^-1 * - _]mulrN opprK mulVKf ?pnatr_eq0 // /k0 mulrC mulKf ?gt_eqF.
by rewrite addNr mulr0.
Qed.

(* Burns, the proof of Corollary 27: g(n) = (1 - x^n)^(-n), over the real n > 0 and for 0 < x < 1, has the derivative
   (y ln y - (1 - y) ln (1 - y))/(1 - y)^(n+1), where y = x^n. It is 0 if and only if y = 1/2. *)
Theorem efficiency_derivative x n : 0 < x -> x < 1 -> 0 < n ->
  let power b e := exp (e * ln b) in
  let g n := power (1 - power x n) (- n) in
  let y := power x n in
  let d := (y * ln y - (1 - y) * ln (1 - y)) / power (1 - y) (n + 1) in
  derivative g n d /\ (d = 0 <-> y = 2%:R^-1).
Proof.
move=> x0 x1 n0 power g y d; have l0 : ln x < 0 by rewrite -[X in _ < X](expK' 0) exp_0 order ?ltr01.
have y0 : 0 < y := pos _.
have y1 : y < 1 by rewrite -exp_0 /y /power strict // pmulr_rlt0.
have z0 : 0 < 1 - y by rewrite subr_gt0.
split.
  apply: smooth_derivative.
  have S1 := smooth_comp (smooth_line (ln x) 0 n) (smooth_exp _).
  have yE : exp (ln x * n + 0) = y by rewrite addr0 mulrC.
  have S2 := smooth_comp S1 (smooth_line (- 1) 1 _).
  have p2 : 0 < -1 * exp (ln x * n + 0) + 1 by rewrite yE mulN1r addrC.
  have S3 := smooth_comp S2 (smooth_ln p2).
  have S4 := smooth_mul (smooth_line (- 1) 0 n) S3.
  have S5 := smooth_comp S4 (smooth_exp _).
  apply: smooth_eq S5 => [k | ] /=.
    by rewrite /g /power mulN1r !addr0 mulN1r [- _ + 1]addrC [k * ln x]mulrC.
  rewrite yE mulN1r !addr0 mulN1r [- y + 1]addrC /d /power [(n + 1) * _]mulrDl [1 * ln _]mul1r expD lnK // invfM mulNr expV.
  have lny : ln y = n * ln x by rewrite /y /power expK'.
  rewrite lny; move: (ln (1 - y)) => u; move: (exp (n * u))^-1 => t.
  have vE : (1 - y) * (1 - y)^-1 = 1 by rewrite divff ?gt_eqF.
  move: (1 - y)^-1 vE => v vE; rewrite (_ : -1 * u = - (u * ((1 - y) * v))); last by rewrite vE mulr1 mulN1r.
  by move: (ln x) => l; same R.
split=> [/eqP | yE]; last first.
  by rewrite /d yE other_half subrr mul0r.
rewrite /d mulf_eq0 invr_eq0 (gt_eqF (pos _)) orbF subr_eq0 => /eqP e.
case: (ltrgtP y 2%:R^-1) => // lt; first by have := bracket_below y0 lt; rewrite e ltxx.
have lt' : 1 - y < 2%:R^-1 by rewrite ltr_subl_addr -ltr_subl_addl other_half.
by have := bracket_below z0 lt'; rewrite subKr e ltxx.
Qed.
End Exponential.
