(* Coq's tactic ring for rationals: identities of sums and products need no proof by hand. *)
From Coq Require Import Ring_theory Ring.
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Definition plus (x y : rat) : rat := x + y.
Definition mult (x y : rat) : rat := x * y.
Definition opposite (x : rat) : rat := - x.
Definition minus (x y : rat) : rat := plus x (opposite y).
Definition zero : rat := 0.
Definition one : rat := 1.

Lemma rationals_ring : ring_theory zero one plus mult minus opposite (@eq rat).
Proof.
split=> *; rewrite /plus /mult /minus /opposite /zero /one /=.
- exact: add0r.
- exact: addrC.
- exact: addrA.
- exact: mul1r.
- exact: mulrC.
- exact: mulrA.
- exact: mulrDl.
- by [].
- exact: subrr.
Qed.
Add Ring rationals : rationals_ring.

(* Proves an identity of two expressions of sums, differences and products of rationals. *)
Ltac identity :=
  rewrite ?expr2;
  rewrite -?[GRing.add _ _]/(plus _ _) -?[GRing.mul _ _]/(mult _ _) -?[GRing.opp _]/(opposite _) -?[GRing.zero _]/zero -?[GRing.one _]/one;
  match goal with |- @eq _ ?a ?b => change (@eq rat a b) end;
  ring.
