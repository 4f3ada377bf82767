(* The recycling filter of one phase that does not retain: how often each set of bits is seen, its cycles and its rate.

   The machine is that of machine.v. A message has a hash e, and all hashes are equally likely; places e are its places.
   So k independent positions, k distinct positions, blocks and double hashing are all cases of this. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import sequences standard classic steps claims machine.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A sum over the sets between two sets, with alternating signs. *)
Lemma alternating_between (P : finType) (J C : {set P}) : J \subset C ->
  \sum_(A : {set P} | (J \subset A) && (A \subset C)) (-1) ^+ #|A :\: J| = (J == C)%:R :> rat.
Proof.
move=> JC; rewrite (reindex_onto (fun B => J :|: B) (fun A => A :\: J)) /=; last first.
  by move=> A /andP[/setIidPr JA _]; rewrite -{1}JA setID.
transitivity (\sum_(B : {set P} | B \subset C :\: J) (-1) ^+ #|B| : rat); last first.
  by rewrite alternating setD_eq0 eqEsubset JC.
apply: eq_big => [B | B /andP[_ /eqP -> //]].
rewrite subsetUl subUset JC /= subsetD; congr (_ && _).
by rewrite setDUl setDv set0U; apply/eqP/setDidPl.
Qed.

Section Visits.
Variables (P E : finType) (places : E -> {set P}) (sigma : nat).
Implicit Types (A B C J : {set P}) (e : E).

Definition mean (f : E -> rat) : rat := (\sum_e f e) / #|E|%:R.

(* The share of the messages that have all places in J; of those that take the bits A to B when nothing recycles; and of
   those that make the filter recycle. *)
Definition inside J : rat := mean (fun e => (places e \subset J)%:R).
Definition step A B : rat := mean (fun e => (A :|: places e == B)%:R).
Definition overflow A : rat := mean (fun e => (recycles sigma A (places e))%:R).
Definition jump A B : rat := mean (fun e => (next sigma false A (places e) == B)%:R).

(* How many arrivals of a cycle see exactly the bits B, in the mean. *)
Definition visits B : rat := \sum_(J : {set P} | J \subset B) (-1) ^+ #|B :\: J| / (1 - inside J).
Definition states : pred {set P} := fun B => (#|B| <= sigma)%N.
Definition capacity : rat := \sum_(B in states) visits B.

(* Some message has a place outside of any sigma places. *)
Hypothesis leaves : forall J, (#|J| <= sigma)%N -> exists e, ~~ (places e \subset J).

Lemma hashes : (0 : rat) < #|E|%:R.
Proof.
have [|e _] := leaves (J := set0); first by rewrite cards0.
by rewrite ltr0n; apply/card_gt0P; exists e.
Qed.

Lemma mean_ge0 f : (forall e, 0 <= f e) -> 0 <= mean f.
Proof. by move=> f0; rewrite divr_ge0 ?ler0n // sumr_ge0. Qed.

Lemma mean_const (c : rat) : mean (fun=> c) = c.
Proof. by rewrite /mean sumr_const -[_ *+ _]mulr_natr mulfK // gt_eqF // hashes. Qed.

Lemma mean_add f g : mean (fun e => f e + g e) = mean f + mean g.
Proof. by rewrite /mean big_split mulrDl. Qed.

Lemma mean_sum (T : finType) (p : pred T) (f : T -> E -> rat) : mean (fun e => \sum_(t | p t) f t e) = \sum_(t | p t) mean (f t).
Proof. by rewrite /mean exchange_big /= mulr_suml. Qed.

Lemma mean_scale (c : rat) f : mean (fun e => c * f e) = c * mean f.
Proof. by rewrite /mean -mulr_sumr mulrA. Qed.

Lemma eq_mean f g : f =1 g -> mean f = mean g.
Proof. by move=> e; rewrite /mean (eq_bigr g). Qed.

Lemma inside_lt1 J : (#|J| <= sigma)%N -> inside J < 1.
Proof.
move=> /leaves[e out]; rewrite ltr_pdivr_mulr ?hashes // mul1r -sumr_const.
rewrite (bigD1 e) //= [ltRHS](bigD1 e) //= (negbTE out) add0r -[ltLHS]add0r ltr_le_add //.
by apply: ler_sum => d _; case: (_ \subset _).
Qed.

Lemma visits_within C : \sum_(A : {set P} | A \subset C) visits A = (1 - inside C)^-1.
Proof.
rewrite /visits (exchange_big_dep (fun J => J \subset C)) /=; last by move=> A J Ac JA; apply: subset_trans Ac.
rewrite (eq_bigr (fun J => (J == C)%:R * (1 - inside J)^-1)) => [|J JC]; last first.
  by rewrite -mulr_suml -(alternating_between JC); congr (_ / _); apply: eq_bigl => A; rewrite andbC.
rewrite (bigD1 C) //= eqxx mul1r big1 ?addr0 // => J /andP[_ /negbTE ->]; exact: mul0r.
Qed.

Lemma steps_within A C : A \subset C -> \sum_(B : {set P} | B \subset C) step A B = inside C.
Proof.
move=> Ac; rewrite -mean_sum; apply: eq_mean => e.
rewrite -[places e \subset C]andTb -Ac -subUset.
have [sub | no] := boolP (A :|: places e \subset C); last first.
  by rewrite big1 // => B BC; case: eqP no => // ->; rewrite BC.
by rewrite (bigD1 (A :|: places e)) //= eqxx big1 ?addr0 // => B /andP[_]; rewrite eq_sym => /negbTE ->.
Qed.

Lemma step_grows A B : ~~ (A \subset B) -> step A B = 0.
Proof.
move=> no; rewrite /step (eq_mean (g := fun=> 0)) ?mean_const // => e.
by case: eqP no => // <-; rewrite subsetUl.
Qed.

(* Two functions of sets that have the same sums over the subsets of each set are the same. *)
Lemma same_sums (f g : {set P} -> rat) :
  (forall C, (#|C| <= sigma)%N -> \sum_(B : {set P} | B \subset C) f B = \sum_(B : {set P} | B \subset C) g B) ->
  forall C, (#|C| <= sigma)%N -> f C = g C.
Proof.
move=> same C; have [n] := ubnP #|C|; elim: n C => // n IH C; rewrite ltnS => Cn Cs.
have := same C Cs; rewrite (bigD1 C) //= [RHS](bigD1 C) //=.
rewrite (eq_bigr g) => [/addIr //|B /andP[BC ne]]; have lt : (#|B| < #|C|)%N by rewrite proper_card // properEneq ne.
by apply: IH; [exact: leq_trans lt Cn | exact: leq_trans (ltnW lt) Cs].
Qed.

(* What is seen is what a cycle begins with, and what messages lead to. *)
Lemma balance C : (#|C| <= sigma)%N ->
  visits C = (C == set0)%:R + \sum_(A : {set P} | A \subset C) visits A * step A C.
Proof.
apply: (same_sums (g := fun C => _ + _)) => {}C Cs; rewrite big_split /= visits_within.
have -> : \sum_(B : {set P} | B \subset C) (B == set0)%:R = 1 :> rat.
  by rewrite (bigD1 set0) ?sub0set //= eqxx big1 ?addr0 // => B /andP[_ /negbTE ->].
rewrite (exchange_big_dep (fun A => A \subset C)) /=; last by move=> B A BC AB; apply: subset_trans BC.
rewrite (eq_bigr (fun A => visits A * inside C)) => [|A Ac]; last first.
  rewrite -mulr_sumr -(steps_within Ac) [in RHS](bigID (fun B => A \subset B)) /=; congr (_ * _).
  by rewrite [X in _ = _ + X]big1 ?addr0 // => B /andP[_]; exact: step_grows.
rewrite -mulr_suml visits_within.
have p1 : 1 - inside C != 0 by rewrite subr_eq0 eq_sym lt_eqF // inside_lt1.
by apply: (mulIf p1); rewrite mulVf // mulrDl mul1r mulrAC mulVf // mul1r subrK.
Qed.

Lemma step_self B : step B B = inside B.
Proof. by apply: eq_mean => e; rewrite (sameP eqP setUidPl). Qed.

Lemma step_ge0 A B : 0 <= step A B.
Proof. by apply: mean_ge0 => e; rewrite ler0n. Qed.

Lemma solve (x p a b : rat) : x = a + (x * p + b) -> x * (1 - p) = a + b.
Proof. by move=> e; rewrite mulrBr mulr1 {1}e addrCA addrC addKr. Qed.

(* Two solutions of the balance with the same start are the same. *)
Lemma balance_unique (c : rat) (f : {set P} -> rat) :
  (forall C, (#|C| <= sigma)%N -> f C = c * (C == set0)%:R + \sum_(A : {set P} | A \subset C) f A * step A C) ->
  forall C, (#|C| <= sigma)%N -> f C = c * visits C.
Proof.
move=> eqf C; have [n] := ubnP #|C|; elim: n C => // n IH C; rewrite ltnS => Cn Cs.
have := balance Cs; have := eqf C Cs; rewrite (bigD1 C) //= [in X in _ -> X -> _](bigD1 C) //= !step_self.
set F := \sum_(A | _) f A * _; set V := \sum_(A | _) visits A * _.
have -> : F = c * V.
  rewrite mulr_sumr; apply: eq_bigr => A /andP[Ac ne]; rewrite mulrA; congr (_ * _).
  have lt : (#|A| < #|C|)%N by rewrite proper_card // properEneq ne.
  by apply: IH; [exact: leq_trans lt Cn | exact: leq_trans (ltnW lt) Cs].
move=> /solve e1 /solve e2; have p1 : 1 - inside C != 0 by rewrite subr_eq0 eq_sym lt_eqF // inside_lt1.
by apply: (mulIf p1); rewrite -mulrA e1 e2 mulrDr.
Qed.

Lemma visits_ge0 C : (#|C| <= sigma)%N -> 0 <= visits C.
Proof.
have [n] := ubnP #|C|; elim: n C => // n IH C; rewrite ltnS => Cn Cs.
have := balance Cs; rewrite (bigD1 C) //= step_self => /solve e.
have p1 : 0 < 1 - inside C by rewrite subr_gt0 inside_lt1.
rewrite -(pmulr_lge0 _ p1) e addr_ge0 ?ler0n //.
apply: sumr_ge0 => A /andP[Ac ne]; rewrite mulr_ge0 ?step_ge0 //.
have lt : (#|A| < #|C|)%N by rewrite proper_card // properEneq ne.
by apply: IH; [exact: leq_trans lt Cn | exact: leq_trans (ltnW lt) Cs].
Qed.

Lemma capacity_gt0 : 0 < capacity.
Proof.
have s0 : set0 \in states by rewrite unfold_in cards0.
rewrite /capacity (bigD1 set0) //= ltr_paddr //; first by apply: sumr_ge0 => A /andP[As _]; exact: visits_ge0.
rewrite balance ?cards0 // eqxx ltr_paddr ?ltr01 //; apply: sumr_ge0 => A; rewrite subset0 => /eqP ->.
by rewrite mulr_ge0 ?step_ge0 ?visits_ge0 ?cards0.
Qed.

Lemma mean_pick (f : {set P} -> rat) (h : E -> {set P}) (p : pred {set P}) :
  mean (fun e => \sum_(B | p B) (h e == B)%:R * f B) = mean (fun e => (p (h e))%:R * f (h e)).
Proof.
apply: eq_mean => e; have [ph | no] := boolP (p (h e)); last first.
  by rewrite mul0r big1 // => B pB; case: eqP no => [-> | _]; rewrite ?pB ?mul0r.
rewrite (bigD1 (h e)) //= eqxx big1 ?addr0 // => B /andP[_]; rewrite eq_sym => /negbTE ->; exact: mul0r.
Qed.

(* What is seen is followed by a recycling once a cycle. *)
Lemma one_overflow : \sum_(A in states) visits A * overflow A = 1.
Proof.
have tot A : \sum_(B in states) step A B = 1 - overflow A.
  rewrite -mean_sum; apply/eqP; rewrite eq_sym subr_eq -mean_add -[X in X == _](mean_const 1); apply/eqP; apply: eq_mean => e.
  rewrite /recycles ltnNge; have [le | no] := boolP (#|A :|: places e| <= sigma)%N; last first.
    by rewrite big1 ?add0r // => B Bs; case: eqP no => // ->; rewrite unfold_in in Bs; rewrite Bs.
  by rewrite (bigD1 (A :|: places e)) //= eqxx big1 ?addr0 // => B /andP[_]; rewrite eq_sym => /negbTE ->.
have : capacity = 1 + \sum_(A in states) visits A * (1 - overflow A).
  rewrite {1}/capacity (eq_bigr (fun B => (B == set0)%:R + \sum_(A in states) visits A * step A B)) => [|B Bs]; last first.
    rewrite (balance Bs); congr (_ + _); rewrite big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => A _.
    have [AB | no] := boolP (A \subset B); last by rewrite step_grows // mulr0; case: ifP.
    by rewrite unfold_in (leq_trans (subset_leq_card AB) Bs).
  rewrite big_split /= (bigD1 set0) /= ?unfold_in ?cards0 // eqxx big1 ?addr0 => [|B /andP[_ /negbTE ->] //].
  congr (_ + _); rewrite exchange_big /=; apply: eq_bigr => A _; by rewrite -mulr_sumr tot.
rewrite (eq_bigr (fun A => visits A - visits A * overflow A)) => [|A _]; last by rewrite mulrBr mulr1.
rewrite sumrB -/capacity => e; apply/eqP; rewrite -subr_eq0 -oppr_eq0 opprB; apply/eqP.
by apply: (addrI capacity); rewrite addr0 {2}e addrCA.
Qed.

Lemma jumpE A B : (#|B| <= sigma)%N -> jump A B = step A B + (B == set0)%:R * overflow A.
Proof.
move=> Bs; rewrite -mean_scale -mean_add; apply: eq_mean => e; rewrite /next.
have [o | o] := ifP; last by rewrite mulr0 addr0.
rewrite mulr1 [set0 == B]eq_sym; have -> : (A :|: places e == B) = false; last by rewrite add0r.
  by apply/eqP => uB; move: o; rewrite /recycles uB ltnNge Bs.
Qed.

(* The distributions over the sets of bits that the filter preserves are in proportion to visits. *)
Theorem stationary_visits (pi : {set P} -> rat) :
  (forall B, (#|B| <= sigma)%N -> \sum_(A in states) pi A * jump A B = pi B) <->
  (exists c, forall B, (#|B| <= sigma)%N -> pi B = c * visits B).
Proof.
have into (f : {set P} -> rat) B : (#|B| <= sigma)%N -> \sum_(A in states) f A * jump A B =
    (\sum_(A in states) f A * overflow A) * (B == set0)%:R + \sum_(A : {set P} | A \subset B) f A * step A B.
  move=> Bs; rewrite addrC mulr_suml [X in X + _](_ : _ = \sum_(A in states) f A * step A B); last first.
    rewrite big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => A _.
    have [AB | no] := boolP (A \subset B); last by rewrite step_grows // mulr0; case: ifP.
    by rewrite unfold_in (leq_trans (subset_leq_card AB) Bs).
  by rewrite -big_split; apply: eq_bigr => A _; rewrite jumpE // mulrDr mulrA mulrAC -mulrA.
split=> [st | [c pr]].
  exists (\sum_(A in states) pi A * overflow A) => B Bs; apply: balance_unique Bs => {}B Bs.
  by rewrite -into // st.
move=> B Bs; rewrite into // pr // (balance Bs) mulrDr; congr (_ * _ + _).
  rewrite (eq_bigr (fun A => c * (visits A * overflow A))) => [|A As]; first by rewrite -mulr_sumr one_overflow mulr1.
  by rewrite pr // mulrA.
rewrite mulr_sumr; apply: eq_bigr => A AB; rewrite mulrA pr //.
exact: leq_trans (subset_leq_card AB) Bs.
Qed.

(* What the messages that come after the bits B bring, where a message e brings r B e to the bits B that it finds. *)
Fixpoint brought (r : {set P} -> E -> rat) B (later : seq E) : rat :=
  if later is e :: rest then r B e + brought r (next sigma false B (places e)) rest else 0.
Definition messages T (s : {ffun 'I_T -> E}) : seq E := [seq s i | i <- enum 'I_T].

(* The average over all sequences of T messages. *)
Definition average T (f : {ffun 'I_T -> E} -> rat) : rat := (\sum_s f s) / #|{: {ffun 'I_T -> E}}|%:R.

Lemma messages_prepend T e (s : {ffun 'I_T -> E}) : messages (prepend (e, s)) = e :: messages s.
Proof.
rewrite /messages enum_ordSl /= prepend0 -map_comp; congr (_ :: _); apply: eq_map => i /=.
by rewrite prependS.
Qed.

(* There is a potential that repays what the messages bring more or less than their share. *)
Lemma potential (r : {set P} -> E -> rat) : exists G : {set P} -> rat, forall B, (#|B| <= sigma)%N ->
  G B + (\sum_(A in states) visits A * mean (r A)) / capacity = mean (fun e => r B e + G (next sigma false B (places e))).
Proof.
set f := (X in X / _); set c := _ / capacity; pose top := sigma.+1.
pose ahead (G : {set P} -> rat) B e := (~~ recycles sigma B (places e))%:R * G (B :|: places e).
have [G eqG] : exists G : {set P} -> rat, forall B, (#|B| <= sigma)%N -> (sigma < #|B| + top)%N -> G B = mean (r B) - c + mean (ahead G B).
  elim: top => [|d [G IH]]; first by exists (fun=> 0) => B Bs; rewrite addn0 ltnNge Bs.
  pose more B := mean (fun e => (~~ (places e \subset B))%:R * ahead G B e).
  pose G' B := if (sigma < #|B| + d)%N then G B else (mean (r B) - c + more B) / (1 - inside B).
  exists G' => B Bs lt.
  have larger e : ~~ (places e \subset B) -> G' (B :|: places e) = G (B :|: places e).
    move=> no; rewrite /G' (_ : (_ < _)%N) //; apply: leq_trans lt _; rewrite addnS ltn_add2r proper_card //.
    by rewrite properEneq subsetUl andbT; apply: contra no => /eqP e1; rewrite e1 subsetUr.
  have [old | new] := boolP (sigma < #|B| + d)%N.
    have G'B : G' B = G B by rewrite /G' old.
    rewrite G'B IH //; congr (_ + _); apply: eq_mean => e; rewrite /ahead.
    have [sub | no] := boolP (places e \subset B); last by rewrite larger.
    by have /setUidPl -> := sub; rewrite G'B.
  have -> : mean (ahead G' B) = inside B * G' B + more B.
    rewrite mulrC -mean_scale -mean_add; apply: eq_mean => e; rewrite /ahead.
    have [sub | no] := boolP (places e \subset B); last by rewrite larger // mulr0 add0r mul1r.
    by have /setUidPl u := sub; rewrite mulr1 mul0r addr0 /recycles u ltnNge Bs mul1r.
  have p1 : 1 - inside B != 0 by rewrite subr_eq0 eq_sym lt_eqF // inside_lt1.
  rewrite [inside B * _]mulrC addrCA; set g := G' B.
  have : g * (1 - inside B) = mean (r B) - c + more B by rewrite /g /G' (negbTE new) divfK.
  by move=> <-; rewrite mulrBr mulr1 addrCA subrr addr0.
have {eqG} eqG B : (#|B| <= sigma)%N -> G B = mean (r B) - c + mean (ahead G B) by move=> Bs; apply: eqG; rewrite // /top addnS ltnS leq_addl.
have G0 : G set0 = 0.
  have cap : capacity != 0 by rewrite gt_eqF // capacity_gt0.
  have zero : \sum_(A in states) visits A * (mean (r A) - c) = 0.
    rewrite (eq_bigr (fun A => visits A * mean (r A) - visits A * c)) => [|A _]; last by rewrite mulrBr.
    by rewrite sumrB -mulr_suml -/capacity -/f mulrC /c divfK // subrr.
  have : \sum_(A in states) visits A * G A = \sum_(A in states) visits A * (mean (r A) - c) + \sum_(B in states) (\sum_(A : {set P} | A \subset B) visits A * step A B) * G B.
    rewrite (eq_bigr (fun A => visits A * (mean (r A) - c) + visits A * mean (ahead G A))) => [|A As]; last by rewrite -mulrDr -eqG.
    rewrite big_split /=; congr (_ + _).
    rewrite (eq_bigr (fun A => \sum_(B in states) visits A * step A B * G B)) => [|A As]; last first.
      transitivity (visits A * \sum_(B in states) step A B * G B); last by rewrite mulr_sumr; apply: eq_bigr => B _; rewrite mulrA.
      congr (_ * _); rewrite (eq_bigr (fun B => mean (fun e => (A :|: places e == B)%:R * G B))) => [|B _]; last first.
        by rewrite mulrC -mean_scale; apply: eq_mean => e; rewrite mulrC.
      by rewrite -mean_sum mean_pick; apply: eq_mean => e; rewrite /ahead /recycles -leqNgt.
    rewrite exchange_big /=; apply: eq_bigr => B Bs; rewrite -mulr_suml; congr (_ * _).
    rewrite big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => A _.
    have [AB | no] := boolP (A \subset B); last by rewrite step_grows // mulr0; case: ifP.
    by rewrite unfold_in (leq_trans (subset_leq_card AB) Bs).
  rewrite zero add0r (eq_bigr (fun B => (B == set0)%:R * G B + (\sum_(A : {set P} | A \subset B) visits A * step A B) * G B)) => [|B Bs]; last first.
    by rewrite (balance Bs) mulrDl.
  rewrite big_split /= -[RHS]add0r => /addIr; rewrite (bigD1 set0) /= ?unfold_in ?cards0 // eqxx mul1r big1 ?addr0 //.
  by move=> B /andP[_ /negbTE ->]; rewrite mul0r.
exists G => B Bs; rewrite eqG // addrAC subrK -mean_add; apply: eq_mean => e; congr (_ + _); rewrite /ahead /next.
by case: ifP => _; rewrite ?mul0r ?mul1r ?G0.
Qed.

(* In the long run: let every message contribute a number that depends on the message and on the bits that are set
   when it comes. The mean sum over T messages differs by at most a constant from T times the mean contribution of
   one message, where the state before this message has weights in proportion to visits. *)
Theorem long_run (r : {set P} -> E -> rat) : exists C : rat, forall T,
  `| average (fun s : {ffun 'I_T -> E} => brought r set0 (messages s))
     - T%:R * ((\sum_(A in states) visits A * mean (r A)) / capacity) | <= C.
Proof.
have [G eqG] := potential r; set c := _ / capacity in eqG *.
have averageS T (f : {ffun 'I_T.+1 -> E} -> rat) : average f = mean (fun e => average (fun s => f (prepend (e, s)))).
  rewrite /average /mean -mulr_suml -mulrA -invfM -natrM -(sum_all _ f) big_sequences; congr (_ / _%:R).
    by apply: eq_big => [e|e _]; rewrite ?inE // sum_all.
  by rewrite !card_ffun !card_ord expnSr.
have repay T : exists g : {set P} -> rat, (forall B, (#|B| <= sigma)%N -> `|g B| <= \sum_A `|G A|) /\
    (forall B, (#|B| <= sigma)%N -> average (fun s : {ffun 'I_T -> E} => brought r B (messages s)) = T%:R * c + G B - g B).
  elim: T => [|T [g [small eqg]]].
    exists G; split=> [B _ | B _]; first by rewrite (bigD1 B) //= ler_addl sumr_ge0.
    rewrite mul0r add0r subrr /average big1 ?mul0r // => s _.
    by rewrite /messages (_ : enum 'I_0 = [::]) //; apply/size0nil; rewrite size_enum_ord.
  have stay B e : (#|B| <= sigma)%N -> (#|next sigma false B (places e)| <= sigma)%N by move=> Bs; exact: never_above.
  exists (fun B => mean (fun e => g (next sigma false B (places e)))); split=> [B Bs | B Bs].
    rewrite /mean normrM [`|_^-1|]ger0_norm ?invr_ge0 ?ler0n // ler_pdivr_mulr ?hashes // (le_trans (ler_norm_sum _ _ _)) //.
    by rewrite mulr_natr -sumr_const; apply: ler_sum => e _; apply/small/stay.
  rewrite averageS (eq_mean (g := fun e => r B e + (T%:R * c + G (next sigma false B (places e)) - g (next sigma false B (places e))))) => [|e]; last first.
    rewrite -eqg ?stay // /average (eq_bigr (fun s => r B e + brought r (next sigma false B (places e)) (messages s))) => [|s _]; last by rewrite messages_prepend.
    rewrite big_split mulrDl sumr_const; congr (_ + _); rewrite -[_ *+ _]mulr_natr mulfK // pnatr_eq0 card_ffun card_ord expn_eq0.
    by have := hashes; rewrite ltr0n; case: #|E|.
  rewrite (eq_mean (g := fun e => (r B e + G (next sigma false B (places e))) + (T%:R * c + -1 * g (next sigma false B (places e))))) => [|e]; last first.
    by rewrite mulN1r [RHS]addrACA -!addrA.
  rewrite mean_add -(eqG _ Bs) mean_add mean_const mean_scale mulN1r -[T.+1]addn1 natrD mulrDl mul1r addrA.
  by congr (_ + _); rewrite addrC [G B + c]addrC addrA.
exists (`|G set0| + \sum_A `|G A|) => T; have [g [small ->]] := repay T; rewrite ?cards0 //.
rewrite -addrA addrC addKr; apply: le_trans (ler_norm_sub _ _) _; rewrite ler_add2l; apply: small.
by rewrite cards0.
Qed.
End Visits.

Section Rates.
Variables (P E : finType) (places : E -> {set P}) (sigma : nat).
Hypothesis leaves : forall J : {set P}, (#|J| <= sigma)%N -> exists e, ~~ (places e \subset J).

(* A message is a false positive if the bits that it finds have all its places, and it may make the filter recycle. *)
Definition positive (B : {set P}) (e : E) : rat := (places e \subset B)%:R.
Definition recycled (B : {set P}) (e : E) : rat := (recycles sigma B (places e))%:R.
Definition recycling_rate : rat := (\sum_(B in states sigma) visits places B * inside places B) / capacity places sigma.

(* A recycling filter whose messages are all new, with any hashing: on average, T times recycling_rate of T messages are
   false positives, and T / capacity of them make the filter recycle. Each of the two numbers has an error of at most
   a constant. *)
Theorem rate_of_cycles : exists C : rat, forall T,
  `|average (fun s : {ffun 'I_T -> E} => brought places sigma positive set0 (messages s)) - T%:R * recycling_rate| <= C /\
  `|average (fun s : {ffun 'I_T -> E} => brought places sigma recycled set0 (messages s)) - T%:R / capacity places sigma| <= C.
Proof.
have [C1 le1] := long_run leaves positive; have [C2 le2] := long_run leaves recycled.
exists (Num.max C1 C2) => T; rewrite !le_maxr; split; apply/orP; [left; exact: le1 | right].
have := le2 T; rewrite (eq_bigr (fun B => visits places B * overflow places sigma B)) // one_overflow //.
by rewrite mul1r.
Qed.
End Rates.

(* Messages whose places are all in J with a probability p #|J| that depends on the number of places of J alone. *)
Section Exchangeable.
Variables (M sigma : nat) (E : finType) (places : E -> {set 'I_M}) (p : nat -> rat).
Hypothesis leaves : forall J : {set 'I_M}, (#|J| <= sigma)%N -> exists e, ~~ (places e \subset J).
Hypothesis within : forall J : {set 'I_M}, inside places J = p #|J|.

(* How many arrivals of a cycle find b bits set, in the mean. *)
Definition seen (b : nat) : rat := 'C(M, b)%:R * \sum_(j < b.+1) 'C(b, j)%:R * ((-1) ^+ (b - j) / (1 - p j)).

Lemma visits_number (B : {set 'I_M}) : visits places B = \sum_(j < #|B|.+1) 'C(#|B|, j)%:R * ((-1) ^+ (#|B| - j) / (1 - p j)).
Proof.
rewrite -(sum_by_size B (fun j => (-1) ^+ (#|B| - j) / (1 - p j))); apply: eq_bigr => J JB.
by rewrite within cardsD (setIidPr JB).
Qed.

Lemma sum_of_number b (f : nat -> rat) : \sum_(B : {set 'I_M} | #|B| == b) visits places B * f #|B| = seen b * f b.
Proof.
pose v := \sum_(j < b.+1) 'C(b, j)%:R * ((-1) ^+ (b - j) / (1 - p j)).
rewrite (eq_bigr (fun=> v * f b)) => [|B /eqP Bb]; last by rewrite visits_number Bb.
have := card_draws (ordinal_finType M) b; rewrite card_ord cardsE sumr_const => ->.
by rewrite -mulr_natl mulrA.
Qed.

Lemma sum_of_states (f : nat -> rat) : \sum_(B in states sigma) visits places B * f #|B| = \sum_(b < sigma.+1) seen b * f b.
Proof.
rewrite (partition_big (fun B : {set 'I_M} => inord #|B| : 'I_sigma.+1) predT) //=.
apply: eq_bigr => b _; rewrite -sum_of_number; apply: eq_bigl => B; rewrite unfold_in.
apply/andP/eqP => [[Bs /eqP <-] | Bb]; first by rewrite inordK.
have Bs : (#|B| <= sigma)%N by rewrite Bb -ltnS ltn_ord.
by split=> //; rewrite -val_eqE /= inordK // Bb.
Qed.

(* Let the probability that the places of a message are all in a set of b places be p b, and let seen b be the mean
   number of arrivals of a cycle that find b bits set. Then the capacity is the sum of seen b over b, and the rate is
   the mean of p b with the weights seen b. *)
Theorem rate_in_closed_form :
  capacity places sigma = \sum_(b < sigma.+1) seen b /\
  recycling_rate places sigma = (\sum_(b < sigma.+1) seen b * p b) / (\sum_(b < sigma.+1) seen b).
Proof.
have cap : capacity places sigma = \sum_(b < sigma.+1) seen b.
  rewrite /capacity (eq_bigr (fun B => visits places B * 1)) => [|B _]; last by rewrite mulr1.
  by rewrite (sum_of_states (fun=> 1)); apply: eq_bigr => b _; rewrite mulr1.
split; rewrite // /recycling_rate cap -sum_of_states; congr (_ / _).
by apply: eq_bigr => B _; rewrite within.
Qed.

(* The probability tau i j that a message takes i bits to j, if nothing recycles. *)
Variables (tau : nat -> nat -> rat) (k : nat).
Hypothesis moves : forall (A : {set 'I_M}) j, mean (fun e => (#|A :|: places e| == j)%:R) = tau #|A| j.
Hypothesis few : forall e, (#|places e| <= k)%N.

(* Dozier-FP (15), for filters that do not retain the last message: pi i (1 - tau i i) is the sum of pi j tau j i
   over all j from i - k to i - 1. Here pi i is proportional to the mean number of arrivals that find i bits set. *)
Theorem state_by_state i : (0 < i <= sigma)%N -> (sigma < M)%N ->
  seen i * (1 - tau i i) = \sum_(i - k <= j < i) seen j * tau j i.
Proof.
move=> /andP[i0 is_] sM.
have one f : \sum_(B : {set 'I_M} | #|B| == i) visits places B * f = seen i * f by rewrite (sum_of_number i (fun=> f)).
have into (A : {set 'I_M}) : \sum_(B : {set 'I_M} | #|B| == i) step places A B = tau #|A| i.
  rewrite -moves -mean_sum; apply: eq_mean => e.
  have [ph | no] := eqVneq #|A :|: places e| i; last first.
    by rewrite big1 // => B /eqP Bi; case: (A :|: places e =P B) no => // ->; rewrite Bi eqxx.
  by rewrite (bigD1 (A :|: places e)) ?ph //= eqxx big1 ?addr0 // => B /andP[_]; rewrite eq_sym => /negbTE ->.
have tau0 j : (j + k < i)%N -> (j <= M)%N -> tau j i = 0.
  move=> lt jM; have /card_gt0P[A] : (0 < #|[set A : {set 'I_M} | #|A| == j]|)%N.
    by have := card_draws (ordinal_finType M) j; rewrite card_ord => ->; rewrite bin_gt0.
  rewrite inE => /eqP Aj; rewrite -Aj -moves (eq_mean (g := fun=> 0)) ?(mean_const leaves) // => e.
  case: eqP => // u; have [+ _] := leq_card_setU A (places e); rewrite u Aj leqNgt (leq_ltn_trans _ lt) //.
  by rewrite leq_add2l.
have tau1 j : (i < j)%N -> (j <= M)%N -> tau j i = 0.
  move=> lt jM; have /card_gt0P[A] : (0 < #|[set A : {set 'I_M} | #|A| == j]|)%N.
    by have := card_draws (ordinal_finType M) j; rewrite card_ord => ->; rewrite bin_gt0.
  rewrite inE => /eqP Aj; rewrite -Aj -moves (eq_mean (g := fun=> 0)) ?(mean_const leaves) // => e.
  case: eqP => // u; have := subset_leq_card (subsetUl A (places e)); by rewrite u Aj leqNgt lt.
have all : seen i = \sum_(j < sigma.+1) seen j * tau j i.
  rewrite -(sum_of_states (fun j => tau j i)) -[LHS]mulr1 -one.
  rewrite (eq_bigr (fun B => \sum_(A in states sigma) visits places A * step places A B)) => [|B /eqP Bi]; last first.
    have Bs : (#|B| <= sigma)%N by rewrite Bi.
    rewrite mulr1 (balance leaves Bs) -cards_eq0 Bi (gtn_eqF i0) add0r big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => A _.
    have [AB | no] := boolP (A \subset B); last by rewrite (step_grows leaves) // mulr0; case: ifP.
    by rewrite unfold_in (leq_trans (subset_leq_card AB) Bs).
  by rewrite exchange_big /=; apply: eq_bigr => A _; rewrite -mulr_sumr into.
rewrite mulrBr mulr1 {1}all -(big_mkord predT (fun j => seen j * tau j i)) (big_cat_nat _ _ _ (leq0n i.+1)) //= big_nat_recr //=.
rewrite [X in _ + X - _]big_nat_cond [X in _ + X - _]big1 ?addr0 ?addrK => [|j /andP[/andP[ij js] _]]; last first.
  by rewrite tau1 ?mulr0 // (leq_trans _ sM) // -ltnS ltnW.
rewrite (big_cat_nat _ _ _ (leq0n (i - k))) ?leq_subr //= big_nat_cond big1 ?add0r // => j /andP[/andP[_ jk] _].
rewrite tau0 ?mulr0 //; first by rewrite addnC -ltn_subRL.
by rewrite ltnW // (leq_trans jk) // (leq_trans (leq_subr _ _)) // (leq_trans is_) // ltnW.
Qed.
End Exchangeable.

(* k independent positions: the hashes are the sequences of k throws. *)
Section Standard.
Variables M k : nat.
Implicit Types (A J : {set 'I_M}) (i j : nat).
Let throws : {ffun 'I_k -> 'I_M} -> {set 'I_M} := @hits M k.

Lemma throws_leave sigma : (sigma < M)%N -> (0 < k)%N -> forall J, (#|J| <= sigma)%N -> exists e, ~~ (throws e \subset J).
Proof.
move=> sM k0 J Js; have /card_gt0P[x xJ] : (0 < #|~: J|)%N by rewrite card_setC_ord subn_gt0 (leq_ltn_trans Js).
rewrite inE in xJ; exists [ffun=> x]; apply: contra xJ => /subsetP; apply.
by apply/imsetP; exists (Ordinal k0); rewrite ?ffunE.
Qed.

Lemma throws_inside J : inside throws J = (#|J|%:R / M%:R) ^+ k.
Proof.
rewrite -(queries_within k J).1 /inside /mean card_ffun !card_ord; congr (_ / _); rewrite -sum1_card natr_sum [RHS]big_mkcond /=.
by apply: eq_bigr => q _; rewrite inE; case: (_ \subset _).
Qed.

(* A recycling filter with k independent positions that does not retain the last message, in closed form. On average,
   seen b arrivals of a cycle find b bits set. Let c be the sum of seen b over b, and f the mean of (b/M)^k with the
   weights seen b. On average, T f of T new messages are false positives, and T/c of them make the filter recycle.
   Each of the two numbers has an error of at most a constant. *)
Theorem standard_recycling sigma : (sigma < M)%N -> (0 < k)%N ->
  let seen b := 'C(M, b)%:R * \sum_(j < b.+1) 'C(b, j)%:R * ((-1) ^+ (b - j) / (1 - (j%:R / M%:R) ^+ k)) : rat in
  let c := \sum_(b < sigma.+1) seen b in
  let f := (\sum_(b < sigma.+1) seen b * (b%:R / M%:R) ^+ k) / c in
  exists C : rat, forall T,
  `|average (fun s : {ffun 'I_T -> {ffun 'I_k -> 'I_M}} => brought throws sigma (positive throws) set0 (messages s)) - T%:R * f| <= C /\
  `|average (fun s : {ffun 'I_T -> {ffun 'I_k -> 'I_M}} => brought throws sigma (recycled throws sigma) set0 (messages s)) - T%:R / c| <= C.
Proof.
move=> sM k0 seen c f; have [cE fE] := @rate_in_closed_form M sigma _ throws (fun j => (j%:R / M%:R) ^+ k) throws_inside.
by have := rate_of_cycles (throws_leave sM k0); rewrite fE cE.
Qed.
End Standard.

(* k distinct positions: the hashes are the numbers of the sets of k places. *)
Definition numbered M k (e : 'I_#|items M k|) : {set 'I_M} := enum_val e.

Section Classic.
Variables M k : nat.
Implicit Types (A J : {set 'I_M}) (i j : nat).
Let sets : 'I_#|items M k| -> {set 'I_M} := @numbered M k.

Lemma sets_leave sigma : (sigma < M)%N -> (0 < k)%N -> (k <= M)%N -> forall J, (#|J| <= sigma)%N -> exists e, ~~ (sets e \subset J).
Proof.
move=> sM k0 km J Js; have /card_gt0P[x xJ] : (0 < #|~: J|)%N by rewrite card_setC_ord subn_gt0 (leq_ltn_trans Js).
have [B Bk xB] : exists2 B : {set 'I_M}, B \in items M k & x \in B.
  have /card_gt0P[D] : (0 < #|[set D : {set 'I_M} | D \subset ~: [set x] & #|D| == k.-1]|)%N.
    by rewrite cards_draws bin_gt0 card_setC_ord cards1 subn1 -ltnS !prednK // (leq_trans k0).
  rewrite !inE => /andP[Dx /eqP Dk]; exists (x |: D); last exact: setU11.
  by rewrite inE cardsU1 Dk -disjoints1 disjoint_sym disjoints_subset Dx add1n prednK.
exists (enum_rank_in Bk B); rewrite /sets /numbered enum_rankK_in //.
by apply/subsetPn; exists x; rewrite // -in_setC.
Qed.

Lemma sets_inside J : inside sets J = 'C(#|J|, k)%:R / 'C(M, k)%:R.
Proof.
rewrite -(queries_within k J).2 /inside /mean card_ord; congr (_ / _).
rewrite -(big_enum_val (fun a : {set 'I_M} => (a \subset J)%:R)) /= -sum1_card natr_sum big_mkcond [RHS]big_mkcond /=.
by apply: eq_bigr => a _; rewrite !inE; case: (#|a| == k) => //=; case: (_ \subset _).
Qed.

(* The same as standard_recycling for k distinct positions, with C(b, k)/C(M, k) in place of (b/M)^k. *)
Theorem classic_recycling sigma : (sigma < M)%N -> (0 < k)%N -> (k <= M)%N ->
  let seen b := 'C(M, b)%:R * \sum_(j < b.+1) 'C(b, j)%:R * ((-1) ^+ (b - j) / (1 - 'C(j, k)%:R / 'C(M, k)%:R)) : rat in
  let c := \sum_(b < sigma.+1) seen b in
  let f := (\sum_(b < sigma.+1) seen b * ('C(b, k)%:R / 'C(M, k)%:R)) / c in
  exists C : rat, forall T,
  `|average (fun s : {ffun 'I_T -> 'I_#|items M k|} => brought sets sigma (positive sets) set0 (messages s)) - T%:R * f| <= C /\
  `|average (fun s : {ffun 'I_T -> 'I_#|items M k|} => brought sets sigma (recycled sets sigma) set0 (messages s)) - T%:R / c| <= C.
Proof.
move=> sM k0 km seen c f; have [cE fE] := @rate_in_closed_form M sigma _ sets (fun j => 'C(j, k)%:R / 'C(M, k)%:R) sets_inside.
by have := rate_of_cycles (sets_leave sM k0 km); rewrite fE cE.
Qed.
End Classic.

(* The probability that k independent positions, or k distinct ones, take the bits A to j bits. *)
Definition standard_moves M k (A : {set 'I_M}) (j : nat) : rat :=
  mean (fun q : {ffun 'I_k -> 'I_M} => (#|A :|: hits q| == j)%:R).
Definition classic_moves M k (A : {set 'I_M}) (j : nat) : rat :=
  mean (fun e : 'I_#|items M k| => (#|A :|: numbered e| == j)%:R).

(* Dozier-FP (4) and (6): a recursion over k for the probability that k independent positions change the number of
   set bits from i to j. *)
Theorem standard_moves_recursion M (A : {set 'I_M}) j : (0 < M)%N ->
  standard_moves 0 A j = (#|A| == j)%:R /\
  forall k, standard_moves k.+1 A j = standard_moves k A j * (j%:R / M%:R) +
    (if j is j'.+1 then standard_moves k A j' * ((M - j')%:R / M%:R) else 0).
Proof.
move=> M0; split.
  rewrite /standard_moves /mean card_ffun !card_ord expn0 divr1.
  have q0 : {ffun 'I_0 -> 'I_M} by apply: finfun => -[].
  rewrite (big_pred1 q0) => [|q]; last by apply/esym/eqP/ffunP => -[i lt]; have := lt.
  rewrite (_ : hits q0 = set0) ?setU0 //; apply/setP => x; rewrite inE; apply/negbTE/imsetP => -[[i lt]]; by have := lt.
move=> k; have m0 : (M%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have one (B : {set 'I_M}) : \sum_(x : 'I_M) (#|x |: B| == j)%:R = (#|B| == j)%:R * j%:R + (if j is j'.+1 then (#|B| == j')%:R * (M - j')%:R else 0) :> rat.
  rewrite (bigID (mem B)) /=; congr (_ + _).
    rewrite (eq_bigr (fun=> (#|B| == j)%:R)) => [|x xB]; last by rewrite (setUidPr _) // sub1set.
    rewrite sumr_const -[_ *+ _]mulr_natr; by case: (_ =P j) => [<- | _]; rewrite ?mul0r.
  rewrite (eq_bigr (fun=> (#|B|.+1 == j)%:R)) => [|x xB]; last by rewrite cardsU1 xB.
  rewrite sumr_const -[_ *+ _]mulr_natr [X in _ * X%:R = _](_ : _ = (M - #|B|)%N); last by rewrite -card_setC_ord; apply: eq_card => x; rewrite !inE.
  by case: j => [|j]; rewrite ?mul0r // eqSS; case: (_ =P j) => [<- | _]; rewrite ?mul0r.
rewrite /standard_moves /mean !card_ffun !card_ord expnSr natrM.
rewrite (reindex (@more M k)) /=; last by apply: onW_bij; exact: more_bij.
rewrite -(pair_big predT predT (fun x t => (#|A :|: hits (more (x, t))| == j)%:R)) /= exchange_big /=.
under eq_bigr => t _ do under eq_bigr => x _ do rewrite hits_more setUCA.
under eq_bigr => t _ do rewrite one.
rewrite big_split /= -mulr_suml mulrDl invfM; congr (_ + _); first by rewrite mulrACA.
case: j {one} => [|j]; first by rewrite big1 ?mul0r.
by rewrite -mulr_suml mulrACA.
Qed.

Lemma classic_movesE M k (A : {set 'I_M}) d : (d <= k)%N ->
  classic_moves k A (#|A| + d) = ('C(M - #|A|, d) * 'C(#|A|, k - d))%:R / 'C(M, k)%:R.
Proof.
move=> dk; rewrite /classic_moves /mean card_ord; congr (_ / _); last by rewrite card_items.
rewrite -(big_enum_val (fun a : {set 'I_M} => (#|A :|: a| == #|A| + d)%N%:R)) /= -card_split // -sum1_card natr_sum big_mkcond [RHS]big_mkcond /=.
apply: eq_bigr => a _; rewrite !inE; case: (#|a| == k) => //=.
have -> : #|A :|: a| = (#|A| + #|a :\: A|)%N by rewrite -(cardsID A (A :|: a)) setUK setDUl setDv set0U.
by rewrite eqn_add2l; case: (_ == d).
Qed.

Lemma classic_moves0 M k (A : {set 'I_M}) j : (j < #|A|)%N || (#|A| + k < j)%N -> classic_moves k A j = 0.
Proof.
move=> out; rewrite /classic_moves /mean big1 ?mul0r // => e _; case: eqP => // u.
have sub := subset_leq_card (subsetUl A (numbered e)); have [few _] := leq_card_setU A (numbered e).
have ek : #|numbered e| = k by have := enum_valP e; rewrite inE => /eqP.
by rewrite ek in few; case/orP: out; rewrite -u ltnNge ?sub // few.
Qed.

(* A message with at most k places changes the number of set bits from i to at most i + k, whether the filter
   recycles or not. Dozier-FP (8) follows. *)
Theorem at_most_k_more (P : finType) sigma retain (A x : {set P}) k : (#|x| <= k)%N -> (#|next sigma retain A x| <= #|A| + k)%N.
Proof.
move=> xk; rewrite /next; case: ifP => _; first by case: retain; rewrite ?cards0 // (leq_trans xk) // leq_addl.
by have [le _] := leq_card_setU A x; rewrite (leq_trans le) // leq_add2l.
Qed.

(* Dozier-FP (9): if the filter retains the last message, then after each message that has a place, some bit is set.
   *)
Theorem never_empty (P : finType) sigma (A x : {set P}) : x != set0 -> next sigma true A x != set0.
Proof. by rewrite /next; case: ifP => // _; rewrite setU_eq0 negb_and => ->; rewrite orbT. Qed.
