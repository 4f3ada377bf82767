(* How many ways a choice has to add so many places to a set: what Coq computes the rates of small filters with.

   A row is what is known of a set of i places, for each i. One throw on m places, or one set of k of them, takes a row to
   the row of the sums over all choices. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import sequences standard classic.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(* Rows of binary numbers, which Coq computes with. *)
Definition entry (v : seq N) (i : nat) : nat := nat_of_bin (nth 0%num v i).
Definition times (a : nat) (b : N) : N := (bin_of_nat a * b)%num.
Definition power (a : nat) (e : nat) : N := iter e (times a) 1%num.
Arguments power : simpl never.

(* Each entry i becomes the sum over d of so many times the entry i + d. *)
Definition add_up (most places : nat) (many : nat -> nat -> N) (v : seq N) : seq N :=
  mkseq (fun i => foldr (fun d sum => (many i d * nth 0%num v (i + d) + sum)%num) 0%num (iota 0 places)) most.+1.

Lemma timesE a b : times a b = (a * b)%N :> nat.
Proof. by rewrite /times nat_of_mul_bin bin_of_natK. Qed.

Lemma powerE a e : power a e = (a ^ e)%N :> nat.
Proof. by elim: e => // e IH; rewrite /power iterS timesE -/(power a e) IH expnS. Qed.

Lemma sum_rowE K (many f : nat -> N) :
  foldr (fun d sum => (many d * f d + sum)%num) 0%num (iota 0 K) = (\sum_(d < K) many d * f d)%N :> nat.
Proof.
rewrite -(big_mkord predT (fun d => many d * f d))%N unlock /reducebig /index_iota subn0.
by elim: (iota 0 K) => //= d l IH; rewrite nat_of_add_bin nat_of_mul_bin IH.
Qed.

Lemma add_upE most places many v i : (i <= most)%N ->
  entry (add_up most places many v) i = (\sum_(d < places) many i d * entry v (i + d))%N.
Proof. by move=> le; rewrite /entry nth_mkseq // sum_rowE. Qed.

Section Steps.
Variable m : nat.
Implicit Types (B a : {set 'I_m}).

Lemma set_size B : (#|B| <= m)%N.
Proof. by rewrite -[m in (_ <= m)%N]card_ord max_card. Qed.

(* One throw on m places. *)
Definition throw : seq N -> seq N := add_up m 2 (fun i d => bin_of_nat (if d is 0 then i else m - i)).

Lemma throwE v B : (\sum_(x : 'I_m) entry v #|B :|: [set x]| = entry (throw v) #|B|)%N.
Proof.
rewrite add_upE ?set_size // !big_ord_recl big_ord0 /= !bin_of_natK addn0 [addn _ 0]addn0 (bigID (mem B)) /=; congr (_ + _)%N.
  rewrite (eq_bigr (fun _ => entry v #|B|)) ?sum_nat_const // => x xB.
  by rewrite setUC (setUidPr _) // sub1set.
rewrite (eq_bigr (fun _ => entry v (#|B| + 1)%N)); last by move=> x xB; rewrite setUC cardsU1 xB addnC.
by rewrite sum_nat_const -card_setC_ord; congr (_ * _)%N; apply: eq_card => x; rewrite !inE.
Qed.

(* A set of k places. *)
Definition draw (k : nat) : seq N -> seq N := add_up m k.+1 (fun i d => bin_of_nat 'C(m - i, d) * bin_of_nat 'C(i, k - d))%num.

Lemma join_out (B x y : {set 'I_m}) : x \subset ~: B -> y \subset B -> (x :|: y) :\: B = x.
Proof.
by move=> xB yB; rewrite setDUl (_ : y :\: B = set0) ?setU0; [apply/setDidPl; rewrite disjoints_subset | apply/eqP; rewrite setD_eq0].
Qed.

Lemma join_in (B x y : {set 'I_m}) : x \subset ~: B -> y \subset B -> (x :|: y) :&: B = y.
Proof.
by move=> xB yB; rewrite setIUl (setIidPl yB) (_ : x :&: B = set0) ?set0U //; apply/eqP; rewrite setI_eq0 disjoints_subset.
Qed.

Lemma card_split B k d : (d <= k)%N ->
  #|[set a : {set 'I_m} | (#|a| == k) && (#|a :\: B| == d)]| = ('C(m - #|B|, d) * 'C(#|B|, k - d))%N.
Proof.
move=> dk; rewrite -(card_setC_ord B) -!cards_draws -cardsX.
pose join (p : {set 'I_m} * {set 'I_m}) := p.1 :|: p.2.
rewrite -(@card_in_imset _ _ join); last first.
  move=> [x y] [x' y']; rewrite !inE /= => /andP[/andP[xB _] /andP[yB _]] /andP[/andP[xB' _] /andP[yB' _]] e.
  have u : x :|: y = x' :|: y' := e.
  by congr (_, _); [rewrite -(join_out xB yB) u join_out | rewrite -(join_in xB yB) u join_in].
apply: eq_card => a; rewrite inE; apply/andP/imsetP => [[ak ad]|[[x y]]].
  exists (a :\: B, a :&: B); last by rewrite /join /= setUC setID.
  rewrite !inE /= subsetIr setDE subsetIr -setDE ad /=; move: ak; rewrite -(cardsID B a) (eqP ad) => /eqP <-.
  by rewrite addnK.
rewrite !inE /= => /andP[/andP[xB /eqP xd] /andP[yB /eqP yd]] ->; rewrite /join /= join_out // xd eqxx; split=> //.
by rewrite -(cardsID B) join_in // join_out // xd yd subnK.
Qed.

Lemma drawE k v B : (\sum_(a in items m k) entry v #|B :|: a| = entry (draw k v) #|B|)%N.
Proof.
rewrite add_upE ?set_size // (partition_big (fun a : {set 'I_m} => inord #|a :\: B| : 'I_k.+1) predT) //=.
apply: eq_bigr => d _; have dk : (d <= k)%N by rewrite -ltnS ltn_ord.
rewrite nat_of_mul_bin !bin_of_natK -card_split // (eq_bigl (fun a => a \in [set a : {set 'I_m} | (#|a| == k) && (#|a :\: B| == d)])); last first.
  move=> a; rewrite !inE; apply: andb_id2l => /eqP ak; rewrite -val_eqE /= inordK // ltnS.
  by rewrite -ak subset_leq_card // subsetDl.
rewrite (eq_bigr (fun _ => entry v (#|B| + d)%N)) ?sum_nat_const // => a; rewrite inE => /andP[_ /eqP <-].
by rewrite -(cardsID B (B :|: a)) setUK setDUl setDv set0U.
Qed.
End Steps.
