(* Fan, section 4, Figure 3: how the two bounds of the rate approach Bloom's value, for k = 7 and m = 10 n.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is any
   function with exp (ln x) = x for x > 0. *)
From Coq Require Import Ring.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import fields natural peaks bose.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Sums, products and powers of numbers that are not negative are not negative. *)
Ltac sums := repeat first [assumption | exact: ler0n | apply: mulr_ge0 | apply: addr_ge0 | apply: exprn_ge0].

Section Powers.
Variable R : realFieldType.
Implicit Types e s t u x y g : R.
Add Ring ring_of_R : (field_ring R).

Lemma power_low t k : 0 <= t <= 1 -> 1 - k%:R * t <= (1 - t) ^+ k.
Proof.
move=> /andP[t0 t1]; elim: k => [|k IH]; first by rewrite mul0r subr0 expr0.
rewrite exprS; apply: (@le_trans _ _ ((1 - t) * (1 - k%:R * t))); last by rewrite ler_wpmul2l // subr_ge0.
have -> : (1 - t) * (1 - k%:R * t) = 1 - k.+1%:R * t + k%:R * (t * t).
  by rewrite mulrSr; move: (k%:R : R) => c; same R.
by rewrite ler_addl !mulr_ge0 ?ler0n.
Qed.

Lemma power_high t k : 0 <= t <= 1 -> (1 - t) ^+ k * (1 + k%:R * t) <= 1.
Proof.
move=> /andP[t0 t1]; elim: k => [|k IH]; first by rewrite mul0r addr0 expr0 mulr1.
apply: le_trans IH; rewrite exprSr -mulrA; apply: ler_wpmul2l; first by rewrite exprn_ge0 // subr_ge0.
have -> : (1 - t) * (1 + k.+1%:R * t) = 1 + k%:R * t - k.+1%:R * (t * t).
  by rewrite mulrSr; move: (k%:R : R) => c; same R.
by rewrite ler_subl_addr ler_addl !mulr_ge0 ?ler0n.
Qed.

Lemma two_less x y : 0 <= x -> 0 <= y -> 1 - (x + y) <= (1 - x) * (1 - y).
Proof. by move=> x0 y0; rewrite -subr_ge0 (_ : _ - _ = x * y); [exact: mulr_ge0 | same R]. Qed.

(* The seventh power of 1 - e. *)
Lemma seventh e : 0 <= e <= 1 ->
  21%:R * e ^+ 2 - 35%:R * e ^+ 3 <= (1 - e) ^+ 7 - (1 - 7%:R * e) <= 21%:R * e ^+ 2.
Proof.
move=> /andP[e0 e1]; have d0 : 0 <= 1 - e by rewrite subr_ge0.
apply/andP; split; rewrite -subr_ge0.
  rewrite [leRHS](_ : _ = e ^+ 4 * (20%:R + (1 - e) * (10%:R + (1 - e) * (4%:R + (1 - e))))); last by same R.
  by sums.
rewrite [leRHS](_ : _ = e ^+ 3 * (15%:R + (1 - e) * (10%:R + (1 - e) * (6%:R + (1 - e) * (3%:R + (1 - e))))));
  last by same R.
by sums.
Qed.

