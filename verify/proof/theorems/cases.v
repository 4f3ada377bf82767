(* The rates of small filters as Coq computes them, in numbers that it computes with.

   A case has the number of pairs of a state and a query that are false positives, and the number of all of them. The
   theorems say that their ratio is the rate, for all parameters. Of the cases at the end, Coq computes the numbers for
   exact/testdata/counted.txt, which tests of the package exact read. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import sequences standard partitioned classic blocked steps.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition rat_of_N (x : N) : rat := (nat_of_bin x)%:R.
Definition first (v : seq N) : N := nth 0%num v 0.
Definition powers (m k : nat) : seq N := mkseq (fun i => power i k) m.+1.
Definition binomials (m k : nat) : seq N := mkseq (fun i => bin_of_nat 'C(i, k)) m.+1.

Lemma powersE m k i : (i <= m)%N -> entry (powers m k) i = (i ^ k)%N.
Proof. by move=> im; rewrite /entry nth_mkseq // powerE. Qed.

Lemma binomialsE m k i : (i <= m)%N -> entry (binomials m k) i = 'C(i, k).
Proof. by move=> im; rewrite /entry nth_mkseq // bin_of_natK. Qed.

Lemma hits_covered m r (t : {ffun 'I_r -> 'I_m}) : hits t = covered (fun x => [set x]) t.
Proof.
apply/setP => x; apply/imsetP/bigcupP => [[i _ ->]|[i _]]; first by exists i; rewrite ?inE.
by rewrite inE => /eqP ->; exists i.
Qed.

(* The throws that take B to so many places. *)
Lemma throws m r (v : seq N) (B : {set 'I_m}) :
  (\sum_(t : {ffun 'I_r -> 'I_m}) entry v #|B :|: hits t| = entry (iter r (throw m) v) #|B|)%N.
Proof.
rewrite -(walk (places := fun x : 'I_m => [set x]) (F := setT)); last first.
  by move=> w A; rewrite -throwE; apply: eq_bigl => x; rewrite inE.
by rewrite sum_all; apply: eq_bigr => t _; rewrite hits_covered.
Qed.

(* The standard filter, by Coq: its rate is the first number over the second. *)
Definition standard_case (m n k : nat) : N * N := (first (iter (n * k) (throw m) (powers m k)), power m (n * k + k)).

(* A standard filter's rate, as Coq computes it: the false positives over all throws and queries. *)
Theorem standard_cases m n k : rate m (n * k) k = rat_of_N (standard_case m n k).1 / rat_of_N (standard_case m n k).2.
Proof.
rewrite /rate /rat_of_N /= powerE; congr (_ / _); rewrite power_mean -natr_sum; congr _%:R.
have := @throws m (n * k) (powers m k) set0; rewrite cards0 /entry /first => <-.
by apply: eq_bigr => t _; rewrite set0U -[RHS]/(entry _ _) powersE ?set_size.
Qed.

(* The classic filter, by Coq. *)
Definition choose (m k : nat) : N := bin_of_nat 'C(m, k).
Definition raised (a : N) (e : nat) : N := iter e (N.mul a) 1%num.
Arguments raised : simpl never.
Definition classic_case (m n k : nat) : N * N := (first (iter n (draw m k) (binomials m k)), raised (choose m k) n.+1).

Lemma raisedE a e : raised a e = (a ^ e)%N :> nat.
Proof. by elim: e => // e IH; rewrite /raised iterS nat_of_mul_bin -/(raised a e) IH expnS. Qed.

(* A classic filter's rate, as Coq computes it. *)
Theorem classic_cases m n k : classic_rate m k n k = rat_of_N (classic_case m n k).1 / rat_of_N (classic_case m n k).2.
Proof.
rewrite classic_mean /rat_of_N /= raisedE /choose bin_of_natK expnS natrM invfM mulrA -mulr_suml; congr (_ / _ / _).
have := @walk _ _ id _ entry (draw m k) (items m k) n (binomials m k) set0 (@drawE m k).
rewrite cards0 /entry /first => <-; rewrite natr_sum; apply: eq_bigr => s _.
by rewrite set0U -[X in _ = X%:R]/(entry _ _) binomialsE ?set_size.
Qed.

(* The partitioned filter, by Coq, with slices of s bits. *)
Definition partitioned_case (s n k : nat) : N * N :=
  (raised (first (iter n (throw s) (powers s 1))) k, power s (n.+1 * k)).

(* A partitioned filter's rate, with slices of s bits, as Coq computes it. *)
Theorem partitioned_cases s n k : (0 < s)%N ->
  partitioned_rate s n k = rat_of_N (partitioned_case s n k).1 / rat_of_N (partitioned_case s n k).2.
Proof.
move=> s0; rewrite partitioned_exact // /rat_of_N /= raisedE powerE expnM !natrX -expr_div_n; congr (_ ^+ _).
have -> : (first (iter n (throw s) (powers s 1)))%:R = s%:R * ((s ^ n)%:R - (s.-1 ^ n)%:R) :> rat.
  rewrite -mean_hits -natr_sum; have := @throws s n (powers s 1) set0; rewrite cards0 /entry /first => <-.
  by congr _%:R; apply: eq_bigr => t _; rewrite set0U -[LHS]/(entry _ _) powersE ?set_size.
have s1 : (s%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
rewrite exprS invfM mulrACA divff // mul1r mulrBl natrX divff ?expf_neq0 //; congr (_ - _).
by rewrite natrX -expr_div_n -subn1 natrB // mulrBl divff // mul1r.
Qed.

Section BlockCases.
Variables (m b n : nat) (C : finType) (places : C -> {set 'I_m}) (inner : seq N -> seq N) (others : N).
Hypothesis innerE : forall v (B : {set 'I_m}), (\sum_(c : C) entry v #|B :|: places c| = entry (inner v) #|B|)%N.
Hypothesis othersE : others = (b.-1 * #|C|)%N :> nat.

(* An item: of another block in so many ways, or of this one. *)
Definition item (v : seq N) : seq N := mkseq (fun i => (others * nth 0%num v i + nth 0%num (inner v) i)%num) m.+1.

Lemma itemE (x : 'I_b) v (B : {set 'I_m}) :
  (\sum_(e in [set: 'I_b * C]) entry v #|B :|: (if e.1 == x then places e.2 else set0)| = entry (item v) #|B|)%N.
Proof.
rewrite /entry nth_mkseq ?ltnS ?set_size // nat_of_add_bin nat_of_mul_bin othersE -/(entry _ _) -/(entry (inner v) _) -innerE.
rewrite (eq_bigl predT) => [|e]; last by rewrite inE.
rewrite -(pair_big predT predT (fun (y : 'I_b) c => entry v #|B :|: (if y == x then places c else set0)|))%N /=.
rewrite (bigD1 x) //= addnC eqxx; congr (_ + _)%N.
rewrite (eq_bigr (fun _ => #|C| * entry v #|B|)%N) => [|y /negbTE ->]; last by rewrite setU0 sum_nat_const.
by rewrite sum_nat_const cardC1 card_ord mulnA.
Qed.

Lemma items_of_block (x : 'I_b) v :
  (\sum_(s : {ffun 'I_n -> 'I_b * C}) entry v #|block places s x| = entry (iter n item v) 0)%N.
Proof.
have := @walk _ _ (fun e : 'I_b * C => if e.1 == x then places e.2 else set0) _ entry item setT n v set0 (@itemE x).
rewrite cards0 => <-; rewrite sum_all; apply: eq_bigr => s _; rewrite set0U; congr (entry v #|pred_of_set _|).
by rewrite /block big_mkcond.
Qed.

Lemma pairs_of_blocks (within : seq N) :
  (forall B : {set 'I_m}, \sum_(c : C) (places c \subset B) = entry within #|B|)%N ->
  blocked_pairs places b n = (b * entry (iter n item within) 0)%:R.
Proof.
move=> withinE; rewrite /blocked_pairs.
rewrite -(pair_big predT predT (fun (x : 'I_b) c => \sum_(s : {ffun 'I_n -> 'I_b * C}) (places c \subset block places s x)%:R : rat)) /=.
rewrite -[b in RHS](card_ord b) -sum_nat_const natr_sum; apply: eq_bigr => x _.
rewrite exchange_big /= -(items_of_block x) natr_sum; apply: eq_bigr => s _.
by rewrite -withinE natr_sum.
Qed.
End BlockCases.

Definition block_case (b n : nat) (per : N) (count : N) : N * N := (times b count, raised (times b per) n.+1).

Lemma block_caseE (b n : nat) (per count : N) (C : finType) : per = #|C| :> nat ->
  (b * count)%:R / ((b * #|C|) ^ n.+1)%:R = rat_of_N (block_case b n per count).1 / rat_of_N (block_case b n per count).2.
Proof. by move=> perE; rewrite /rat_of_N /= timesE raisedE timesE perE. Qed.

(* Blocks of m bits with k independent positions, by Coq. *)
Definition standard_blocked_case (b m n k : nat) : N * N :=
  block_case b n (power m k) (first (iter n (item m (iter k (throw m)) (times b.-1 (power m k))) (powers m k))).

(* The rate of blocks of m bits with k independent positions, as Coq computes it. *)
Theorem standard_blocked_cases b m n k :
  standard_blocked b m k n = rat_of_N (standard_blocked_case b m n k).1 / rat_of_N (standard_blocked_case b m n k).2.
Proof.
have perE : power m k = #|{ffun 'I_k -> 'I_m}| :> nat by rewrite powerE card_ffun !card_ord.
rewrite -(block_caseE _ _ _ perE) /standard_blocked /blocked_rate; congr (_ / _).
rewrite (@pairs_of_blocks m b n _ _ (iter k (throw m)) (times b.-1 (power m k)) _ _ (powers m k)) //.
- by move=> v B; rewrite throws.
- by rewrite timesE perE.
move=> B; rewrite powersE ?set_size // -card_within -sum1_card [RHS]big_mkcond /=.
by apply: eq_bigr => c _; rewrite inE; case: (_ \subset _).
Qed.

(* Blocks of m bits with k distinct positions, by Coq: an item has a block and a set of k places. *)
Definition draws (m k : nat) : finType := [finType of {a : {set 'I_m} | a \in items m k}].
Definition classic_blocked (b m k n : nat) : rat := blocked_rate (fun c : draws m k => val c) b n.

Lemma big_draws (R : Type) (idx : R) (op : Monoid.com_law idx) m k (f : {set 'I_m} -> R) :
  \big[op/idx]_(c : draws m k) f (val c) = \big[op/idx]_(a in items m k) f a.
Proof.
transitivity (\big[op/idx]_(a in [set val c | c in [set: draws m k]]) f a).
  by rewrite big_imset /=; [apply: eq_bigl => c; rewrite inE | move=> c d _ _; apply: val_inj].
apply: eq_bigl => a; apply/imsetP/idP => [[c _ ->]|aF]; first exact: valP.
by exists (exist _ a aF).
Qed.

Lemma card_drawn m k : #|draws m k| = 'C(m, k).
Proof. by rewrite -sum1_card (@big_draws _ _ _ m k (fun _ => 1%N)) sum1_card card_items. Qed.

Definition classic_blocked_case (b m n k : nat) : N * N :=
  block_case b n (choose m k) (first (iter n (item m (draw m k) (times b.-1 (choose m k))) (binomials m k))).

(* The rate of blocks of m bits with k distinct positions, as Coq computes it. *)
Theorem classic_blocked_cases b m n k :
  classic_blocked b m k n = rat_of_N (classic_blocked_case b m n k).1 / rat_of_N (classic_blocked_case b m n k).2.
Proof.
have perE : choose m k = #|draws m k| :> nat by rewrite card_drawn /choose bin_of_natK.
rewrite -(block_caseE _ _ _ perE) /classic_blocked /blocked_rate; congr (_ / _).
rewrite (@pairs_of_blocks m b n _ _ (draw m k) (times b.-1 (choose m k)) _ _ (binomials m k)) //.
- by move=> v B; rewrite (@big_draws _ _ _ m k (fun a => entry v #|B :|: a|)) drawE.
- by rewrite timesE perE.
move=> B; rewrite binomialsE ?set_size // (@big_draws _ _ _ m k (fun a => nat_of_bool (a \subset B))).
rewrite -cards_draws -sum1_card [LHS]big_mkcond [RHS]big_mkcond /=.
by apply: eq_bigr => a _; rewrite !inE andbC; case: (#|a| == k); case: (a \subset B).
Qed.

(* Split blocks of k words of w bits, by Coq: the words in which a given query's bit is set. *)
Section SplitCases.
Variables b w k n : nat.

Definition agree (c d : {ffun 'I_k -> 'I_w}) : {set 'I_k} := [set j | d j == c j].

Lemma card_agree c (J : {set 'I_k}) : #|[set d | agree c d == J]| = (w.-1 ^ (k - #|J|))%N.
Proof.
pose F j : {set 'I_w} := if j \in J then [set c j] else [set~ c j].
have -> : #|[set d | agree c d == J]| = #|family (fun j => mem (F j))|.
  apply: eq_card => d; rewrite inE; apply/eqP/familyP => [e j | h].
    by rewrite /F -e inE; case: (boolP (d j == c j)) => [/eqP ->|ne]; rewrite !inE.
  by apply/setP => j; rewrite inE; have := h j; rewrite /F; case: (j \in J); rewrite !inE; [move=> -> | move=> /negbTE ->].
rewrite card_family foldrE big_map big_enum /= (bigID (mem J)) /=.
rewrite big1 => [|j jJ]; last by rewrite /F jJ cards1.
rewrite mul1n (eq_bigr (fun _ => w.-1)) => [|j /negbTE jJ]; last by rewrite /F jJ cardsC1 card_ord.
by rewrite prod_nat_const -card_setC_ord; congr (_ ^ _)%N; apply: eq_card => j; rewrite in_setC.
Qed.

(* An item of the block: for each number l of words that agree, the sets of l words. *)
Definition split_item (v : seq N) : seq N :=
  mkseq (fun i => foldr (fun l sum => (power w.-1 (k - l) * nth 0%num (draw k l v) i + sum)%num) 0%num (iota 0 k.+1)) k.+1.

Lemma split_itemE c v (B : {set 'I_k}) :
  (\sum_(d : {ffun 'I_k -> 'I_w}) entry v #|B :|: agree c d| = entry (split_item v) #|B|)%N.
Proof.
have -> : entry (split_item v) #|B| = (\sum_(l < k.+1) w.-1 ^ (k - l) * entry (draw k l v) #|B|)%N.
  by rewrite /entry nth_mkseq ?ltnS ?set_size // sum_rowE; apply: eq_bigr => l _; rewrite powerE.
rewrite (partition_big (agree c) predT) //= (partition_big (fun J : {set 'I_k} => inord #|J| : 'I_k.+1) predT) //=.
apply: eq_bigr => l _; rewrite -drawE big_distrr /=.
apply: eq_big => [J|J /eqP <-]; first by rewrite inE -val_eqE /= inordK // ltnS set_size.
rewrite (eq_bigr (fun _ => entry v #|B :|: J|)) => [|d /eqP -> //].
by rewrite inordK ?ltnS ?set_size // -(card_agree c) sum_nat_const; congr (_ * _)%N; apply: eq_card => d; rewrite !inE.
Qed.

Definition split_case : N * N :=
  block_case b n (power w k) (power w k * first (iter n (item k split_item (times b.-1 (power w k))) (mkseq (fun i => if i == k then 1%num else 0%num) k.+1)))%num.

(* The rate of split blocks of k words of w bits, as Coq computes it. *)
Theorem split_cases : split_rate b w k n = rat_of_N split_case.1 / rat_of_N split_case.2.
Proof.
have perE : power w k = #|{ffun 'I_k -> 'I_w}| :> nat by rewrite powerE card_ffun !card_ord.
rewrite -(block_caseE _ _ _ perE) /split_rate /blocked_rate; congr (_ / _); rewrite /blocked_pairs.
rewrite -(pair_big predT predT (fun (x : 'I_b) c => \sum_(s : {ffun 'I_n -> 'I_b * _}) (word_bits c \subset block (@word_bits w k) s x)%:R : rat)) /=.
rewrite natrM nat_of_mul_bin natrM perE -[X in _ = X%:R * _](card_ord b) mulr_natl -sumr_const; apply: eq_bigr => x _.
rewrite mulr_natl -sumr_const; apply: eq_bigr => c _; rewrite -natr_sum; congr _%:R.
set all := mkseq _ _.
have othersE : times b.-1 (power w k) = (b.-1 * #|{ffun 'I_k -> 'I_w}|)%N :> nat by rewrite timesE perE.
have := @items_of_block k b n _ (agree c) split_item _ (split_itemE c) othersE x all.
rewrite /entry /first => <-.
apply: eq_bigr => s _; rewrite /all nth_mkseq ?ltnS ?set_size //.
have -> : (word_bits c \subset block (@word_bits w k) s x) = (block (agree c) s x == setT).
  apply/subsetP/eqP => [h|h [j y]].
    apply/setP => j; rewrite !inE; have /h /bigcupP[i ix] : (j, c j) \in word_bits c by rewrite inE /=.
    by rewrite inE /= => e; apply/bigcupP; exists i => //; rewrite inE.
  rewrite inE /= => /eqP <-; have : j \in block (agree c) s x by rewrite h.
  by case/bigcupP => i ix; rewrite inE => e; apply/bigcupP; exists i => //; rewrite inE.
rewrite eqEcard subsetT cardsT card_ord /= eqn_leq set_size /=.
by case: (k <= _)%N.
Qed.
End SplitCases.

(* The cases that Coq computes for the tests of the package exact. A row has blocks, the bits of a block, items, positions
   of an item, false positives, outcomes; the bits of a partitioned or split block are k words of so many. *)
Section Rows.
Local Open Scope nat_scope.

Definition row (blocks bits n k : nat) (c : N * N) : seq N :=
  [:: bin_of_nat blocks; bin_of_nat bits; bin_of_nat n; bin_of_nat k; c.1; c.2].

Definition few (bits : seq nat) (items positions : nat) : seq (nat * nat * nat) :=
  [seq (p.1, p.2, k) | p <- [seq (m, n) | m <- bits, n <- iota 0 items], k <- iota 1 positions].

Definition plain (f : nat -> nat -> nat -> N * N) (l : seq (nat * nat * nat)) : seq (seq N) :=
  [seq row 1 x.1.1 x.1.2 x.2 (f x.1.1 x.1.2 x.2) | x <- l].

Definition in_blocks (f : nat -> nat -> nat -> nat -> N * N) (blocks : seq nat) (l : seq (nat * nat * nat)) : seq (seq N) :=
  [seq row b x.1.1 x.1.2 x.2 (f b x.1.1 x.1.2 x.2) | b <- blocks, x <- l].

Definition fits (x : nat * nat * nat) : bool := x.2 <= x.1.1.

Definition standard_rows := plain standard_case (few (iota 1 9) 5 4 ++ [:: (16, 5, 7); (20, 3, 33); (64, 4, 10); (97, 9, 3)]).
Definition classic_rows := plain classic_case ([seq x <- few (iota 1 8) 5 5 | fits x] ++ [:: (16, 5, 7); (20, 12, 4)]).
Definition partitioned_rows := plain partitioned_case (few (iota 1 7) 5 4 ++ [:: (16, 5, 7); (64, 20, 10)]).
Definition standard_blocked_rows :=
  in_blocks standard_blocked_case (iota 2 3) (few (iota 1 4) 4 3) ++ in_blocks standard_blocked_case [:: 8] [:: (16, 6, 4)].
Definition classic_blocked_rows :=
  in_blocks classic_blocked_case (iota 2 3) [seq x <- few (iota 2 4) 4 3 | fits x] ++ in_blocks classic_blocked_case [:: 8] [:: (12, 9, 4)].
Definition split_rows := in_blocks (fun b w n k => split_case b w k n) (iota 2 3) (few (iota 1 4) 4 3) ++ in_blocks (fun b w n k => split_case b w k n) [:: 8] [:: (32, 9, 4); (8, 5, 8)].
End Rows.
