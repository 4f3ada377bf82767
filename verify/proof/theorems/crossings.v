(* Burns, Theorem 31: the n/m for which k and k + 1 positions have the same approximate rate.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is any
   function with exp (ln x) = x for x > 0. In this file, each set that is not empty and has an upper bound has a least one,
   as for real numbers. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import natural decimals approach peaks valleys.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Reals.
Variables (R : realFieldType) (exp ln : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.
Hypothesis lnK : forall x, 0 < x -> exp (ln x) = x.
Hypothesis least_bound : forall P : R -> Prop, (exists x, P x) -> (exists c, forall x, P x -> x <= c) ->
  exists s, (forall x, P x -> x <= s) /\ forall c, (forall x, P x -> x <= c) -> s <= c.

Let pos := exp_gt0 expD above.
Let strict := exp_lt expD above.
Let expV := expN expD above.
Let exp_0 := exp0 expD above.
Let expP := expX expD above.
Let order := ln_lt expD above lnK.
Let expK' := expK expD above lnK.
Let lnX' := lnX expD above lnK.

(* Near t, the function f rises. *)
Definition rises_at (f : R -> R) t := exists2 r, 0 < r & forall h, 0 < h -> h <= r -> f (t - h) < f t /\ f t < f (t + h).

Lemma derivative_rises (f : R -> R) t d : derivative f t d -> 0 < d -> rises_at f t.
Proof.
move=> der d0; have e0 : 0 < d / 2%:R by rewrite divr_gt0 ?ltr0n.
have [r r0 near] := der _ e0; exists r => // h h0 hr.
have less : d / 2%:R * h < d * h by rewrite ltr_pmul2r // ltr_pdivr_mulr ?ltr0n // ltr_pmulr // ltr1n.
split.
  have := near (- h); rewrite normrN gtr0_norm // => /(_ hr); rewrite ler_norml mulrN opprK => /andP[_].
  rewrite -ler_subr_addr => le; rewrite -subr_lt0; apply: le_lt_trans le _; by rewrite subr_lt0.
have := near h; rewrite gtr0_norm // => /(_ hr); rewrite ler_norml => /andP[le _].
rewrite -subr_gt0; apply: lt_le_trans (_ : - (d / 2%:R * h) + d * h <= _); first by rewrite addrC subr_gt0.
by rewrite -ler_subr_addr.
Qed.

Lemma rises_weakly (f : R -> R) a b : a <= b -> (forall t, a <= t -> t <= b -> rises_at f t) -> f a <= f b.
Proof.
move=> ab rises; pose P t := [&& a <= t, t <= b & f a <= f t].
have [s [up least]] := @least_bound P (ex_intro _ a (introT and3P (And3 (lexx a) ab (lexx (f a))))) (ex_intro _ b (fun t => fun Pt => proj1 (andP (proj2 (andP Pt))))).
have as_ : a <= s by apply: up; rewrite /P lexx ab lexx.
have sb : s <= b by apply: least => t /and3P[].
have [r r0 near] := rises s as_ sb.
have Ps : f a <= f s.
  rewrite leNgt; apply/negP => lt; have : s <= s - r.
    apply: least => t Pt; have ts := up _ Pt; case/and3P: Pt => _ _ ft; rewrite leNgt; apply/negP => gt.
    have [e | ne] := eqVneq t s; first by move: ft; rewrite e leNgt lt.
    have h0 : 0 < s - t by rewrite subr_gt0 lt_neqAle ne.
    have hr : s - t <= r by rewrite ler_subl_addr -ler_subl_addl ltW.
    have [] := near _ h0 hr; rewrite subKr => lt' _.
    by move: ft; rewrite leNgt (lt_trans lt' lt).
  by rewrite ler_subr_addl -[X in _ <= X]add0r ler_add2r leNgt r0.
have [<- // | ne] := eqVneq s b; have sb' : s < b by rewrite lt_neqAle ne.
pose h := Num.min r (b - s); have h0 : 0 < h by rewrite lt_minr r0 subr_gt0.
have hr : h <= r by rewrite le_minl lexx.
have [_ lt] := near h h0 hr.
suff : s + h <= s by rewrite -[X in _ <= X]addr0 ler_add2l leNgt h0.
apply: up; rewrite /P (le_trans as_) ?ler_addl ?(ltW h0) //= (le_trans Ps (ltW lt)) andbT.
by rewrite -ler_subr_addl le_minl lexx orbT.
Qed.

Lemma rises_strictly (f : R -> R) a b : a < b -> (forall t, a <= t -> t <= b -> rises_at f t) -> f a < f b.
Proof.
move=> ab rises; have [r r0 near] := rises a (lexx a) (ltW ab).
pose h := Num.min r (b - a); have h0 : 0 < h by rewrite lt_minr r0 subr_gt0.
have hr : h <= r by rewrite le_minl lexx.
have hb : a + h <= b by rewrite -ler_subr_addl le_minl lexx orbT.
have [_ lt] := near h h0 hr; apply: lt_le_trans lt _; apply: rises_weakly => // t at_ tb.
by apply: rises => //; apply: le_trans at_; rewrite ler_addl ltW.
Qed.

Let hh y := ln y * ln (1 - y).

Lemma product_rises y : 0 < y -> y < 2%:R^-1 -> rises_at hh y.
Proof.
move=> y0 y2; have half1 : 2%:R^-1 < 1 :> R by rewrite invf_lt1 ?ltr0n ?ltr1n.
have z0 : 0 < 1 - y by rewrite subr_gt0 (lt_trans y2).
have zE : -1 * y + 1 = 1 - y by rewrite mulN1r addrC.
have z0' : 0 < -1 * y + 1 by rewrite zE.
have S1 := smooth_comp (smooth_line (- 1) 1 y) (smooth_ln expD above lnK z0').
have S2 := smooth_mul (smooth_ln expD above lnK y0) S1.
have S3 : smooth hh y (y^-1 * ln (1 - y) + ln y * ((1 - y)^-1 * -1)).
  by apply: smooth_eq S2 => [t | ]; rewrite /hh ?mulN1r ![- _ + 1]addrC.
apply: derivative_rises (smooth_derivative S3) _.
have := bracket_below expD above lnK y0 y2; rewrite -subr_gt0 => gap.
rewrite [ltRHS](_ : _ = ((1 - y) * ln (1 - y) - y * ln y) / (y * (1 - y))); first by apply: divr_gt0 => //; exact: mulr_gt0.
rewrite mulrN1 mulrN invfM [RHS]mulrBl; congr (_ - _).
  by rewrite [y^-1 * (1 - y)^-1]mulrC mulrACA divff ?mul1r ?gt_eqF // mulrC.
by rewrite mulrACA divff ?mul1r ?gt_eqF.
Qed.

Lemma product_symmetric y : hh (1 - y) = hh y.
Proof. by rewrite /hh subKr mulrC. Qed.

Lemma product_below_half u v : 0 < v -> v < u -> u < 2%:R^-1 -> hh v < hh u.
Proof.
move=> v0 vu u2; apply: rises_strictly => // t vt tu; apply: product_rises; first exact: lt_le_trans vt.
exact: le_lt_trans u2.
Qed.

Lemma product_between u v : 0 < v -> v < u -> u < 1 - v -> hh v < hh u.
Proof.
move=> v0 vu uv; have half1 : 1 - 2%:R^-1 = 2%:R^-1 :> R := other_half R.
have v2 : v < 2%:R^-1.
  have : v + v < 1 by apply: lt_trans (_ : u + v < _); rewrite ?ltr_add2r // -ltr_subr_addr.
  have two0 : (0 : R) < 2%:R by rewrite ltr0n.
  by move=> lt; rewrite -(ltr_pmul2r two0) mulVf ?gt_eqF // mulr_natr mulr2n.
have [u2 | u2 | ->] := ltgtP u 2%:R^-1; first exact: product_below_half.
  rewrite -[hh u]product_symmetric; apply: product_below_half => //; first by rewrite ltr_subr_addl -ltr_subr_addr.
  by rewrite -half1 ltr_add2l ltr_opp2.
rewrite /hh (at_half expD above lnK); apply: (largest expD above lnK) => //; last by rewrite lt_eqF.
by apply: lt_trans v2 _; rewrite invf_lt1 ?ltr0n ?ltr1n.
Qed.

(* The root z > 1 of z^(k+1) = z + 1. *)
Lemma power_rises_little n (a b c : R) : 1 <= c -> 0 <= a -> a <= b -> b <= c -> b ^+ n - a ^+ n <= n%:R * c ^+ n * (b - a).
Proof.
move=> c1 a0 ab bc; have d0 : 0 <= b - a by rewrite subr_ge0.
elim: n => [|n IH]; first by rewrite !expr0 subrr !mul0r.
have b0 := le_trans a0 ab; have c0 : 0 <= c := le_trans b0 bc.
have -> : b ^+ n.+1 - a ^+ n.+1 = b * (b ^+ n - a ^+ n) + (b - a) * a ^+ n.
  by rewrite mulrBr mulrBl -!exprS addrA subrK.
rewrite mulrSr mulrDl mul1r mulrDl; apply: ler_add.
  apply: (@le_trans _ _ (c * (n%:R * c ^+ n * (b - a)))); last by rewrite exprS mulrA [c * (_ * _)]mulrCA.
  apply: ler_pmul => //; rewrite subr_ge0; exact: ler_expn2r.
rewrite mulrC; apply: ler_wpmul2r => //; apply: (@le_trans _ _ (c ^+ n)).
  by apply: ler_expn2r; rewrite ?nnegrE // (le_trans ab).
by rewrite exprS ler_pemull // exprn_ge0.
Qed.

Lemma power_rises_much n (a b : R) : 1 <= a -> a <= b -> n%:R * (b - a) <= b ^+ n - a ^+ n.
Proof.
move=> a1 ab; have d0 : 0 <= b - a by rewrite subr_ge0.
have b1 := le_trans a1 ab; have a0 : 0 <= a := le_trans (@ler01 R) a1; have b0 := le_trans a0 ab.
elim: n => [|n IH]; first by rewrite !expr0 subrr mul0r.
have -> : b ^+ n.+1 - a ^+ n.+1 = b * (b ^+ n - a ^+ n) + (b - a) * a ^+ n.
  by rewrite mulrBr mulrBl -!exprS addrA subrK.
rewrite mulrSr mulrDl mul1r; apply: ler_add; last by rewrite ler_pemulr // exprn_ege1.
by apply: le_trans IH _; rewrite ler_pemull // subr_ge0; apply: ler_expn2r.
Qed.

Lemma root_exists k : (0 < k)%N -> exists2 z : R, 1 < z & z ^+ k.+1 = z + 1.
Proof.
move=> k0; pose n := k.+1; pose g (z : R) := z ^+ n - (z + 1); pose P (z : R) := [&& 1 <= z, z <= 3%:R & g z <= 0].
have P1 : P 1 by rewrite /P lexx ler1n /g expr1n subr_le0 ler_addl ler01.
have P2 z : P z -> z <= 2%:R.
  move=> /and3P[z1 _ gz]; rewrite leNgt; apply/negP => z2; have z0 : 0 <= z := le_trans (@ler01 R) z1.
  have : z ^+ 2 <= z ^+ n by apply: ler_weexpn2l.
  rewrite leNgt => /negP; apply; move: gz; rewrite subr_le0 => /le_lt_trans; apply; rewrite expr2.
  apply: (@lt_le_trans _ _ (2%:R * z)); last by rewrite ler_wpmul2r // ltW.
  by rewrite mulr_natl mulr2n ltr_add2l (le_lt_trans _ z2) // ler1n.
have [s [up least]] := @least_bound P (ex_intro _ 1 P1) (ex_intro _ 2%:R P2).
have s1 : 1 <= s by exact: up.
have s2 : s <= 2%:R by exact: least.
have C0 : 0 < n%:R * 3%:R ^+ n :> R by rewrite mulr_gt0 ?exprn_gt0 ?ltr0n.
have little a b : 0 <= a -> a <= b -> b <= 3%:R -> g b - g a <= n%:R * 3%:R ^+ n * (b - a).
  move=> a0 ab b3; apply: le_trans (power_rises_little n _ a0 ab b3); last by rewrite ler1n.
  have -> : g b - g a = b ^+ n - a ^+ n - (b - a).
    by rewrite /g [- (a ^+ n - _)]opprB [a + 1 - _]addrC addrACA [- (b + 1)]opprD [- b - 1 + _]addrACA addNr addr0 opprB [- b + a]addrC.
  by rewrite ler_subl_addr ler_addl subr_ge0.
have gs : g s = 0.
  apply/eqP; rewrite eq_le; apply/andP; split; rewrite leNgt; apply/negP => gs.
    have d0 : 0 < g s / (n%:R * 3%:R ^+ n) by rewrite divr_gt0.
    have : s <= s - g s / (n%:R * 3%:R ^+ n).
      apply: least => t Pt; have ts := up _ Pt; case/and3P: Pt => t1 _ gt.
      rewrite ler_subr_addr -ler_subr_addl ler_pdivr_mulr // mulrC.
      apply: le_trans (little t s (le_trans (@ler01 R) t1) ts _); last by rewrite (le_trans s2) // ler_nat.
      by rewrite ler_subr_addl ger_addr.
    by rewrite ler_subr_addl ger_addr leNgt d0.
  pose h := Num.min 1 (- g s / (n%:R * 3%:R ^+ n)).
  have h0 : 0 < h by rewrite lt_minr ltr01 divr_gt0 // oppr_gt0.
  have h1 : h <= 1 by rewrite le_minl lexx.
  have s3 : s + h <= 3%:R by rewrite [3%:R]mulrSr ler_add.
  suff : s + h <= s by rewrite ger_addl leNgt h0.
  apply: up; rewrite /P s3 (le_trans s1) ?ler_addl ?(ltW h0) //=.
  have := little s (s + h) (le_trans (@ler01 R) s1) _ s3; rewrite ler_addl ltW // => /(_ isT).
  rewrite addrAC subrr add0r ler_subl_addr => le; apply: le_trans le _.
  by rewrite -ler_subr_addr sub0r mulrC -ler_pdivl_mulr // le_minl lexx orbT.
have sE : s ^+ n = s + 1 by apply/eqP; rewrite -subr_eq0 -/(g s) gs.
exists s => //; rewrite lt_neqAle s1 andbT; apply/eqP => e; move/eqP: sE; rewrite -e expr1n eq_sym -subr_eq0 addrK.
by rewrite oner_eq0.
Qed.

Lemma root_above k (z : R) : 0 < z -> z ^+ k.+1 = z + 1 -> 1 < z.
Proof.
move=> z0 e; rewrite ltNge; apply/negP => z1; have := exprn_ile1 k.+1 (ltW z0) z1.
by rewrite e ger_addr leNgt z0.
Qed.

Lemma root_unique k (z y : R) : (0 < k)%N -> 0 < z -> 0 < y -> z ^+ k.+1 = z + 1 -> y ^+ k.+1 = y + 1 -> y = z.
Proof.
move=> k0; wlog: z y / z < y => [wl z0 y0 ze ye | zy z0 y0 ze ye].
  by case: (ltgtP y z) => // lt; [apply/esym; exact: wl | exact: wl].
have z1 := root_above z0 ze; have := power_rises_much k.+1 (ltW z1) (ltW zy).
rewrite ze ye opprD addrACA subrr addr0 leNgt => /negP[].
by rewrite ltr_pmull ?subr_gt0 // ltr1n.
Qed.

Lemma exp_power k x : exp (- (k%:R * x)) = (exp x ^+ k)^-1.
Proof. by rewrite expV expP. Qed.

Lemma at_root k x : exp x ^+ k.+1 = exp x + 1 -> (1 - exp (- (k%:R * x))) ^+ k = (1 - exp (- (k.+1%:R * x))) ^+ k.+1.
Proof.
move=> e; have z0 := pos x; rewrite !exp_power; move: (exp x) z0 e => z z0 e.
have d0 : 0 < z + 1 by rewrite addr_gt0 ?ltr01.
have zk : (z ^+ k)^-1 = z / (z + 1) by rewrite -e exprS invfM mulVKf // gt_eqF.
have -> : 1 - (z ^+ k)^-1 = (z ^+ k.+1)^-1 by rewrite zk e -[X in X - _](divff (lt0r_neq0 d0)) -mulrBl addrC addKr div1r.
have -> : 1 - (z ^+ k.+1)^-1 = (z ^+ k)^-1 by rewrite zk e -[X in X - _](divff (lt0r_neq0 d0)) -[X in _ - X]div1r -mulrBl addrK.
by rewrite !exprVn -!exprM mulnC.
Qed.

Lemma only_root k x : (0 < k)%N -> 0 < x -> (1 - exp (- (k%:R * x))) ^+ k = (1 - exp (- (k.+1%:R * x))) ^+ k.+1 -> exp x ^+ k.+1 = exp x + 1.
Proof.
move=> k0 x0 e; set u := exp (- (k%:R * x)) in e; set v := exp (- (k.+1%:R * x)) in e.
have v0 : 0 < v := pos _; have u0 : 0 < u := pos _.
have vu : v < u by apply: strict; rewrite ltr_opp2 ltr_pmul2r // ltr_nat.
have u1 : u < 1 by rewrite -exp_0; apply: strict; rewrite oppr_lt0 mulr_gt0 ?ltr0n.
have U0 : 0 < 1 - u by rewrite subr_gt0.
have V0 : 0 < 1 - v by rewrite subr_gt0 (lt_trans vu).
have h_eq : hh u = hh v.
  have := congr1 ln e; rewrite !lnX' // => le; rewrite /hh /u /v !expK' -/u -/v !mulNr -!mulrA ![x * _]mulrC !mulrA; congr (- (_ * _)).
  by [].
have uv : u + v = 1.
  case: (ltgtP u (1 - v)) => [lt | lt | ->]; last by rewrite subrK.
    by have := product_between v0 vu lt; rewrite h_eq ltxx.
  have lt2 : 1 - u < v by rewrite ltr_subl_addr addrC -ltr_subl_addr.
  have := product_between U0 lt2; rewrite subKr product_symmetric h_eq ltxx => /(_ vu) //.
have z0 := pos x; move: uv; rewrite /u /v !exp_power; move: (exp x) z0 => z z0 uv.
have zn : z ^+ k.+1 != 0 by rewrite expf_neq0 // gt_eqF.
have := congr1 (fun t => t * z ^+ k.+1) uv; rewrite mulrDl mulVf // mul1r exprSr => <-.
by rewrite mulKf // expf_neq0 // gt_eqF.
Qed.

(* Burns (78), for k >= 1: (1 - e^(-kx))^k = (1 - e^(-(k+1)x))^(k+1) at x = 0 and at one x > 0. *)
Theorem one_crossing k : (0 < k)%N ->
  let f k x := (1 - exp (- (k%:R * x))) ^+ k in
  f k 0 = f k.+1 0 /\ exists x, [/\ 0 < x, f k x = f k.+1 x & forall y, 0 < y -> f k y = f k.+1 y -> y = x].
Proof.
move=> k0 f; split; first by rewrite /f !mulr0 oppr0 exp_0 subrr !expr0n /= (gtn_eqF k0).
have [z z1 e] := root_exists k0; have z0 : 0 < z := lt_trans (@ltr01 R) z1; exists (ln z); split.
- by rewrite -[X in X < _](expK' 0) exp_0 order ?ltr01.
- by apply: at_root; rewrite lnK.
move=> y y0 fy; have := only_root k0 y0 fy => ye.
by rewrite -[y]expK' (root_unique k0 z0 (pos y) e ye).
Qed.

(* Burns (79), for k >= 1: there is one z > 0 with z^(k+1) - z - 1 = 0. The x of (78) is ln z. The first nested root is 1. If w
   is a nested root, the next one is (1+w)^(1/(k+1)). The nested roots tend to z. After i steps the root is below z by at
   most (z - 1)/(k+1)^i. The power x^y is exp (y ln x). *)
Theorem nested_root k : (0 < k)%N ->
  let f k x := (1 - exp (- (k%:R * x))) ^+ k in
  let nested i := iter i (fun w => exp (k.+1%:R^-1 * ln (1 + w))) 1 in
  exists z, [/\ 0 < z /\ z ^+ k.+1 - z - 1 = 0, forall y, 0 < y -> y ^+ k.+1 - y - 1 = 0 -> y = z,
    forall x, 0 < x -> (f k x = f k.+1 x <-> x = ln z) & forall i, 0 <= z - nested i /\ z - nested i <= (z - 1) / k.+1%:R ^+ i].
Proof.
move=> k0 f nested; have [z z1 e] := root_exists k0; have z0 : 0 < z := lt_trans (@ltr01 R) z1.
have rootE (y : R) : y ^+ k.+1 - y - 1 = 0 <-> y ^+ k.+1 = y + 1.
  by rewrite -addrA -opprD; split=> [/eqP | ->]; rewrite ?subrr // subr_eq0 => /eqP.
exists z; split; first by split=> //; apply/rootE.
- by move=> y y0 /rootE; exact: root_unique.
- move=> x x0; split=> [fx | ->]; last by apply: at_root; rewrite lnK.
  by rewrite -[x]expK' (root_unique k0 z0 (pos x) e (only_root k0 x0 fx)).
have n0 : (0 : R) < k.+1%:R by rewrite ltr0n.
have step w : 1 <= w -> w <= z -> let w' := exp (k.+1%:R^-1 * ln (1 + w)) in [/\ 1 <= w', w' <= z & z - w' <= (z - w) / k.+1%:R].
  move=> w1 wz w'; have d0 : 0 < 1 + w by rewrite addr_gt0 ?ltr01 // (lt_le_trans ltr01).
  have w'E : w' ^+ k.+1 = 1 + w by rewrite /w' -expP mulVKf ?gt_eqF // lnK.
  have w'0 : 0 <= w' := ltW (pos _).
  have w'1 : 1 <= w' by rewrite -(@ler_pexpn2r _ k.+1) ?nnegrE ?ler01 // expr1n w'E ler_addl (le_trans ler01).
  have w'z : w' <= z by rewrite -(@ler_pexpn2r _ k.+1) ?nnegrE ?(ltW z0) // w'E e addrC ler_add2r.
  split=> //; have := power_rises_much k.+1 w'1 w'z; rewrite e w'E [1 + w]addrC opprD addrACA subrr addr0.
  by rewrite ler_pdivl_mulr // mulrC.
suff all i : [/\ 1 <= nested i, nested i <= z & z - nested i <= (z - 1) / k.+1%:R ^+ i].
  by move=> i; have [_ le le'] := all i; split=> //; rewrite subr_ge0.
elim: i => [|i [w1 wz le]]; first by split; rewrite /nested /= ?expr0 ?divr1 ?(ltW z1).
have [w'1 w'z le'] := step _ w1 wz; split=> //; apply: le_trans le' _.
by rewrite exprSr invfM mulrA ler_pmul2r ?invr_gt0.
Qed.
End Reals.
