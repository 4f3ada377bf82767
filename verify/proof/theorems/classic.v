(* The classic Bloom filter of m bits, after n items with k distinct positions each.

   The space: every sequence of n sets of k places, and every query of h places (h = k for the filter), is equally
   likely. A query is a false positive when all its places are in a set of the sequence. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Items.
Variables (P : finType) (n : nat).
Implicit Types (s : {ffun 'I_n -> {set P}}) (A B : {set P}) (family : {set {set P}}).

(* The places that some item has. *)
Definition filled s : {set P} := \bigcup_i s i.

(* Sequences of items from a family that leave out a set. *)
Lemma card_left_out family B :
  #|[set s | (s \in ffun_on (mem family)) && [disjoint filled s & B]]| = (#|[set a in family | [disjoint a & B]]| ^ n)%N.
Proof.
rewrite -[X in (_ ^ X)%N]card_ord -card_ffun_on; apply: eq_card => s; rewrite inE.
apply/andP/ffun_onP => [[/ffun_onP fs dis] i | h].
  rewrite inE fs /=; have sub : s i \subset filled s by apply: (bigcup_sup i).
  exact: (disjointWl sub dis).
split; first by apply/ffun_onP => i; have := h i; rewrite inE => /andP[].
by rewrite disjoint_sym; apply/bigcup_disjointP => i _; have := h i; rewrite inE disjoint_sym => /andP[].
Qed.

(* Sequences of items from a family that cover a set, by inclusion and exclusion. *)
Lemma sum_covering family A :
  \sum_(s in ffun_on (mem family)) (A \subset filled s)%:R =
  \sum_(B : {set P} | B \subset A) (-1) ^+ #|B| * (#|[set a in family | [disjoint a & B]]| ^ n)%:R :> rat.
Proof.
under eq_bigr => s _ do rewrite cover.
rewrite exchange_big /=; apply: eq_bigr => B _; rewrite -mulr_sumr; congr (_ * _).
rewrite -card_left_out -sum1_card natr_sum [RHS]big_mkcond [LHS]big_mkcond /=.
by apply: eq_bigr => s _; rewrite in_set; case: (s \in ffun_on _) => //=; case: [disjoint _ & _].
Qed.
End Items.

Section Classic.
Variables m k n : nat.
Implicit Types (q A B : {set 'I_m}) (s : {ffun 'I_n -> {set 'I_m}}).

(* The items: the sets of k places; the states: sequences of n items. *)
Definition items : {set {set 'I_m}} := [set a : {set 'I_m} | #|a| == k].
Definition states : pred {ffun 'I_n -> {set 'I_m}} := ffun_on (mem items).

Lemma card_items : #|items| = 'C(m, k).
Proof. by have := card_draws (ordinal_finType m) k; rewrite card_ord. Qed.

Lemma card_states : #|states| = ('C(m, k) ^ n)%N.
Proof. by rewrite card_ffun_on card_ord; congr (_ ^ _)%N; rewrite -card_items; apply: eq_card. Qed.

Lemma card_items_without B : #|[set a in items | [disjoint a & B]]| = 'C(m - #|B|, k).
Proof.
have -> : (m - #|B| = #|~: B|)%N by rewrite card_setC_ord.
rewrite -cards_draws; apply: eq_card => a; rewrite !inE andbC; congr (_ && _).
by rewrite subsets_disjoint setCK.
Qed.

(* The false positives among all states and queries of h places, and their share. *)
Definition classic_pairs (h : nat) : rat :=
  \sum_(q : {set 'I_m} | #|q| == h) \sum_(s in states) (q \subset filled s)%:R.
Definition classic_rate (h : nat) : rat := classic_pairs h / ('C(m, h) * 'C(m, k) ^ n)%:R.

(* Burns (59): the rate is the mean of C(X, h)/C(m, h), where X is the number of bits that are set. *)
Theorem classic_mean h :
  classic_rate h = (\sum_(s in states) ('C(#|filled s|, h))%:R / ('C(m, h))%:R) / ('C(m, k) ^ n)%:R.
Proof.
rewrite /classic_rate -mulr_suml natrM invfM mulrA; congr (_ / _ / _).
rewrite /classic_pairs exchange_big /=; apply: eq_bigr => s _.
rewrite -cards_draws -sum1_card natr_sum [RHS]big_mkcond [LHS]big_mkcond /=.
by apply: eq_bigr => q _; rewrite inE andbC; case: (#|q| == h) => //=; case: (q \subset _).
Qed.

Lemma classic_covering q :
  \sum_(s in states) (q \subset filled s)%:R =
  \sum_(j < #|q|.+1) 'C(#|q|, j)%:R * ((-1) ^+ j * ('C(m - j, k) ^ n)%:R) :> rat.
Proof.
rewrite -(sum_by_size q (fun j => (-1) ^+ j * ('C(m - j, k) ^ n)%:R)) sum_covering.
by apply: eq_bigr => B _; rewrite card_items_without.
Qed.

(* Burns (60) with h = k, and psi(h, m) of (63): the rate is a sum over the number j of places that no item has. *)
Theorem classic_difference h : (h <= m)%N -> (k <= m)%N ->
  classic_rate h = \sum_(j < h.+1) 'C(h, j)%:R * ((-1) ^+ j * ('C(m - j, k)%:R / 'C(m, k)%:R) ^+ n).
Proof.
move=> hm km; have h0 : (0 : rat) < 'C(m, h)%:R by rewrite ltr0n bin_gt0.
rewrite /classic_rate /classic_pairs.
under eq_bigr => q /eqP qh do rewrite classic_covering qh.
rewrite sumr_const (_ : #|_| = 'C(m, h)); last by have := card_draws (ordinal_finType m) h; rewrite card_ord => <-; apply: eq_card => q; rewrite inE.
rewrite -mulr_natl natrM invfM mulrACA divff ?gt_eqF // mul1r mulr_suml; apply: eq_bigr => j _.
by rewrite -!mulrA; congr (_ * (_ * _)); rewrite !natrX expr_div_n.
Qed.
End Classic.

Section ClassicRecursion.
Variables m k n : nat.

Lemma fewer_places : (k <= m.+1)%N -> 'C(m, k)%:R = (1 - k%:R / m.+1%:R) * 'C(m.+1, k)%:R :> rat.
Proof.
move=> km; have m1 : (m.+1%:R : rat) != 0 by rewrite pnatr_eq0.
apply: (mulfI m1); rewrite mulrA mulrBr mulr1 mulrCA divff // mulr1 -natrB //.
by rewrite -!natrM -mul_bin_down.
Qed.

Lemma full_filter h : (h <= m.+1)%N -> (0 < n)%N -> classic_rate m.+1 m.+1 n h = 1.
Proof.
move=> hm n0; rewrite classic_difference // big_ord_recl big1 => [|j _].
  by rewrite addr0 subn0 bin0 binn divff // expr1n !mul1r.
by rewrite lift0 [X in X%:R / _]bin_small ?mul0r ?ltnS ?subSS ?leq_subr // expr0n -[n]prednK // !mulr0.
Qed.

(* Burns (63) corrected: f_C = psi(k, m), where psi(h, m) is the rate of queries with h places. *)
Theorem classic_recursion h : (h <= m)%N -> (k <= m.+1)%N -> (0 < n)%N ->
  classic_rate m.+1 k n h.+1 = classic_rate m.+1 k n h - (1 - k%:R / m.+1%:R) ^+ n * classic_rate m k n h.
Proof.
move=> hm km1 n0; move: km1 (km1); rewrite {1}leq_eqVlt ltnS => /orP[/eqP kE _|km km1].
  by rewrite kE (full_filter (h := h.+1) hm n0) (full_filter (leqW hm) n0) divff ?pnatr_eq0 // subrr expr0n -[n]prednK // mul0r subr0.
rewrite !classic_difference // ?leqW //.
pose a j : rat := (-1) ^+ j * ('C(m.+1 - j, k)%:R / 'C(m.+1, k)%:R) ^+ n.
have -> : (1 - k%:R / m.+1%:R) ^+ n * (\sum_(j < h.+1) 'C(h, j)%:R * ((-1) ^+ j * ('C(m - j, k)%:R / 'C(m, k)%:R) ^+ n)) =
    - \sum_(j < h.+1) 'C(h, j)%:R * a j.+1.
  rewrite mulr_sumr -sumrN; apply: eq_bigr => j _.
  rewrite /a subSS exprS mulN1r mulNr mulrN opprK mulrCA [_ ^+ n * (_ * _)]mulrCA -exprMn; congr (_ * (_ * _ ^+ n)).
  have c0 : ('C(m, k)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n bin_gt0.
  have C0 : ('C(m.+1, k)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n bin_gt0.
  apply: (mulIf C0); rewrite divfK // mulrAC -fewer_places // mulrC divfK //.
rewrite opprK [LHS]big_ord_recl /= bin0 mul1r.
have -> : \sum_(i < h.+1) 'C(h.+1, bump 0 i)%:R * a (bump 0 i) = \sum_(i < h.+1) 'C(h, i.+1)%:R * a i.+1 + \sum_(i < h.+1) 'C(h, i)%:R * a i.+1.
  by rewrite -big_split /=; apply: eq_bigr => i _; rewrite /bump /= add1n binS natrD mulrDl.
rewrite addrA; congr (_ + _).
rewrite [X in _ + X]big_ord_recr /= (@bin_small h h.+1) ?ltnSn // mulr0n mul0r addr0.
by rewrite [RHS]big_ord_recl /= bin0 mul1r mul1r.
Qed.
End ClassicRecursion.
