(* Statements with the exponential function and the natural logarithm.

   The function exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is any
   function with exp (ln x) = x for x > 0. The two functions of the real numbers are the only such functions on them. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Exponential.
Variables (R : realFieldType) (exp ln : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.
Hypothesis lnK : forall x, 0 < x -> exp (ln x) = x.

Lemma exp0 : exp 0 = 1.
Proof.
have e0 : exp 0 != 0 by rewrite gt_eqF // (lt_le_trans _ (above 0)) // addr0 ltr01.
by apply: (mulfI e0); rewrite mulr1 -expD addr0.
Qed.

Lemma exp_gt0 x : 0 < exp x.
Proof.
have half : x = x / 2%:R + x / 2%:R by rewrite -mulrDl -mulr2n -[_ *+ 2]mulr_natr mulfK // pnatr_eq0.
have u : exp x * exp (- x) = 1 by rewrite -expD subrr exp0.
rewrite lt_neqAle {2}half expD -expr2 sqr_ge0 andbT eq_sym; apply/eqP => z.
by move: u; rewrite z mul0r => /eqP; rewrite eq_sym oner_eq0.
Qed.

Lemma expN x : exp (- x) = (exp x)^-1.
Proof.
have e0 : exp x != 0 by rewrite gt_eqF // exp_gt0.
by apply: (mulfI e0); rewrite -expD subrr exp0 divff.
Qed.

Lemma expX x n : exp (n%:R * x) = exp x ^+ n.
Proof.
elim: n => [|n IH]; first by rewrite mul0r exp0.
by rewrite mulrSr mulrDl mul1r expD IH exprSr.
Qed.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof.
move=> xy; rewrite -[y](subrK x) expD ler_pmull ?exp_gt0 //; apply: le_trans (above _).
by rewrite ler_addl subr_ge0.
Qed.

(* Strictly above the tangent: by the square of the half. *)
Lemma strictly_above x : x != 0 -> 1 + x < exp x.
Proof.
have half : x = x / 2%:R + x / 2%:R by rewrite -mulrDl -mulr2n -[_ *+ 2]mulr_natr mulfK // pnatr_eq0.
move=> x0; have [le | gt] := lerP (1 + x / 2%:R) 0.
  have h0 : x / 2%:R <= 0 by apply: le_trans le; rewrite ler_addr ler01.
  by apply: le_lt_trans (exp_gt0 x); rewrite {1}half addrA; have := ler_add le h0; rewrite addr0.
rewrite {2}half expD -expr2; apply: (@lt_le_trans _ _ ((1 + x / 2%:R) ^+ 2)); last first.
  by rewrite ler_expn2r // ?nnegrE ?(ltW gt) // ltW // exp_gt0.
have double : x / 2%:R *+ 2 = x by rewrite mulr2n -half.
rewrite sqrrD expr1n mul1r double ltr_addl.
by rewrite lt_neqAle sqr_ge0 andbT eq_sym expf_neq0 // mulf_neq0 // invr_eq0 pnatr_eq0.
Qed.

Lemma exp_lt x y : x < y -> exp x < exp y.
Proof.
move=> xy; rewrite -[y](subrK x) expD ltr_pmull ?exp_gt0 //; apply: lt_le_trans (above _).
by rewrite ltr_addl subr_gt0.
Qed.

Lemma exp_inj x y : exp x = exp y -> x = y.
Proof. by move=> e; case: (ltrgtP x y) => // /exp_lt; rewrite e ltxx. Qed.

Lemma expK x : ln (exp x) = x.
Proof. by apply: exp_inj; rewrite lnK // exp_gt0. Qed.

Lemma lnM x y : 0 < x -> 0 < y -> ln (x * y) = ln x + ln y.
Proof. by move=> x0 y0; apply: exp_inj; rewrite expD !lnK // mulr_gt0. Qed.

Lemma ln_lt x y : 0 < x -> 0 < y -> (ln x < ln y) = (x < y).
Proof.
move=> x0 y0; apply/idP/idP => [/exp_lt | xy]; first by rewrite !lnK.
by rewrite ltNge; apply/negP => /exp_le; rewrite !lnK // leNgt xy.
Qed.

Lemma ln_below x : 0 < x -> x != 1 -> ln x < x - 1.
Proof.
move=> x0 x1; rewrite ltr_subr_addl -[ltRHS]lnK //; apply: strictly_above; apply: contraNneq x1 => e.
by rewrite -[x]lnK // e exp0.
Qed.

Lemma lnV x : 0 < x -> ln x^-1 = - ln x.
Proof. by move=> x0; apply: exp_inj; rewrite expN !lnK // invr_gt0. Qed.

(* Burns 4.1: 1/m < ln (m/(m-1)) < 1/(m-1), and so ln (m/(m-1)) is about 1/m. *)
Theorem log_near m : (1 < m)%N -> m%:R^-1 < ln (m%:R / (m.-1)%:R) /\ ln (m%:R / (m.-1)%:R) < (m.-1)%:R^-1.
Proof.
case: m => [|[|m]] // _ /=; have a0 : (0 : R) < m.+1%:R by rewrite ltr0n.
have b0 : (0 : R) < m.+2%:R by rewrite ltr0n.
have next : m.+2%:R = m.+1%:R + 1 :> R by rewrite mulrSr.
have A0 : (m.+1%:R : R) != 0 by rewrite gt_eqF.
have B0 : (m.+2%:R : R) != 0 by rewrite gt_eqF.
split.
  have -> : ln (m.+2%:R / m.+1%:R) = - ln (m.+1%:R / m.+2%:R) by rewrite -lnV ?divr_gt0 // invf_div.
  rewrite ltr_oppr; apply: (lt_le_trans (ln_below _ _)); rewrite ?divr_gt0 //.
    by rewrite lt_eqF // ltr_pdivr_mulr // mul1r ltr_nat.
  by rewrite -[X in _ - X](divff B0) -mulrBl next opprD addrA subrr add0r mulN1r.
apply: (lt_le_trans (ln_below _ _)); rewrite ?divr_gt0 //.
  by rewrite gt_eqF // ltr_pdivl_mulr // mul1r ltr_nat.
by rewrite -[X in _ - X](divff A0) -mulrBl next addrAC subrr add0r mul1r.
Qed.

(* Burns (58): (1 - e^(-kn/m))^k is at most Bloom's value M. *)
Theorem exponential_below m n k : (1 < m)%N -> (1 - exp (- (k * n)%:R / m%:R)) ^+ k <= (1 - (1 - m%:R^-1) ^+ (k * n)) ^+ k.
Proof.
move=> m2; have m0 : (0 : R) < m%:R by rewrite ltr0n ltnW.
have i1 : (m%:R^-1 : R) <= 1 by rewrite invf_le1 ?ltr0n ?ler1n ltnW.
have le : (1 - m%:R^-1) ^+ (k * n) <= exp (- (k * n)%:R / m%:R).
  by rewrite mulNr -mulrN expX ler_expn2r ?nnegrE ?subr_ge0 // ?above // ltW // exp_gt0.
have e1 : exp (- (k * n)%:R / m%:R) <= 1.
  by rewrite -[leRHS]exp0; apply: exp_le; rewrite mulNr oppr_le0 divr_ge0 ?ler0n.
apply: ler_expn2r.
- by rewrite nnegrE subr_ge0.
- by rewrite nnegrE subr_ge0 (le_trans le).
- by rewrite ler_add2l ler_opp2.
Qed.

(* Fan (14), with the best k of (15), which is -(ln 2/n)/ln(1 - 1/m): the probability (1 - 1/m)^(k n) that a bit is 0 is 1/2.
   The power x^y is exp (y ln x). *)
Theorem half_full m n : (1 < m)%N -> (0 < n)%N ->
  let power x y := exp (y * ln x) in
  let best := - (ln 2%:R / n%:R) / ln (1 - m%:R^-1) in
  power (1 - m%:R^-1) (best * n%:R) = 2%:R^-1.
Proof.
move=> m2 n0 power best; have m0 : (0 : R) < m%:R by rewrite ltr0n ltnW.
have n1 : (n%:R : R) != 0 by rewrite pnatr_eq0 -lt0n.
have x1 : (m%:R^-1 : R) < 1 by rewrite invf_lt1 // ltr1n.
have l0 : ln (1 - m%:R^-1) != 0.
  rewrite lt_eqF //; apply: (lt_trans (ln_below _ _)); rewrite ?subr_gt0 //.
    by rewrite -subr_eq0 addrAC subrr add0r oppr_eq0 invr_eq0 gt_eqF.
  by rewrite addrAC subrr add0r oppr_lt0 invr_gt0.
have -> : power (1 - m%:R^-1) (best * n%:R) = exp (- ln 2%:R).
  by rewrite /power /best mulrAC divfK // mulNr divfK.
by rewrite expN lnK // ltr0n.
Qed.
End Exponential.
