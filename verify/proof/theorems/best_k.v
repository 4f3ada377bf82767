(* Burns, section 3.4: a best number of positions. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic size search.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma square_above (a : rat) h : 0 <= a -> 1 + h%:R * a <= (1 + a) ^+ h.
Proof.
move=> a0; elim: h => [|h IH]; first by rewrite mul0r addr0 expr0.
rewrite exprS mulrDl mul1r mulrSr mulrDl mul1r addrA ler_add //.
apply: ler_pemulr => //; apply: le_trans IH; by rewrite ler_addl mulr_ge0 ?ler0n.
Qed.

(* k x^k tends to 0 as k grows. *)
Lemma vanishes (x e : rat) : 0 < x -> x < 1 -> 0 < e -> exists K, forall k, (K <= k)%N -> k%:R * x ^+ k < e.
Proof.
move=> x0 x1 e0; pose a := x^-1 - 1; have a0 : 0 < a by rewrite subr_gt0 invf_gt1.
have c0 : 0 < e * a ^+ 2 by rewrite mulr_gt0 ?exprn_gt0.
pose h0 := (Num.bound (3%:R / (e * a ^+ 2))).+1.
have big h : (h0 <= h)%N -> 3%:R < h%:R * (e * a ^+ 2).
  move=> hh; rewrite -ltr_pdivr_mulr //; apply: lt_le_trans (archi_boundP _) _; first by rewrite divr_ge0 ?ler0n ?ltW.
  by rewrite ler_nat ltnW.
exists h0.*2 => k hk; have xE : x = (1 + a)^-1 by rewrite /a addrCA subrr addr0 invrK.
have lt : (h0 <= k./2)%N by rewrite -[h0]doubleK half_leq.
have hk3 : (k <= 3 * k./2)%N.
  rewrite -{1}(odd_double_half k) (mulSn 2) mul2n leq_add2r; apply: leq_trans (leq_b1 _) (leq_trans _ lt); exact: ltn0Sn.
have p0 : 0 < 1 + a by rewrite addr_gt0.
have pow : (k./2%:R * a) ^+ 2 <= (1 + a) ^+ k.
  apply: (@le_trans _ _ ((1 + a) ^+ (k./2 * 2))).
    rewrite exprM; apply: ler_expn2r; rewrite ?nnegrE ?mulr_ge0 ?ler0n ?exprn_ge0 ?(ltW a0) ?(ltW p0) //.
    by apply: le_trans (square_above _ (ltW a0)); rewrite ler_addr.
  by apply: ler_weexpn2l; rewrite ?ler_addl ?(ltW a0) // muln2 -[leqRHS]odd_double_half leq_addl.
rewrite xE exprVn ltr_pdivr_mulr ?exprn_gt0 //; apply: lt_le_trans (ler_wpmul2l (ltW e0) pow).
apply: (@le_lt_trans _ _ (3 * k./2)%:R); first by rewrite ler_nat.
have -> : e * (k./2%:R * a) ^+ 2 = k./2%:R * (e * a ^+ 2) * k./2%:R by rewrite exprMn [RHS]mulrAC -expr2 mulrCA.
by rewrite natrM ltr_pmul2r ?big // ltr0n (leq_trans _ lt).
Qed.

(* The least of the values f 1, ..., f K. *)
Lemma least_value (f : nat -> rat) K : (0 < K)%N -> exists2 k, (0 < k <= K)%N & forall j, (0 < j <= K)%N -> f k <= f j.
Proof.
elim: K => // -[_ _ | K IH _].
  by exists 1%N => // j j1; have -> : j = 1%N by apply/eqP; rewrite eq_sym eqn_leq.
have [k /andP[k0 kK] least] := IH isT; have [le | lt] := lerP (f k) (f K.+2).
  exists k => [|j /andP[j0]]; first by rewrite k0 (leq_trans kK).
  by rewrite leq_eqVlt => /orP[/eqP-> // | jK]; rewrite least // j0.
exists K.+2 => [|j /andP[j0]]; first by rewrite leqnn.
rewrite leq_eqVlt => /orP[/eqP-> // | jK].
by apply: le_trans (ltW lt) _; rewrite least // j0.
Qed.

(* Burns 3.4, item 3: for given m and n there is a best number of positions, for k independent positions and for k distinct
   positions. *)
Theorem best_exists m n : (1 < m)%N -> (0 < n)%N ->
  (exists2 k, (0 < k)%N & forall j, (0 < j)%N -> rate m (n * k) k <= rate m (n * j) j) /\
  (exists2 k, (0 < k <= m)%N & forall j, (0 < j <= m)%N -> classic_rate m k n k <= classic_rate m j n j).
Proof.
move=> m2 n0; have m0 := ltnW m2; split; last by apply: (least_value (fun k => classic_rate m k n k)).
have /andP[y0 y1] := share01 m0; have y0' : 0 < 1 - (m%:R^-1 : rat) by rewrite subr_gt0 invf_lt1 ?ltr0n ?ltr1n.
have y1' : 1 - (m%:R^-1 : rat) < 1 by rewrite ltr_subl_addr ltr_addl invr_gt0 ltr0n.
set x := (1 - m%:R^-1 : rat) ^+ n; have x0 : 0 < x by rewrite exprn_gt0.
have x1 : x < 1 by rewrite exprn_ilt1 ?ltW // -lt0n.
have [K far] := vanishes x0 x1 x0.
have [k /andP[k0 kK] least] := least_value (fun k => rate m (n * k) k) (ltn0Sn K); exists k => // j j0.
have [le | lt] := leqP j K.+1; first by rewrite least // j0.
apply: (le_trans (least 1%N isT)); rewrite muln1 one_position // -/x.
apply: le_trans (@bloom_below m (n * j) m0 j); rewrite exprM -/x.
apply: le_trans (bernoulli j _); last by rewrite exprn_ge0 ?exprn_ile1 // ltW.
by rewrite ler_add2l ler_opp2 ltW // far // ltnW // ltnW.
Qed.
