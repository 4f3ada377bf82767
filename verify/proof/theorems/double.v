(* Double hashing: an item is a pair (a, b) of numbers modulo m, and its k positions are a, a + b, ..., a + (k-1) b.

   The space: every sequence of n items and every query, which is an item too, is equally likely. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard blocked.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Filters whose items and queries have one of C choices, with places of any kind. *)
Section Derived.
Variables (P C : finType) (places : C -> {set P}) (n : nat).
Definition derived_rate : rat := blocked_rate places 1 n.

(* Any derivation of the positions from a hash with C values, exactly: the rate is a sum over the values of the query
   and over the sets B of places of the query. In it, without B is the number of values whose places leave out B. *)
Theorem derived_exact : (0 < #|C|)%N ->
  derived_rate = (\sum_c \sum_(B : {set P} | B \subset places c) (-1) ^+ #|B| * ((without places B)%:R / #|C|%:R) ^+ n) / #|C|%:R.
Proof.
move=> C0; have C1 : (#|C|%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
rewrite /derived_rate /blocked_rate blocked_sum mul1r mul1n expnSr natrM invfM mulrA; congr (_ / _).
rewrite mulr_suml; apply: eq_bigr => c _; rewrite mulr_suml; apply: eq_bigr => B _.
by rewrite mul0n add0n expr_div_n !natrX mulrA.
Qed.
End Derived.

Section Double.
Variables (m k n : nat).
Hypothesis m_prime : prime m.
Hypothesis k_le : (k <= m)%N.

(* The steps b are the numbers but 0. *)
Definition pairs : finType := [finType of 'F_m * {b : 'F_m | b != 0}].
Implicit Types (c d : pairs) (B : {set 'F_m}) (J : {set 'I_k}).
Definition number (j : 'I_k) : 'F_m := (val j)%:R.
Definition position c (i : 'I_k) : 'F_m := c.1 + number i * val c.2.
Definition positions c : {set 'F_m} := position c @: setT.
Definition double_rate : rat := derived_rate positions n.

(* The points (i, j) of the grid that are on the line j = a + i b, for j in J. *)
Definition points (J : {set 'I_k}) c : nat := #|[set i | position c i \in (number @: J)]|.

(* The sum over the lines of the points on them, but one a line: what is counted twice. *)
Definition excess (J : {set 'I_k}) : nat := (\sum_c (points J c).-1)%N.

Lemma cardF : #|'F_m| = m. Proof. exact: card_Fp. Qed.

Lemma card_steps : #|{: {b : 'F_m | b != 0}}| = m.-1.
Proof.
have := cardC1 (0 : 'F_m); rewrite cardF => <-.
by rewrite card_sig; apply: eq_card => b; rewrite !inE.
Qed.

Lemma card_pairs : #|pairs| = (m * m.-1)%N.
Proof. by rewrite card_prod cardF card_steps. Qed.

Lemma natF_inj : {in [pred i | (i < m)%N] &, injective (fun i : nat => i%:R : 'F_m)}.
Proof.
move=> i j; rewrite !inE => im jm /(congr1 (fun x : 'F_m => x : nat)).
by rewrite !val_Fp_nat // !modn_small.
Qed.

Lemma place_inj : injective number.
Proof. by move=> i j e; apply/val_inj/natF_inj => //; rewrite inE (leq_trans (ltn_ord _)). Qed.

Definition affine c (x : 'F_m) : 'F_m := c.1 + x * val c.2.

Lemma affine_inj c : injective (affine c).
Proof. by move=> x y /addrI; apply: mulIf; exact: (valP c.2). Qed.

Lemma compose_proof c d : val d.2 * val c.2 != 0.
Proof. by rewrite mulf_neq0 ?(valP d.2) ?(valP c.2). Qed.
Definition compose c d : pairs := (affine c d.1, Sub (val d.2 * val c.2) (compose_proof c d)).

Lemma compose_inj c : injective (compose c).
Proof.
move=> [x y] [x' y'] h; congr (_, _); first exact: (@affine_inj c _ _ (congr1 (fun d : pairs => d.1) h)).
have := congr1 (fun d : pairs => val d.2) h; move=> /= e.
by apply: val_inj; apply: (mulIf (valP c.2)).
Qed.

Lemma position_compose c d i : position (compose c d) i = affine c (position d i).
Proof. by rewrite /position /affine /= mulrDl addrA mulrA. Qed.

Lemma positions_compose c d : positions (compose c d) = affine c @: positions d.
Proof. by rewrite /positions -imset_comp; apply: eq_imset => i; rewrite position_compose. Qed.

Lemma without_affine c B : without positions (affine c @: B) = without positions B.
Proof.
rewrite /without -[RHS](card_imset _ (@compose_inj c)); apply: eq_card => e; rewrite inE.
have [f _ fK] : bijective (compose c) by apply: injF_bij; exact: compose_inj.
rewrite -[e]fK mem_imset ?inE; last exact: compose_inj.
by rewrite positions_compose imset_disjoint //; exact: affine_inj.
Qed.

(* The positions of a pair are those of (0, 1), moved. *)
Lemma positions_base c : positions c = affine c @: (number @: setT).
Proof. by rewrite -imset_comp. Qed.

Lemma by_query c :
  \sum_(B : {set 'F_m} | B \subset positions c) (-1) ^+ #|B| * ((without positions B)%:R / #|pairs|%:R) ^+ n =
  \sum_(J : {set 'I_k}) (-1) ^+ #|J| * ((without positions (number @: J))%:R / #|pairs|%:R) ^+ n :> rat.
Proof.
pose move_ (J : {set 'I_k}) := affine c @: (number @: J).
have inj : injective (fun j => affine c (number j)) by move=> i j /affine_inj /place_inj.
rewrite (reindex_onto move_ (fun B => [set j : 'I_k | affine c (number j) \in B])) /=; last first.
  move=> B /subsetP sub; rewrite /move_ -imset_comp; apply/setP => x; apply/imsetP/idP => [[j]|xB].
    by rewrite inE => h ->.
  by have := sub _ xB; rewrite positions_base -imset_comp => /imsetP[j _ e]; exists j => //; rewrite inE; move: xB; rewrite e.
apply: eq_big => J.
  have -> : move_ J \subset positions c by rewrite positions_base /move_ !imsetS // subsetT.
  apply/eqP/setP => j; rewrite inE /move_ mem_imset; last exact: affine_inj.
  by rewrite mem_imset //; exact: place_inj.
by move=> _; rewrite /move_ without_affine card_imset ?card_imset //; [exact: place_inj | exact: affine_inj].
Qed.

Lemma lines_through i j : (\sum_c (position c i == number j) = m.-1)%N.
Proof.
rewrite -(pair_big predT predT (fun a (b : {b : 'F_m | b != 0}) => nat_of_bool (a + number i * val b == number j))) /=.
rewrite exchange_big -card_steps -sum1_card; apply: eq_bigr => b _.
rewrite (bigD1 (number j - number i * val b)) //= subrK eqxx big1 // => a /negbTE ne.
by rewrite eq_sym -subr_eq eq_sym ne.
Qed.

Lemma points_sum J : (\sum_c points J c = k * #|J| * m.-1)%N.
Proof.
rewrite (eq_bigr (fun c => \sum_(i : 'I_k) \sum_(j in J) (position c i == number j)))%N; last first.
  move=> c _; rewrite /points -sum1_card big_mkcond; apply: eq_bigr => i _; rewrite inE.
  case: imsetP => [[j jJ e]|no].
    rewrite (bigD1 j) //= e eqxx big1 ?addn0 // => j' /andP[_ ne]; apply/eqP; rewrite eqb0.
    by apply: contra ne => /eqP /place_inj ->.
  by rewrite big1 // => j jJ; apply/eqP; rewrite eqb0; apply/eqP => e; case: no; exists j.
rewrite exchange_big /= (eq_bigr (fun=> #|J| * m.-1)%N) ?sum_nat_const ?card_ord ?mulnA // => i _.
by rewrite exchange_big /= (eq_bigr (fun=> m.-1)) ?sum_nat_const // => j _; exact: lines_through.
Qed.

Lemma without_points J : (without positions (number @: J) + k * #|J| * m.-1 = #|pairs| + excess J)%N.
Proof.
rewrite -points_sum /excess /without -sum1_card big_mkcond -sum1_card -!big_split /=; apply: eq_bigr => c _.
rewrite inE; have -> : [disjoint positions c & number @: J] = (points J c == 0)%N.
  rewrite /points cards_eq0 -setI_eq0; apply/eqP/eqP => [none | none].
    apply/setP => i; rewrite !inE; apply/negP => h; have := in_set0 (position c i); rewrite -none inE h andbT.
    by move/negP; apply; apply/imsetP; exists i.
  apply/setP => x; rewrite !inE; apply/negP => /andP[/imsetP[i _ ->] h].
  by have := in_set0 i; rewrite -none inE h.
by case: (points J c).
Qed.

(* Double hashing, exactly, if m is a prime and at least k, and the step is not 0. On each line that has such a
   point, count the points (i, j) with j in J, and subtract one. The number excess J is the sum of these results over
   all such lines. *)
Theorem double_exact : double_rate =
  \sum_(J : {set 'I_k}) (-1) ^+ #|J| * (1 - (k%:R * #|J|%:R * (m%:R - 1) - (excess J)%:R) / (m%:R * (m%:R - 1))) ^+ n.
Proof.
have m1 : (0 < m.-1)%N by rewrite -subn1 subn_gt0 prime_gt1.
have C0 : (0 < #|pairs|)%N by rewrite card_pairs muln_gt0 prime_gt0.
have C1 : (#|pairs|%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
rewrite /double_rate derived_exact // (eq_bigr _ (fun c _ => by_query c)) sumr_const -[_ *+ _]mulr_natr mulfK //.
apply: eq_bigr => J _; congr (_ * _ ^+ _).
have -> : m%:R - 1 = m.-1%:R :> rat by rewrite -subn1 natrB // prime_gt0.
rewrite -!natrM -card_pairs; apply: (mulIf C1); rewrite divfK // [RHS]mulrBl mul1r divfK //.
by have := congr1 (fun x : nat => x%:R : rat) (without_points J); rewrite !natrD => /(canRL (addrK _)) ->; rewrite opprB addrA.
Qed.
End Double.
