(* Occupancy: which of m places are occupied, where the number of states that occupy none but the places of a set depends
   on the size of the set alone. Balls, committees, and batches of any sizes are such, and so is a filter.

   The space: the states s of F, all equally likely; U s are the places occupied, and w x the number of states that
   occupy none but x given places. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The backward difference of order r at x; that at x = r is the forward difference at 0. *)
Definition nabla (r : nat) (w : nat -> rat) (x : nat) : rat := \sum_(j < r.+1) 'C(r, j)%:R * ((-1) ^+ j * w (x - j)%N).

Section Differences.
Implicit Type w : nat -> rat.

Lemma nabla0 w x : nabla 0 w x = w x.
Proof. by rewrite /nabla big_ord1 bin0 expr0 subn0 !mul1r. Qed.

(* Burns (7): a difference of order r + 1 at x + 1 is the difference of order r at x + 1, minus the difference of order
   r at x. *)
Theorem differences r w x : nabla r.+1 w x.+1 = nabla r w x.+1 - nabla r w x.
Proof.
pose h j : rat := (-1) ^+ j * w (x.+1 - j)%N.
have -> : nabla r w x = - \sum_(j < r.+1) 'C(r, j)%:R * h j.+1.
  by rewrite -sumrN; apply: eq_bigr => j _; rewrite /h subSS exprS mulN1r mulNr mulrN opprK.
