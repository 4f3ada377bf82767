(* The places that all of several committees have, and the urns that balls of both of two kinds hit. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search claims occupancy laws order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Departments.
Variables (m c : nat) (k : 'I_c -> nat).
Hypothesis km : forall d, (k d <= m)%N.
Let one (d : 'I_c) (i : 'I_1) : nat := k d.
Let U (d : 'I_c) (s : {ffun 'I_1 -> {set 'I_m}}) := filled s.
Let F (d : 'I_c) := @batches m 1 (one d).

Let choices_one d x : choices (one d) x = 'C(x, k d)%:R. Proof. by rewrite /choices big_ord1. Qed.

(* A difference of a single committee's choices, as a share. *)
Let share d r : (r <= m)%N -> nabla r (choices (one d)) m / choices (one d) m = 'C(k d, r)%:R / 'C(m, r)%:R.
Proof.
move=> rm; rewrite (eq_nabla _ _ (choices_one d)) choices_one.
have C0 : 'C(m, k d)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n bin_gt0.
have R0 : 'C(m, r)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n bin_gt0.
have [rk | kr] := leqP r (k d); last by rewrite nabla_choices_above // [in RHS]bin_small // !mul0r.
rewrite nabla_choices //; apply/eqP; rewrite eqr_div // -!natrM eqr_nat eq_sym mulnC; apply/eqP.
rewrite [RHS]mulnC.
by have := choose_twice r (leq_sub2r r (km d)); rewrite !subnKC // => ->.
Qed.

(* Burns (32): the mean of C(X, r), where X is the number of places that all of c committees have. *)
Theorem committees_share_moment r : (r <= m)%N ->
  (\sum_(o in all_of F) 'C(#|shared U o|, r)%:R) / #|all_of F|%:R = 'C(m, r)%:R * (\prod_d 'C(k d, r)%:R) / 'C(m, r)%:R ^+ c :> rat.
Proof.
move=> rm; rewrite (departments_moment m one r) -mulrA; congr (_ * _).
rewrite (eq_bigr _ (fun d _ => share d rm)) big_split /=; congr (_ * _).
by rewrite prodr_const card_ord exprVn.
Qed.

(* Burns (30): the distribution of the number of places that all of c committees have. *)
Theorem committees_share_law i : (i <= m)%N ->
  (\sum_(o in all_of F) (#|shared U o| == i)%:R) / #|all_of F|%:R =
  'C(m, i)%:R * nabla (m - i) (fun y => \prod_d ('C(y, m - k d)%:R / 'C(m, m - k d)%:R)) (m - i).
Proof.
move=> im; rewrite (@departments_law m c 1 one i im); congr (_ * _); apply: eq_bigr => j _; congr (_ * (_ * _)); apply: eq_bigr => d _.
set y := (m - i - j)%N; have ym : (y <= m)%N by rewrite /y -subnDA leq_subr.
rewrite (eq_nabla _ _ (choices_one d)) choices_one ['C(m, m - k d)]bin_sub //; congr (_ / _).
have [yk | ky] := leqP (m - y) (k d); last first.
  rewrite nabla_choices_above ?leq_subr // bin_small //.
  by rewrite ltn_subRL in ky; rewrite ltn_subRL addnC.
rewrite nabla_choices ?leq_subr // subKn //.
have le : (k d - (m - y) <= y)%N by rewrite leq_subLR subnK.
by rewrite -(bin_sub le) subnBA // subnKC.
Qed.
End Departments.

Section Throws.
Variables m n1 n2 : nat.

(* Burns (36): the means of C(X, r) and of ff(X, r), where X is the number of urns that balls of both kinds hit. *)
Theorem both_kinds r :
  (\sum_(t : {ffun 'I_n1 -> 'I_m} * {ffun 'I_n2 -> 'I_m}) 'C(#|hits t.1 :&: hits t.2|, r)%:R) / (m ^ (n1 + n2))%:R =
  'C(m, r)%:R / (m ^ (n1 + n2))%:R * (nabla r (fun x => (x ^ n1)%:R) m * nabla r (fun x => (x ^ n2)%:R) m) /\
  (\sum_(t : {ffun 'I_n1 -> 'I_m} * {ffun 'I_n2 -> 'I_m}) (#|hits t.1 :&: hits t.2| ^_ r)%:R) / (m ^ (n1 + n2))%:R =
  (m ^_ r)%:R / (m ^ (n1 + n2))%:R * (nabla r (fun x => (x ^ n1)%:R) m * nabla r (fun x => (x ^ n2)%:R) m).
Proof.
set g := _ * nabla _ _ _; set T := (m ^ _)%:R.
have e : \sum_(t : {ffun 'I_n1 -> 'I_m} * {ffun 'I_n2 -> 'I_m}) 'C(#|hits t.1 :&: hits t.2|, r)%:R = 'C(m, r)%:R * g :> rat.
  pose f (A : {set 'I_m}) (t : {ffun 'I_n1 -> 'I_m} * {ffun 'I_n2 -> 'I_m}) : rat := (A \subset hits t.1 :&: hits t.2)%:R.
  rewrite -(@sum_over_sets m _ predT f r g) => [|A Ar].
    apply: eq_bigr => t _; rewrite -cards_draws -sum1_card natr_sum big_mkcond [RHS]big_mkcond /=.
    by apply: eq_bigr => A _; rewrite /f inE andbC; case: (_ == r) => //=; case: (_ \subset _).
  rewrite -(pair_bigA _ (fun t1 t2 => f A (t1, t2))) /= /g -Ar.
  rewrite -(all_occupied (@throws_within m n1) A) -(all_occupied (@throws_within m n2) A) mulr_suml; apply: eq_bigr => t _.
  by rewrite mulr_sumr; apply: eq_bigr => u _; rewrite /f subsetI -natrM mulnb.
split; first by rewrite e mulrAC.
rewrite mulrAC; congr (_ / _); rewrite -bin_ffact natrM mulrAC -e mulr_suml.
by apply: eq_bigr => t _; rewrite -bin_ffact natrM.
Qed.
End Throws.
