(* The blocked Bloom filter: b blocks, after n items; an item chooses a block and then a set of places in it.

   The space: every sequence of n items, each a block and one of the equally likely choices of a block, and every query,
   which is an item too, is equally likely. A query is a false positive when all its places are those of items. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Blocks.
Variables (P C : finType) (places : C -> {set P}) (b n : nat).
Implicit Types (s : {ffun 'I_n -> 'I_b * C}) (A B : {set P}).

(* The places that items have in block x. *)
Definition block s (x : 'I_b) : {set P} := \bigcup_(i | (s i).1 == x) places (s i).2.

(* The choices of a block that leave out a set. *)
Definition without B : nat := #|[set c | [disjoint places c & B]]|.

Lemma card_block_without x B :
  #|[set s | [disjoint block s x & B]]| = ((b.-1 * #|C| + without B) ^ n)%N.
Proof.
pose ok := [set p : 'I_b * C | (p.1 != x) || [disjoint places p.2 & B]].
have -> : (b.-1 * #|C| + without B = #|ok|)%N.
  have -> : ok = setX [set~ x] setT :|: setX [set x] [set c | [disjoint places c & B]].
    by apply/setP => -[y c]; rewrite !inE /=; case: (y == x).
  rewrite cardsU disjoint_setI0 ?cards0 ?subn0; last first.
    by rewrite -setI_eq0; apply/eqP/setP => -[y c]; rewrite !inE /=; case: (y == x).
  by rewrite !cardsX cardsT cardsC1 card_ord cards1 mul1n.
rewrite -[X in (_ ^ X)%N]card_ord -card_ffun_on; apply: eq_card => s; rewrite inE.
rewrite disjoint_sym; apply/bigcup_disjointP/ffun_onP => [h i | h i /eqP hx].
  by rewrite inE; case: eqP => //= /eqP hx; rewrite disjoint_sym h.
by have := h i; rewrite inE hx eqxx /= disjoint_sym.
Qed.

Lemma block_covering x A :
  \sum_s (A \subset block s x)%:R =
  \sum_(B : {set P} | B \subset A) (-1) ^+ #|B| * ((b.-1 * #|C| + without B) ^ n)%:R :> rat.
Proof.
under eq_bigr => s _ do rewrite cover.
rewrite exchange_big /=; apply: eq_bigr => B _; rewrite -mulr_sumr; congr (_ * _).
by rewrite -(card_block_without x B) -sum1_card natr_sum [RHS]big_mkcond /=; apply: eq_bigr => s _; rewrite inE; case: [disjoint _ & _].
Qed.

(* The false positives among all states and queries, and their share. *)
Definition blocked_pairs : rat :=
  \sum_(q : 'I_b * C) \sum_(s : {ffun 'I_n -> 'I_b * C}) (places q.2 \subset block s q.1)%:R.
Definition blocked_rate : rat := blocked_pairs / ((b * #|C|) ^ n.+1)%:R.

Lemma blocked_sum : blocked_pairs =
  b%:R * \sum_(c : C) \sum_(B : {set P} | B \subset places c) (-1) ^+ #|B| * ((b.-1 * #|C| + without B) ^ n)%:R.
Proof.
rewrite /blocked_pairs (eq_bigr (fun q : 'I_b * C => (fun (x : 'I_b) c => \sum_(B : {set P} | B \subset places c) (-1) ^+ #|B| * ((b.-1 * #|C| + without B) ^ n)%:R) q.1 q.2)).
  by rewrite -(pair_big predT predT (fun (x : 'I_b) c => \sum_(B : {set P} | B \subset places c) (-1) ^+ #|B| * ((b.-1 * #|C| + without B) ^ n)%:R)) /= sumr_const card_ord mulr_natl.
by move=> q _; rewrite block_covering.
Qed.

(* Where the choices that leave out B depend on its size alone, and all items have k places. *)
Lemma blocked_by_size k (miss : nat -> nat) : (0 < b)%N -> (0 < #|C|)%N -> (forall c, #|places c| = k) ->
  (forall c B, B \subset places c -> without B = miss #|B|) ->
  blocked_rate = \sum_(j < k.+1) 'C(k, j)%:R * ((-1) ^+ j * (1 - (1 - (miss j)%:R / #|C|%:R) / b%:R) ^+ n).
Proof.
move=> b0 C0 size by_size.
have bC : (0 : rat) < b%:R * #|C|%:R by rewrite -natrM ltr0n muln_gt0 b0.
rewrite /blocked_rate blocked_sum.
have -> : \sum_(c : C) \sum_(B : {set P} | B \subset places c) (-1) ^+ #|B| * ((b.-1 * #|C| + without B) ^ n)%:R =
    #|C|%:R * \sum_(j < k.+1) 'C(k, j)%:R * ((-1) ^+ j * ((b.-1 * #|C| + miss j) ^ n)%:R) :> rat.
  rewrite mulr_natl -sumr_const; apply: eq_bigr => c _.
  have := sum_by_size (places c) (fun j => (-1) ^+ j * ((b.-1 * #|C| + miss j) ^ n)%:R); rewrite (size c) => <-.
  by apply: eq_bigr => B sub; rewrite (by_size c).
rewrite mulrA natrX natrM exprS invfM mulrACA divff ?gt_eqF // mul1r mulr_suml; apply: eq_bigr => j _.
rewrite -!mulrA; congr (_ * (_ * _)); rewrite natrX -expr_div_n; congr (_ ^+ _).
have b1 : (b%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have C1 : (#|C|%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
apply: (mulIf (lt0r_neq0 bC)); rewrite divfK ?gt_eqF //.
rewrite natrD natrM -subn1 natrB // mulrBl [RHS]mulrBl !mul1r.
rewrite [in RHS]mulrA divfK // mulrBl mul1r divfK //.
by rewrite opprB addrA addrAC.
Qed.
End Blocks.

Lemma regroup (x y w e u v : rat) : x != 0 -> x * (w * (e * u) / (x * y * v)) = y^-1 * (w * (e * (u / v))).
Proof.
move=> x0; have -> : w * (e * (u / v)) = w * (e * u) / v by rewrite !mulrA.
by rewrite !invfM -[x^-1 * _ * _]mulrA [w * _ * _]mulrC [LHS]mulrA -[LHS]mulrA mulrA mulVKf // mulrC mulrCA.
Qed.

Section StandardBlocks.
Variables b s k n : nat.
Definition standard_blocked : rat := blocked_rate (@hits s k) b n.

Lemma without_hits (B : {set 'I_s}) : without (@hits s k) B = ((s - #|B|) ^ k)%N.
Proof. exact: card_avoid. Qed.

(* Blocks of s bits with k independent positions, exactly: the rate is an average over i, where the weight of i is the
   share of the queries with i places. *)
Theorem standard_blocked_exact : (0 < b)%N -> (0 < s)%N ->
  standard_blocked = \sum_(i < s.+1) 'C(s, i)%:R * (onto k i / (s ^ k)%:R *
    \sum_(j < i.+1) 'C(i, j)%:R * ((-1) ^+ j * (1 - (1 - (1 - j%:R / s%:R) ^+ k) / b%:R) ^+ n)).
Proof.
move=> b0 s0; have sk0 : (0 : rat) < (s ^ k)%:R by rewrite ltr0n expn_gt0 s0.
have b1 : (b%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have s1 : (s%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have bs1 : (b%:R * (s ^ k)%:R : rat) != 0 by rewrite mulf_neq0 // gt_eqF.
pose g i : rat := \sum_(j < i.+1) 'C(i, j)%:R * ((-1) ^+ j * ((b.-1 * s ^ k + (s - j) ^ k) ^ n)%:R).
rewrite /standard_blocked /blocked_rate blocked_sum card_ffun !card_ord.
have -> : \sum_(c : {ffun 'I_k -> 'I_s}) \sum_(B : {set 'I_s} | B \subset hits c) (-1) ^+ #|B| * ((b.-1 * s ^ k + without (@hits s k) B) ^ n)%:R =
    \sum_(c : {ffun 'I_k -> 'I_s}) g #|hits c| :> rat.
  apply: eq_bigr => c _; rewrite /g -(sum_by_size (hits c) (fun j => (-1) ^+ j * ((b.-1 * s ^ k + (s - j) ^ k) ^ n)%:R)).
  by apply: eq_bigr => B _; rewrite without_hits.
rewrite sum_by_hits mulr_sumr mulr_suml; apply: eq_bigr => i _.
rewrite [b%:R * _]mulrCA -[LHS]mulrA; congr (_ * _).
rewrite [b%:R * _]mulrCA -[LHS]mulrA -[RHS]mulrA; congr (_ * _).
rewrite /g -[LHS]mulrA mulr_suml !mulr_sumr; apply: eq_bigr => j _.
have js : (j <= s)%N by rewrite (leq_trans (ltn_ord j : (j <= i)%N)) // -ltnS ltn_ord.
have -> : 1 - (1 - (1 - j%:R / s%:R) ^+ k) / b%:R = (b.-1 * s ^ k + (s - j) ^ k)%:R / (b%:R * (s ^ k)%:R) :> rat.
  apply: (mulIf bs1); rewrite [RHS]divfK // [LHS]mulrBl mul1r [in LHS]mulrA divfK // mulrBl mul1r.
  have -> : (1 - j%:R / s%:R) ^+ k * (s ^ k)%:R = ((s - j) ^ k)%:R :> rat.
    by rewrite !natrX -exprMn mulrBl mul1r divfK // natrB.
  by rewrite natrD natrM -subn1 natrB // mulrBl mul1r opprB addrA addrAC.
by rewrite [((b * s ^ k) ^ n.+1)%:R]natrX exprS natrM regroup // expr_div_n natrX [((_ + _) ^ n)%:R]natrX.
Qed.
End StandardBlocks.

(* A split block: k words of w bits, an item has one bit in each. *)
Section SplitBlocks.
Variables b w k n : nat.
Definition word_bits (c : {ffun 'I_k -> 'I_w}) : {set 'I_k * 'I_w} := [set p | c p.1 == p.2].
Definition split_rate : rat := blocked_rate word_bits b n.

Lemma card_word_bits c : #|word_bits c| = k.
Proof.
rewrite -[RHS]card_ord -(card_imset _ (_ : injective (fun j : 'I_k => (j, c j)))); last by move=> i j [].
apply: eq_card => -[j x]; rewrite inE /=; apply/eqP/imsetP => [<-|[i _ [-> ->]] //]; by exists j.
Qed.

Lemma without_bits c (B : {set 'I_k * 'I_w}) : B \subset word_bits c -> without word_bits B = (w ^ (k - #|B|) * w.-1 ^ #|B|)%N.
Proof.
move=> /subsetP sub.
pose J := [set j | (j, c j) \in B].
have BJ : #|B| = #|J|.
  rewrite -(card_imset J (_ : injective (fun j : 'I_k => (j, c j)))); last by move=> i j [].
  apply: eq_card => -[j x]; apply/idP/imsetP => [h | [i]]; last by rewrite inE => h [-> ->].
  by have := sub _ h; rewrite inE /= => /eqP e; exists j; rewrite ?inE ?e.
pose F j : {set 'I_w} := if j \in J then [set~ c j] else setT.
have -> : without word_bits B = #|family (fun j => mem (F j))|.
  apply: eq_card => d; rewrite inE; apply/idP/familyP => [dis j | h].
    rewrite /F; case: ifP => //=; rewrite ?inE // => jB; apply/eqP => e.
    have : (j, c j) \in B by [].
    by rewrite (disjointFr dis) // inE /= e.
  rewrite disjoint_subset; apply/subsetP => -[j x]; rewrite !inE /= => /eqP e; apply/negP => h'.
  have := sub _ h'; rewrite inE /= => /eqP ce; have jJ : j \in J by rewrite inE ce.
  by have := h j; rewrite /F jJ !inE e ce eqxx.
rewrite card_family foldrE big_map big_enum /= (bigID (mem J)) /=.
rewrite (eq_bigr (fun _ => w.-1)); last by move=> j jJ; rewrite /F jJ cardsC1 card_ord.
rewrite [X in (_ * X)%N](eq_bigr (fun _ => w)); last by move=> j /negbTE jJ; rewrite /F jJ cardsT card_ord.
rewrite !prod_nat_const -BJ mulnC; congr (_ ^ _ * _)%N.
by rewrite BJ -card_setC_ord; apply: eq_card => j; rewrite in_setC.
Qed.

(* The exact rate of a split block filter, such as Parquet's, which has k = 8 words of w = 32 bits. *)
Theorem split_block_exact : (0 < b)%N -> (0 < w)%N ->
  split_rate = \sum_(j < k.+1) 'C(k, j)%:R * ((-1) ^+ j * (1 - (1 - (1 - w%:R^-1) ^+ j) / b%:R) ^+ n).
Proof.
move=> b0 w0; have w1 : (w%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
rewrite /split_rate (@blocked_by_size _ _ _ _ _ k (fun j => (w ^ (k - j) * w.-1 ^ j)%N)) //.
- apply: eq_bigr => j _; congr (_ * (_ * (1 - (1 - _) / _) ^+ _)).
  have jk : (j <= k)%N by rewrite -ltnS ltn_ord.
  rewrite card_ffun !card_ord (_ : w ^ k = w ^ (k - j) * w ^ j)%N; last by rewrite -expnD subnK.
  rewrite !natrM invfM mulrACA divff ?mul1r; last by rewrite natrX expf_neq0.
  by rewrite !natrX -expr_div_n -subn1 natrB // mulrBl divff // mul1r.
- by rewrite card_ffun !card_ord expn_gt0 w0.
- exact: card_word_bits.
by move=> c B sub; rewrite (without_bits sub).
Qed.
End SplitBlocks.
