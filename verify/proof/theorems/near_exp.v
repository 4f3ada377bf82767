(* Burns (66): the approximation of the rates of standard and of classic filters.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic size search order natural approximations.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Exponential.
Variables (R : realFieldType) (exp : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.

Lemma classic_near (a e : rat) m n k : (0 < n)%N -> (0 < k)%N -> (k <= m)%N -> 0 < e -> e <= 1 -> n%:R / m%:R <= a ->
  2%:R * k%:R * (k%:R * (1 + k%:R * a)) / e < m%:R -> k%:R * (1 + k%:R * a) / e < n%:R ->
  let exponential := (1 - exp (- (k * n)%:R / m%:R)) ^+ k in
  exponential * (1 - ratr e) <= ratr (classic_rate m k n k) /\ ratr (classic_rate m k n k) < exponential * (1 + ratr e).
Proof.
move=> n0 k0 km e0 e1 na large many exponential; have m0 := leq_trans k0 km; have M0 : (0 : R) < m%:R by rewrite ltr0n.
have N0 : (0 : R) < n%:R by rewrite ltr0n.
have a0 : 0 <= ratr a :> R by rewrite ler0q; apply: le_trans na; rewrite divr_ge0 ?ler0n.
have na' : n%:R / m%:R <= ratr a :> R by move: na; rewrite -(ler_rat R) rmorphM fmorphV !rmorph_nat.
have large' : 2%:R * k%:R * (k%:R * (1 + k%:R * ratr a)) / ratr e < m%:R :> R.
  by move: large; rewrite -(ltr_rat R) !rmorphM rmorphD rmorph1 !rmorphM fmorphV !rmorph_nat.
have many' : k%:R * (1 + k%:R * ratr a) / ratr e < n%:R :> R.
  by move: many; rewrite -(ltr_rat R) !rmorphM rmorphD rmorph1 !rmorphM fmorphV !rmorph_nat.
have e0' : 0 < ratr e :> R by rewrite ltr0q.
have e1' : ratr e <= 1 :> R by rewrite -(rmorph1 (ratr_rmorphism R)) ler_rat.
pose y : R := k%:R / m%:R; have y0 : 0 < y by rewrite divr_gt0 ?ltr0n.
have y1 : y <= 1 by rewrite ler_pdivr_mulr // mul1r ler_nat.
pose z : R := n%:R * y; have z0 : 0 < z by rewrite mulr_gt0.
have za : z <= k%:R * ratr a by rewrite /z /y mulrCA ler_wpmul2l ?ler0n.
pose A j : R := 1 - (1 - y) ^+ j; pose E : R := 1 - exp (- (k * n)%:R / m%:R).
have toR j : ratr ((1 - (1 - k%:R / m%:R) ^+ j) ^+ k) = A j ^+ k.
  by rewrite rmorphX rmorphB rmorph1 rmorphX rmorphB rmorph1 fmorph_div !rmorph_nat.
have expE : exp (- (k * n)%:R / m%:R) = exp (- y) ^+ n.
  by rewrite -(expX expD above) /y natrM mulNr mulrN mulrA [n%:R * _]mulrC.
have pos x := exp_gt0 expD above x.
have low : exp (- y) <= (1 + y)^-1 by rewrite (expN expD above) lef_pinv ?posrE ?pos ?above // addr_gt0 ?ltr01.
have e_le1 : exp (- y) <= 1 by rewrite -[leRHS](exp0 expD above) (exp_le expD above) // oppr_le0 ltW.
have pz : 1 - E <= (1 + z)^-1.
  by rewrite subKr expE -(expX expD above) mulrN (expN expD above) lef_pinv ?posrE ?pos ?above // addr_gt0 ?ltr01.
have E0 : 0 < E := share_gt0 z0 pz.
have AE : E <= A n by rewrite ler_add2l ler_opp2 expE ler_expn2r // ?nnegrE ?subr_ge0 ?above // ltW ?pos.
have E1z : z <= E * (1 + z).
  have z1 : 0 < 1 + z by rewrite addr_gt0 ?ltr01.
  by move: pz; rewrite -div1r ler_pdivl_mulr // mulrBl mul1r ler_subl_addr ler_add2l.
split; last first.
  apply: le_lt_trans (_ : A n ^+ k < _); first by rewrite -toR ler_rat; exact: classic_upper.
  apply: (@from_roots _ _ _ (y * (1 + z))) => //.
  - by rewrite subr_ge0 exprn_ile1 ?subr_ge0 ?ler_subl_addr ?ler_addl // ltW.
  - apply: share; rewrite ?(ltW z0) ?(ltW y0) // opprB addrC addrA subrK expE.
    apply: le_trans (powers_near _ _ _ e_le1) _; rewrite ?subr_ge0 ?above //.
    rewrite /z -mulrA ler_wpmul2l ?ler0n //; apply: le_trans (ler_add low (lexx _)) _.
    exact: second_order (ltW y0).
  - by rewrite mulr_ge0 ?addr_ge0 ?ler01 ?ltW.
  apply: (@small_enough _ _ z k (ratr a)) => //; first exact: ltW.
  have e2 t : k%:R / m%:R * t = k%:R * t / m%:R :> R by rewrite mulrAC.
  by rewrite /y e2 [X in X < _]mulrA ltr_pdivr_mulr // [ratr e * _]mulrC -ltr_pdivr_mulr.
have step : A n - A n.-1 <= y.
  have -> : A n - A n.-1 = (1 - y) ^+ n.-1 * y.
    rewrite /A -{1}(prednK n0) exprS; move: (_ ^+ _) => p.
    by rewrite mulrBl mul1r !opprB !addrA subrK addrC addKr mulrC.
  by rewrite ler_pimull ?(ltW y0) // exprn_ile1 ?subr_ge0 // ler_subl_addr ler_addl ltW.
pose d := (1 + z) / n%:R; have d0 : 0 <= d by rewrite divr_ge0 ?addr_ge0 ?ler01 ?ltW.
have kd : k%:R * d <= ratr e.
  rewrite /d mulrA ler_pdivr_mulr // [ratr e * _]mulrC -ler_pdivr_mulr //; apply: le_trans (ltW many').
  by rewrite ler_pmul2r ?invr_gt0 // ler_wpmul2l ?ler0n // ler_add2l.
have d1 : d <= 1.
  by apply: le_trans (le_trans kd e1'); rewrite ler_pemull // ler1n.
have lower : E * (1 - d) <= A n.-1.
  rewrite mulrBr mulr1 ler_subl_addr; apply: le_trans AE _; rewrite -ler_subl_addl; apply: le_trans step _.
  by rewrite /d mulrA ler_pdivl_mulr // mulrC.
apply: le_trans (_ : A n.-1 ^+ k <= _); last by rewrite -toR ler_rat; apply: classic_above.
apply: (@le_trans _ _ ((E * (1 - d)) ^+ k)); last first.
  have Ed : 0 <= E * (1 - d) by apply: mulr_ge0; [exact: ltW | rewrite subr_ge0].
  have A0 : 0 <= A n.-1 := le_trans Ed lower.
  by apply: ler_expn2r; rewrite // nnegrE.
rewrite exprMn ler_pmul2l ?exprn_gt0 //; apply: le_trans (above_line _ d0 d1).
by rewrite ler_add2l ler_opp2.
Qed.
(* Burns (66): let n/m be at most a. For all m and n above bounds that depend on k, a and e only, the quotient of f_S and
   (1 - e^(-kn/m))^k is at least 1 and below (1 + e)^2, and the quotient of f_C and it is at least 1 - e and below 1 + e. So
   both tend to 1 with n/m fixed. The least such e falls like 1/m. *)
Theorem rates_near_exponential (a e : rat) m n k : (1 < m)%N -> (0 < n)%N -> (0 < k)%N -> (k <= m)%N ->
  0 < e -> e <= 1 -> n%:R / m%:R <= a ->
  2%:R * k%:R * (k%:R * (1 + k%:R * a)) / e < m%:R -> k%:R * (1 + k%:R * a) / e < n%:R ->
  let exponential := (1 - exp (- (k * n)%:R / m%:R)) ^+ k in
  [/\ exponential <= ratr (rate m (n * k) k), ratr (rate m (n * k) k) < exponential * (1 + ratr e) ^+ 2,
      exponential * (1 - ratr e) <= ratr (classic_rate m k n k) & ratr (classic_rate m k n k) < exponential * (1 + ratr e)].
Proof.
move=> m2 n0 k0 km e0 e1 na large many exponential.
have [a1 a2] := rate_near_exponential expD above m2 n0 k0 e0 e1 na large.
have [b1 b2] := classic_near n0 k0 km e0 e1 na large many.
by split.
Qed.
End Exponential.
