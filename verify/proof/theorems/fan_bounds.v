(* Fan, section 4, Figure 2: the two bounds of (20) for k = 7 and m = 10 n. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard order cases decimals large bose.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The power (a/m)^n is between p/q and (p + 1)/q. *)
Lemma power_between (a m q p : N) n :
  [&& (0 <? m)%num, (0 <? q)%num, (p * raised m n <=? raised a n * q)%num & (raised a n * q <=? (p + 1) * raised m n)%num] ->
  rat_of_N p / rat_of_N q <= (rat_of_N a / rat_of_N m) ^+ n <= rat_of_N (p + 1)%num / rat_of_N q.
Proof.
case/and4P=> /rat_gt0 m0 /rat_gt0 q0 /rat_le lo /rat_le hi.
move: lo hi; rewrite !ratM !ratX => lo hi.
by rewrite expr_div_n ler_pdivr_mulr // mulrAC ler_pdivl_mulr ?exprn_gt0 // ler_pdivl_mulr // mulrAC ler_pdivr_mulr ?exprn_gt0 // lo hi.
Qed.

Section Figure2.
Implicit Types n : nat.

(* How much the upper bound is above Bloom's value, as a share of Bloom's value. *)
Definition upper n : rat := (1 - (1 - 7%:R / (10 * n)%:R) ^+ n) ^+ 7.
Definition bloom n : rat := (1 - (1 - (10 * n)%:R^-1) ^+ (n * 7)) ^+ 7.
Definition excess n : rat := upper n / bloom n - 1.

Lemma bloom_gt0 n : (0 < n)%N -> 0 < bloom n.
Proof.
move=> n0; have m1 : (1 < 10 * n)%N by rewrite (leq_trans (_ : 1 < 10 * 1)%N) // leq_mul2l.
have e0 : (0 : rat) < (10 * n)%:R^-1 by rewrite invr_gt0 ltr0n ltnW.
rewrite /bloom exprn_gt0 // subr_gt0 exprn_ilt1 ?muln_eq0 ?negb_or -?lt0n ?n0 //.
  by rewrite subr_ge0 invf_le1 ?ler1n ?ltr0n ltnW.
by rewrite ltr_subl_addr ltr_addl.
Qed.

(* The excess is between L/D - 1 and H/D - 1. *)
Lemma excess_between n (a e m q x y ux uy L H D : N) : (0 < n)%N ->
  1 - 7%:R / (10 * n)%:R = rat_of_N a / rat_of_N m -> 1 - (10 * n)%:R^-1 = rat_of_N e / rat_of_N m ->
  [&& (0 <? m)%num, (0 <? q)%num, (x * raised m n <=? raised a n * q)%num & (raised a n * q <=? (x + 1) * raised m n)%num] ->
  [&& (0 <? m)%num, (0 <? q)%num, (y * raised m (n * 7) <=? raised e (n * 7) * q)%num & (raised e (n * 7) * q <=? (y + 1) * raised m (n * 7))%num] ->
  [&& (x + 1 + ux =? q)%num, (y + 1 + uy =? q)%num, (0 <? D)%num, (L * raised (uy + 1) 7 <? D * raised ux 7)%num & (D * raised (ux + 1) 7 <? H * raised uy 7)%num] ->
  rat_of_N L / rat_of_N D - 1 < excess n < rat_of_N H / rat_of_N D - 1.
Proof.
move=> n0 eX eY /[dup] /and4P[_ /rat_gt0 q0 _ _] /power_between/andP[xa xb] /power_between/andP[ya yb].
case/and5P=> /N.eqb_eq ex /N.eqb_eq ey /rat_gt0 d0 /rat_lt lo /rat_lt hi; have B := bloom_gt0 n0.
rewrite /excess !ltr_add2r ltr_pdivl_mulr // ltr_pdivr_mulr // mulrAC ltr_pdivr_mulr // [X in _ && (_ < X)]mulrAC ltr_pdivl_mulr //.
have one : rat_of_N 1 = 1 by [].
have xq : rat_of_N q = rat_of_N x + 1 + rat_of_N ux by rewrite -ex !ratD.
have yq : rat_of_N q = rat_of_N y + 1 + rat_of_N uy by rewrite -ey !ratD.
rewrite (ratM L) (ratM D) !ratX ratD one in lo; rewrite (ratM D) (ratM H) !ratX ratD one in hi; rewrite /upper /bloom eX eY.
move: xa xb ya yb; rewrite ratD one ratD one; set X := (_ / _) ^+ n; set Y := (_ / _) ^+ (n * 7).
rewrite !ler_pdivr_mulr // !ler_pdivl_mulr // => xa xb ya yb.
have q7 : 0 < rat_of_N q ^+ 7 by rewrite exprn_gt0.
have up (u v : rat) : 0 <= u -> u <= v -> u ^+ 7 <= v ^+ 7 by move=> u0 uv; rewrite ler_expn2r ?nnegrE // (le_trans u0).
have both (z x1 u1 : rat) : rat_of_N q = x1 + 1 + u1 -> x1 <= z * rat_of_N q -> z * rat_of_N q <= x1 + 1 ->
    u1 <= (1 - z) * rat_of_N q /\ (1 - z) * rat_of_N q <= u1 + 1.
  rewrite mulrBl mul1r; move: (z * rat_of_N q) => t -> l h; split; first by rewrite ler_subr_addr addrC ler_add2r.
  by rewrite ler_subl_addr -addrA [1 + u1]addrC [leRHS]addrC ler_add2r.
