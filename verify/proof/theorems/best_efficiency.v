(* The largest efficiency of a standard filter, and of a filter with one position per item.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is any
   function with exp (ln x) = x for x > 0. For x > 0, the power x^y is exp (y ln x). The rates are exact, over all
   sequences of throws or of sets of places, and the efficiency of efficiency.v is taken with the logarithm ln. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic search efficiency natural decimals approach peaks.
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

Definition log (q : rat) : R := ln (ratr q).
Let top m : R := ln 2%:R / (m%:R * ln (m%:R / (m.-1)%:R)).

Lemma log_mul x y : 0 < x -> 0 < y -> log (x * y) = log x + log y.
Proof. by move=> x0 y0; rewrite /log rmorphM lnM' ?ltr0q. Qed.

Lemma log_rises x y : 0 < x -> x < y -> log x < log y.
Proof. by move=> x0 xy; rewrite /log order ?ltr0q ?ltr_rat // (lt_trans x0). Qed.

Lemma log_two : log 2%:R = L.
Proof. by rewrite /log ratr_nat. Qed.

Lemma powers_of_neighbours m N : (1 < m)%N -> (0 < N)%N -> (m ^ N = 2 * m.-1 ^ N)%N -> m = 2%N /\ N = 1%N.
Proof.
move=> m2 N0 e; have co : coprime (m ^ N) (m.-1 ^ N) by rewrite coprimeXl // coprimeXr // coprimenP // ltnW.
have one : (m.-1 ^ N = 1)%N.
  by move: co; rewrite /coprime e gcdnC gcdnMl => /eqP.
have p0 : (0 < m.-1)%N by rewrite -subn1 subn_gt0.
have p1 : m.-1 = 1%N.
  by apply/eqP; rewrite eqn_leq p0 andbT -[X in (_ <= X)%N]one -[X in (X <= _)%N]expn1 leq_pexp2l.
have mE : m = 2%N by rewrite -(prednK (ltnW m2)) p1.
split=> //; move: e; rewrite mE /= exp1n muln1 => e2.
by apply/eqP; rewrite -(eqn_exp2l _ _ (isT : 1 < 2)%N) e2.
Qed.

Lemma ratr_bloom m N : ratr (1 - (1 - m%:R^-1) ^+ N) = 1 - (1 - m%:R^-1) ^+ N :> R.
Proof. by rewrite rmorphB rmorph1 rmorphX rmorphB rmorph1 fmorphV rmorph_nat. Qed.

Lemma one_position m N : (1 < m)%N -> (0 < N)%N ->
  efficiency log m N%:R (rate m N 1) <= top m /\
  (~~ ((m == 2) && (N == 1))%N -> efficiency log m N%:R (rate m N 1) < top m).
Proof.
move=> m2 N0; have [best less] := peak_bloom expD above lnK m2 (ltn0Sn 0).
have m0 : (0 : R) < m%:R by rewrite ltr0n ltnW.
have p0 : (0 : R) < (m.-1)%:R by rewrite ltr0n -subn1 subn_gt0.
have uE : 1 - m%:R^-1 = (m.-1)%:R / m%:R :> R by rewrite -subn1 natrB ?(ltnW m2) // mulrBl mul1r divff ?gt_eqF.
have u0 : 0 < 1 - m%:R^-1 :> R by rewrite uE divr_gt0.
rewrite /efficiency /log2 log_two (one_position_standard _ (ltnW m2)) /log ratr_bloom.
have := less N%:R; move: best; rewrite !mulr1n !mul1r expP lnK // !expr1 ltr0n => best /(_ N0) less'.
have l0 : 0 < ln (m%:R / (m.-1)%:R) by have [lo _] := close m2; apply: lt_trans lo; rewrite invr_gt0.
have [NE | NE] := eqVneq (N%:R : R) (L / ln (m%:R / (m.-1)%:R)); last by have lt := less' NE; split=> [|_ //]; exact: ltW.
split; first by move: best; rewrite -NE expP lnK // => ->.
move/negP; case; have : exp (N%:R * ln (m%:R / (m.-1)%:R)) = 2%:R by rewrite NE divfK ?gt_eqF // lnK ?ltr0n.
rewrite expP lnK ?divr_gt0 // expr_div_n => e.
have {e} : (m ^ N = 2 * m.-1 ^ N)%N.
  apply/eqP; rewrite -(eqr_nat R) natrM !natrX -e divfK // expf_neq0 // gt_eqF //.
by move=> /(powers_of_neighbours m2 N0) [-> ->].
Qed.

(* Burns, Corollary 27, (74): 1/(m log2 (m/(m-1))) is the largest efficiency of a standard filter of m >= 2 bits. With k = 1,
   over the real n > 0, it is taken at n = 1/log2 (m/(m-1)) only, where the rate is 1/2. All whole n and k have a smaller
   efficiency, except m = 2, n = k = 1, where the rate is 1/2. *)
Theorem largest_efficiency m : (1 < m)%N ->
  let log2 x := ln x / ln 2%:R in
  let largest := (m%:R * log2 (m%:R / (m.-1)%:R))^-1 in
  let rate1 n := 1 - exp (n * ln (1 - m%:R^-1)) in
  let best := (log2 (m%:R / (m.-1)%:R))^-1 in
  [/\ forall n, ratr (rate m n 1) = rate1 n%:R, - (best / m%:R) * log2 (rate1 best) = largest, rate1 best = 2%:R^-1,
      forall n, 0 < n -> n != best -> - (n / m%:R) * log2 (rate1 n) < largest
    & forall n k, (0 < n)%N -> (0 < k)%N -> ~~ [&& m == 2, n == 1 & k == 1]%N ->
        efficiency log m n%:R (rate m (n * k) k) < largest].
Proof.
move=> m2 lg largest rate1 best; have m0 : (0 : R) < m%:R by rewrite ltr0n ltnW.
have p0 : (0 : R) < (m.-1)%:R by rewrite ltr0n -subn1 subn_gt0.
have l0 : 0 < ln (m%:R / (m.-1)%:R) by have [lo _] := close m2; apply: lt_trans lo; rewrite invr_gt0.
have uE : 1 - m%:R^-1 = ((m%:R : R) / (m.-1)%:R)^-1.
  by rewrite invf_div -subn1 natrB ?(ltnW m2) // mulrBl mul1r divff ?gt_eqF.
have u0 : 0 < 1 - m%:R^-1 :> R by rewrite uE invr_gt0 divr_gt0.
have topE : largest = top m by rewrite /largest /lg mulrA invf_div.
have bestE : best = ln 2%:R / ln (m%:R / (m.-1)%:R) by rewrite /best /lg invf_div.
have [at_ less] := peak_bloom expD above lnK m2 (ltn0Sn 0); move: at_ less; rewrite !mulr1n !mul1r !expr1 => at_ less.
split.
- by move=> n; rewrite (one_position_standard _ (ltnW m2)) ratr_bloom /rate1 expP lnK.
- by rewrite topE /top -at_ bestE.
- rewrite /rate1 bestE uE lnV' ?divr_gt0 // mulrN divfK ?gt_eqF // expV lnK ?ltr0n //.
  by rewrite [X in X - _](splitr 1) mul1r addrK.
- by move=> n n0 ne; have := less n n0; rewrite -bestE ?mulr1n ?mul1r ?expr1 topE; apply.
move=> n k n0 k0 no; rewrite topE.
have [k1 | k1] := eqVneq k 1%N.
  by move: no; rewrite k1 muln1 eqxx andbT => no; have [_] := one_position m2 n0; apply.
have k2 : (1 < k)%N by rewrite ltn_neqAle eq_sym k1.
have := one_is_best log_mul log_rises m2 n0 k2; move=> /lt_le_trans; apply.
by have N0 : (0 < n * k)%N; [rewrite muln_gt0 n0 | have [] := one_position m2 N0].
Qed.

Lemma top_below m : (1 < m)%N -> top m < L.
Proof. by move=> m2; have [_ lt _ _] := standard_peak_rises expD above lnK; have := lt _ m2; rewrite peakE. Qed.

Lemma below_top m n k : (1 < m)%N -> (0 < n)%N -> (0 < k)%N -> efficiency log m n%:R (rate m (n * k) k) <= top m.
Proof.
move=> m2 n0 k0; have [k1 | k1] := eqVneq k 1%N; first by rewrite k1 muln1; have [] := one_position m2 n0.
have k2 : (1 < k)%N by rewrite ltn_neqAle eq_sym k1.
apply: le_trans (ltW (one_is_best log_mul log_rises m2 n0 k2)) _.
by have N0 : (0 < n * k)%N; [rewrite muln_gt0 n0 | have [] := one_position m2 N0].
Qed.

(* Burns 4.1: the efficiency of a standard filter is at most ln 2. *)
Theorem efficiency_bounded m n k : (0 < m)%N -> (0 < n)%N -> (0 < k)%N ->
  efficiency log m n%:R (rate m (n * k) k) <= ln 2%:R.
Proof.
move=> m0 n0 k0; have L0 : 0 < L by rewrite -log_two; exact: (log2_gt0 log_mul log_rises).
have [m1 | m1] := eqVneq m 1%N; last first.
  have m2 : (1 < m)%N by rewrite ltn_neqAle eq_sym m1.
  exact: le_trans (below_top m2 n0 k0) (ltW (top_below m2)).
have one : 1 <= rate m (n * k) k.
  apply: le_trans (bloom_below _ _ _) => //.
  by rewrite m1 invr1 subrr expr0n muln_eq0 (gtn_eqF n0) (gtn_eqF k0) /= subr0 expr1n.
apply: le_trans (ltW L0); rewrite /efficiency /log2 log_two mulNr oppr_le0.
apply: mulr_ge0; first by rewrite divr_ge0 ?ler0n.
apply: divr_ge0; last exact: ltW.
move: one; rewrite le_eqVlt => /orP[/eqP <- | lt]; first by rewrite (log1 log_mul).
by rewrite -[leLHS](log1 log_mul) ltW // log_rises.
Qed.

(* Burns, after Conjecture 28: with one position per item, classic and standard filters have the same rate, hence the same
   largest efficiency over n, and it is below ln 2. *)
Theorem one_position_both m : (1 < m)%N ->
  (forall n, classic_rate m 1 n 1 = rate m n 1) /\
  exists2 bound, bound < ln 2%:R & forall n, (0 < n)%N -> efficiency log m n%:R (classic_rate m 1 n 1) <= bound.
Proof.
move=> m2; have m0 := ltnW m2; have same n : classic_rate m 1 n 1 = rate m n 1.
  rewrite one_position_standard // classic_mean -mulr_suml bin1.
  under eq_bigr => s _ do rewrite bin1.
  have := mean_filled n m0 m0; rewrite bin1 => e.
  by rewrite mulrAC e mulrAC divff ?mul1r ?mulr1n ?div1r // pnatr_eq0 -lt0n.
split=> //; exists (top m); first exact: top_below.
by move=> n n0; rewrite same; have [] := one_position m2 n0.
Qed.
End Exponential.