(* The bound (19) and Bloom's value have 1 - Y and 1 - y. Of the quotient of y and Y, what matters is s. *)
Lemma one_shape n e (y := (1 - e) ^+ (n * 7)) (Y := (1 - 7%:R * e) ^+ n) :
  0 < e -> 1000%:R * (10%:R * e) <= 1 -> 10%:R * n%:R * e = 1 ->
  exists s, [/\ 0 <= s, 10%:R * s * (1 - 7%:R * e) <= 21%:R * e, 21%:R * e - 35%:R * e ^+ 2 <= 10%:R * s,
    y * s * (1 - s) <= y - Y & y - Y <= y * s].
Proof.
move=> e0 small ne; have e0' := ltW e0.
have le (c : nat) : (c <= 10)%N -> c%:R * e <= 1.
  move=> c10; apply: le_trans small; apply: (@le_trans _ _ (10%:R * e)); first by rewrite ler_wpmul2r // ler_nat.
  by rewrite ler_pmull ?mulr_gt0 ?ltr0n // ler1n.
have e01 : 0 <= e <= 1 by rewrite e0' -[e]mul1r (le 1%N).
have /andP[d_low d_high] := seventh e01; set x := (1 - e) ^+ 7 in d_low d_high *.
set z := 1 - 7%:R * e in d_low d_high *.
have z0 : 0 < z by rewrite subr_gt0; apply: (@lt_le_trans _ _ (10%:R * e)); [rewrite ltr_pmul2r // ltr_nat | exact: le].
have d0 : 0 <= x - z.
  by rewrite subr_ge0; exact: power_low.
have x0 : 0 < x by apply: lt_le_trans z0 _; rewrite -subr_ge0.
have x1 : x <= 1 by rewrite exprn_ile1 // ?subr_ge0 ?ler_subl_addr ?ler_addl //; case/andP: e01.
pose t := (x - z) / x; have t0 : 0 <= t by rewrite divr_ge0 // ltW.
have zE : z = x * (1 - t) by rewrite mulrBr mulr1 /t mulrCA divff ?gt_eqF // mulr1 subKr.
have t1 : t <= 1 by rewrite ler_pdivr_mulr // mul1r ler_subl_addr ler_addl ltW.
have t01 : 0 <= t <= 1 by rewrite t0.
have yE : y = x ^+ n by rewrite /y mulnC exprM.
have YE : Y = y * (1 - t) ^+ n by rewrite /Y -/z zE exprMn yE.
have y0 : 0 <= y by rewrite yE exprn_ge0 // ltW.
have one (c : R) : 10%:R * (n%:R * (c * e)) = c.
  by rewrite -[RHS]mulr1 -[X in _ = _ * X]ne; move: (n%:R : R) => N; same R.
exists (n%:R * t); have nt0 : 0 <= n%:R * t by rewrite mulr_ge0 ?ler0n.
split=> //.
- apply: (@le_trans _ _ (10%:R * (n%:R * (x - z)))).
    rewrite -mulrA -mulrA; apply: ler_wpmul2l; first exact: ler0n.
    apply: ler_wpmul2l; first exact: ler0n.
    by rewrite /t mulrAC ler_pdivr_mulr // ler_wpmul2l // -subr_ge0.
  rewrite -[leRHS]one; apply: ler_wpmul2l; first exact: ler0n.
  apply: ler_wpmul2l; first exact: ler0n.
  by apply: le_trans d_high _; rewrite expr2 mulrA.
- apply: (@le_trans _ _ (10%:R * (n%:R * (x - z)))); last first.
    apply: ler_wpmul2l; first exact: ler0n.
    apply: ler_wpmul2l; first exact: ler0n.
    by rewrite /t ler_pdivl_mulr // ler_pimulr.
  rewrite -[leLHS]one; apply: ler_wpmul2l; first exact: ler0n.
  apply: ler_wpmul2l; first exact: ler0n.
  by apply: le_trans d_low; rewrite [leLHS](_ : _ = 21%:R * e ^+ 2 - 35%:R * e ^+ 3) //; same R.
- rewrite YE -[X in _ <= X - _]mulr1 -mulrBr -mulrA; apply: ler_wpmul2l => //.
  have h1 := power_high n t01; have h2 := power_low n t01; set v := (1 - t) ^+ n in h1 h2 *.
  apply: (@le_trans _ _ (n%:R * t * v)); first exact: ler_wpmul2l.
  by rewrite ler_subr_addr (_ : _ + v = v * (1 + n%:R * t)) // mulrDr mulr1 addrC [v * _]mulrC.
rewrite YE -[X in X - _]mulr1 -mulrBr; apply: ler_wpmul2l => //; rewrite ler_subl_addr -ler_subl_addl.
exact: power_low.
Qed.

(* The probability y that a bit stays 0, for n and for 10 n items. *)
Lemma clear_between n e (y := (1 - e) ^+ (n * 7)) : 0 < e -> 10%:R * n%:R * e = 1 -> 47%:R <= 100%:R * y <= 52%:R.
Proof.
move=> e0 ne; have e0' := ltW e0; have T0 : (0 : R) < 10%:R by rewrite ltr0n.
have n0 : (0 < n)%N.
  by case: (posnP n) => // n0; move: ne; rewrite n0 mulr0 mul0r => /eqP; rewrite eq_sym oner_eq0.
have e1 : e <= 1.
  by rewrite -[leRHS]ne -[leLHS]mul1r; apply: ler_wpmul2r => //; rewrite -natrM ler1n muln_gt0.
have e01 : 0 <= e <= 1 by rewrite e0'.
have nE : n%:R * e = 10%:R^-1 by apply: (mulfI (lt0r_neq0 T0)); rewrite mulrA ne divff ?gt_eqF.
have h1 := power_high n e01; have h2 := power_low n e01; rewrite nE in h1 h2.
have tenth : 1 - 10%:R^-1 = 9%:R / 10%:R :> R.
  by apply: (mulIf (lt0r_neq0 T0)); rewrite mulrBl mulVf ?gt_eqF // divfK ?gt_eqF //; same R.
have tenth' : 1 + 10%:R^-1 = 11%:R / 10%:R :> R.
  by apply: (mulIf (lt0r_neq0 T0)); rewrite mulrDl mulVf ?gt_eqF // divfK ?gt_eqF //; same R.
rewrite tenth in h2; rewrite tenth' mulrA ler_pdivr_mulr // mul1r in h1.
rewrite /y exprM; set v := (1 - e) ^+ n in h1 h2 *; have v0 : 0 <= v by apply: le_trans h2; rewrite divr_ge0 ?ler0n.
have E0 : (0 : R) < 11%:R by rewrite ltr0n.
apply/andP; split.
  apply: (@le_trans _ _ (100%:R * (9%:R / 10%:R) ^+ 7)); last first.
    by apply: ler_wpmul2l; [exact: ler0n | apply: ler_expn2r; rewrite ?nnegrE // divr_ge0 ?ler0n].
  rewrite expr_div_n mulrA ler_pdivl_mulr ?exprn_gt0 // -subr_ge0.
  rewrite [leRHS](_ : _ = 100%:R * (82%:R * 1000%:R + 969%:R)); [sums | same R].
apply: (@le_trans _ _ (100%:R * (10%:R / 11%:R) ^+ 7)).
  apply: ler_wpmul2l; [exact: ler0n | apply: ler_expn2r; rewrite ?nnegrE ?divr_ge0 ?ler0n //].
  by rewrite ler_pdivl_mulr.
rewrite expr_div_n mulrA ler_pdivr_mulr ?exprn_gt0 // -subr_ge0.
rewrite [leRHS](_ : _ = (13%:R * 1000%:R + 332%:R) * 1000%:R + 892%:R); [sums | same R].
Qed.

Lemma rise u k : 0 <= u -> 1 + k%:R * u <= (1 + u) ^+ k.
Proof.
move=> u0; elim: k => [|k IH]; first by rewrite mul0r addr0 expr0.
rewrite exprS; apply: (@le_trans _ _ ((1 + u) * (1 + k%:R * u))); last by rewrite ler_wpmul2l // addr_ge0 ?ler01.
have -> : (1 + u) * (1 + k%:R * u) = 1 + k.+1%:R * u + k%:R * (u * u).
  by rewrite mulrSr; move: (k%:R : R) => c; same R.
by rewrite ler_addl !mulr_ge0 ?ler0n.
Qed.

Lemma clear_next n e e' (y := (1 - e) ^+ (n * 7)) (y' := (1 - e') ^+ (10 * n * 7)) :
  0 < e -> 1000%:R * (10%:R * e) <= 1 -> 10%:R * n%:R * e = 1 -> e = 10%:R * e' -> y <= y' /\ y' * (1 - e) <= y.
Proof.
move=> e0 small ne ee; have e0' := ltW e0; have T0 : (0 : R) < 10%:R by rewrite ltr0n.
have e'0 : 0 < e' by move: e0; rewrite ee pmulr_rgt0.
have te1 : 10%:R * e <= 1.
  by apply: le_trans small; rewrite ler_pmull ?mulr_gt0 // ler1n.
have e1 : e <= 1 by apply: le_trans te1; rewrite ler_pmull // ler1n.
have e'1 : e' <= 1 by apply: le_trans e1; rewrite ee ler_pmull // ler1n.
have e'01 : 0 <= e' <= 1 by rewrite ltW.
have y'E : y' = ((1 - e') ^+ 10) ^+ (n * 7) by rewrite /y' -mulnA exprM.
have low := power_low 10 e'01; have high := power_high 10 e'01; rewrite -ee in low high.
rewrite y'E; set b := (1 - e') ^+ 10 in low high *; pose a := 1 - e; have lt : e < 1.
  apply: (@lt_le_trans _ _ (10%:R * e)) te1; rewrite -[ltLHS]mul1r ltr_pmul2r // ltr1n //.
have a0 : 0 < a by rewrite subr_gt0.
split; first by apply: ler_expn2r => //; rewrite nnegrE ?(le_trans (ltW a0)) // ltW.
pose r := e * e / a; have r0 : 0 <= r by rewrite divr_ge0 ?mulr_ge0 // ltW.
have br : b <= a * (1 + r).
  rewrite mulrDr mulr1 /r mulrCA divff ?gt_eqF // mulr1.
  have q0 : 0 < 1 + e by rewrite addr_gt0 ?ltr01.
  rewrite -(ler_pmul2r q0); apply: le_trans high _; rewrite -subr_ge0.
  rewrite [leRHS](_ : _ = e * (e * e)); first by rewrite !mulr_ge0.
  by rewrite /a; same R.
have yb : b ^+ (n * 7) <= y * (1 + r) ^+ (n * 7).
  rewrite /y -/a -exprMn; apply: ler_expn2r br; rewrite nnegrE; first exact: le_trans (ltW a0) low.
  by apply: mulr_ge0; [exact: ltW | apply: addr_ge0; rewrite ?ler01].
have y0 : 0 <= y by rewrite exprn_ge0 // ltW.
apply: le_trans (ler_wpmul2r (ltW a0) yb) _; rewrite -mulrA; apply: ler_pimulr => //.
apply: le_trans (power_less (n * 7) r0); apply: ler_wpmul2l.
  by apply: exprn_ge0; apply: addr_ge0; rewrite ?ler01.
rewrite ler_add2l ler_opp2 /r mulrA ler_pdivr_mulr // natrM -(ler_pmul2l T0).
have -> : 10%:R * (n%:R * 7%:R * (e * e)) = 7%:R * e.
  by rewrite -[RHS]mulr1 -[X in _ = _ * X]ne; move: (n%:R : R) => N; same R.
rewrite -subr_ge0 [leRHS](_ : _ = e * (2%:R + (1 - 10%:R * e))); last by rewrite /a; same R.
by apply: mulr_ge0 => //; apply: addr_ge0; rewrite ?ler0n // subr_ge0.
Qed.
End Powers.

Section Ratio.
Variable R : realFieldType.
Implicit Types u x y g b : R.
Add Ring ring_of_R : (field_ring R).

(* What is above 1 in the seventh power of 1 + u. *)
Lemma excess u : 0 <= u -> 7%:R * u <= (1 + u) ^+ 7 - 1 /\ ((1 + u) ^+ 7 - 1) * (1 - 7%:R * u) <= 7%:R * u.
Proof.
move=> u0; split; first by rewrite ler_subr_addl rise.
rewrite mulrBl mul1r; apply: le_trans (ler_sub (power_less 7 u0) (lexx _)) _.
by rewrite opprB addrCA subrr addr0.
Qed.

Variables (e e' y Y y' Y' s s' : R).
Hypotheses (e0 : 0 < e) (small : 1000%:R * (10%:R * e) <= 1) (ee : e = 10%:R * e').
Hypotheses (y_in : 47%:R <= 100%:R * y <= 52%:R) (y'_in : 47%:R <= 100%:R * y' <= 52%:R).
Hypotheses (yy : y <= y') (y'y : y' * (1 - e) <= y) (s0 : 0 <= s) (s'0 : 0 <= s').
Hypotheses (s_high : 10%:R * s * (1 - 7%:R * e) <= 21%:R * e) (s_low : 21%:R * e - 35%:R * e ^+ 2 <= 10%:R * s).
Hypotheses (s'_high : 10%:R * s' * (1 - 7%:R * e') <= 21%:R * e') (s'_low : 21%:R * e' - 35%:R * e' ^+ 2 <= 10%:R * s').
Hypotheses (Y_low : y * s * (1 - s) <= y - Y) (Y_high : y - Y <= y * s).
Hypotheses (Y'_low : y' * s' * (1 - s') <= y' - Y') (Y'_high : y' - Y' <= y' * s').

Let le0 : 0 <= e := ltW e0.
Let e'0 : 0 <= e'. Proof. by move: le0; rewrite ee pmulr_rge0 // ltr0n. Qed.

(* Each number below is e times a number of at most three digits. *)
Lemma under a (c : nat) : a <= c%:R * e -> (c < 1000)%N -> a < 1.
Proof.
move=> ac c1; apply: (le_lt_trans ac); apply: lt_le_trans small; rewrite mulrA ltr_pmul2r // -natrM ltr_nat.
by apply: leq_trans c1 _; rewrite leq_pmulr.
Qed.

Lemma s_small (f t : R) : 0 <= t -> 0 <= f -> f <= e -> 10%:R * t * (1 - 7%:R * f) <= 21%:R * f -> t <= 3%:R * f.
Proof.
move=> t0 f0 fe le; have T0 : (0 : R) < 10%:R by rewrite ltr0n.
have c7 : 7%:R * f < 1 by apply: (@under _ 7); rewrite // ler_wpmul2l ?ler0n.
have c : 0 < 1 - 7%:R * f by rewrite subr_gt0.
rewrite -(ler_pmul2r c) -(ler_pmul2l T0) mulrA; apply: le_trans le _.
rewrite -subr_ge0 [leRHS](_ : _ = f * (9%:R - 210%:R * f)); last by same R.
apply: mulr_ge0 => //; rewrite subr_ge0; apply: (@le_trans _ _ 1); last by rewrite ler1n.
by apply: ltW; apply: (@under _ 210); rewrite // ler_wpmul2l ?ler0n.
Qed.

Let p : R := 1 - y.
Let p' : R := 1 - y'.

Lemma half_set x : 100%:R * x <= 52%:R -> 0 < 1 - x /\ x <= 2%:R * (1 - x).
Proof.
move=> le; have H0 : (0 : R) < 100%:R by rewrite ltr0n.
split; first by rewrite -(ltr_pmul2l H0) mulr0 mulrBr mulr1 subr_gt0 (le_lt_trans le) // ltr_nat.
rewrite -(ler_pmul2l H0).
apply: (le_trans le); rewrite -subr_ge0 [leRHS](_ : _ = 2%:R * (52%:R - 100%:R * x) + 44%:R); last by same R.
by apply: addr_ge0; rewrite ?ler0n // mulr_ge0 ?ler0n // subr_ge0.
Qed.

(* The share 1 - y of the bits that are set. *)
Lemma next_set : p <= p' * (1 + 2%:R * e).
Proof.
have /andP[_ y'_h] := y'_in; have [_ yp'] := half_set y'_h; rewrite -/p' in yp'.
rewrite mulrDr mulr1 -ler_subl_addl (_ : p - p' = y' - y); last by rewrite /p /p'; same R.
apply: (@le_trans _ _ (y' * e)).
  by rewrite ler_subl_addr -ler_subl_addl -[X in X - _]mulr1 -mulrBr.
by rewrite mulrA; apply: ler_wpmul2r; [exact: ltW | rewrite mulrC].
Qed.

Lemma clear_gt0 x : 47%:R <= 100%:R * x -> 0 < x.
Proof. by move=> le; rewrite -(@pmulr_rgt0 _ 100%:R) ?ltr0n // (lt_le_trans _ le) // ltr0n. Qed.

Lemma beta_falls : let beta := ((1 - Y) / p) ^+ 7 - 1 in let beta' := ((1 - Y') / p') ^+ 7 - 1 in
  99%:R * beta' <= 10%:R * beta /\ 10%:R * beta <= 101%:R * beta'.
Proof.
move=> beta beta'; have [/andP[y_l y_h] /andP[y'_l y'_h]] := (y_in, y'_in).
have [y0 y'0] := (clear_gt0 y_l, clear_gt0 y'_l).
have [p0 yp] := half_set y_h; have [p'0 yp'] := half_set y'_h; rewrite -/p in p0 yp; rewrite -/p' in p'0 yp'.
have e'e : e' <= e by rewrite ee ler_pemull // ler1n.
have s3 := s_small s0 le0 (lexx e) s_high; have s'3 := s_small s'0 e'0 e'e s'_high.
have s'e : s' <= e by apply: le_trans s'3 _; rewrite ee ler_wpmul2r // ler_nat.
pose u := (y - Y) / p; pose u' := (y' - Y') / p'; pose g := y / p; pose g' := y' / p'.
have [g0 g'0] : 0 <= g /\ 0 <= g' by split; apply: divr_ge0; apply: ltW.
have one (c : nat) : (c < 1000)%N -> c%:R * e < 1 by move=> c1; apply: (@under _ c).
have s1 : 0 <= 1 - s by rewrite subr_ge0 ltW // (@under _ 3).
have s'1 : 0 <= 1 - s' by rewrite subr_ge0 ltW // (@under _ 1) // mul1r.
have u_h : u <= g * s by rewrite /u /g mulrAC ler_pmul2r ?invr_gt0.
have u'_h : u' <= g' * s' by rewrite /u' /g' mulrAC ler_pmul2r ?invr_gt0.
have u_l : g * s * (1 - s) <= u by rewrite /u /g !(mulrAC _ p^-1) ler_pmul2r ?invr_gt0.
have u'_l : g' * s' * (1 - s') <= u' by rewrite /u' /g' !(mulrAC _ p'^-1) ler_pmul2r ?invr_gt0.
have u0 : 0 <= u by apply: le_trans u_l; sums.
have u'0 : 0 <= u' by apply: le_trans u'_l; sums.
have us : u <= 2%:R * s by apply: le_trans u_h _; apply: ler_wpmul2r => //; rewrite ler_pdivr_mulr.
have us' : u' <= 2%:R * s' by apply: le_trans u'_h _; apply: ler_wpmul2r => //; rewrite ler_pdivr_mulr.
have bE : beta = (1 + u) ^+ 7 - 1.
  congr (_ ^+ 7 - 1); apply: (mulIf (lt0r_neq0 p0)).
  by rewrite divfK ?gt_eqF // [RHS]mulrDl mul1r /u divfK ?gt_eqF // /p; same R.
have b'E : beta' = (1 + u') ^+ 7 - 1.
  congr (_ ^+ 7 - 1); apply: (mulIf (lt0r_neq0 p'0)).
  by rewrite divfK ?gt_eqF // [RHS]mulrDl mul1r /u' divfK ?gt_eqF // /p'; same R.
have [b_l b_h] := excess u0; have [b'_l b'_h] := excess u'0; rewrite -bE in b_l b_h; rewrite -b'E in b'_l b'_h.
have gg : g <= g'.
  rewrite /g /g' ler_pdivr_mulr // mulrAC ler_pdivl_mulr //; apply: ler_pmul; rewrite ?(ltW y0) ?(ltW p'0) //.
  by rewrite /p /p' ler_add2l ler_opp2.
have pp := next_set.
have g'g : g' * (1 - e) <= g * (1 + 2%:R * e).
  apply: (@le_trans _ _ (y / p')); first by rewrite /g' mulrAC ler_pmul2r ?invr_gt0.
  have gp : g * p = y by rewrite divfK ?gt_eqF.
  by rewrite ler_pdivr_mulr // -mulrA -[leLHS]gp; apply: ler_wpmul2l => //; rewrite mulrC.
have s'_s : 10%:R * s' * (1 - 3%:R * e) <= s.
  have T0 : (0 : R) < 10%:R by rewrite ltr0n.
  rewrite -(ler_pmul2l T0); apply: le_trans s_low.
  apply: (@le_trans _ _ (10%:R * (10%:R * s' * (1 - 7%:R * e')) * (1 - 2%:R * e))).
    rewrite -!mulrA; do 3 (apply: ler_wpmul2l => //; rewrite ?ler0n //).
    apply: le_trans (two_less _ _); rewrite ?mulr_ge0 ?ler0n // ler_add2l ler_opp2 ee.
    rewrite -subr_ge0 [leRHS](_ : _ = 3%:R * e'); last by same R.
    by rewrite mulr_ge0 ?ler0n.
  apply: (@le_trans _ _ (10%:R * (21%:R * e') * (1 - 2%:R * e))).
    apply: ler_wpmul2r; first by rewrite subr_ge0 ltW // one.
    by apply: ler_wpmul2l; rewrite ?ler0n.
  rewrite -subr_ge0 [leRHS](_ : _ = 7%:R * (e * e)); first by sums.
  by rewrite ee; same R.
have s_s' : s * (1 - 8%:R * e) <= 10%:R * s'.
  have T0 : (0 : R) < 10%:R by rewrite ltr0n.
  rewrite -(ler_pmul2l T0); apply: le_trans (ler_wpmul2l (ltW T0) s'_low).
  apply: (@le_trans _ _ (10%:R * s * (1 - 7%:R * e) * (1 - 2%:R * e'))).
    rewrite -!mulrA; do 2 (apply: ler_wpmul2l => //; rewrite ?ler0n //).
    apply: le_trans (two_less _ _); rewrite ?mulr_ge0 ?ler0n // ler_add2l ler_opp2 ee.
    rewrite -subr_ge0 [leRHS](_ : _ = 8%:R * e'); last by same R.
    by rewrite mulr_ge0 ?ler0n.
  apply: (@le_trans _ _ (21%:R * e * (1 - 2%:R * e'))).
    by apply: ler_wpmul2r s_high; rewrite subr_ge0 ltW // (@under _ 2) // ler_wpmul2l ?ler0n.
  rewrite -subr_ge0 [leRHS](_ : _ = 70%:R * (e' * e')); first by sums.
  by rewrite ee; same R.
have u7 : 7%:R * u <= 42%:R * e.
  apply: (@le_trans _ _ (7%:R * (2%:R * (3%:R * e)))); last by rewrite !mulrA -!natrM.
  by apply: ler_wpmul2l; rewrite ?ler0n //; apply: le_trans us _; apply: ler_wpmul2l; rewrite ?ler0n.
have u'7 : 7%:R * u' <= 14%:R * e.
  apply: (@le_trans _ _ (7%:R * (2%:R * e))); last by rewrite mulrA -natrM.
  by apply: ler_wpmul2l; rewrite ?ler0n //; apply: le_trans us' _; apply: ler_wpmul2l; rewrite ?ler0n.
have v0 : 0 < 1 - 7%:R * u by rewrite subr_gt0 (@under _ 42).
have v'0 : 0 < 1 - 7%:R * u' by rewrite subr_gt0 (@under _ 14).
split.
  rewrite -(ler_pmul2r v'0) -mulrA; apply: (@le_trans _ _ (99%:R * (7%:R * u'))).
    by apply: ler_wpmul2l; rewrite ?ler0n.
  apply: (@le_trans _ _ (10%:R * (7%:R * u) * (1 - 7%:R * u'))); last first.
    by apply: ler_wpmul2r; rewrite ?(ltW v'0) //; apply: ler_wpmul2l; rewrite ?ler0n.
  rewrite mulrCA -[leRHS]mulrA [leRHS]mulrCA -[in leRHS]mulrA; apply: ler_wpmul2l; first exact: ler0n.
  pose X := (1 - 3%:R * e) * (1 - e); have X0 : 0 < X.
    by apply: mulr_gt0; rewrite subr_gt0 ?one // -[e]mul1r (one 1%N).
  have T0 : (0 : R) < 10%:R by rewrite ltr0n.
  rewrite -(ler_pmul2r X0) -(ler_pmul2l T0).
  apply: (@le_trans _ _ (99%:R * (g * (1 + 2%:R * e) * s))).
    rewrite [leLHS](_ : _ = 99%:R * (u' * (1 - e) * (10%:R * (1 - 3%:R * e)))); last by rewrite /X; same R.
    apply: ler_wpmul2l; first exact: ler0n.
    apply: (@le_trans _ _ (g' * (1 - e) * (10%:R * s' * (1 - 3%:R * e)))); last first.
      have e1 : 0 <= 1 - e by rewrite subr_ge0 ltW // -[e]mul1r (one 1%N).
      have e3 : 0 <= 1 - 3%:R * e by rewrite subr_ge0 ltW // one.
      by apply: ler_pmul g'g s'_s; sums.
    rewrite [leRHS](_ : _ = g' * s' * (1 - e) * (10%:R * (1 - 3%:R * e))); last by same R.
    apply: ler_wpmul2r; first by rewrite mulr_ge0 ?ler0n // subr_ge0 ltW ?one.
    by apply: ler_wpmul2r; rewrite // subr_ge0 ltW // -[e]mul1r (one 1%N).
  apply: (@le_trans _ _ (g * s * (100%:R * (X * (1 - s) * (1 - 7%:R * u'))))); last first.
    rewrite [leRHS](_ : _ = u * (100%:R * (X * (1 - 7%:R * u')))); last by same R.
    rewrite [leLHS](_ : _ = g * s * (1 - s) * (100%:R * (X * (1 - 7%:R * u')))); last by same R.
    have [X0' v'0'] := (ltW X0, ltW v'0); by apply: ler_wpmul2r u_l; sums.
  rewrite [leLHS](_ : _ = g * s * (99%:R * (1 + 2%:R * e))); last by same R.
  apply: ler_wpmul2l; first by sums.
  apply: (@le_trans _ _ (100%:R * (1 - 21%:R * e))).
    rewrite -subr_ge0 [leRHS](_ : _ = 1 - 1000%:R * (10%:R * e) + (770%:R * (10%:R * e) + 2%:R * e)); last by same R.
    by apply: addr_ge0; [rewrite subr_ge0 | sums].
  apply: ler_wpmul2l; first exact: ler0n.
  have X4 : 1 - 4%:R * e <= X.
    rewrite /X; apply: le_trans (two_less _ _); [| by sums | by []]; rewrite ler_add2l ler_opp2.
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; same R.
  apply: (@le_trans _ _ (((1 - 4%:R * e) * (1 - s)) * (1 - 7%:R * u'))); last first.
    by apply: ler_wpmul2r; rewrite ?(ltW v'0) //; exact: ler_wpmul2r.
  apply: (@le_trans _ _ ((1 - (4%:R * e + s)) * (1 - 7%:R * u'))); last first.
    by apply: ler_wpmul2r; rewrite ?(ltW v'0) //; apply: two_less; sums.
  apply: le_trans (two_less _ _); [| by sums | by sums]; rewrite ler_add2l ler_opp2.
  apply: (@le_trans _ _ (4%:R * e + 3%:R * e + 14%:R * e)); last by rewrite -!mulrDl -!natrD.
  by apply: ler_add u'7; rewrite ler_add2l.
rewrite -(ler_pmul2r v0) -mulrA; apply: (@le_trans _ _ (10%:R * (7%:R * u))).
  by apply: ler_wpmul2l; rewrite ?ler0n.
apply: (@le_trans _ _ (101%:R * (7%:R * u') * (1 - 7%:R * u))); last first.
  by apply: ler_wpmul2r; rewrite ?(ltW v0) //; apply: ler_wpmul2l; rewrite ?ler0n.
rewrite mulrCA -[leRHS]mulrA [leRHS]mulrCA -[in leRHS]mulrA; apply: ler_wpmul2l; first exact: ler0n.
have e8 : 0 < 1 - 8%:R * e by rewrite subr_gt0 one.
rewrite -(ler_pmul2r e8); apply: (@le_trans _ _ (g * s' * 100%:R)).
  rewrite [leRHS](_ : _ = 10%:R * (g * (10%:R * s'))); last by same R.
  rewrite -mulrA; apply: ler_wpmul2l; first exact: ler0n.
  apply: (@le_trans _ _ (g * s * (1 - 8%:R * e))); first by apply: ler_wpmul2r; rewrite ?(ltW e8).
  by rewrite -mulrA; exact: ler_wpmul2l.
apply: (@le_trans _ _ (g * s' * (101%:R * ((1 - s') * (1 - 7%:R * u) * (1 - 8%:R * e))))); last first.
  rewrite [leRHS](_ : _ = u' * (101%:R * ((1 - 7%:R * u) * (1 - 8%:R * e)))); last by same R.
  rewrite [leLHS](_ : _ = g * s' * (1 - s') * (101%:R * ((1 - 7%:R * u) * (1 - 8%:R * e)))); last by same R.
  have [e8' v0'] := (ltW e8, ltW v0); apply: ler_wpmul2r; first by sums.
  by apply: le_trans u'_l; do 2 apply: ler_wpmul2r => //.
apply: ler_wpmul2l; first by sums.
apply: (@le_trans _ _ (101%:R * (1 - 51%:R * e))).
  rewrite -subr_ge0 [leRHS](_ : _ = 1 - 1000%:R * (10%:R * e) + (484%:R * (10%:R * e) + 9%:R * e)); last by same R.
  by apply: addr_ge0; [rewrite subr_ge0 | sums].
apply: ler_wpmul2l; first exact: ler0n.
apply: (@le_trans _ _ ((1 - (s' + 7%:R * u)) * (1 - 8%:R * e))); last first.
  by apply: ler_wpmul2r; rewrite ?(ltW e8) //; apply: two_less; sums.
apply: le_trans (two_less _ _); [| by sums | by sums]; rewrite ler_add2l ler_opp2.
apply: (@le_trans _ _ (1%:R * e + 42%:R * e + 8%:R * e)); last by rewrite -!mulrDl -!natrD.
by rewrite ler_add2r; apply: ler_add u7; rewrite mul1r.
Qed.
End Ratio.

(* The bound of Bose et al. *)
Section Bose.
Variables (R : realFieldType) (e p p' X L d t t' : R).
Add Ring ring_of_R : (field_ring R).

Lemma square_le (a b : R) : 0 <= a -> 0 <= b -> a ^+ 2 <= b ^+ 2 -> a <= b.
Proof. by move=> a0 b0; rewrite ler_pexpn2r // nnegrE. Qed.

Lemma bose_falls : 0 < e -> 1000%:R * (10%:R * e) <= 1 -> 0 < p' -> p' <= p -> p <= p' * (1 + 2%:R * e) ->
  1 <= L -> 4%:R * L <= X -> 0 <= d -> d <= 2%:R * e -> 0 <= t -> 0 <= t' ->
  (t * p) ^+ 2 = 49%:R * X * e -> (t' * p') ^+ 2 * 10%:R = 49%:R * (X + L + 7%:R * d) * e ->
  28%:R * t' <= 10%:R * t /\ 10%:R * t <= 32%:R * t'.
Proof.
move=> e0 small p'0 pp pe L1 LX d0 de t0 t'0 tE t'E; have le0 := ltW e0; have p0 := lt_le_trans p'0 pp.
have T0 : (0 : R) < 10%:R by rewrite ltr0n.
have lp0 := ltW p0; have lp'0 := ltW p'0.
have X0 : 0 <= X by apply: le_trans LX; rewrite mulr_ge0 ?ler0n // (le_trans ler01).
split.
  rewrite -(ler_pmul2r p'0); apply: square_le; [by sums | by sums |].
  rewrite -(ler_pmul2r T0); apply: (@le_trans _ _ (982%:R * (t * p) ^+ 2)).
    rewrite (_ : _ * 10%:R = 784%:R * ((t' * p') ^+ 2 * 10%:R)); last by same R.
    rewrite t'E tE -(ler_pmul2l (_ : (0 : R) < 100%:R)) ?ltr0n // -subr_ge0.
    have small7 : 0 <= L - 100%:R * (7%:R * d).
      rewrite subr_ge0; apply: le_trans L1; apply: le_trans small.
      apply: (@le_trans _ _ (100%:R * (7%:R * (2%:R * e)))).
        by do 2 (apply: ler_wpmul2l; rewrite ?ler0n //).
      rewrite -subr_ge0 [leRHS](_ : _ = 860%:R * (10%:R * e)); first by sums.
      by same R.
    have dX : 0 <= X - 4%:R * L by rewrite subr_ge0.
    rewrite [leRHS](_ : _ = 49%:R * e * (784%:R * (L - 100%:R * (7%:R * d)) + 792%:R * 25%:R * (X - 4%:R * L) +
      16%:R * L)); last by same R.
    have L0 : 0 <= L by apply: le_trans L1.
    by sums.
  apply: (@le_trans _ _ (982%:R * (t * (p' * (1 + 2%:R * e))) ^+ 2)).
    apply: ler_wpmul2l; first exact: ler0n.
    have q0 : 0 <= 1 + 2%:R * e by rewrite addr_ge0 ?ler01 // mulr_ge0 ?ler0n.
    by apply: ler_expn2r; rewrite ?nnegrE; first [exact: ler_wpmul2l | sums].
  rewrite -subr_ge0 [leRHS](_ : _ = (t * p') ^+ 2 * (1000%:R - 982%:R * (1 + 2%:R * e) ^+ 2)); last by same R.
  apply: mulr_ge0; first by sums.
  rewrite subr_ge0; have e1 : e <= 1.
    apply: le_trans small; rewrite mulrA ler_pmull // -natrM ler1n //.
  apply: (@le_trans _ _ (982%:R + 8%:R * (982%:R * e))); last first.
    rewrite -subr_ge0 [leRHS](_ : _ = 2%:R * (1 - 1000%:R * (10%:R * e)) + 16%:R + 12%:R * (1000%:R * e) + 144%:R * e);
      last by same R.
    by rewrite -subr_ge0 in small; sums.
  rewrite -subr_ge0 [leRHS](_ : _ = 982%:R * (4%:R * (e * (1 - e)))); last by same R.
  by rewrite -subr_ge0 in e1; sums.
rewrite -(ler_pmul2r p0); apply: square_le; [by sums | by sums |].
apply: (@le_trans _ _ (1000%:R * (t' * p') ^+ 2)).
  rewrite (_ : 1000%:R * _ = 100%:R * ((t' * p') ^+ 2 * 10%:R)); last by same R.
  rewrite (_ : _ ^+ 2 = 100%:R * (t * p) ^+ 2); last by same R.
  rewrite t'E tE; apply: ler_wpmul2l; first exact: ler0n.
  apply: ler_wpmul2r => //; apply: ler_wpmul2l; first exact: ler0n.
  rewrite -addrA ler_addl; have L0 : 0 <= L by apply: le_trans L1.
  by sums.
rewrite (_ : (32%:R * t' * p) ^+ 2 = 1000%:R * (t' * p) ^+ 2 + 24%:R * (t' * p) ^+ 2); last by same R.
apply: ler_paddr; first by sums.
apply: ler_wpmul2l; first exact: ler0n.
by apply: ler_expn2r; rewrite ?nnegrE; first [exact: ler_wpmul2l | sums].
Qed.
End Bose.

Section Figure3.
Variables (R : realFieldType) (exp ln : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.
Hypothesis lnK : forall x, 0 < x -> exp (ln x) = x.
Add Ring ring_of_R : (field_ring R).

(* The share of the set bits by Bloom's value and by the bound (19), for k = 7 and m = 10 n. *)
Definition by_bloom n : R := 1 - (1 - (10 * n)%:R^-1) ^+ (n * 7).
Definition by_bound n : R := 1 - (1 - 7%:R * (10 * n)%:R^-1) ^+ n.

(* How much the bound (19) is above Bloom's value, as a share of it; and the square of that share for the bound (5) of
   Bose et al., with the constant 1 in place of O. *)
Definition beta n : R := (by_bound n / by_bloom n) ^+ 7 - 1.
Definition bose_square n : R :=
  (7%:R / by_bloom n) ^+ 2 * ((ln (10 * n)%:R - 7%:R * ln (by_bloom n)) / (10 * n)%:R).

(* Fan, Figure 3, for k = 7, m = 10 n and n >= 1000: from n to 10 n, beta of the bound (19) falls by a factor between
   9.9 and 10.1. The share t by which the bound (5) of Bose et al., with the constant 1 in place of O, is above Bloom's
   value falls by a factor between 2.8 and 3.2. *)
Theorem bounds_fall n (t t' : R) : (1000 <= n)%N ->
  0 <= t -> t ^+ 2 = bose_square n -> 0 <= t' -> t' ^+ 2 = bose_square (10 * n) ->
  99%:R * beta (10 * n) <= 10%:R * beta n <= 101%:R * beta (10 * n) /\ 28%:R * t' <= 10%:R * t <= 32%:R * t'.
Proof.
move=> n1000 t0 tE t'0 t'E; have n0 : (0 < n)%N by apply: leq_trans n1000.
have T0 : (0 : R) < 10%:R by rewrite ltr0n.
pose e : R := (10 * n)%:R^-1; pose e' : R := (10 * (10 * n))%:R^-1.
have m0 : (0 : R) < (10 * n)%:R by rewrite ltr0n muln_gt0.
have m0' : (0 : R) < (10 * (10 * n))%:R by rewrite ltr0n !muln_gt0.
have e0 : 0 < e by rewrite invr_gt0.
have e'0 : 0 < e' by rewrite invr_gt0.
have ee : e = 10%:R * e' by rewrite /e /e' [in RHS]natrM invfM mulrA divff ?gt_eqF // mul1r.
have ne : 10%:R * n%:R * e = 1 by rewrite -natrM divff // gt_eqF.
have ne' : 10%:R * (10 * n)%:R * e' = 1 by rewrite -natrM divff // gt_eqF.
have small : 1000%:R * (10%:R * e) <= 1.
  rewrite mulrA /e ler_pdivr_mulr // mul1r -natrM ler_nat mulnC; exact: leq_mul.
have small' : 1000%:R * (10%:R * e') <= 1.
  by apply: le_trans small; do 2 (apply: ler_wpmul2l; rewrite ?ler0n //); rewrite ee ler_pmull // ler1n.
have [s [s0 s_high s_low Y_low Y_high]] := one_shape e0 small ne.
have [s' [s'0 s'_high s'_low Y'_low Y'_high]] := one_shape e'0 small' ne'.
have [yy y'y] := clear_next e0 small ne ee.
have y_in := clear_between e0 ne; have y'_in := clear_between e'0 ne'.
have [low high] :=
  beta_falls e0 small ee y_in y'_in yy y'y s0 s'0 s_high s_low s'_high s'_low Y_low Y_high Y'_low Y'_high.
split; first by rewrite /beta /by_bound /by_bloom -/e -/e' low high.
have [/andP[_ yh] /andP[_ yh']] := (y_in, y'_in); have [p0 _] := half_set yh; have [p'0 yp'] := half_set yh'.
move: tE t'E; rewrite /bose_square -/e -/e'.
have -> : by_bloom n = 1 - (1 - e) ^+ (n * 7) by [].
have -> : by_bloom (10 * n) = 1 - (1 - e') ^+ (10 * n * 7) by [].
move: yy y'y p0 p'0 yp'; set y := (1 - e) ^+ _; set y' := (1 - e') ^+ _; move=> yy y'y p0 p'0 yp' tE t'E.
have pp : 1 - y' <= 1 - y by rewrite ler_add2l ler_opp2.
have pe : 1 - y <= (1 - y') * (1 + 2%:R * e) by exact: (next_set e0 y'_in y'y).
have lm : ln (10 * (10 * n))%:R = ln 10%:R + ln (10 * n)%:R by rewrite natrM (lnM expD above lnK).
have lp : 0 <= ln (1 - y) - ln (1 - y') by rewrite subr_ge0 leNgt (ln_lt expD above lnK) // -leNgt.
have lq : ln (1 - y) - ln (1 - y') <= 2%:R * e.
  have q0 : 0 < (1 - y) / (1 - y') by rewrite divr_gt0.
  have -> : ln (1 - y) - ln (1 - y') = ln ((1 - y) / (1 - y')).
    by rewrite (lnM expD above lnK) ?invr_gt0 // (lnV expD above lnK).
  have up := above (ln ((1 - y) / (1 - y'))); rewrite lnK // in up.
  rewrite -(ler_add2l 1); apply: (le_trans up); rewrite ler_pdivr_mulr // mulrC; exact: pe.
have L1 : 1 <= ln 10%:R by exact: (ln_above expD above lnK (isT : (2 < 10)%N)).
have y1 : 0 < y by case/andP: y_in => l _; exact: clear_gt0 l.
have X4 : 4%:R * ln 10%:R <= ln (10 * n)%:R - 7%:R * ln (1 - y).
  apply: (@le_trans _ _ (ln (10 * n)%:R)).
    rewrite -(lnX expD above lnK) // leNgt (ln_lt expD above lnK) ?exprn_gt0 // -leNgt -natrX ler_nat.
    by rewrite (expnD 10 1 3) leq_mul2l.
  rewrite ler_addl oppr_ge0 pmulr_rle0 ?ltr0n //; apply: (ln_below expD above lnK) => //.
  by rewrite ler_subl_addr ler_addl ltW.
have p_ne : 1 - y != 0 by rewrite gt_eqF.
have p'_ne : 1 - y' != 0 by rewrite gt_eqF.
set X := ln (10 * n)%:R - 7%:R * ln (1 - y) in tE X4; set d := ln (1 - y) - ln (1 - y') in lp lq.
have tX : (t * (1 - y)) ^+ 2 = 49%:R * X * e.
  by rewrite exprMn tE expr_div_n mulrAC divfK ?expf_neq0 //; same R.
have t'X : (t' * (1 - y')) ^+ 2 * 10%:R = 49%:R * (X + ln 10%:R + 7%:R * d) * e.
  rewrite exprMn t'E expr_div_n [_ * (1 - y') ^+ 2]mulrAC divfK ?expf_neq0 // lm ee /X /d; same R.
by have [-> ->] := bose_falls e0 small p'0 pp pe L1 X4 lp lq t0 t'0 tX t'X.
Qed.
End Figure3.