have [x1 x2] := both X _ _ xq xa xb; have [y1 y2] := both Y _ _ yq ya yb.
have nat0 (v : N) : 0 <= rat_of_N v by exact: rat_ge0.
have to (v w : rat) : v * w ^+ 7 * rat_of_N q ^+ 7 = v * (w * rat_of_N q) ^+ 7.
  by rewrite [in RHS]exprMn; exact/esym/mulrA.
rewrite [(1 - X) ^+ 7 * _]mulrC; apply/andP; split; rewrite -(ltr_pmul2r q7) !to.
  apply: (@le_lt_trans _ _ (rat_of_N L * (rat_of_N uy + 1) ^+ 7)).
    exact: ler_wpmul2l (nat0 L) _ _ (up _ _ (le_trans (nat0 uy) y1) y2).
  exact: lt_le_trans lo (ler_wpmul2l (nat0 D) (up _ _ (nat0 ux) x1)).
apply: (@le_lt_trans _ _ (rat_of_N D * (rat_of_N ux + 1) ^+ 7)).
  exact: ler_wpmul2l (nat0 D) _ _ (up _ _ (le_trans (nat0 ux) x1) x2).
exact: lt_le_trans hi (ler_wpmul2l (nat0 H) (up _ _ (nat0 uy) y1)).
Qed.

(* Fan, section 4, Figure 2: let k be 7 and m be 10 n. The upper bound (19) is above Bloom's value, by a factor of at most
   (1 + 3/(10 n - 7))^7. It is 18 % above Bloom's value at n = 9, and 1.5 % at n = 100, both rounded. *)
Theorem bounds_converge :
  [/\ forall n, (8 < n)%N -> 0 < excess n <= (1 + 3%:R / (10%:R * n%:R - 7%:R)) ^+ 7 - 1,
      rat_of_N 1180 / rat_of_N 1000 - 1 < excess 9 < rat_of_N 1181 / rat_of_N 1000 - 1 &
      rat_of_N 10146 / rat_of_N 10000 - 1 < excess 100 < rat_of_N 10147 / rat_of_N 10000 - 1].
Proof.
split.
- move=> n n9; have m1 : (1 < 10 * n)%N by rewrite (leq_trans (_ : 1 < 10 * 1)%N) // leq_mul2l (leq_trans _ n9) ?orbT.
  have n0 : (0 < n)%N by exact: leq_trans n9.
  have km : (7 <= 10 * n)%N by rewrite (leq_trans (_ : 7 <= 10 * 9)%N) // leq_mul2l n9 orbT.
  have B := bloom_gt0 n0; apply/andP; split.
    rewrite /excess subr_gt0 ltr_pdivl_mulr // mul1r; have /andP[lo hi] := @between_bounds (10 * n) 7 n isT km isT n0.
    exact: lt_trans lo hi.
  have few : (7 * 7 <= 10 * n)%N by rewrite (leq_trans (_ : 7 * 7 <= 10 * 9)%N) // leq_mul2l n9 orbT.
  have [u [p0 u0 w0 eU [uw _]]] := close_bounds m1 n0 (isT : 0 < 7)%N few.
  rewrite /excess ler_add2r ler_pdivr_mulr // /upper eU exprMn mulrC ler_pmul2r; last exact: bloom_gt0.
  move: uw; set M : rat := (10 * n)%:R; move=> uw; have M0 : 0 < M by rewrite ltr0n muln_gt0.
  have d0 : 0 < M - 7%:R by rewrite subr_gt0 ltr_nat (leq_trans (_ : 7 < 10 * 9)%N) // leq_mul2l n9 orbT.
  have wd : (7%:R - 1) / M / (1 - 7%:R / M) * (M - 7%:R) = 3%:R * 2%:R.
    rewrite [X in _ / X * _](_ : _ = (M - 7%:R) / M); last by rewrite mulrBl divff ?gt_eqF.
    by rewrite invf_div mulrA divfK ?gt_eqF // divfK ?gt_eqF.
  rewrite -natrM -/M; have ub : u <= 3%:R / (M - 7%:R).
    rewrite ler_pdivl_mulr // -(@ler_pmul2r _ 2%:R) ?ltr0n // mulrAC -wd; exact: (ler_wpmul2r (ltW d0) uw).
  by apply: ler_expn2r; rewrite ?nnegrE ?ler_add2l // addr_ge0 // (le_trans u0).
- apply: (@excess_between 9 83 89 90 1000000000000 482525474453 494643519895 517474525546 505356480104); match goal with |- is_true _ => vm_cast_no_check isT | _ => by apply/eqP; vm_compute end.
apply: (@excess_between 100 993 999 1000 1000000000000 495364465355 496411413431 504635534644 503588586568); match goal with |- is_true _ => vm_cast_no_check isT | _ => by apply/eqP; vm_compute end.
Qed.
End Figure2.
