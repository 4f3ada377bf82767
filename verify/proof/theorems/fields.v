(* The tactic "same" proves that two polynomials over an ordered field are equal. Coq's tactic "ring" does the
   computation. It needs operations of its own, and numerals as sums of ones. *)
From Coq Require Import NArith Ring_theory Ring.
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Operations.
Variable R : realFieldType.

Definition plus (x z : R) : R := x + z.
Definition mult (x z : R) : R := x * z.
Definition opposite (x : R) : R := - x.
Definition minus (x z : R) : R := plus x (opposite z).
Definition zero : R := 0.
Definition one : R := 1.

Lemma field_ring : ring_theory zero one plus mult minus opposite (@eq R).
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

Fixpoint digits (p : positive) : R :=
  match p with xH => one | xO q => mult (plus one one) (digits q) | xI q => plus one (mult (plus one one) (digits q)) end.

Lemma in_digits p : (nat_of_pos p)%:R = digits p.
Proof.
have two (a : nat) : (NatTrec.double a)%:R = (1 + 1) * a%:R :> R by rewrite NatTrec.doubleE -mul2n natrM mulrSr.
by elim: p => [p IH | p IH |] //=; rewrite ?mulrSr two IH // addrC.
Qed.
End Operations.

Ltac numerals R :=
  repeat match goal with
  | |- context [GRing.natmul (GRing.one _) ?n] =>
      let b := eval vm_compute in (bin_of_nat n) in
      match b with Npos ?p => rewrite (in_digits R p : n%:R = digits R p); cbv [digits] end
  end.

(* A section about a field R declares "Add Ring ring_of_R : (field_ring R)" before it uses the tactic. *)
Ltac same R :=
  rewrite ?exprS ?expr0 ?mulr1; numerals R;
  rewrite -?[GRing.add _ _]/(plus _ _) -?[GRing.mul _ _]/(mult _ _) -?[GRing.opp _]/(opposite _) -?[GRing.zero _]/(zero R) -?[GRing.one _]/(one R);
  match goal with |- @eq _ ?a ?b => change (@eq R a b) end;
  ring.
