(* The laws of balls, committees and batches of any sizes, and of what several departments share, by occupancy.v.

   A batch of k places is a committee; a state has n of them, k i the size of the i-th, 0 for none. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search claims occupancy.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Batches.
Variables (m n : nat) (k : 'I_n -> nat).
Implicit Types (s : {ffun 'I_n -> {set 'I_m}}) (A : {set 'I_m}).
Let within := @batches_within m n k.

(* Burns (1): the number of occupied places is a sum over the places, with 1 for an occupied place and 0 for an empty
   place. *)
Theorem sum_of_places s : #|filled s| = (\sum_(x : 'I_m) (x \in filled s))%N.
Proof. by rewrite -sum1_card big_mkcond /=; apply: eq_bigr => x _; case: (_ \in _). Qed.

(* Burns, exchangeability and (21): the probability that r given places are all occupied depends only on r, and is the
   difference of order r. *)
Theorem batches_exchangeable A : (\sum_(s in batches k) (A \subset filled s)%:R) / #|@batches m n k|%:R = nabla #|A| (choices k) m / choices k m.
Proof. by rewrite (all_occupied within) card_batches. Qed.

(* Burns (17) and (18): the distribution of the number of occupied places. *)
Theorem batches_law i : (\sum_(s in @batches m n k) (#|filled s| == i)%:R) / #|@batches m n k|%:R = 'C(m, i)%:R * (nabla i (choices k) i / choices k m).
Proof. by rewrite (law_of_occupied within) card_batches mulrA. Qed.

(* Burns (2) and (19): the mean of C(X, r), where X is the number of occupied places. *)
Theorem batches_moment r : (\sum_(s in @batches m n k) 'C(#|filled s|, r)%:R) / #|@batches m n k|%:R = 'C(m, r)%:R * (nabla r (choices k) m / choices k m).
Proof. by rewrite (binomial_moment within) card_batches mulrA. Qed.

(* Burns (3): the distribution follows from the probabilities that given places are occupied. *)
Theorem batches_law_by_moments i : (i <= m)%N ->
  (\sum_(s in @batches m n k) (#|filled s| == i)%:R) / #|@batches m n k|%:R =
  'C(m, i)%:R * \sum_(j < (m - i).+1) (-1) ^+ j * 'C(m - i, j)%:R * (nabla (i + j) (choices k) m / choices k m).
Proof.
move=> im; rewrite (law_by_moments within im) card_batches -mulrA mulr_suml; congr (_ * _).
by apply: eq_bigr => j _; rewrite !mulrA ['C(_, _)%:R * _]mulrC.
Qed.

(* Burns (28): the distribution is a factorial series distribution. Its coefficients a_i = nabla/i! do not depend on m
   and are not negative. *)
Theorem batches_series i : 0 <= nabla i (choices k) i.
Proof.
have := @occupied_exactly i _ _ _ _ (@batches_within i n k) [set: 'I_i]; rewrite cardsT card_ord => <-.
by rewrite sumr_ge0 // => s _; rewrite ler0n.
Qed.
End Batches.

(* Burns (28), the distribution: it is a factorial series distribution, whose coefficients a_i do not depend on m and are
   not negative. *)
Theorem factorial_series n (k : 'I_n -> nat) : exists2 a : nat -> rat, forall i, 0 <= a i & forall m i,
  i`!%:R * a i = nabla i (choices k) i /\
  (\sum_(s in @batches m n k) (#|filled s| == i)%:R) / #|@batches m n k|%:R = 'C(m, i)%:R * (i`!%:R * a i) / choices k m.
Proof.
have F0 i : (i`!%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n fact_gt0.
exists (fun i => nabla i (choices k) i / i`!%:R) => [i | m i]; first by rewrite divr_ge0 ?ler0n ?(batches_series k).
by rewrite mulrCA divff // mulr1; split=> //; rewrite batches_law mulrA.
Qed.

(* Burns (22): rho(r, s) = rho(r-1, s) - (prod_d (1 - k_d/s)) rho(r-1, s-1), and rho(0, s) = 1. *)
Theorem batches_recursion n (k : 'I_n -> nat) s r : (forall i, (k i <= s.+1)%N) ->
  (nabla r.+1 (choices k) s.+1 / choices k s.+1 =
   nabla r (choices k) s.+1 / choices k s.+1 - (\prod_i (1 - (k i)%:R / s.+1%:R)) * (nabla r (choices k) s / choices k s)) /\
  nabla 0 (choices k) s.+1 / choices k s.+1 = 1.
Proof.
move=> ks; have pos : choices k s.+1 != 0.
  by apply/prodf_neq0 => i _; rewrite pnatr_eq0 -lt0n bin_gt0.
split; last by rewrite nabla0 divff.
rewrite differences mulrBl; congr (_ - _).
have fewer : choices k s = (\prod_i (1 - (k i)%:R / s.+1%:R)) * choices k s.+1.
  by rewrite /choices -big_split /=; apply: eq_bigr => i _; exact: fewer_places.
have [z | nz] := eqVneq (choices k s) 0.
  have none y : (y <= s)%N -> choices k y = 0.
    move=> ys; have /prodf_eq0[i _ /eqP e] : choices k s == 0 by rewrite z.
    rewrite /choices (bigD1 i) //= bin_small ?mul0r //; move/eqP: e; rewrite pnatr_eq0 => /eqP e.
    by rewrite ltnNge; apply/negP => le; move: (bin_gt0 s (k i)); rewrite e (leq_trans le ys).
  rewrite z invr0 !mulr0 /nabla big1 ?mul0r // => j _; by rewrite none ?leq_subr // !mulr0.
have nz' : \prod_i (1 - (k i)%:R / s.+1%:R) != 0 :> rat by apply: contraNneq nz => e; rewrite fewer e mul0r.
by rewrite fewer invfM [RHS]mulrCA mulVKf.
Qed.

(* Burns (20): sizes with multiplicities, as in a department of n1 committees of size k1 and n2 committees of size k2.
   *)
Theorem multiplicities k1 k2 n1 n2 x :
  choices (fun i : 'I_(n1 + n2) => if (i < n1)%N then k1 else k2) x = 'C(x, k1)%:R ^+ n1 * 'C(x, k2)%:R ^+ n2.
Proof.
rewrite /choices big_split_ord /=; congr (_ * _).
  by rewrite (eq_bigr (fun=> 'C(x, k1)%:R)) ?prodr_const ?card_ord // => i _; rewrite ltn_ord.
by rewrite (eq_bigr (fun=> 'C(x, k2)%:R)) ?prodr_const ?card_ord // => i _; rewrite ltnNge leq_addr.
Qed.

Section Classic.
Variables m N : nat.
Let within := @throws_within m N.
Let card0 : #|{ffun 'I_N -> 'I_m}| = (m ^ N)%N. Proof. by rewrite card_ffun !card_ord. Qed.

(* Burns (10), both equations: E[C(X, r)]/C(m, r) = E[ff(X, r)]/ff(m, r) = nabla^r[x^N] at m / m^N. *)
Theorem throws_moment r : (r <= m)%N ->
  ((\sum_(t : {ffun 'I_N -> 'I_m}) 'C(#|hits t|, r)%:R) / (m ^ N)%:R / 'C(m, r)%:R = nabla r (fun x => (x ^ N)%:R) m / (m ^ N)%:R) /\
  ((\sum_(t : {ffun 'I_N -> 'I_m}) (#|hits t| ^_ r)%:R) / (m ^ N)%:R / (m ^_ r)%:R = nabla r (fun x => (x ^ N)%:R) m / (m ^ N)%:R).
Proof.
move=> rm; have C0 : 'C(m, r)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n bin_gt0.
have F0 : (r`!)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n fact_gt0.
have e := @binomial_moment m _ predT (@hits m N) (fun x => (x ^ N)%:R) within r; split.
  by rewrite e mulrAC ['C(m, r)%:R * _]mulrC mulfK.
have -> : \sum_(t : {ffun 'I_N -> 'I_m}) (#|hits t| ^_ r)%:R = (r`!)%:R * ('C(m, r)%:R * nabla r (fun x => (x ^ N)%:R) m) :> rat.
  by rewrite -e mulr_sumr; apply: eq_bigr => t _; rewrite -bin_ffact natrM mulrC.
by rewrite mulrAC -bin_ffact natrM mulrA [(r`!)%:R * 'C(m, r)%:R]mulrC [_ * nabla _ _ _]mulrC mulfK // mulf_neq0.
Qed.

(* Burns (12): the distribution with one more ball. *)
Theorem ball_more i : (i < m)%N ->
  (#|[set t : {ffun 'I_N.+1 -> 'I_m} | #|hits t| == i.+1]|)%:R / (m ^ N.+1)%:R =
  (m - i)%:R / m%:R * ((#|[set t : {ffun 'I_N -> 'I_m} | #|hits t| == i]|)%:R / (m ^ N)%:R) +
  i.+1%:R / m%:R * ((#|[set t : {ffun 'I_N -> 'I_m} | #|hits t| == i.+1]|)%:R / (m ^ N)%:R) :> rat.
Proof.
move=> im; rewrite !law_of_hits onto_next /spread /= expnS natrM.
have e : i.+1%:R * 'C(m, i.+1)%:R = (m - i)%:R * 'C(m, i)%:R :> rat by rewrite -!natrM mul_bin_left.
have -> : 'C(m, i.+1)%:R * (i.+1%:R * (onto N i.+1 + onto N i)) =
    (m - i)%:R * ('C(m, i)%:R * onto N i) + i.+1%:R * ('C(m, i.+1)%:R * onto N i.+1) :> rat.
  by rewrite [in RHS]mulrA -e [RHS]addrC mulrDr mulrDr; congr (_ + _); rewrite !mulrA ['C(_, _)%:R * _]mulrC.
by rewrite mulrDl invfM; congr (_ + _); rewrite mulrACA.
Qed.

(* Theorem 3 of Burns: E[X^0] = 1, and the mean. *)
Theorem first_moments : (0 < m)%N ->
  (\sum_(t : {ffun 'I_N -> 'I_m}) (#|hits t| ^ 0)%:R) / (m ^ N)%:R = 1 :> rat /\
  (\sum_(t : {ffun 'I_N -> 'I_m}) (#|hits t| ^ 1)%:R) / (m ^ N)%:R = m%:R * (1 - (1 - m%:R^-1) ^+ N) :> rat.
Proof.
move=> m0; have M0 : (m ^ N)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n expn_gt0 m0.
split; first by rewrite (eq_bigr (fun=> 1)) ?sumr_const ?card0 ?divff // => t _; rewrite expn0.
by rewrite -mean_of_hits //; congr (_ / _); apply: eq_bigr => t _; rewrite expn1.
Qed.

End Classic.

Section Shared.
Variables (m c : nat) (E : finType) (F : 'I_c -> pred E) (U : 'I_c -> E -> {set 'I_m}) (w : 'I_c -> nat -> rat).
Hypothesis within : forall d (A : {set 'I_m}), \sum_(s in F d) (U d s \subset A)%:R = w d #|A|.
Implicit Types (o : {ffun 'I_c -> E}) (A : {set 'I_m}).

(* The places that all departments occupy. *)
Definition shared o : {set 'I_m} := \bigcap_d U d (o d).
Definition all_of : pred {ffun 'I_c -> E} := family F.
Let v (r : nat) : rat := \prod_d nabla r (w d) m.

Lemma shared_all A : \sum_(o in all_of) (A \subset shared o)%:R = v #|A|.
Proof.
transitivity (\prod_d \sum_(s | s \in F d) (A \subset U d s)%:R : rat); last first.
  by apply: eq_bigr => d _; rewrite (all_occupied (within d)).
rewrite (bigA_distr_big_dep (fun d => F d)) /=; apply: eq_bigr => o _.
have -> : (A \subset shared o) = [forall d, A \subset U d (o d)] by apply/bigcapsP/forallP => h d *; exact: h.
case: (boolP [forall d, A \subset U d (o d)]) => [/forallP all|]; first by rewrite big1 // => d _; rewrite all.
by rewrite negb_forall => /existsP[d /negbTE no]; rewrite (bigD1 d) //= no mul0r.
Qed.

Let not_within A : \sum_(o in all_of) (~: shared o \subset A)%:R = v (m - #|A|)%N.
Proof. by rewrite -card_setC_ord -shared_all; apply: eq_bigr => o _; rewrite -[in RHS]setCS setCK. Qed.

(* Burns (39) and (41): the sum of C(X, r), where X is the number of places that all departments occupy. *)
Theorem shared_moment r : \sum_(o in all_of) 'C(#|shared o|, r)%:R = 'C(m, r)%:R * \prod_d nabla r (w d) m.
Proof.
rewrite -(@sum_over_sets m _ all_of (fun A o => (A \subset shared o)%:R) r) => [|A <-]; last exact: shared_all.
apply: eq_bigr => o _; rewrite -cards_draws -sum1_card natr_sum big_mkcond [RHS]big_mkcond /=.
by apply: eq_bigr => A _; rewrite inE andbC; case: (_ == r) => //=; case: (_ \subset _).
Qed.

(* Burns (37) and (40), and (38) with the sign (-1)^l: the distribution of the number of places that all departments
   occupy. *)
Theorem shared_law i : (i <= m)%N ->
  \sum_(o in all_of) (#|shared o| == i)%:R = 'C(m, i)%:R * nabla (m - i) (fun y => \prod_d nabla (m - y) (w d) m) (m - i).
Proof.
move=> im; rewrite -bin_sub // -(law_of_occupied not_within); apply: eq_bigr => o _; congr (nat_of_bool _)%:R.
by rewrite card_setC_ord; apply/eqP/eqP => [-> // | /(congr1 (subn m))]; rewrite !subKn ?set_size.
Qed.
End Shared.

Section SharedBatches.
Variables (m c n : nat) (k : 'I_c -> 'I_n -> nat).
Let within d := @batches_within m n (k d).
Let U (d : 'I_c) (s : {ffun 'I_n -> {set 'I_m}}) := filled s.
Let F (d : 'I_c) := @batches m n (k d).

Lemma card_departments : #|all_of F|%:R = \prod_d choices (k d) m.
Proof.
have e := @shared_moment m c _ F U (fun d => choices (k d)) within 0.
transitivity (\sum_(o in all_of F) 'C(#|shared U o|, 0)%:R : rat).
  by rewrite (eq_bigr (fun=> 1)) => [|o _]; [rewrite sumr_const | rewrite bin0].
by rewrite e bin0 mul1r; apply: eq_bigr => d _; rewrite nabla0.
Qed.

(* Burns (39) and (41): the mean, for departments of committees of any sizes. *)
Theorem departments_moment r :
  (\sum_(o in all_of F) 'C(#|shared U o|, r)%:R) / #|all_of F|%:R = 'C(m, r)%:R * \prod_d (nabla r (choices (k d)) m / choices (k d) m).
Proof. by rewrite (@shared_moment m c _ F U (fun d => choices (k d)) within) card_departments prodf_div mulrA. Qed.

(* Burns (37) and (40), and (38) with the sign (-1)^l: the distribution, for departments of committees of any sizes. *)
Theorem departments_law i : (i <= m)%N ->
  (\sum_(o in all_of F) (#|shared U o| == i)%:R) / #|all_of F|%:R =
  'C(m, i)%:R * nabla (m - i) (fun y => \prod_d (nabla (m - y) (choices (k d)) m / choices (k d) m)) (m - i).
Proof.
move=> im; rewrite (@shared_law m c _ F U (fun d => choices (k d)) within i im) card_departments -mulrA -nabla_scale; congr (_ * _).
by apply: eq_nabla => y; rewrite prodf_div.
Qed.
End SharedBatches.
