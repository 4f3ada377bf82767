(* Bloom's value, its exponential form and the exact rate: their quotients tend to 1. Dozier-FP's two averages of rates.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard order natural.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Field.
Variable R : realFieldType.
Implicit Types a b d e x : R.

Lemma powers_near a b n : 0 <= b -> b <= a -> a <= 1 -> a ^+ n - b ^+ n <= n%:R * (a - b).
Proof.
move=> b0 ba a1; have a0 := le_trans b0 ba; elim: n => [|n IH]; first by rewrite !expr0 subrr mul0r.
have -> : a ^+ n.+1 - b ^+ n.+1 = a * (a ^+ n - b ^+ n) + (a - b) * b ^+ n.
  by rewrite mulrBr mulrBl -!exprS addrA subrK.
rewrite mulrSr mulrDl mul1r; apply: ler_add.
  apply: le_trans (IH); rewrite ler_pimull // subr_ge0 ler_expn2r //.
by rewrite ler_pimulr ?subr_ge0 // exprn_ile1 // (le_trans ba).
Qed.

Lemma falls x n : 0 <= x -> x <= 1 -> (1 - x) ^+ n <= (1 + n%:R * x)^-1.
Proof.
move=> x0 x1; have pos : 0 < 1 + n%:R * x := ltr_spaddl ltr01 (mulr_ge0 (ler0n R n) x0).
rewrite -[leRHS]div1r ler_pdivl_mulr //.
have le : 1 + n%:R * x <= (1 + x) ^+ n.
  elim: n {pos} => [|n IH]; first by rewrite mul0r addr0 expr0.
  have x1' : 0 <= 1 + x by rewrite addr_ge0 ?ler01.
  rewrite exprSr; apply: le_trans (ler_wpmul2r x1' IH).
  have -> : (1 + n%:R * x) * (1 + x) = 1 + n.+1%:R * x + n%:R * x * x.
    by rewrite mulrDr mulr1 mulrDl mul1r mulrSr [in RHS]mulrDl mul1r !addrA.
  by rewrite ler_addl !mulr_ge0 ?ler0n.
apply: le_trans (ler_wpmul2l _ le) _; first by rewrite exprn_ge0 ?subr_ge0.
rewrite -exprMn -subr_sqr expr1n; apply: exprn_ile1; first by rewrite subr_ge0 exprn_ile1.
by rewrite ler_subl_addr ler_addl sqr_ge0.
Qed.

Lemma grows d j : 0 <= d -> 2%:R * j%:R * d <= 1 -> (1 + d) ^+ j <= 1 + 2%:R * j%:R * d.
Proof.
move=> d0; elim: j => [|j IH] le; first by rewrite mulr0 mul0r addr0 expr0.
have step : 2%:R * j%:R * d <= 2%:R * j.+1%:R * d by rewrite ler_wpmul2r // ler_wpmul2l ?ler0n // ler_nat.
have le' := le_trans step le; have d1 : 0 <= 1 + d by rewrite addr_ge0 ?ler01.
rewrite exprSr; apply: le_trans (ler_wpmul2r d1 (IH le')) _.
have -> : 2%:R * j.+1%:R * d = 2%:R * j%:R * d + (d + d).
  by rewrite -[d + d]mulr2n -[d *+ 2]mulr_natl -mulrDl [j.+1%:R]mulrSr mulrDr mulr1.
rewrite mulrDr mulr1 addrA ler_add2l mulrDl mul1r ler_add2l.
by rewrite ler_pimull.
Qed.

Lemma second_order (y : R) : 0 <= y -> (1 + y)^-1 - (1 - y) <= y * y.
Proof.
move=> y0; have s0 : 0 < 1 + y := ltr_spaddl ltr01 y0.
rewrite -(ler_pmul2r s0) mulrBl mulVf ?gt_eqF // -subr_sqr expr1n opprB addrCA subrr addr0 -expr2.
by rewrite ler_pemulr ?sqr_ge0 // ler_addl.
Qed.

(* Bernoulli's inequality. *)
Lemma above_line x n : 0 <= x -> x <= 1 -> 1 - n%:R * x <= (1 - x) ^+ n.
Proof.
move=> x0 x1; rewrite ler_subl_addl -ler_subl_addr.
have le : 0 <= 1 - x by rewrite subr_ge0.
have le1 : 1 - x <= 1 by rewrite ler_subl_addr ler_addl.
by have := powers_near n le le1 (lexx 1); rewrite expr1n subKr.
Qed.

(* From a quotient of k-th roots to a quotient. *)
Lemma from_roots (p q d e : R) k : 0 < p -> 0 <= q -> q <= p * (1 + d) -> 0 <= d -> 2%:R * k%:R * d < e -> e <= 1 ->
  q ^+ k < p ^+ k * (1 + e).
Proof.
move=> p0 q0 qp d0 de e1; have d1 : 0 <= 1 + d by rewrite addr_ge0 ?ler01.
apply: (@le_lt_trans _ _ ((p * (1 + d)) ^+ k)); first by rewrite ler_expn2r ?nnegrE // mulr_ge0 // ltW.
rewrite exprMn ltr_pmul2l ?exprn_gt0 //; apply: le_lt_trans (grows d0 (le_trans (ltW de) e1)) _.
by rewrite ltr_add2l.
Qed.

Lemma share (p q y z : R) : 0 <= z -> 0 <= y -> 1 - p <= (1 + z)^-1 -> q - p <= z * y -> q <= p * (1 + y * (1 + z)).
Proof.
move=> z0 y0 pz qz; have s0 : 0 < 1 + z := ltr_spaddl ltr01 z0.
rewrite mulrDr mulr1 -ler_subl_addl; apply: le_trans qz _; rewrite [leRHS]mulrCA [leLHS]mulrC ler_wpmul2l //.
have := ler_wpmul2r (ltW s0) pz; rewrite mulVf ?gt_eqF // mulrBl mul1r ler_subl_addr ler_add2l.
exact.
Qed.

Lemma share_gt0 (p z : R) : 0 < z -> 1 - p <= (1 + z)^-1 -> 0 < p.
Proof.
move=> z0 le; rewrite -subr_lt0 sub0r -(ltr_add2l 1) addr0; apply: le_lt_trans le _.
by rewrite invf_lt1 ?ltr_addl // addr_gt0 ?ltr01.
Qed.

(* Let z be n k/m and y be k/m or 1/m. The largest m for which the bound on the error is not below e. *)
Lemma small_enough (y z : R) (k : nat) (a e : R) : 0 <= y -> z <= k%:R * a -> 2%:R * k%:R * (y * (1 + k%:R * a)) < e ->
  2%:R * k%:R * (y * (1 + z)) < e.
Proof.
move=> y0 za; apply: le_lt_trans; rewrite ler_wpmul2l ?mulr_ge0 ?ler0n // ler_wpmul2l // ler_add2l //.
Qed.
End Field.

(* Fan, after (6), and (23) with Bloom's value: let n/m be at most a. The quotient of the rate and Bloom's value is at
   least 1, and below 1 + e for all m above a bound that depends on k, a and e only. So it tends to 1, with n/m fixed and
   also with n fixed. *)
Theorem standard_near_bloom (a e : rat) m n k : (0 < n)%N -> (0 < k)%N -> 0 < e -> e <= 1 -> n%:R / m%:R <= a ->
  2%:R * k%:R * (k%:R * (1 + k%:R * a)) / e < m%:R ->
  let bloom := (1 - (1 - m%:R^-1) ^+ (n * k)) ^+ k in
  bloom <= rate m (n * k) k /\ rate m (n * k) k < bloom * (1 + e).
Proof.
move=> n0 k0 e0 e1 na large bloom.
have K0 : (0 : rat) < k%:R by rewrite ltr0n.
have a0 : 0 <= a by apply: le_trans na; rewrite divr_ge0 ?ler0n.
have ka0 : 0 <= k%:R * a by rewrite mulr_ge0 ?ler0n.
have M0 : (0 : rat) < m%:R by apply: le_lt_trans large; rewrite divr_ge0 ?(ltW e0) // !mulr_ge0 ?ler0n // addr_ge0 ?ler01.
have km : (k <= m)%N.
  rewrite -(ler_nat rat_numDomainType); apply: le_trans (ltW large); rewrite ler_pdivl_mulr //.
  apply: (@le_trans _ _ k%:R); first by rewrite ler_pimulr ?ler0n.
  rewrite -natrM mulrA -natrM mulrDr mulr1 ler_paddr ?mulr_ge0 ?ler0n // ler_nat.
  by rewrite leq_pmull // muln_gt0 k0.
have m0 : (0 < m)%N := leq_trans k0 km; split; first exact: bloom_below.
apply: le_lt_trans (standard_upper n k0 km) _.
have y0 : 0 <= k%:R / m%:R :> rat by rewrite divr_ge0 ?ler0n.
have y1 : k%:R / m%:R <= 1 :> rat by rewrite ler_pdivr_mulr // mul1r ler_nat.
have x0 : 0 <= m%:R^-1 :> rat by rewrite invr_ge0 ler0n.
have x1 : m%:R^-1 <= 1 :> rat by rewrite invf_le1 // ler1n.
set z : rat := n%:R * (k%:R / m%:R); have z0 : 0 < z by rewrite mulr_gt0 ?divr_gt0 ?ltr0n.
have pz : 1 - (1 - (1 - m%:R^-1) ^+ (n * k)) <= (1 + z)^-1.
  by rewrite subKr; have := falls (n * k) x0 x1; rewrite natrM -mulrA.
apply: (@from_roots _ _ _ (k%:R / m%:R * (1 + z))) => //.
- exact: share_gt0 pz.
- by rewrite subr_ge0 exprn_ile1 ?subr_ge0 ?ler_subl_addr ?ler_addl.
- apply: share; rewrite ?(ltW z0) // opprB addrC addrA subrK mulnC exprM /z.
  have low : (1 - m%:R^-1) ^+ k <= (1 + k%:R / m%:R)^-1 := falls k x0 x1.
  have le1 : (1 - m%:R^-1) ^+ k <= 1 :> rat by rewrite exprn_ile1 ?subr_ge0 ?ler_subl_addr ?ler_addl.
  have bern : 1 - k%:R / m%:R <= (1 - m%:R^-1) ^+ k :> rat.
    exact: (above_line k x0 x1).
  apply: le_trans (powers_near n _ bern le1) _; rewrite ?subr_ge0 //.
  rewrite -mulrA ler_wpmul2l ?ler0n //; apply: le_trans (ler_add low (lexx _)) _.
  exact: second_order.
- by rewrite mulr_ge0 // addr_ge0 ?ler01 ?ltW.
apply: (@small_enough _ _ z k a) => //; first by rewrite /z mulrCA ler_wpmul2l ?ler0n.
have -> : 2%:R * k%:R * (k%:R / m%:R * (1 + k%:R * a)) = 2%:R * k%:R * (k%:R * (1 + k%:R * a)) / m%:R.
  by rewrite [k%:R / m%:R * _]mulrAC -[RHS]mulrA.
by move: large; rewrite !ltr_pdivr_mulr // [m%:R * e]mulrC.
Qed.

Section Exponential.
Variables (R : realFieldType) (exp ln : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.
Hypothesis lnK : forall x, 0 < x -> exp (ln x) = x.

(* Fan, after (2), and (22): let n/m be at most a. The quotient of Bloom's value and (1 - e^(-kn/m))^k is at least 1, and
   below 1 + e for all m above a bound that depends on k, a and e only. So it tends to 1, with n/m fixed and also with n
   fixed. *)
Theorem bloom_near_exponential (a e : R) m n k : (1 < m)%N -> (0 < n)%N -> (0 < k)%N -> 0 < e -> e <= 1 -> n%:R / m%:R <= a ->
  2%:R * k%:R * (1 + k%:R * a) / e < m%:R ->
  let bloom := (1 - (1 - m%:R^-1) ^+ (k * n)) ^+ k in
  let exponential := (1 - exp (- (k * n)%:R / m%:R)) ^+ k in
  exponential <= bloom /\ bloom < exponential * (1 + e).
Proof.
move=> m2 n0 k0 e0 e1 na large bloom exponential; split; first exact: (exponential_below expD above).
have m0 := ltnW m2; have M0 : (0 : R) < m%:R by rewrite ltr0n.
have x0 : 0 <= m%:R^-1 :> R by rewrite invr_ge0 ler0n.
have x1 : m%:R^-1 <= 1 :> R by rewrite invf_le1 // ler1n.
set z : R := (k * n)%:R / m%:R; have z0 : 0 < z by rewrite divr_gt0 // ltr0n muln_gt0 k0.
have expE : exp (- (k * n)%:R / m%:R) = exp (- m%:R^-1) ^+ (k * n) by rewrite mulNr -mulrN (expX expD above).
have pos x := exp_gt0 expD above x.
have low : exp (- m%:R^-1) <= (1 + m%:R^-1)^-1.
  by rewrite (expN expD above) lef_pinv ?posrE ?pos ?above // (ltr_spaddl ltr01 x0).
have e_le1 : exp (- m%:R^-1) <= 1.
  by rewrite -[leRHS](exp0 expD above) (exp_le expD above) // oppr_le0.
have pz : 1 - (1 - exp (- (k * n)%:R / m%:R)) <= (1 + z)^-1.
  by rewrite subKr mulNr (expN expD above) lef_pinv ?posrE ?pos ?above // (ltr_spaddl ltr01 (ltW z0)).
apply: (@from_roots _ _ _ (m%:R^-1 * (1 + z))) => //.
- exact: share_gt0 z0 pz.
- by rewrite subr_ge0 exprn_ile1 ?subr_ge0 ?ler_subl_addr ?ler_addl.
- apply: share; rewrite ?(ltW z0) // opprB addrC addrA subrK expE.
  apply: le_trans (powers_near _ _ _ e_le1) _; rewrite ?subr_ge0 ?above //.
  rewrite /z -mulrA ler_wpmul2l ?ler0n //; apply: le_trans (ler_add low (lexx _)) _.
  exact: second_order.
- by rewrite mulr_ge0 // addr_ge0 ?ler01 ?ltW.
apply: (@small_enough _ _ z k a) => //; first by rewrite /z natrM -mulrA ler_wpmul2l ?ler0n.
by move: large; rewrite ltr_pdivr_mulr // [m%:R^-1 * _]mulrC mulrA ltr_pdivr_mulr // [m%:R * e]mulrC.
Qed.

(* Fan (23), repaired: let n/m be at most a. The quotient of the rate and (1 - e^(-kn/m))^k is at least 1, and below
   (1 + e)^2 for all m above a bound that depends on k, a and e only. So it tends to 1, with n/m fixed and also with n
   fixed. *)
Theorem rate_near_exponential (a e : rat) m n k : (1 < m)%N -> (0 < n)%N -> (0 < k)%N -> 0 < e -> e <= 1 -> n%:R / m%:R <= a ->
  2%:R * k%:R * (k%:R * (1 + k%:R * a)) / e < m%:R ->
  let exponential := (1 - exp (- (k * n)%:R / m%:R)) ^+ k in
  exponential <= ratr (rate m (n * k) k) /\ ratr (rate m (n * k) k) < exponential * (1 + ratr e) ^+ 2.
Proof.
move=> m2 n0 k0 e0 e1 na large exponential.
have a0 : 0 <= a by apply: le_trans na; rewrite divr_ge0 ?ler0n.
have [lo hi] := standard_near_bloom n0 k0 e0 e1 na large.
have bE : ratr ((1 - (1 - m%:R^-1) ^+ (n * k)) ^+ k) = (1 - (1 - m%:R^-1) ^+ (k * n)) ^+ k :> R.
  by rewrite rmorphX rmorphB rmorph1 rmorphX rmorphB rmorph1 fmorphV rmorph_nat mulnC.
have large' : 2%:R * k%:R * (1 + k%:R * a) / e < m%:R.
  apply: le_lt_trans large; rewrite ler_pmul2r ?invr_gt0 // ler_wpmul2l ?mulr_ge0 ?ler0n //.
  by rewrite ler_pemull ?ler1n // addr_ge0 ?ler01 ?mulr_ge0 ?ler0n.
have e0' : 0 < ratr e :> R by rewrite ltr0q.
have e1' : ratr e <= 1 :> R by rewrite -(rmorph1 (ratr_rmorphism R)) ler_rat.
have na' : n%:R / m%:R <= ratr a :> R by move: na; rewrite -(ler_rat R) rmorphM fmorphV !rmorph_nat.
have := @bloom_near_exponential (ratr a) (ratr e) m n k m2 n0 k0 e0' e1' na' _.
have -> : 2%:R * k%:R * (1 + k%:R * ratr a) / ratr e < m%:R :> R.
  by move: large'; rewrite -(ltr_rat R) !rmorphM rmorphD rmorph1 !rmorphM fmorphV !rmorph_nat.
move=> /(_ isT) [lo' hi']; split; first by apply: le_trans lo' _; rewrite -bE ler_rat.
rewrite expr2 mulrA; apply: (@lt_trans _ _ (ratr ((1 - (1 - m%:R^-1) ^+ (n * k)) ^+ k) * (1 + ratr e))).
  by rewrite -(rmorph1 (ratr_rmorphism R)) -rmorphD -rmorphM ltr_rat.
by rewrite ltr_pmul2r; [rewrite bE | rewrite addr_gt0 ?ltr01].
Qed.
End Exponential.
