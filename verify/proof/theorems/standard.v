(* The standard Bloom filter of m bits, after N throws, k positions a query.

   The space: every throw t : 'I_N -> 'I_m and every query q : 'I_k -> 'I_m is equally likely. The throws of n items
   with k positions each are N = n k. A query is a false positive when all its positions were hit. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Throws.
Variables m N : nat.
Implicit Types (t : {ffun 'I_N -> 'I_m}) (A B : {set 'I_m}).

Definition hits t : {set 'I_m} := [set t i | i in 'I_N].

Lemma hits_subset t A : (hits t \subset A) = (t \in ffun_on (mem A)).
Proof.
apply/idP/ffun_onP => [/subsetP h i | h]; first by apply: h; apply/imsetP; exists i.
by apply/subsetP => x /imsetP[i _ ->].
Qed.

Lemma card_within A : #|[set t | hits t \subset A]| = (#|A| ^ N)%N.
Proof.
rewrite (_ : [set t | _] = [set t | t \in ffun_on (mem A)]); last by apply/setP => t; rewrite !inE hits_subset.
by rewrite cardsE card_ffun_on card_ord.
Qed.

Lemma card_setC_ord A : #|~: A| = (m - #|A|)%N.
Proof. by rewrite [LHS]cardsCs setCK card_ord. Qed.

(* The number of throws that leave out a set. *)
Lemma card_avoid B : #|[set t | [disjoint hits t & B]]| = ((m - #|B|) ^ N)%N.
Proof. by rewrite -card_setC_ord -card_within; apply: eq_card => t; rewrite !inE subsets_disjoint setCK. Qed.
End Throws.

Section Signs.
Variable T : finType.
Implicit Types S A B : {set T}.

(* A sum over the subsets of S that depends on their size alone. *)
Lemma sum_by_size S (f : nat -> rat) : \sum_(B : {set T} | B \subset S) f #|B| = \sum_(j < #|S|.+1) 'C(#|S|, j)%:R * f j.
Proof.
rewrite (partition_big (fun B : {set T} => inord #|B| : 'I_#|S|.+1) predT) //=.
apply: eq_bigr => j _.
rewrite (eq_bigl (fun B => B \in [set B : {set T} | (B \subset S) & (#|B| == j)])); last first.
  move=> B; rewrite !inE; apply: andb_id2l => BS.
  by rewrite -val_eqE /= inordK // ltnS subset_leq_card.
rewrite (eq_bigr (fun _ => f j)); last by move=> B; rewrite inE => /andP[_ /eqP ->].
by rewrite sumr_const cards_draws mulr_natl.
Qed.

Lemma alternating S : \sum_(B : {set T} | B \subset S) (-1) ^+ #|B| = (S == set0)%:R :> rat.
Proof.
rewrite (sum_by_size S (fun j => (-1) ^+ j)).
transitivity ((1 - 1 : rat) ^+ #|S|); last by rewrite subrr expr0n cards_eq0.
by rewrite exprDn; apply: eq_bigr => j _; rewrite expr1n mul1r mulr_natl.
Qed.

(* Whether H covers A, by inclusion and exclusion. *)
Lemma cover (A H : {set T}) : (A \subset H)%:R = \sum_(B : {set T} | B \subset A) (-1) ^+ #|B| * ([disjoint H & B])%:R :> rat.
Proof.
transitivity (\sum_(B : {set T} | B \subset A :\: H) (-1) ^+ #|B| : rat); first by rewrite alternating setD_eq0.
rewrite [RHS](bigID (fun B : {set T} => [disjoint H & B])) /= [X in _ + X]big1 ?addr0; last first.
  by move=> B /andP[_ /negbTE ->]; rewrite mulr0.
apply: eq_big => [B | B]; first by rewrite subsetD disjoint_sym.
by rewrite subsetD disjoint_sym => /andP[_ ->]; rewrite mulr1.
Qed.
End Signs.

Section Onto.
Variables m N : nat.

(* Burns' i! S(N, i): the number of throws that hit all of a set of i places and no other place. *)
Definition onto (i : nat) : rat := \sum_(j < i.+1) 'C(i, j)%:R * ((-1) ^+ j * ((i - j) ^ N)%:R).

Lemma card_onto (A : {set 'I_m}) : (#|[set t : {ffun 'I_N -> 'I_m} | hits t == A]|)%:R = onto #|A|.
Proof.
rewrite /onto -(sum_by_size A (fun j => (-1) ^+ j * ((#|A| - j) ^ N)%:R)).
rewrite -sum1_card natr_sum big_mkcond /=.
transitivity (\sum_(t : {ffun 'I_N -> 'I_m}) \sum_(B : {set 'I_m} | B \subset A) (-1) ^+ #|B| * (hits t \subset A :\: B)%:R : rat).
  apply: eq_bigr => t _; rewrite inE eqEsubset.
  transitivity ((hits t \subset A)%:R * (A \subset hits t)%:R : rat).
    by case: (hits t \subset A); case: (A \subset hits t); rewrite /= ?mul1r ?mul0r ?mulr0.
  rewrite (cover A (hits t)) mulr_sumr; apply: eq_bigr => B _; rewrite subsetD mulrCA; congr (_ * _).
  by case: (hits t \subset A); rewrite /= ?mul1r ?mul0r.
rewrite exchange_big /=; apply: eq_bigr => B BA; rewrite -mulr_sumr; congr (_ * _).
rewrite (_ : #|A| - #|B| = #|A :\: B|)%N; last by rewrite cardsD (setIidPr BA).
rewrite -(card_within N (A :\: B)) -sum1_card natr_sum [RHS]big_mkcond /=.
by apply: eq_bigr => t _; rewrite inE; case: (_ \subset _).
Qed.

(* A sum over the throws that depends on the number of places hit. *)
Lemma sum_by_hits (f : nat -> rat) :
  \sum_(t : {ffun 'I_N -> 'I_m}) f #|hits t| = \sum_(i < m.+1) 'C(m, i)%:R * (onto i * f i).
Proof.
have := sum_by_size [set: 'I_m] (fun i => onto i * f i); rewrite cardsT card_ord => <-.
rewrite (partition_big (@hits m N) predT) //=.
rewrite [RHS](eq_bigl predT) //; last by move=> B; rewrite subsetT.
apply: eq_bigr => A _; rewrite -card_onto.
rewrite (eq_bigr (fun _ => f #|A|)); last by move=> t /eqP ->.
rewrite sumr_const [RHS]mulr_natl; congr (_ *+ _).
by apply: eq_card => t; rewrite !inE.
Qed.
End Onto.

Section Laws.
Variables m N : nat.
Implicit Types A B : {set 'I_m}.

(* Fan (4): onto N i is the number of sequences of N throws that hit all of a set of i places and no other. It is i!
   times the Stirling number. *)
Theorem onto_counts A : (#|[set t : {ffun 'I_N -> 'I_m} | hits t == A]|)%:R = onto N #|A|.
Proof. exact: card_onto. Qed.

(* Burns (4): the number of sequences of throws that hit exactly i bits is C(m, i) times onto N i. *)
Theorem law_of_hits (i : nat) : (#|[set t : {ffun 'I_N -> 'I_m} | #|hits t| == i]|)%:R = 'C(m, i)%:R * onto N i.
Proof.
rewrite -sum1_card natr_sum big_mkcond /=.
transitivity (\sum_(t : {ffun 'I_N -> 'I_m}) (#|hits t| == i)%:R : rat).
  by apply: eq_bigr => t _; rewrite inE; case: (_ == i).
rewrite (sum_by_hits m N (fun j => (j == i)%:R)).
have [im | mi] := leqP i m.
  rewrite (bigD1 (inord i : 'I_m.+1)) //= inordK ?ltnS // eqxx mulr1 big1 ?addr0 // => j.
  by rewrite -val_eqE /= inordK ?ltnS // => /negbTE ->; rewrite !mulr0.
rewrite bin_small // mul0r big1 // => j _.
by rewrite (_ : (j == i :> nat) = false) ?mulr0 //; apply/negbTE; rewrite neq_ltn (leq_ltn_trans _ mi) // -ltnS ltn_ord.
Qed.

(* Burns (8): the number of sequences of throws that hit all of a set of i places, by inclusion and exclusion. *)
Theorem all_hit A : (#|[set t : {ffun 'I_N -> 'I_m} | A \subset hits t]|)%:R =
  \sum_(j < #|A|.+1) 'C(#|A|, j)%:R * ((-1) ^+ j * ((m - j) ^ N)%:R) :> rat.
Proof.
rewrite -(sum_by_size A (fun j => (-1) ^+ j * ((m - j) ^ N)%:R)).
transitivity (\sum_(t : {ffun 'I_N -> 'I_m}) (A \subset hits t)%:R : rat).
  by rewrite -sum1_card natr_sum big_mkcond /=; apply: eq_bigr => t _; rewrite inE; case: (_ \subset _).
under eq_bigr => t _ do rewrite cover.
rewrite exchange_big /=; apply: eq_bigr => B _; rewrite -mulr_sumr; congr (_ * _).
by rewrite -card_avoid -sum1_card natr_sum [RHS]big_mkcond /=; apply: eq_bigr => t _; rewrite inE; case: [disjoint _ & _].
Qed.

(* Fan (1): the share of the sequences of throws that leave out a given bit is (1 - 1/m)^N. *)
Theorem bit_stays_zero (x : 'I_m) :
  (#|[set t : {ffun 'I_N -> 'I_m} | x \notin hits t]|)%:R / (m ^ N)%:R = (1 - m%:R^-1) ^+ N :> rat.
Proof.
have m0 : (0 < m)%N by apply: leq_ltn_trans (ltn_ord x).
rewrite (_ : [set t | _] = [set t : {ffun 'I_N -> 'I_m} | [disjoint hits t & [set x]]]); last first.
  by apply/setP => t; rewrite !inE disjoint_sym disjoints1.
rewrite card_avoid cards1 !natrX -expr_div_n; congr (_ ^+ _).
by rewrite natrB // mulrBl divff ?mul1r // pnatr_eq0 -lt0n.
Qed.
End Laws.

Section Rate.
Variables m N k : nat.

(* The false positives among all throws and queries, and their share: the false-positive rate. *)
Definition pairs : rat :=
  \sum_(q : {ffun 'I_k -> 'I_m}) \sum_(t : {ffun 'I_N -> 'I_m}) (hits q \subset hits t)%:R.
Definition rate : rat := pairs / (m ^ (N + k))%:R.

(* No false negative: if the throws of an item are among all throws, then the filter contains the item. *)
Theorem no_false_negative (t : {ffun 'I_N -> 'I_m}) (throw : 'I_k -> 'I_N) :
  hits [ffun j => t (throw j)] \subset hits t.
Proof. by apply/subsetP => x /imsetP[j _ ->]; rewrite ffunE; apply/imsetP; exists (throw j). Qed.

(* Burns (53): the rate is the mean of (X/m)^k, where X is the number of bits that were hit. *)
Theorem power_mean : pairs = \sum_(t : {ffun 'I_N -> 'I_m}) (#|hits t| ^ k)%:R.
Proof.
rewrite /pairs exchange_big /=; apply: eq_bigr => t _.
rewrite -(card_within k (hits t)) -sum1_card natr_sum [RHS]big_mkcond /=.
by apply: eq_bigr => q _; rewrite inE; case: (_ \subset _).
Qed.

(* Burns (54): the rate is a sum over the number i of bits that are hit. In it, onto N i is i! times his Stirling
   number. *)
Theorem stirling : pairs = \sum_(i < m.+1) 'C(m, i)%:R * (onto N i * (i ^ k)%:R).
Proof. by rewrite power_mean (sum_by_hits m N (fun i => (i ^ k)%:R)). Qed.

(* The same by differences, as a sum over the queries. *)
Lemma difference_of_queries :
  pairs = \sum_(q : {ffun 'I_k -> 'I_m}) \sum_(j < #|hits q|.+1) 'C(#|hits q|, j)%:R * ((-1) ^+ j * ((m - j) ^ N)%:R).
Proof.
apply: eq_bigr => q _; rewrite -(sum_by_size (hits q) (fun j => (-1) ^+ j * ((m - j) ^ N)%:R)).
under eq_bigr => t _ do rewrite cover.
rewrite exchange_big /=; apply: eq_bigr => B _; rewrite -mulr_sumr; congr (_ * _).
by rewrite -card_avoid -sum1_card natr_sum [RHS]big_mkcond /=; apply: eq_bigr => t _; rewrite inE; case: [disjoint _ & _].
Qed.

(* Burns (56): the rate is a sum over the number i of places that a query has, and over the number j of these places
   that no throw hit. *)
Theorem difference :
  pairs = \sum_(i < m.+1) 'C(m, i)%:R * (onto k i * \sum_(j < i.+1) 'C(i, j)%:R * ((-1) ^+ j * ((m - j) ^ N)%:R)).
Proof.
by rewrite difference_of_queries (sum_by_hits m k (fun i => \sum_(j < i.+1) 'C(i, j)%:R * ((-1) ^+ j * ((m - j) ^ N)%:R))).
Qed.
End Rate.

Lemma no_bits N k : pairs 0 N k = (0 ^ (N + k))%:R.
Proof. by rewrite stirling big_ord1 bin0 /onto big_ord1 bin0 expr0 !mul1r subn0 -natrM -expnD. Qed.

Section Recursion.
Variables m N k : nat.

Lemma bits_hit_or_not i : m.+1%:R * 'C(m.+1, i)%:R - m.+1%:R * 'C(m, i)%:R = i%:R * 'C(m.+1, i)%:R :> rat.
Proof.
rewrite -mulrBr; case: i => [|i]; first by rewrite !bin0 subrr mulr0 mulr0n mul0r.
by rewrite binS natrD [_%:R + _]addrC addrK [in RHS]addrC -natrD -binS -!natrM -mul_bin_diag.
Qed.

Lemma recursion_of_pairs : pairs m.+1 N k.+1 = m.+1%:R * pairs m.+1 N k - m.+1%:R * pairs m N k.
Proof.
have short : pairs m N k = \sum_(i < m.+2) 'C(m, i)%:R * (onto N i * (i ^ k)%:R).
  by rewrite stirling [RHS]big_ord_recr /= bin_small // mul0r addr0.
rewrite short !stirling !mulr_sumr -sumrB; apply: eq_bigr => i _.
rewrite [m.+1%:R * ('C(m.+1, i)%:R * _)]mulrA [m.+1%:R * ('C(m, i)%:R * _)]mulrA -mulrBl bits_hit_or_not.
by rewrite expnS natrM [onto N i * _]mulrCA [LHS]mulrCA [LHS]mulrA.
Qed.

(* Burns (55) with its exponent corrected to kn + h - 1. Here psi(h, m) is the rate of queries with h positions. *)
Theorem recursion : rate m.+1 N k.+1 = rate m.+1 N k - (1 - m.+1%:R^-1) ^+ (N + k) * rate m N k.
Proof.
have [m0 | m0] := posnP m.
  rewrite /rate recursion_of_pairs m0 no_bits !exp1n !divr1 !mul1r invr1 subrr; congr (_ - _).
  by case: (N + k)%N => [|e]; rewrite ?expr0 ?expn0 ?divr1 ?mul1r // exp0n // exprS !mul0r.
have m1 : (0 : rat) < m.+1%:R by rewrite ltr0n.
have mE : (0 : rat) < (m ^ (N + k))%:R by rewrite ltr0n expn_gt0 m0.
have -> : (1 - m.+1%:R^-1 : rat) = m%:R / m.+1%:R.
  have -> : m%:R = m.+1%:R - 1 :> rat by rewrite -addn1 natrD addrK.
  by rewrite mulrBl divff ?gt_eqF // mul1r.
rewrite /rate recursion_of_pairs addnS expnS natrM -mulrBr invfM mulrACA divff ?gt_eqF // mul1r mulrBl; congr (_ - _).
by rewrite expr_div_n -!natrX [RHS]mulrC mulrA divfK ?gt_eqF.
Qed.
End Recursion.

Section Bloom.

Lemma power_step (a d : rat) k : a * (k%:R * a ^+ k.-1 * d) = k%:R * a ^+ k * d.
Proof. by case: k => [|k]; rewrite ?mulr0n ?mul0r ?mulr0 //= mulrA mulrCA -exprS. Qed.

(* A power lies above its tangent. *)
Lemma tangent (a d : rat) k : 0 <= a -> 0 <= a + d -> a ^+ k + k%:R * a ^+ k.-1 * d <= (a + d) ^+ k.
Proof.
move=> a0 x0; elim: k => [|k IH]; first by rewrite !mul0r addr0 !expr0.
rewrite exprS [leRHS]exprS; apply: le_trans (ler_wpmul2l x0 IH).
have -> : (a + d) * (a ^+ k + k%:R * a ^+ k.-1 * d) =
    a * a ^+ k + k%:R * a ^+ k * d + (a ^+ k * d + k%:R * a ^+ k.-1 * d ^+ 2).
  by rewrite mulrDl !mulrDr power_step [d * a ^+ k]mulrC [d * (_ * d)]mulrC -[_ * d * d]mulrA -expr2.
rewrite /= -[k.+1]addn1 natrD !mulrDl mul1r -subr_ge0.
set u := a * a ^+ k; set v := k%:R * a ^+ k * d; set w := a ^+ k * d; set z := _ * d ^+ 2.
have -> : u + v + (w + z) - (u + (v + w)) = z.
  by rewrite -[u + v + _]addrA opprD addrACA subrr add0r opprD addrACA subrr add0r addrAC subrr add0r.
by rewrite mulr_ge0 ?sqr_ge0 // mulr_ge0 ?ler0n // exprn_ge0.
Qed.

(* Strictly, for a square or a higher power. *)
Lemma tangent_strict (a d : rat) k : 0 < a -> d != 0 -> 0 <= a + d -> (1 < k)%N -> a ^+ k + k%:R * a ^+ k.-1 * d < (a + d) ^+ k.
Proof.
move=> a0 d0 x0; case: k => [|[|k]] // _.
have IH := @tangent a d k.+1 (ltW a0) x0.
rewrite exprS [ltRHS]exprS; apply: lt_le_trans (ler_wpmul2l x0 IH).
have -> : (a + d) * (a ^+ k.+1 + k.+1%:R * a ^+ k * d) =
    a * a ^+ k.+1 + k.+1%:R * a ^+ k.+1 * d + (a ^+ k.+1 * d + k.+1%:R * a ^+ k * d ^+ 2).
  rewrite mulrDl !mulrDr; have := power_step a d k.+1; rewrite /= => ->.
  by rewrite [d * a ^+ k.+1]mulrC [d * (_ * d)]mulrC -[_ * d * d]mulrA -expr2.
rewrite /= -[k.+2]addn1 natrD !mulrDl mul1r -subr_gt0.
set u := a * a ^+ k.+1; set v := k.+1%:R * a ^+ k.+1 * d; set w := a ^+ k.+1 * d; set z := _ * d ^+ 2.
have -> : u + v + (w + z) - (u + (v + w)) = z.
  by rewrite -[u + v + _]addrA opprD addrACA subrr add0r opprD addrACA subrr add0r addrAC subrr add0r.
by rewrite mulr_gt0 ?exprn_even_gt0 // mulr_gt0 ?ltr0n // exprn_gt0.
Qed.

Variables m N : nat.
Hypothesis m_positive : (0 < m)%N.

Lemma card_throws : #|{ffun 'I_N -> 'I_m}| = (m ^ N)%N.
Proof. by rewrite card_ffun !card_ord. Qed.

(* The number of bits that are hit in the mean, times the number of throws. *)
Lemma mean_hits : \sum_(t : {ffun 'I_N -> 'I_m}) #|hits t|%:R = m%:R * ((m ^ N)%:R - (m.-1 ^ N)%:R) :> rat.
Proof.
transitivity (\sum_(t : {ffun 'I_N -> 'I_m}) \sum_(x : 'I_m) (1 - [disjoint hits t & [set x]]%:R) : rat).
  apply: eq_bigr => t _; rewrite -sum1_card natr_sum big_mkcond /=; apply: eq_bigr => x _.
  by rewrite disjoint_sym disjoints1; case: (x \in hits t); rewrite /= ?subr0 ?subrr.
rewrite exchange_big /= (eq_bigr (fun _ => (m ^ N)%:R - (m.-1 ^ N)%:R)).
  by rewrite sumr_const card_ord mulr_natl.
move=> x _; rewrite sumrB sumr_const card_throws; congr (_ - _).
rewrite -[in RHS]subn1 -(cards1 x) -card_avoid -sum1_card natr_sum [RHS]big_mkcond /=.
by apply: eq_bigr => t _; rewrite inE; case: [disjoint _ & _].
Qed.

(* Bloom's value (1 - (1 - 1/m)^N)^k is at most the rate, where N = n k is the number of throws. *)
Theorem bloom_below k : (1 - (1 - m%:R^-1) ^+ N) ^+ k <= rate m N k.
Proof.
have m0 : (0 : rat) < m%:R by rewrite ltr0n.
have mN0 : (0 : rat) < (m ^ N)%:R by rewrite ltr0n expn_gt0 m_positive.
set b := 1 - _.
have bE : b = ((m ^ N)%:R - (m.-1 ^ N)%:R) / (m ^ N)%:R.
  rewrite mulrBl divff ?gt_eqF // /b; congr (_ - _).
  rewrite !natrX -expr_div_n; congr (_ ^+ _).
  by rewrite -subn1 natrB // mulrBl divff ?gt_eqF // mul1r.
have b0 : 0 <= b.
  have le : (m.-1 ^ N <= m ^ N)%N by case: (N) => [|n]; rewrite ?expn0 // leq_exp2r // leq_pred.
  by rewrite bE divr_ge0 ?ler0n // subr_ge0 ler_nat.
pose a := m%:R * b.
have a0 : 0 <= a by rewrite mulr_ge0 // ltW.
have sum_a : \sum_(t : {ffun 'I_N -> 'I_m}) (#|hits t|%:R - a) = 0.
  have aM : a * (m ^ N)%:R = m%:R * ((m ^ N)%:R - (m.-1 ^ N)%:R) by rewrite /a bE -mulrA divfK ?gt_eqF.
  by rewrite sumrB mean_hits sumr_const card_throws -aM mulr_natr subrr.
rewrite /rate power_mean expnD natrM invfM mulrA ler_pdivl_mulr ?ltr0n ?expn_gt0 ?m_positive //.
rewrite natrX -exprMn mulrC -/a ler_pdivl_mulr //.
have -> : a ^+ k * (m ^ N)%:R = \sum_(t : {ffun 'I_N -> 'I_m}) (a ^+ k + k%:R * a ^+ k.-1 * (#|hits t|%:R - a)).
  by rewrite big_split /= sumr_const card_throws mulr_natr -mulr_sumr sum_a mulr0 addr0.
apply: ler_sum => t _; rewrite natrX.
have xE : a + (#|hits t|%:R - a) = #|hits t|%:R by rewrite addrC subrK.
by have := @tangent a (#|hits t|%:R - a) k a0; rewrite xE; apply; rewrite ler0n.
Qed.
End Bloom.

Section Strict.
Variables m N : nat.
Hypothesis m_two : (1 < m)%N.

(* Fan (5): Bloom's value is below the rate if there are at least two bits, two throws and two positions. *)
Theorem bloom_strictly_below k : (1 < N)%N -> (1 < k)%N -> (1 - (1 - m%:R^-1) ^+ N) ^+ k < rate m N k.
Proof.
move=> N2 k2; have m_positive : (0 < m)%N by apply: ltn_trans m_two.
have N_positive : (0 < N)%N by apply: ltn_trans N2.
have m0 : (0 : rat) < m%:R by rewrite ltr0n.
have mN0 : (0 : rat) < (m ^ N)%:R by rewrite ltr0n expn_gt0 m_positive.
set b := 1 - _.
have bE : b = ((m ^ N)%:R - (m.-1 ^ N)%:R) / (m ^ N)%:R.
  rewrite mulrBl divff ?gt_eqF // /b; congr (_ - _).
  rewrite !natrX -expr_div_n; congr (_ ^+ _).
  by rewrite -subn1 natrB // mulrBl divff ?gt_eqF // mul1r.
have b0 : 0 < b.
  have lt : (m.-1 ^ N < m ^ N)%N by rewrite ltn_exp2r // prednK.
  by rewrite bE divr_gt0 // subr_gt0 ltr_nat.
pose a := m%:R * b.
have a0 : 0 < a by rewrite mulr_gt0.
have sum_a : \sum_(t : {ffun 'I_N -> 'I_m}) (#|hits t|%:R - a) = 0.
  have aM : a * (m ^ N)%:R = m%:R * ((m ^ N)%:R - (m.-1 ^ N)%:R) by rewrite /a bE -mulrA divfK ?gt_eqF.
  by rewrite sumrB (mean_hits m N) sumr_const card_throws -aM mulr_natr subrr.
pose o := Ordinal m_positive; pose p := Ordinal m_two.
pose t0 : {ffun 'I_N -> 'I_m} := [ffun=> o].
pose t1 : {ffun 'I_N -> 'I_m} := [ffun i => if val i == 0%N then o else p].
have h0 : hits t0 = [set o].
  apply/setP => x; rewrite inE; apply/imsetP/eqP => [[j _ ->]|->]; first by rewrite ffunE.
  by exists (Ordinal N_positive); rewrite ?ffunE.
have h1 : [set o; p] \subset hits t1.
  apply/subsetP => x; rewrite !inE => /orP[] /eqP ->; apply/imsetP.
    by exists (Ordinal N_positive); rewrite ?ffunE.
  by exists (Ordinal N2); rewrite ?ffunE.
have uneven : exists t : {ffun 'I_N -> 'I_m}, #|hits t|%:R - a != 0.
  case: (eqVneq (#|hits t0|%:R - a) 0) => [e|ne]; last by exists t0.
  exists t1; rewrite -e (inj_eq (addIr _)) h0 cards1 eqr_nat gtn_eqF //.
  by apply: leq_trans (subset_leq_card h1); rewrite cards2.
rewrite /rate power_mean expnD natrM invfM mulrA ltr_pdivl_mulr ?ltr0n ?expn_gt0 ?m_positive //.
rewrite natrX -exprMn mulrC -/a ltr_pdivl_mulr //.
have -> : a ^+ k * (m ^ N)%:R = \sum_(t : {ffun 'I_N -> 'I_m}) (a ^+ k + k%:R * a ^+ k.-1 * (#|hits t|%:R - a)).
  by rewrite big_split /= sumr_const card_throws mulr_natr -mulr_sumr sum_a mulr0 addr0.
have xE (t : {ffun 'I_N -> 'I_m}) : a + (#|hits t|%:R - a) = #|hits t|%:R by rewrite addrC subrK.
have [t tne] := uneven.
rewrite (bigD1 t) //= [ltRHS](bigD1 t) //=; apply: ltr_le_add.
  by have := @tangent_strict a (#|hits t|%:R - a) k a0 tne; rewrite natrX xE; apply; rewrite ?ler0n.
apply: ler_sum => u _; rewrite natrX.
by have := @tangent a (#|hits u|%:R - a) k (ltW a0); rewrite xE; apply; rewrite ler0n.
Qed.
End Strict.

Section OneMore.
Variables m N : nat.
Implicit Types (t : {ffun 'I_N -> 'I_m}) (x : 'I_m).

(* One throw more, which hits x. *)
Definition more (p : 'I_m * {ffun 'I_N -> 'I_m}) : {ffun 'I_N.+1 -> 'I_m} :=
  [ffun i => if unlift ord0 i is Some j then p.2 j else p.1].

Lemma more_bij : bijective more.
Proof.
exists (fun s : {ffun 'I_N.+1 -> 'I_m} => (s ord0, [ffun j => s (lift ord0 j)])).
  by move=> [x t] /=; congr (_, _); [rewrite ffunE unlift_none | apply/ffunP => j; rewrite !ffunE liftK].
by move=> s; apply/ffunP => i; rewrite ffunE /=; case: unliftP => [j|] ->; rewrite ?ffunE.
Qed.

Lemma hits_more x t : hits (more (x, t)) = x |: hits t.
Proof.
apply/setP => y; rewrite in_setU1; apply/imsetP/idP => [[i _ ->]|].
  by rewrite ffunE /=; case: unliftP => [j|] _; rewrite ?eqxx ?orbT //; apply/orP; right; apply/imsetP; exists j.
case/orP => [/eqP ->|/imsetP[j _ ->]]; first by exists ord0 => //; rewrite ffunE unlift_none.
by exists (lift ord0 j) => //; rewrite ffunE liftK.
Qed.

Lemma sum_more (f : nat -> rat) :
  \sum_(s : {ffun 'I_N.+1 -> 'I_m}) f #|hits s| = \sum_(x : 'I_m) \sum_(t : {ffun 'I_N -> 'I_m}) f #|x |: hits t|.
Proof.
rewrite (reindex more) /=; last by apply: onW_bij; exact: more_bij.
by rewrite pair_big /=; apply: eq_bigr => -[x t] _; rewrite hits_more.
Qed.

(* One more throw raises the rate if there are at least two bits and at least one position. *)
Theorem rate_rises k : (1 < m)%N -> (0 < k)%N -> rate m N k < rate m N.+1 k.
Proof.
move=> m2 k0; have m0 : (0 < m)%N by apply: ltn_trans m2.
have pos e : (0 : rat) < (m ^ e)%:R by rewrite ltr0n expn_gt0 m0.
rewrite /rate addSn expnS natrM invfM mulrA ltr_pmul2r ?invr_gt0 ?pos //.
rewrite ltr_pdivl_mulr ?ltr0n // !power_mean (sum_more (fun i => (i ^ k)%:R)).
pose o := Ordinal m0; pose p := Ordinal m2.
have -> : (\sum_(t : {ffun 'I_N -> 'I_m}) (#|hits t| ^ k)%:R) * m%:R = \sum_(x : 'I_m) \sum_(t : {ffun 'I_N -> 'I_m}) (#|hits t| ^ k)%:R :> rat.
  by rewrite sumr_const card_ord mulr_natr.
pose t0 : {ffun 'I_N -> 'I_m} := [ffun=> o].
have p_new : p \notin hits t0 by apply/imsetP => -[j _]; rewrite ffunE => /(congr1 val).
have le x t : (#|hits t| ^ k)%:R <= (#|x |: hits t| ^ k)%:R :> rat.
  by rewrite ler_nat leq_exp2r // subset_leq_card // subsetUr.
rewrite (bigD1 p) //= [ltRHS](bigD1 p) //=; apply: ltr_le_add; last by apply: ler_sum => x _; apply: ler_sum.
rewrite (bigD1 t0) //= [ltRHS](bigD1 t0) //=; apply: ltr_le_add; last by apply: ler_sum.
by rewrite ltr_nat ltn_exp2r // cardsU1 p_new.
Qed.
End OneMore.

(* With the same throws, one more position never raises the rate. *)
Theorem rate_falls_in_positions m N k : (0 < m)%N -> rate m N k.+1 <= rate m N k.
Proof.
move=> m0; have pos e : (0 : rat) < (m ^ e)%:R by rewrite ltr0n expn_gt0 m0.
rewrite /rate addnS expnS natrM invfM mulrA ler_pmul2r ?invr_gt0 ?pos //.
rewrite ler_pdivr_mulr ?ltr0n // !power_mean mulr_suml; apply: ler_sum => t _.
by rewrite -natrM ler_nat expnS mulnC leq_mul2l -[m in (_ <= m)%N]card_ord max_card orbT.
Qed.
