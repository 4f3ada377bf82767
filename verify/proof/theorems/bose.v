(* The bound of Bose et al. for the rate of a standard filter (Fan (5) and (6)), and events that are not independent. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard search placements order natural efficiency best_efficiency.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma second_order (e : rat) k : 0 <= e <= 1 -> (1 - e) ^+ k * 2%:R <= (1 - k%:R * e) * 2%:R + k%:R * (k%:R - 1) * e ^+ 2.
Proof.
move=> /andP[e0 e1]; elim: k => [|k IH]; first by rewrite !mul0r addr0 subr0 expr0.
rewrite exprS -mulrA; apply: (@le_trans _ _ ((1 - e) * ((1 - k%:R * e) * 2%:R + k%:R * (k%:R - 1) * e ^+ 2))).
  by rewrite ler_wpmul2l // subr_ge0.
set K : rat := k%:R; have -> : k.+1%:R = K + 1 by rewrite -addn1 natrD.
have -> : (1 - e) * ((1 - K * e) * 2%:R + K * (K - 1) * e ^+ 2) =
    (1 - (K + 1) * e) * 2%:R + (K + 1) * (K + 1 - 1) * e ^+ 2 - K * (K - 1) * (e * (e * e)).
  have -> : 2%:R = 1 + 1 :> rat by [].
  by identity.
rewrite ler_subl_addr ler_addl; apply: mulr_ge0; last by rewrite !mulr_ge0.
rewrite /K; case: k {IH K} => [|k]; first by rewrite mul0r.
by rewrite mulr_ge0 ?ler0n // subr_ge0 ler1n.
Qed.

Lemma one_minus (e : rat) N : 0 <= e <= 1 -> N%:R * e * (1 - e) ^+ N <= 1 - (1 - e) ^+ N.
Proof.
move=> /andP[e0 e1]; rewrite ler_subr_addr -[X in _ + X]mul1r -mulrDl addrC.
have up : 1 + N%:R * e <= (1 + e) ^+ N.
  have := @tangent 1 e N ler01; rewrite !expr1n mulr1; apply; exact: addr_ge0.
apply: (@le_trans _ _ ((1 + e) ^+ N * (1 - e) ^+ N)); first by rewrite ler_wpmul2r // exprn_ge0 // subr_ge0.
rewrite -exprMn exprn_ile1 //; first by rewrite mulr_ge0 ?subr_ge0 ?addr_ge0.
by rewrite (_ : _ * _ = 1 - e * e) ?ler_subl_addr ?ler_addl ?mulr_ge0 //; identity.
Qed.

(* The bounds of Fan (20) have quotients (1 + u)^k with a small u. *)
Lemma close_bounds m n k : (1 < m)%N -> (0 < n)%N -> (0 < k)%N -> (k * k <= m)%N ->
  let p : rat := 1 - (1 - m%:R^-1) ^+ (n * k) in
  let w : rat := (k%:R - 1) / m%:R / (1 - k%:R / m%:R) in
  exists u : rat, [/\ 0 < p, 0 <= u, 0 <= w, 1 - (1 - k%:R / m%:R) ^+ n = p * (1 + u) & u * 2%:R <= w /\ w ^+ 2 * m%:R <= 1].
Proof.
move=> m1 n0 k0 km p w; rewrite {}/w; set e : rat := m%:R^-1; set K : rat := k%:R.
have m0 : (0 : rat) < m%:R by rewrite ltr0n ltnW.
have e0 : 0 < e by rewrite invr_gt0.
have e1 : e < 1 by rewrite invf_lt1 // ltr1n.
have e01 : 0 <= e <= 1 by rewrite !ltW.
have K1 : 1 <= K by rewrite ler1n.
have Kk : K * K * e <= 1 by rewrite ler_pdivr_mulr // mul1r -natrM ler_nat.
have lt : (k < m)%N.
  case: k k0 km {K K1 Kk p} => [|[|k]] //= _ le; apply: leq_trans le; by rewrite ltn_Pmulr.
pose x := (1 - e) ^+ k; pose y := 1 - K * e.
have y0 : 0 < y by rewrite subr_gt0 ltr_pdivr_mulr // mul1r ltr_nat.
have yx : y <= x by apply: bernoulli.
have x0 : 0 <= x by rewrite exprn_ge0 // subr_ge0 ltW.
have x1 : x <= 1 by rewrite exprn_ile1 // ?subr_ge0 ?ltW // ltr_subl_addr ltr_addl.
have pE : p = 1 - x ^+ n by rewrite /p /x -exprM mulnC.
have p0 : 0 < p.
  rewrite subr_gt0 exprn_ilt1 ?subr_ge0 ?ltW ?muln_eq0 ?negb_or -?lt0n ?n0 //.
  by rewrite ltr_subl_addr ltr_addl.
have ab : y ^+ n <= x ^+ n by rewrite ler_expn2r ?nnegrE // ltW.
have gap : (x ^+ n - y ^+ n) * x <= n%:R * x ^+ n * (x - y).
  rewrite subrXX -[leLHS]mulrA [leLHS]mulrC ler_wpmul2r ?subr_ge0 //.
  rewrite mulr_suml; have -> : n%:R * x ^+ n = \sum_(i < n) x ^+ n by rewrite sumr_const card_ord mulr_natl.
  apply: ler_sum => i _; apply: (@le_trans _ _ (x ^+ (n.-1 - i) * x ^+ i * x)).
    apply: ler_wpmul2r => //; apply: ler_wpmul2l; first exact: exprn_ge0.
    by apply: ler_expn2r; rewrite // nnegrE ltW.
  by rewrite -exprD -exprSr subnK ?prednK // -ltnS prednK.
rewrite -/y; exists ((x ^+ n - y ^+ n) / p); split=> //.
- by apply: divr_ge0; [rewrite subr_ge0 | exact: ltW].
- by apply: divr_ge0; [rewrite mulr_ge0 ?subr_ge0 // ltW | exact: ltW].
- by rewrite mulrDr mulr1 mulrCA divff ?gt_eqF // mulr1 pE addrA subrK.
split; last first.
  rewrite expr_div_n mulrAC ler_pdivr_mulr ?exprn_gt0 // mul1r exprMn -mulrA expr2 -[e ^+ 2 * _]mulrA mulVf ?gt_eqF // mulr1.
  rewrite -subr_ge0 (_ : _ - _ = (1 - K * K * e) * (1 - e)); last by rewrite /y; identity.
  by rewrite mulr_ge0 // subr_ge0 // ltW.
rewrite mulrAC ler_pdivr_mulr // mulrAC ler_pdivl_mulr //.
apply: (@le_trans _ _ ((x ^+ n - y ^+ n) * x * 2%:R)).
  by rewrite mulrAC ler_wpmul2r // ler_wpmul2l // subr_ge0.
apply: (@le_trans _ _ (n%:R * x ^+ n * ((x - y) * 2%:R))); first by rewrite mulrA ler_wpmul2r.
have xy : (x - y) * 2%:R <= K * (K - 1) * e ^+ 2.
  by rewrite mulrBl ler_subl_addr addrC second_order.
apply: (@le_trans _ _ (n%:R * x ^+ n * (K * (K - 1) * e ^+ 2))).
  by apply: ler_wpmul2l xy; apply: mulr_ge0; rewrite ?ler0n //; exact: exprn_ge0.
have := one_minus (n * k) e01; rewrite natrM -/K mulnC exprM -/x -pE => le.
have -> : n%:R * x ^+ n * (K * (K - 1) * e ^+ 2) = n%:R * K * e * x ^+ n * ((K - 1) * e) by identity.
by rewrite [leRHS]mulrC ler_wpmul2r // mulr_ge0 ?subr_ge0 // ltW.
Qed.

Section Bose.
Variables (R : realFieldType) (exp ln : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.
Hypothesis lnK : forall x, 0 < x -> exp (ln x) = x.

Lemma power_less (u : R) k : 0 <= u -> (1 + u) ^+ k * (1 - k%:R * u) <= 1.
Proof.
move=> u0; elim: k => [|k IH]; first by rewrite expr0 mul0r subr0 mul1r.
rewrite exprSr -mulrA; apply: le_trans IH; apply: ler_wpmul2l; first by rewrite exprn_ge0 // addr_ge0 ?ler01.
have -> : (1 + u) * (1 - k.+1%:R * u) = 1 - k%:R * u - u * (k.+1%:R * u).
  rewrite mulrBr mulr1 mulrDl mul1r opprD addrA; congr (_ - _).
  by rewrite -[k.+1]addn1 natrD mulrDl mul1r opprD addrA addrAC addrK.
by rewrite ler_subl_addr ler_addl !mulr_ge0 ?ler0n.
Qed.

Lemma small_power (u t : R) k : 0 <= u -> 0 <= t <= 1 -> k%:R * u * 2%:R <= t -> (1 + u) ^+ k <= 1 + t.
Proof.
move=> u0 /andP[t0 t1] le; have d0 : 0 < 2%:R - t by rewrite subr_gt0 (le_lt_trans t1) // ltr1n.
rewrite -(ler_pmul2r d0); apply: (@le_trans _ _ ((1 + u) ^+ k * (1 - k%:R * u) * 2%:R)).
  rewrite -mulrA; apply: ler_wpmul2l; first by rewrite exprn_ge0 // addr_ge0 ?ler01.
  by rewrite mulrBl mul1r ler_add2l ler_opp2.
apply: (@le_trans _ _ (1 * 2%:R)); first by apply: ler_wpmul2r; [exact: ler0n | exact: power_less].
rewrite mul1r (_ : (1 + t) * _ = 2%:R + t * (1 - t)); first by rewrite ler_addl mulr_ge0 ?subr_ge0.
rewrite mulrDl mul1r !mulrBr mulr1 mulr_natr mulr2n -!addrA; congr (_ + _).
by rewrite addKr.
Qed.

Lemma ln_above (m : nat) : (2 < m)%N -> 1 <= ln m%:R.
Proof.
move=> m3; have M0 : (0 : R) < m%:R by rewrite ltr0n ltnW // ltnW.
suff e3 : exp 1 <= m%:R by rewrite leNgt; apply/negP => /(exp_lt expD above); rewrite lnK // ltNge e3.
have small : exp (- 6%:R^-1) >= 5%:R / 6%:R.
  apply: le_trans (above _); have n6 : (6%:R : R) != 0 by rewrite pnatr_eq0.
  by rewrite (_ : 5%:R = 6%:R - 1%:R :> R) ?mulrBl ?mul1r ?divff // -natrB.
have six : exp 1 * exp (- 6%:R^-1) ^+ 6 = 1.
  rewrite -(expX expD above) -expD mulrN divff ?pnatr_eq0 // subrr; exact: exp0 expD above.
have p0 : 0 < (5%:R / 6%:R) ^+ 6 :> R by rewrite exprn_gt0 // divr_gt0 ?ltr0n.
have : exp 1 * (5%:R / 6%:R) ^+ 6 <= 1.
  rewrite -[leRHS]six ler_wpmul2l ?(ltW (exp_gt0 expD above _)) // ler_expn2r ?nnegrE //; first by rewrite divr_ge0 ?ler0n.
  exact: ltW (exp_gt0 expD above _).
rewrite -ler_pdivl_mulr // => le; apply: le_trans le _; rewrite expr_div_n invf_div mul1r ler_pdivr_mulr ?exprn_gt0 ?ltr0n //.
rewrite -!natrX -natrM ler_nat; apply: (@leq_trans (3 * 5 ^ 6)) => //.
by rewrite leq_mul2r m3 orbT.
Qed.

Lemma ln_two : 1 <= ln 2%:R * 2%:R.
Proof.
have T0 : (0 : R) < 2%:R by rewrite ltr0n.
rewrite leNgt -ltr_pdivl_mulr // mul1r; apply/negP => /(exp_lt expD above); rewrite lnK // ltNge; case/negP.
have : 2%:R^-1 <= exp (- 2%:R^-1).
  by apply: le_trans (above _); rewrite -[X in X - _](@divff _ 2%:R) ?pnatr_eq0 // -[X in _ - X]mul1r -mulrBl -[1]/(1%:R) -natrB // mul1r.
by rewrite (expN expD above) lef_pinv ?posrE // (exp_gt0 expD above).
Qed.

Lemma ln_below (p : R) : 0 < p -> p <= 1 -> ln p <= 0.
Proof.
move=> p0 p1; rewrite leNgt; apply/negP => /(exp_lt expD above); rewrite lnK // (exp0 expD above) => lt.
by move: p1; rewrite leNgt lt.
Qed.

(* Fan (5), its right side, with the constant 1 in place of O, and (6): let p be 1 - (1 - 1/m)^(k n), and let t >= 0 be
   (k/p) sqrt ((ln m - k ln p)/m). If t < 1, then the rate is at most (1 + t) p^k, where p^k is Bloom's value. *)
Theorem bose_upper m n k (t : R) : (1 < m)%N -> (0 < n)%N -> (0 < k)%N ->
  let p : R := 1 - (1 - m%:R^-1) ^+ (n * k) in
  0 <= t -> t ^+ 2 = (k%:R / p) ^+ 2 * ((ln m%:R - k%:R * ln p) / m%:R) -> t < 1 ->
  ratr (rate m (n * k) k) <= p ^+ k * (1 + t).
Proof.
move=> m1 n0 k0 p t0 tE t1; have M0 : (0 : R) < m%:R by rewrite ltr0n ltnW.
have q0 : 0 < 1 - m%:R^-1 :> R by rewrite subr_gt0 invf_lt1 // ltr1n.
have q1 : 1 - m%:R^-1 < 1 :> R by rewrite ltr_subl_addr ltr_addl invr_gt0.
have p1 : p <= 1 by rewrite ler_subl_addr ler_addl exprn_ge0 // ltW.
have p0 : 0 < p by rewrite subr_gt0 exprn_ilt1 ?ltW // muln_eq0 negb_or -!lt0n n0.
have K0 : (0 : R) < k%:R by rewrite ltr0n.
have bits (c : R) : 0 <= c -> c <= ln m%:R -> k%:R ^+ 2 * c <= t ^+ 2 * m%:R.
  move=> c0 le; rewrite tE -[leRHS]mulrA divfK ?gt_eqF //; apply: ler_pmul => //; first by rewrite exprn_ge0 // ltW.
    have kp : k%:R <= k%:R / p by rewrite ler_pdivl_mulr // ler_pimulr // ltW.
    by apply: ler_expn2r kp; rewrite nnegrE; [exact: ltW | apply: divr_ge0; exact: ltW].
  by apply: le_trans le _; rewrite ler_addl oppr_ge0 pmulr_rle0 // ln_below.
have t21 : t ^+ 2 < 1 by exact: exprn_ilt1.
have pE : ratr (1 - (1 - m%:R^-1) ^+ (n * k)) = p.
  by rewrite rmorphB rmorph1 rmorphX rmorphB rmorph1 fmorphV rmorph_nat.
have [k2 | k1] := ltnP 1 k; last first.
  have {k1} k1 : k = 1%N by apply/eqP; rewrite eqn_leq k1 k0.
  have up : rate m (n * k) k <= 1 - (1 - m%:R^-1) ^+ (n * k).
    by have := @standard_upper m 1 n isT (ltnW m1); rewrite k1 expr1 muln1 mul1r.
  rewrite k1 expr1 -k1; apply: (@le_trans _ _ p); first by rewrite -pE ler_rat.
  by rewrite ler_pmulr // ler_addl.
have m3 : (2 < m)%N.
  rewrite ltn_neqAle m1 andbT; apply/eqP => m2.
  have half : 2%:R^-1 <= ln 2%:R by rewrite -[leLHS]mul1r ler_pdivr_mulr ?ltr0n // ln_two.
  have := bits 2%:R^-1; rewrite -m2 invr_ge0 ler0n half => /(_ isT isT) le.
  have two0 : (0 : R) < 2%:R by rewrite ltr0n.
  have := le_lt_trans le (_ : _ < 1 * 2%:R); rewrite ltr_pmul2r // mul1r => /(_ t21).
  rewrite ltr_pdivr_mulr ?ltr0n // -natrX -natrM ltr_nat ltnNge; case/negP.
  by rewrite (leq_exp2r 2 k (isT : 0 < 2)%N).
have few : (k * k <= m)%N.
  rewrite -(ler_nat R) natrM -expr2 -[X in X <= _]mulr1; apply: le_trans (bits 1 ler01 (ln_above m3)) _.
  by rewrite -[leRHS]mul1r ler_wpmul2r ?ltW.
have [u] := close_bounds m1 n0 k0 few; set w := _ / (1 - _) => -[_ u0 w0 eU [uw wm]].
have kU : (k <= m)%N by apply: leq_trans few; rewrite leq_pmull.
apply: (@le_trans _ _ (ratr ((1 - (1 - k%:R / m%:R) ^+ n) ^+ k))); first by rewrite ler_rat standard_upper.
rewrite eU rmorphX rmorphM /= pE exprMn; apply: ler_wpmul2l; first by rewrite exprn_ge0 // ltW.
rewrite rmorphD rmorph1; apply: small_power; rewrite ?ler0q ?t0 ?(ltW t1) //.
apply: (@le_trans _ _ (k%:R * ratr w)).
  by rewrite -mulrA ler_pmul2l // -[2%:R]ratr_nat -rmorphM ler_rat.
have kw0 : 0 <= k%:R * ratr w :> R by rewrite mulr_ge0 ?ler0n // ler0q.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE // -(ler_pmul2r M0) exprMn -mulrA; apply: (le_trans _ (bits 1 ler01 (ln_above m3))).
rewrite ler_wpmul2l ?exprn_ge0 ?ler0n // -rmorphX -(ratr_nat R m) -rmorphM -(rmorph1 (ratr_rmorphism R)) ler_rat.
exact: wm.
Qed.
End Bose.

(* Fan, section 2.2: the events that the k bits of a new element are set are independent only if k = 1, if no element was
   inserted, or if there is only one bit. The rate is the probability of all of them, and rate m (n k) 1 that of one. *)
Theorem bits_dependent m n k : (0 < m)%N -> (0 < k)%N ->
  (rate m (n * k) k != rate m (n * k) 1 ^+ k) = [&& 1 < m, 0 < n & 1 < k]%N.
Proof.
move=> m0 k0; rewrite one_position_standard //.
have [/and3P[m1 n0 k1] | no] := boolP [&& 1 < m, 0 < n & 1 < k]%N.
  by rewrite gt_eqF // bloom_strictly_below // (leq_trans k1) // leq_pmull.
apply/negbTE; rewrite negbK; set b := 1 - _; have low : b ^+ k <= rate m (n * k) k by exact: bloom_below.
have high : rate m (n * k) k <= b.
  rewrite /b -one_position_standard // -{2}[k]prednK //; elim: k.-1 => // j; apply: le_trans.
  exact: rate_falls_in_positions.
suff same : b ^+ k = b by rewrite eq_le same high -same low.
move: no; rewrite !negb_and -!leqNgt => /or3P[m1 | | k1].
- have e : m = 1%N by apply/eqP; rewrite eqn_leq m1 m0.
  rewrite /b e invr1 subrr expr0n muln_eq0 (gtn_eqF k0) orbF; case: (n == 0%N); last by rewrite subr0 expr1n.
  by rewrite subrr expr0n gtn_eqF.
- by rewrite leqn0 => /eqP e; rewrite /b e mul0n expr0 subrr expr0n gtn_eqF.
by rewrite (_ : k = 1%N) ?expr1 //; apply/eqP; rewrite eqn_leq k1 k0.
Qed.
