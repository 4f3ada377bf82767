(* The rates of standard filters of 1024 bits with five items, for all numbers of positions. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search means cases decimals figures examples large figure7 figure9 scan.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The last bits of the numbers of subsets that Coq leaves out. *)
Definition precise (k : nat) : N := (10 * bin_of_nat k - 160)%num.
Definition standard_bounds : bounds := [:: (133, (139553057000, 139553200000)%num); (142, (161479700000, 161479900000)%num)]%N.
Definition standard_top : N := 139553200000.

Lemma standard_scanned : standard_scan 330 1024 5 precise (rate_test 175 standard_bounds standard_top) 104 85.
Proof. vm_cast_no_check isT. Qed.

Lemma standard_below : reach (standard_range_test 200 (dyadic standard_top 175) 1024 5) (fun a => 104 <= a)%N 60 1.
Proof. vm_cast_no_check isT. Qed.

Lemma standard_beyond : reach (standard_range_test 200 (dyadic standard_top 175) 1024 5)
  (fun a => (0 < a)%N && standard_tail_test 200 (dyadic standard_top 175) 1024 5 a) 100 190.
Proof. vm_cast_no_check isT. Qed.

Lemma standard_known j : (0 < j)%N ->
  if (104 <= j <= 104 + 85)%N then known 175 standard_bounds standard_top j (rate 1024 (5 * j) j) else as_rat (dyadic standard_top 175) < rate 1024 (5 * j) j.
Proof. exact: (@standard_found 330 200 precise 175 standard_bounds standard_top 1024 5 104 85 60 100 j isT standard_scanned standard_below standard_beyond). Qed.

Lemma standard_test5 : best_test standard_bounds standard_top 133. Proof. by vm_compute. Qed.
