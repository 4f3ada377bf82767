(* Burns (64) for one item: of k throws into m >= 2k + 1 places, the mean number of places that are hit, mu, can be less
   than k - 2. Then two or more of the factors mu - i can be negative, but their product is small. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic sequences size search means claims occupancy order differences.
From Coq Require Import ArithRing.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* An equation of sums and products of natural numbers. *)
Ltac ring_nat := rewrite /= -?plusE -?multE; ring.

(* Partial sums of the binomial expansion of (1 - y)^k are bounds. *)
Lemma power_above (y : rat) k : 0 <= y <= 1 -> (1 - y) ^+ k <= 1 - k%:R * y + 'C(k, 2)%:R * y ^+ 2.
Proof.
case/andP=> y0 y1; elim: k => [|k IH]; first by rewrite expr0 mul0r subr0 bin_small // mul0r addr0.
rewrite exprSr (le_trans (ler_wpmul2r _ IH)) ?subr_ge0 // binS bin1 natrD -[k.+1]addn1 natrD -subr_ge0.
set c := 'C(k, 2)%:R; set n := k%:R.
have -> : 1 - (n + 1) * y + (c + n) * y ^+ 2 - (1 - n * y + c * y ^+ 2) * (1 - y) = c * (y ^+ 2 * y) by identity.
by rewrite !mulr_ge0 ?ler0n ?exprn_ge0.
Qed.

Lemma power_below (y : rat) k : 0 <= y <= 1 ->
  1 - k%:R * y + 'C(k, 2)%:R * y ^+ 2 - 'C(k, 3)%:R * (y ^+ 2 * y) <= (1 - y) ^+ k.
Proof.
case/andP=> y0 y1; elim: k => [|k IH]; first by rewrite expr0 !bin_small // !(mul0r, subr0, addr0).
rewrite [(1 - y) ^+ k.+1]exprSr; apply: le_trans _ (ler_wpmul2r _ IH); rewrite ?subr_ge0 //.
rewrite !binS bin1 !natrD -[k.+1]addn1 natrD -subr_ge0.
set c := 'C(k, 2)%:R; set n := k%:R; set d := 'C(k, 3)%:R.
have -> : (1 - n * y + c * y ^+ 2 - d * (y ^+ 2 * y)) * (1 - y) -
  (1 - (n + 1) * y + (c + n) * y ^+ 2 - (d + c) * (y ^+ 2 * y)) = d * (y ^+ 2 * y ^+ 2) by identity.
by rewrite !mulr_ge0 ?ler0n ?exprn_ge0.
Qed.

(* (1 - x)^K is at least 4^-S if x <= 1/2 and x K <= S. *)
Lemma quarter K S (x : rat) : x <= 2%:R^-1 -> x * K%:R <= S%:R -> 1 <= (1 - x) ^+ K * 4%:R ^+ S.
Proof.
move=> x_half xK; have four : 4%:R ^+ S = 2%:R ^+ (2 * S) :> rat by rewrite exprM -natrX.
have half : 2%:R^-1 <= 1 - x by rewrite ler_subr_addl -ler_subr_addr (le_trans x_half).
have two : (2%:R : rat) != 0 by [].
have pair : 2%:R^-1 ^+ (2 * S) * 4%:R ^+ S = 1 :> rat by rewrite four -exprMn mulVf // expr1n.
rewrite -{1}pair ler_wpmul2r ?exprn_ge0 //; have [D DE] : exists D, D = (2 * S)%N by exists (2 * S)%N.
rewrite -DE; have [KS | SK] := leqP K D.
  apply: (le_trans (_ : _ <= 2%:R^-1 ^+ K)); last by rewrite ler_expn2r ?nnegrE // (le_trans _ half).
  by rewrite ler_wiexpn2l.