rewrite opprK /nabla big_ord_recl [X in _ = X + _](_ : _ = \sum_(j < r.+2) 'C(r, j)%:R * h j); last first.
  by rewrite [RHS]big_ord_recr /= bin_small // mul0r addr0.
rewrite [in RHS]big_ord_recl /= !bin0 -addrA; congr (_ + _); rewrite -big_split /=.
by apply: eq_bigr => j _; rewrite /bump /= add1n binS natrD mulrDl.
Qed.

Lemma eq_nabla r w w' x : w =1 w' -> nabla r w x = nabla r w' x.
Proof. by move=> e; apply: eq_bigr => j _; rewrite e. Qed.

Lemma nabla_scale r w (a : rat) x : nabla r (fun y => w y / a) x = nabla r w x / a.
Proof. by rewrite /nabla mulr_suml; apply: eq_bigr => j _; rewrite !mulrA. Qed.

(* The differences of the number of ways to choose k of y. *)
Lemma nabla_choices k b x : (b <= x)%N -> (b <= k)%N -> nabla b (fun y => 'C(y, k)%:R) x = 'C(x - b, k - b)%:R.
Proof.
elim: b x => [|b IH] x; first by rewrite nabla0 !subn0.
case: x => // x bx bk; rewrite differences !IH ?(ltnW bk) ?leqW // subSS subSn //.
by rewrite -{1}(subnSK bk) binS natrD (subnSK bk) addrAC subrr add0r.
Qed.

Lemma nabla_choices_above k b x : (b <= x)%N -> (k < b)%N -> nabla b (fun y => 'C(y, k)%:R) x = 0.
Proof.
move=> bx kb; rewrite -(subnK kb) in bx *; elim: (b - k.+1)%N x bx => [|d IH] x; last first.
  by case: x => // x; rewrite addSn ltnS => dx; rewrite differences !IH ?leqW // subrr.
by case: x => // x; rewrite add0n ltnS => kx; rewrite differences !nabla_choices ?leqW // !subnn !bin0 subrr.
Qed.
End Differences.

Section Occupancy.
Variables (m : nat) (E : finType) (F : pred E) (U : E -> {set 'I_m}) (w : nat -> rat).
Hypothesis within : forall A : {set 'I_m}, \sum_(s in F) (U s \subset A)%:R = w #|A|.
Implicit Types A B : {set 'I_m}.

Lemma all_states : w m = #|F|%:R.
Proof.
by have := within [set: 'I_m]; rewrite cardsT card_ord => <-; rewrite (eq_bigr (fun=> 1)) ?sumr_const // => s _; rewrite subsetT.
Qed.

Lemma without_set B : \sum_(s in F) ([disjoint U s & B])%:R = w (m - #|B|)%N.
Proof. by rewrite -card_setC_ord -within; apply: eq_bigr => s _; rewrite subsets_disjoint setCK. Qed.

(* Lemma 1 of Burns: the number of states in which r given places are all occupied depends only on r, and is the
   difference of order r. *)
Theorem all_occupied A : \sum_(s in F) (A \subset U s)%:R = nabla #|A| w m.
Proof.
under eq_bigr => s _ do rewrite cover.
rewrite exchange_big /= /nabla -(sum_by_size A (fun j => (-1) ^+ j * w (m - j)%N)).
by apply: eq_bigr => B _; rewrite -mulr_sumr without_set.
Qed.

(* The number of states that occupy the places of A and no others. *)
Theorem occupied_exactly A : \sum_(s in F) (U s == A)%:R = nabla #|A| w #|A|.
Proof.
rewrite /nabla -(sum_by_size A (fun j => (-1) ^+ j * w (#|A| - j)%N)).
transitivity (\sum_(s in F) \sum_(B : {set 'I_m} | B \subset A) (-1) ^+ #|B| * (U s \subset A :\: B)%:R : rat).
  apply: eq_bigr => s _; rewrite eqEsubset.
  transitivity ((U s \subset A)%:R * (A \subset U s)%:R : rat); first by case: (U s \subset A); rewrite /= ?mul1r ?mul0r.
  rewrite (cover A (U s)) mulr_sumr; apply: eq_bigr => B _; rewrite subsetD mulrCA; congr (_ * _).
  by case: (U s \subset A); rewrite /= ?mul1r ?mul0r.
rewrite exchange_big /=; apply: eq_bigr => B BA; rewrite -mulr_sumr within cardsD (setIidPr BA) //.
Qed.

Lemma sum_over_sets (f : {set 'I_m} -> E -> rat) i (g : rat) : (forall A, #|A| = i -> \sum_(s in F) f A s = g) ->
  \sum_(s in F) \sum_(A : {set 'I_m} | #|A| == i) f A s = 'C(m, i)%:R * g.
Proof.
move=> fg; rewrite exchange_big /= (eq_bigr (fun=> g)) => [|A /eqP Ai]; last exact: fg.
have := card_draws (ordinal_finType m) i; rewrite card_ord cardsE => <-.
by rewrite sumr_const mulr_natl.
Qed.

(* Burns (14), (17) and (18): the number of states that occupy exactly i places is C(m, i) times the difference of order
   i at 0. *)
Theorem law_of_occupied i : \sum_(s in F) (#|U s| == i)%:R = 'C(m, i)%:R * nabla i w i.
Proof.
rewrite -(@sum_over_sets (fun A s => (U s == A)%:R) i) => [|A <-]; last exact: occupied_exactly.
apply: eq_bigr => s _; case: eqP => [si | ne].
  rewrite (bigD1 (U s)) ?si //= eqxx big1 ?addr0 // => A /andP[_ /negbTE]; by rewrite eq_sym => ->.
by rewrite big1 // => A /eqP Ai; case: eqP => // UA; case: ne; rewrite UA.
Qed.

(* Burns (2), (15) and (19): let X be the number of occupied places. The sum of C(X, r) over the states is C(m, r) times
   the number of states in which r given places are occupied. *)
Theorem binomial_moment r : \sum_(s in F) 'C(#|U s|, r)%:R = 'C(m, r)%:R * nabla r w m.
Proof.
rewrite -(@sum_over_sets (fun A s => (A \subset U s)%:R) r) => [|A <-]; last exact: all_occupied.
apply: eq_bigr => s _; rewrite -cards_draws -sum1_card natr_sum big_mkcond [RHS]big_mkcond /=.
by apply: eq_bigr => A _; rewrite inE andbC; case: (_ == r) => //=; case: (_ \subset _).
Qed.

(* Burns (3): the distribution of the number of occupied places follows from the probabilities that given places are
   occupied. *)
Theorem law_by_moments i : (i <= m)%N ->
  \sum_(s in F) (#|U s| == i)%:R = 'C(m, i)%:R * \sum_(j < (m - i).+1) 'C(m - i, j)%:R * ((-1) ^+ j * nabla (i + j) w m).
Proof.
move=> im; rewrite law_of_occupied.
have [Ci0 | Ci] := posnP 'C(m, i); first by rewrite Ci0 !mul0r.
have /card_gt0P[A] : (0 < #|[set A : {set 'I_m} | #|A| == i]|)%N.
  by have := card_draws (ordinal_finType m) i; rewrite card_ord => ->.
rewrite inE => /eqP Ai; congr (_ * _); rewrite -{1 2}Ai -occupied_exactly.
have CA : #|~: A| = (m - i)%N by rewrite card_setC_ord Ai.
rewrite -CA -(sum_by_size (~: A) (fun j => (-1) ^+ j * nabla (i + j) w m)).
transitivity (\sum_(s in F) \sum_(B : {set 'I_m} | B \subset ~: A) (-1) ^+ #|B| * (A :|: B \subset U s)%:R : rat).
  apply: eq_bigr => s _; rewrite eqEsubset.
  transitivity ((A \subset U s)%:R * (U s \subset A)%:R : rat); first by case: (U s \subset A); case: (A \subset U s); rewrite /= ?mul1r ?mul0r.
  rewrite -[U s \subset A]setCS (cover (~: A) (~: U s)) mulr_sumr; apply: eq_bigr => B _; rewrite subUset mulrCA; congr (_ * _).
  by rewrite [[disjoint _ & B]]disjoint_sym -subsets_disjoint; case: (A \subset U s); rewrite /= ?mul1r ?mul0r.
rewrite exchange_big /=; apply: eq_bigr => B BA; rewrite -mulr_sumr all_occupied cardsU.
by rewrite disjoint_setI0 ?cards0 ?subn0 ?Ai // disjoint_sym disjoints_subset.
Qed.
End Occupancy.

(* Balls: N throws on m places. *)
Lemma throws_within m N (A : {set 'I_m}) : \sum_(t in predT) (hits (t : {ffun 'I_N -> 'I_m}) \subset A)%:R = (#|A| ^ N)%:R :> rat.
Proof.
rewrite -(card_within N A) -sum1_card natr_sum [RHS]big_mkcond [LHS]big_mkcond /=.
by apply: eq_bigr => t _; rewrite inE; case: (_ \subset _).
Qed.

Section Batches.
Variables (m n : nat) (k : 'I_n -> nat).
Implicit Types (s : {ffun 'I_n -> {set 'I_m}}) (A : {set 'I_m}).

(* Batches of k i places, each of them distinct: committees of any sizes, 0 for none. *)
Definition batches : pred {ffun 'I_n -> {set 'I_m}} := family (fun i => mem (items m (k i))).
Definition choices (x : nat) : rat := \prod_i 'C(x, k i)%:R.

Lemma batches_within A : \sum_(s in batches) (filled s \subset A)%:R = choices #|A|.
Proof.
rewrite /choices; transitivity (\prod_i \sum_(a : {set 'I_m} | a \in items m (k i)) (a \subset A)%:R : rat).
  rewrite (bigA_distr_big_dep (fun i => mem (items m (k i)))) /=; apply: eq_bigr => s _.
  have -> : (filled s \subset A) = [forall i, s i \subset A] by apply/bigcupsP/forallP => h i *; exact: h.
  case: (boolP [forall i, s i \subset A]) => [/forallP all|]; first by rewrite big1 // => i _; rewrite all.
  by rewrite negb_forall => /existsP[i /negbTE no]; rewrite (bigD1 i) //= no mul0r.
apply: eq_bigr => i _; rewrite -cards_draws -sum1_card natr_sum [LHS]big_mkcond [RHS]big_mkcond /=.
by apply: eq_bigr => a _; rewrite !inE andbC; case: (a \subset A); case: (_ == _).
Qed.

Lemma card_batches : #|batches|%:R = choices m.
Proof. by rewrite (all_states batches_within). Qed.
End Batches.
