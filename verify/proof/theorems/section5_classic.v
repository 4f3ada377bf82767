(* The rates of classic filters of 1024 bits with five items, for all numbers of positions. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search means cases decimals figures examples large figure7 figure9 scan.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition classic_bounds : bounds := [:: (124, (4374600000, 4374700000)%num); (142, (9049500000, 9049600000)%num)]%N.
Definition classic_top : N := 4374700000.

Definition classic_range (k : nat) : bool := rate_test 175 classic_bounds classic_top k (whole 350) 1 (shares_list 350 1024 5 k).
Lemma classic_scanned : all classic_range (iota 97 78).
Proof. vm_cast_no_check isT. Qed.

Lemma classic_below : reach (classic_test 200 (dyadic classic_top 175) 1024 5) (fun a => 97 <= a)%N 97 1.
Proof. vm_cast_no_check isT. Qed.

Lemma classic_beyond : reach (classic_test 200 (dyadic classic_top 175) 1024 5) (fun a => 1024 < a)%N 300 175.
Proof. vm_cast_no_check isT. Qed.

Lemma classic_known j : (0 < j <= 1024)%N ->
  if (97 <= j <= 97 + 77)%N then known 175 classic_bounds classic_top j (classic_rate 1024 j 5 j) else as_rat (dyadic classic_top 175) < classic_rate 1024 j 5 j.
Proof. exact: (@classic_found 350 200 175 classic_bounds classic_top 1024 5 97 77 97 300 j isT isT classic_scanned classic_below classic_beyond). Qed.

Lemma classic_test5 : best_test classic_bounds classic_top 124. Proof. by vm_compute. Qed.