pose r := (K - D)%N; have KE : K = (D + r)%N by rewrite /r subnKC // ltnW.
pose E (i : 'I_(D + r)) : rat := if (i < D)%N then 2%:R^-1 else 1.
have E0 : {in @predT 'I_(D + r), forall i, 0 <= E i} by move=> i _; rewrite /E; case: ifP.
have El i : E (lshift r i) = 2%:R^-1 by rewrite /E /= ltn_ord.
have Er i : E (rshift D i) = 1 by rewrite /E /= ltnNge leq_addr.
have := (leif_AGM E0).1; rewrite card_ord.
rewrite (eq_bigl xpredT) // [\sum_(i in _) _](eq_bigl xpredT) //.
rewrite !big_split_ord /= !(eq_bigr _ (fun i _ => El i)) !(eq_bigr _ (fun i _ => Er i)).
rewrite !prodr_const !sumr_const !card_ord expr1n mulr1 -KE => le; apply: le_trans le _.
have K0 : 0 < K%:R :> rat by rewrite ltr0n (leq_ltn_trans _ SK).
have -> : 2%:R^-1 *+ D + 1 *+ r = K%:R - S%:R :> rat.
  rewrite KE natrD -[_ *+ D]mulr_natr DE natrM mulKf // mulr_natl mulr2n.
  by rewrite [RHS]addrAC addrK.
have le : (K%:R - S%:R) / K%:R <= 1 - x by rewrite ler_pdivr_mulr // mulrBl mul1r ler_add2l ler_opp2.
rewrite ler_expn2r ?nnegrE //; last by rewrite (le_trans _ half).
by rewrite divr_ge0 ?(ltW K0) // subr_ge0 ler_nat ltnW // (leq_ltn_trans _ SK) // DE leq_pmull.
Qed.

(* C(4l + 2, l) is at least 4^((6l + 1)/5) for l >= 2. *)
Lemma choices_grow l : (1 < l)%N -> (4 ^ (6 * l + 1) <= 'C(4 * l + 2, l) ^ 5)%N.
Proof.
elim: l => // l IH; rewrite ltnS leq_eqVlt => /orP[/eqP <- | l1].
  have -> : ('C(4 * 2 + 2, 2) = 45)%N by [].
  have -> : (4 ^ (6 * 2 + 1) = 2 ^ 15 * 2 ^ 11)%N.
    by rewrite -expnD -[4%N in LHS]/(2 ^ 2)%N -expnM; congr (expn 2 _).
  apply: (@leq_trans (2 ^ 15 * 5 ^ 5)); first by rewrite leq_mul2l; apply/orP; right.
  by rewrite -[15%N]/(3 * 5)%N expnM -expnMn leq_exp2r.
set C := 'C(4 * l + 2, l); set C' := 'C(_, _).
have step1 : (4 * 'C(4 * l + 5, l) <= C')%N.
  have e := mul_bin_diag (4 * l.+1 + 2) l; rewrite -/C' in e.
  have f : ((4 * l.+1 + 2).-1 = 4 * l + 5)%N by rewrite mulnS addnAC [RHS]addnC.
  rewrite f in e.
  rewrite -(leq_pmul2l (ltn0Sn l)) -e mulnA leq_mul2r [(l.+1 * 4)%N]mulnC leq_addr orbT //.
have step2 : (4 * C <= 3 * 'C(4 * l + 5, l))%N.
  have e1 := mul_bin_down (4 * l + 3) l; have e2 := mul_bin_down (4 * l + 4) l.
  have n1 : ((4 * l + 3).-1 = 4 * l + 2)%N by rewrite addnS. have n2 : ((4 * l + 4).-1 = 4 * l + 3)%N by rewrite addnS.
  have d r : (4 * l + r - l = 3 * l + r)%N by rewrite mulSn -addnA addKn.
  rewrite n1 d -/C in e1; rewrite n2 d in e2.
  have up : ('C(4 * l + 4, l) <= 'C(4 * l + 5, l))%N by rewrite leq_bin2l // leq_add2l.
  apply: leq_trans (leq_mul (leqnn 3) up).
  have p : (0 < (3 * l + 4) * (3 * l + 3))%N by rewrite muln_gt0 !addnS.
  rewrite -(leq_pmul2l p) [X in (_ <= X)%N]mulnCA -[X in (_ <= _ * X)%N]mulnA [X in (_ <= _ * X)%N]mulnCA -e2.
  rewrite [X in (_ <= _ * X)%N]mulnCA -e1 -/C.
  have -> : (4 * l + 4 = 4 * l.+1)%N by rewrite mulnS addnC.
  have -> : (3 * l + 3 = 3 * l.+1)%N by rewrite mulnS addnC.
  rewrite [X in (_ <= X)%N](_ : _ = (4 * (4 * l + 3)) * (3 * l.+1 * C))%N; last by ring_nat.
  rewrite [X in (X <= _)%N](_ : _ = (4 * (3 * l + 4)) * (3 * l.+1 * C))%N; last by ring_nat.
  rewrite leq_mul2r leq_mul2l /= orbC; apply/orP; left.
  by rewrite [(4 * l)%N]mulSn addnS -addSn leq_add2r -[(3 * l).+1]add1n leq_add2r ltnW.
have key : (16 * C <= 3 * C')%N.
  have := leq_mul (leqnn 4) step2; rewrite [(4 * (3 * _))%N]mulnCA mulnA => le.
  by apply: leq_trans le _; rewrite leq_mul2l step1 orbT.
have p : (0 < 3 ^ 5)%N by rewrite expn_gt0.
rewrite -(leq_pmul2l p) -expnMn; apply: (@leq_trans ((16 * C) ^ 5)); last by rewrite leq_exp2r.
have -> : (6 * l.+1 + 1 = 6 + (6 * l + 1))%N by rewrite mulnS addnA.
rewrite expnMn -[16%N]/(4 ^ 2)%N -expnM expnD mulnA; apply: leq_mul; last exact: IH.
have -> : (2 * 5 = 4 + 6)%N by [].
by rewrite expnD; apply: leq_mul; last exact: leqnn.
Qed.
(* The product of mu - i over i < k, where mu is between j and j + 1. *)
Lemma near_product (mu : rat) j k : j%:R <= mu -> mu <= j.+1%:R -> (j.+1 < k)%N ->
  4%:R * \prod_(i < k) (mu - i%:R) <= j.+1`!%:R * (k - j.+1)`!%:R.
Proof.
move=> jm mj jk; set f := mu - j%:R.
have f0 : 0 <= f by rewrite subr_ge0.
have f1 : 0 <= 1 - f by rewrite /f subr_ge0 ler_subl_addr -[1]/(1%:R) -natrD add1n.
have low : \prod_(i < j.+1) (mu - i%:R) <= f * j.+1`!%:R /\ 0 <= \prod_(i < j.+1) (mu - i%:R).
  rewrite big_ord_recr /= -/f mulrC.
  have fact : (j.+1`! = j.+1 ^_ j)%N by rewrite -ffactnn ffactnSr subSnn muln1.
  have all (i : 'I_j) : 0 <= mu - i%:R <= (j.+1 - i)%:R.
    rewrite natrB ?(ltnW (ltn_trans (ltn_ord i) _)) // ler_add2r mj andbT subr_ge0 (le_trans _ jm) // ler_nat ltnW //.
  split; last by rewrite mulr_ge0 // prodr_ge0 // => i _; have /andP[] := all i.
  by rewrite fact ffact_prod natr_prod ler_wpmul2l // ler_prod.
have high : `|\prod_(j.+1 <= i < k) (mu - i%:R)| <= (1 - f) * (k - j.+1)`!%:R.
  have [l lE] : exists l, (k - j.+1 = l.+1)%N by exists (k - j.+1).-1; rewrite prednK // subn_gt0.
  rewrite -{1}[j.+1]add0n big_addn lE big_ltn // normrM add0n distrC ger0_norm; last first.
    by rewrite subr_ge0.
  have -> : j.+1%:R - mu = 1 - f by rewrite /f opprB addrA -[1]/(1%:R) -natrD add1n.
  rewrite ler_wpmul2l // normr_prod fact_prod natr_prod [leRHS]big_ltn // mul1r [leRHS]big_add1 /= !big_nat.
  apply: ler_prod => i /andP[i0 il]; rewrite normr_ge0 /= distrC.
  rewrite ger0_norm; last by rewrite subr_ge0 (le_trans mj) // ler_nat leq_addl.
  by rewrite ler_subl_addr (le_trans _ (ler_add (lexx _) jm)) // -natrD ler_nat addnS addSn.
rewrite -(big_mkord predT (fun i => mu - i%:R)) (big_cat_nat _ _ _ (leq0n j.+1)) /=; last exact: ltnW.
rewrite big_mkord; move: low high; set A := \prod_(i < j.+1) _; set B := \prod_(j.+1 <= i < k) _ => -[lowA A0] high.
apply: (@le_trans _ _ (4%:R * (f * j.+1`!%:R * ((1 - f) * (k - j.+1)`!%:R)))).
  by rewrite ler_wpmul2l // (le_trans (ler_norm _)) // normrM ger0_norm // ler_pmul // normr_ge0.
set a := j.+1`!%:R; set b := _`!%:R.
have -> : 4%:R * (f * a * ((1 - f) * b)) = a * b * (4%:R * (f * (1 - f))) by identity.
rewrite -[leRHS]mulr1 ler_wpmul2l ?mulr_ge0 ?ler0n // -subr_ge0.
have -> : 4%:R = (1 + 1) * (1 + 1) :> rat by [].
have -> : 1 - (1 + 1) * (1 + 1) * (f * (1 - f)) = (1 - (1 + 1) * f) ^+ 2 by identity.
exact: sqr_ge0.
Qed.

(* The factors i and k - 1 - i of this product multiply to at least 1 - (k - 1) y. *)
Lemma distinct_square (y : rat) k : 0 <= y -> 0 <= 1 - k.-1%:R * y ->
  (1 - k.-1%:R * y) ^+ k <= (\prod_(i < k) (1 - i%:R * y)) ^+ 2.
Proof.
move=> y0 ky; rewrite expr2 {2}(reindex_inj rev_ord_inj) /= -big_split /= -[X in _ ^+ X](card_ord k) -prodr_const.
apply: ler_prod => i _; rewrite ky /=.
have -> : k.-1%:R = i%:R + (k - i.+1)%:R :> rat.
  by rewrite -natrD; congr (_%:R); rewrite subnS -{1}(subnKC (ltnW (ltn_ord i))) -subn1 -addnBA ?subn_gt0 // subn1.
set a := i%:R; set b := (k - i.+1)%:R; rewrite -subr_ge0.
have -> : (1 - a * y) * (1 - b * y) - (1 - (a + b) * y) = a * b * (y * y) by identity.
by rewrite !mulr_ge0 ?ler0n.
Qed.

(* Let mu be the mean number of places that k throws into m >= 2k + 1 places hit. *)
Section One.
Variables m k : nat.
Hypothesis k0 : (0 < k)%N.
Hypothesis km : (2 * k + 1 <= m)%N.
Let y : rat := m%:R^-1.
Let mu : rat := m%:R * (1 - (1 - y) ^+ k).
Let m1 : (0 < m)%N. Proof. by rewrite (leq_trans _ km) // addn1. Qed.
Let my : m%:R * y = 1. Proof. by rewrite mulfV // pnatr_eq0 -lt0n. Qed.
Let y0 : 0 <= y. Proof. by rewrite invr_ge0 ler0n. Qed.
Let y1 : 0 <= y <= 1. Proof. by rewrite y0 invf_le1 ?ler1n ?ltr0n. Qed.

(* Bounds of k - mu. *)
Lemma gap_above : k%:R - mu <= 'C(k, 2)%:R * y.
Proof.
have := ler_wpmul2l (ler0n _ m) (power_above k y1).
have -> : m%:R * (1 - k%:R * y + 'C(k, 2)%:R * y ^+ 2) =
  m%:R - k%:R * (m%:R * y) + 'C(k, 2)%:R * (m%:R * y) * y by identity.
rewrite my !mulr1 => le; have -> : k%:R - mu = m%:R * (1 - y) ^+ k - (m%:R - k%:R) by rewrite /mu; identity.
by rewrite ler_subl_addl.
Qed.

Lemma gap_below : 'C(k, 2)%:R * y * 5%:R / 6%:R <= k%:R - mu.
Proof.
have := ler_wpmul2l (ler0n _ m) (power_below k y1).
have -> : m%:R * (1 - k%:R * y + 'C(k, 2)%:R * y ^+ 2 - 'C(k, 3)%:R * (y ^+ 2 * y)) =
  m%:R - k%:R * (m%:R * y) + 'C(k, 2)%:R * (m%:R * y) * y - 'C(k, 3)%:R * (m%:R * y) * y ^+ 2 by identity.
rewrite my !mulr1 => le; have -> : k%:R - mu = m%:R * (1 - y) ^+ k - (m%:R - k%:R) by rewrite /mu; identity.
rewrite ler_subr_addr; apply: le_trans le; rewrite [leLHS]addrC -[leRHS]addrA ler_add2l.
have small : 'C(k, 3)%:R * y <= 'C(k, 2)%:R / 6%:R.
  have e : (3 * 'C(k, 3) = (k - 2) * 'C(k, 2))%N by rewrite mul_bin_left.
  rewrite ler_pdivl_mulr // mulrAC ler_pdivr_mulr ?ltr0n // -!natrM ler_nat.
  have -> : ('C(k, 3) * 6 = 'C(k, 2) * (2 * (k - 2)))%N.
    by rewrite -[6%N]/(3 * 2)%N mulnA [('C(k, 3) * 3)%N]mulnC e mulnAC mulnC [((k - 2) * 2)%N]mulnC.
  rewrite leq_mul2l (leq_trans _ km) ?orbT // (leq_trans (leq_mul (leqnn 2) (leq_subr 2 k))) ?leq_addr //.
rewrite expr2 mulrA ler_subr_addr.
apply: (@le_trans _ _ ('C(k, 2)%:R * y * 5%:R / 6%:R + 'C(k, 2)%:R / 6%:R * y)); first by rewrite ler_add2l ler_wpmul2r.
set c := 'C(k, 2)%:R; have -> : c * y * 5%:R / 6%:R + c / 6%:R * y = c * y * (5%:R / 6%:R + 6%:R^-1).
  by set a := 5%:R; set b := 6%:R^-1; identity.
by have -> : 5%:R / 6%:R + 6%:R^-1 = 1 :> rat by []; rewrite mulr1.
Qed.

Let two : (2 * 'C(k, 2) = k * k.-1)%N. Proof. by rewrite -[k in LHS]prednK // -mul_bin_diag bin1 prednK. Qed.

(* If mu < k - l and l >= 2, then k >= 4l + 2. *)
Lemma many_positions l : (1 < l)%N -> l%:R < k%:R - mu -> (4 * l + 2 <= k)%N.
Proof.
move=> l1 lt; have : l%:R < 'C(k, 2)%:R * y by exact: lt_le_trans lt gap_above.
rewrite ltr_pdivl_mulr ?ltr0n // -natrM ltr_nat => lm; rewrite leqNgt addn2 ltnS; apply/negP => kl.
have : (2 * (l * (2 * k + 1)) < k * k.-1)%N.
  by rewrite -two ltn_pmul2l // (leq_ltn_trans _ lm) // leq_mul2l km orbT.
apply/negP; rewrite -leqNgt -subn1 mulnBr muln1 leq_subLR.
apply: (@leq_trans (k * (4 * l).+1)); first by rewrite leq_mul2l kl orbT.
have -> : (2 * (l * (2 * k + 1)) = k * (4 * l) + 2 * l)%N.
  rewrite mulnDr muln1 mulnDr; congr (_ + _)%N.
  by rewrite [(k * _)%N]mulnC -[4%N]/(2 * 2)%N -!mulnA [(l * (2 * k))%N]mulnCA.
by rewrite mulnS leq_add2l leq_addr.
Qed.

Let P := \prod_(i < k) (1 - i%:R * y).

(* P is the probability that the k throws hit k places. *)
Lemma often_distinct l : (1 < l)%N -> l%:R < k%:R - mu -> k%:R - mu <= l.+1%:R -> 1 <= 4%:R * 'C(k, l)%:R * P.
Proof.
move=> l1 lt le; have kl := many_positions l1 lt.
have C0 : ('C(4 * l + 2, l) <= 'C(k, l))%N by exact: leq_bin2l.
have x_half : k.-1%:R * y <= 2%:R^-1.
  rewrite ler_pdivr_mulr ?ltr0n // mulrC ler_pdivl_mulr ?ltr0n // -natrM ler_nat.
  by rewrite (leq_trans _ km) // mulnC (leq_trans (leq_mul (leqnn 2) (leq_pred k))) // leq_addr.
have x1 : 0 <= 1 - k.-1%:R * y by rewrite subr_ge0 (le_trans x_half).
have P0 : 0 <= P.
  apply: prodr_ge0 => i _; rewrite subr_ge0 (le_trans (ler_wpmul2r y0 (_ : _ <= k.-1%:R))) ?(le_trans x_half) //.
  by rewrite ler_nat -ltnS prednK.
have := @quarter (5 * k) (12 * l.+1) (k.-1%:R * y) x_half.
have -> : k.-1%:R * y * (5 * k)%:R = 12%:R * ('C(k, 2)%:R * y * 5%:R / 6%:R) :> rat.
  have e : k.-1%:R * k%:R = 2%:R * 'C(k, 2)%:R :> rat by rewrite -!natrM two mulnC.
  set c := 'C(k, 2)%:R in e *; rewrite -[_ * 5%:R / 6%:R]mulrA [RHS]mulrCA (_ : 12%:R * (5%:R / 6%:R) = 2%:R * 5%:R) //.
  by rewrite natrM [LHS](AC (2*2) ((1*4)*(3*2))) /= e [LHS](AC (2*2) ((2*4)*(1*3))) /=.
move=> /(_ _) big; have {}big : 1 <= (1 - k.-1%:R * y) ^+ (5 * k) * 4%:R ^+ (12 * l.+1).
  by apply: big; rewrite natrM ler_wpmul2l // (le_trans gap_below).
have five : (1 - k.-1%:R * y) ^+ (5 * k) <= P ^+ 10.
  rewrite mulnC exprM -[10%N]/(2 * 5)%N exprM ler_expn2r ?nnegrE ?exprn_ge0 //; exact: distinct_square.
have four : 4%:R ^+ (12 * l.+1) <= (4%:R * 'C(k, l)%:R) ^+ 10 :> rat.
  rewrite -natrM -!natrX ler_nat expnMn.
  have -> : (12 * l.+1 = (5 + (6 * l + 1)) * 2)%N by rewrite addnCA -[(5 + 1)%N]/6%N -mulnSr mulnAC.
  rewrite expnM -expnMn -[10%N]/(5 * 2)%N expnM leq_exp2r // expnMn expnD.
  rewrite leq_mul2l (leq_trans (choices_grow l1)) ?orbT //.
  by rewrite leq_exp2r.
rewrite -(@expr_ge1 _ 10) ?mulr_ge0 ?ler0n // exprMn mulrC; apply: le_trans big _.
by rewrite ler_pmul ?exprn_ge0 ?ler0n.
Qed.

(* The product of mu - i over i < k is at most k! P. *)
Lemma product_small : mu < k%:R - 2%:R -> \prod_(i < k) (mu - i%:R) <= k`!%:R * P.
Proof.
move=> small; have muk : mu < k%:R by rewrite (lt_le_trans small) // ler_subl_addr ler_addl.
have mu0 : 0 <= mu.
  rewrite mulr_ge0 ?ler0n // subr_ge0 exprn_ile1 //; last by rewrite ler_subl_addr ler_addl.
  by rewrite subr_ge0; case/andP: y1.
have ex : exists i, mu < i%:R by exists k.
have [i mui least] := ex_minnP ex.
have i0 : (0 < i)%N by rewrite lt0n; apply: contraTneq mui => ->; rewrite -leNgt.
case: i i0 mui least => // j _ muj least.
have jmu : j%:R <= mu by rewrite leNgt; apply/negP => /least; rewrite ltnn.
have jk : (j.+1 < k.-1)%N.
  have : j%:R < k%:R - 2%:R :> rat by exact: le_lt_trans jmu small.
  by rewrite ltr_subr_addr -natrD ltr_nat addn2 => h; rewrite -ltnS prednK.
have jk' : (j.+1 < k)%N by rewrite (leq_trans jk) // leq_pred.
have := near_product jmu (ltW muj) jk'; set l := (k - j.+1)%N => near.
have l1 : (1 < l)%N by rewrite /l ltn_subRL addn1 -ltnS prednK // in jk *.
have lt : l%:R < k%:R - mu by rewrite /l natrB ?(ltnW jk') // ltr_add2l ltr_opp2.
have le : k%:R - mu <= l.+1%:R by rewrite /l -subSn ?(ltnW jk') // subSS natrB ?(ltnW (ltnW jk')) // ler_add2l ler_opp2.
have often := often_distinct l1 lt le.
rewrite -(ler_pmul2l (_ : 0 < 4%:R)) //; apply: le_trans near _.
have f : (k`! = 'C(k, l) * (l`! * j.+1`!))%N by rewrite -(bin_fact (leq_subr j.+1 k)) -/l subKn // ltnW.
rewrite f natrM; set C := 'C(k, l)%:R in often *; set a := _%:R; set b := _`!%:R.
have -> : 4%:R * (C * (l`! * j.+1`!)%:R * P) = a * b * (4%:R * C * P).
  by rewrite natrM; set p := P; rewrite -/a -/b [LHS](AC (1*((1*2)*1)) ((4*3)*(1*2*5))) /=.
by rewrite -[leLHS]mulr1 ler_wpmul2l ?mulr_ge0 ?ler0n.
Qed.

Let hits_all : k`!%:R <= hit k k m.
Proof.
have [A Ak] := some_set (leq_trans (leq_trans (leq_pmull k (ltn0Sn 1)) (leq_addr 1 _)) km).
rewrite -[X in hit _ X _]Ak -hit_counts; have := onto_counts k A; rewrite Ak onto_stirling2 stirling2_diag mulr1 => <-.
rewrite -sum1_card natr_sum big_mkcond /=; apply: ler_sum => t _; rewrite inE.
by have [-> | _] := eqVneq (hits t) A; rewrite ?subxx ?ler0n.
Qed.

Lemma one_item : \prod_(i < k) ((mu - i%:R) / (m%:R - i%:R)) <= hit k k m / (m ^ k)%:R.
Proof.
have k_m : (k <= m)%N by exact: (leq_trans (leq_trans (leq_pmull k (ltn0Sn 1)) (leq_addr 1 _)) km).
have [big | small] := leP (k%:R - 2%:R) mu; first exact: (@lower_above m k k0 k_m k big).
apply: (@le_trans _ _ (k`!%:R / (m ^ k)%:R)); last by rewrite ler_wpmul2r ?invr_ge0 ?ler0n.
have PE : \prod_(i < k) (m%:R - i%:R) = (m ^ k)%:R * P.
  have -> : (m ^ k)%:R = \prod_(i < k) m%:R :> rat by rewrite natrX prodr_const card_ord.
  rewrite -big_split /=; apply: eq_bigr => i _.
  by rewrite mulrBr mulr1 mulrCA my mulr1.
have pos : 0 < \prod_(i < k) (m%:R - i%:R) :> rat.
  by apply: prodr_gt0 => i _; rewrite subr_gt0 ltr_nat (leq_trans (ltn_ord i)).
rewrite prodf_div ler_pdivr_mulr // PE mulrA divfK; last by rewrite pnatr_eq0 -lt0n expn_gt0 m1.
exact: product_small.
Qed.
End One.

(* Burns (64) for 1 <= k <= (m-1)/2: L >= C(mu_S, k)/C(m, k), where L is the probability that n k throws hit k given
   places, and mu_S = m (1 - (1 - 1/m)^(n k)). *)
Theorem lower_above_mean m k n : (0 < k)%N -> (2 * k + 1 <= m)%N ->
  \prod_(i < k) ((m%:R * (1 - (1 - m%:R^-1) ^+ (n * k)) - i%:R) / (m%:R - i%:R)) <=
  hit (n * k) k m / (m ^ (n * k))%:R.
Proof.
move=> k0 km; have k_m : (k <= m)%N by exact: (leq_trans (leq_trans (leq_pmull k (ltn0Sn 1)) (leq_addr 1 _)) km).
case: n => [|[|n]].
- rewrite mul0n expr0 subrr mulr0; apply: (@le_trans _ _ 0); last by rewrite divr_ge0 ?ler0n ?hit_ge0.
  by rewrite -(prednK k0) big_ord_recl /= subrr !mul0r.
- by rewrite mul1n; exact: one_item.
apply: lower_above => //; apply: (@le_trans _ _ k%:R); first by rewrite ler_subl_addr ler_addl.
have m0 : (0 < m)%N by exact: leq_trans k_m.
have M0 : (0 : rat) < m%:R by rewrite ltr0n.
have y01 : 0 <= (m%:R^-1 : rat) <= 1 by rewrite invr_ge0 ler0n invf_le1 ?ler1n.
have [a b] := andP y01.
have e : (1 - m%:R^-1) ^+ (n.+2 * k) <= (1 - m%:R^-1) ^+ (2 * k) :> rat.
  by rewrite ler_wiexpn2l ?subr_ge0 ?ler_subl_addr ?ler_addl // leq_mul2r orbT.
have := le_trans e (power_above (2 * k) y01); set q := (1 - _) ^+ _; set y := m%:R^-1 in a b y01 *; move=> le.
apply: (@le_trans _ _ (m%:R * (1 - (1 - (2 * k)%:R * y + 'C(2 * k, 2)%:R * y ^+ 2)))); last first.
  by rewrite ler_wpmul2l ?(ltW M0) // ler_add2l ler_opp2.
have my : m%:R * y = 1 by rewrite mulfV ?gt_eqF.
have -> : m%:R * (1 - (1 - (2 * k)%:R * y + 'C(2 * k, 2)%:R * y ^+ 2)) =
  (m%:R * y) * (2 * k)%:R - (m%:R * y) * ('C(2 * k, 2)%:R * y) by set u := (2 * k)%:R; identity.
rewrite my !mul1r natrM mulr_natl mulr2n ler_subr_addr ler_add2l ler_pdivr_mulr //.
rewrite -natrM ler_nat -(leq_pmul2l (ltn0Sn 1)).
have -> : (2 * 'C(2 * k, 2) = 2 * k * (2 * k).-1)%N.
  by rewrite -[X in 'C(X, _)]prednK ?muln_gt0 // -mul_bin_diag bin1 prednK ?muln_gt0.
by rewrite -mulnA !leq_mul // (leq_trans (leq_pred _)) // (leq_trans _ km) // leq_addr.
Qed.
