(* A ring of keys in flight gives each key the answer that a loop over the keys gives, whichever slot is tested next.

   The ring has slots. A slot holds a key, and the number of the key's positions after the one that is tested next. A
   turn tests one slot. If the answer of its key is then final, the slot gets the next key. If there is no next key, the
   last slot takes its place. The twins ContainsRing and ContainsPairRing of verify/proof/machine are such rings. *)
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Ring.
(* test j i is the test of position i of key j. The answer of a key is the meet of its tests. An answer is final if no
   later test changes it. In one array, answers are truth values and their meet is &&. In a pair of arrays, an answer is
   a pair of truth values. *)
Variables (A : Type) (one : A) (meet : A -> A -> A) (final : pred A) (test : nat -> nat -> A).
Hypothesis one_meet : forall w, meet one w = w.
Hypothesis final_meet : forall a w, final a -> meet a w = a.
Hypothesis one_open : ~~ final one.
(* Where the answer of a key is stored: if clean is true, the key begins with the answer one there, and a test changes
   the answer that is there. If clean is false, a test replaces what is there. This is right if each answer that is not
   final is one. *)
Variable clean : bool.
Hypothesis unclean : ~~ clean -> forall a, ~~ final a -> a = one.
(* The numbers of keys, of positions of a key, and of slots. *)
Variables n k room : nat.
Hypotheses (k0 : 0 < k) (room0 : 0 < room).

Record ring := Ring { slots : seq (nat * nat); begun : nat; out : nat -> A }.
Implicit Types (s : ring) (q : seq (nat * nat)) (j i : nat).

Definition put (o : nat -> A) j a : nat -> A := fun l => if l == j then a else o l.
Definition begin j (o : nat -> A) : nat -> A := if clean then put o j one else o.
Definition d : nat * nat := (0, 0).

Definition turn i s : ring :=
  let: (j, rest) := nth d (slots s) i in
  let w := test j (k.-1 - rest) in
  let a := if clean then meet (out s j) w else w in
  let o := put (out s) j a in
  if ~~ final a && (0 < rest) then Ring (set_nth d (slots s) i (j, rest.-1)) (begun s) o
  else if begun s < n then Ring (set_nth d (slots s) i (begun s, k.-1)) (begun s).+1 (begin (begun s) o)
  else Ring (take (size (slots s)).-1 (set_nth d (slots s) i (last d (slots s)))) (begun s) o.

Definition start (o : nat -> A) : ring :=
  let b := minn n room in Ring [seq (j, k.-1) | j <- iota 0 b] b (foldr begin o (iota 0 b)).

(* t turns, or fewer if no slot is left. choose says which slot a turn tests. *)
Fixpoint turns (choose : nat -> ring -> nat) t s : ring :=
  if t is t'.+1 then (if slots s is [::] then s else turns choose t' (turn (choose t' s) s)) else s.

(* The answer of key j after i tests. *)
Definition answer j i : A := foldl meet one [seq test j l | l <- iota 0 i].

Lemma answer_next j i : answer j i.+1 = meet (answer j i) (test j i).
Proof. by rewrite /answer -addn1 iotaD map_cat foldl_cat. Qed.

Lemma answer_final j i l : final (answer j i) -> i <= l -> answer j l = answer j i.
Proof.
move=> f /subnK <-; elim: (l - i) => [|e IH] //; by rewrite addSn answer_next IH final_meet.
Qed.

(* What holds after each turn. *)
Definition kept s : Prop :=
  [/\ begun s <= n, uniq (map fst (slots s)), (slots s = [::] -> begun s = n),
      forall j r, (j, r) \in slots s ->
        [/\ j < begun s, r < k, ~~ final (answer j (k.-1 - r)) & clean -> out s j = answer j (k.-1 - r)]
    & forall j, j < begun s -> j \notin map fst (slots s) -> out s j = answer j k].

Definition left_over s : nat := \sum_(p <- slots s) p.2.+1 + (n - begun s) * k.

Definition others q i := take i q ++ drop i.+1 q.

Lemma others_perm q i : i < size q -> perm_eq q (nth d q i :: others q i).
Proof.
by move=> lt; rewrite -{1}(cat_take_drop i q) (drop_nth d lt) -cat1s perm_catCA.
Qed.

Lemma replaced_perm q i x : i < size q -> perm_eq (set_nth d q i x) (x :: others q i).
Proof. by move=> lt; rewrite set_nthE lt -cat1s perm_catCA. Qed.

Lemma closed_perm q i : i < size q -> perm_eq (take (size q).-1 (set_nth d q i (last d q))) (others q i).
Proof.
case/lastP: q => // q x; rewrite size_rcons last_rcons ltnS leq_eqVlt /= => il.
have -> : take (size q) (set_nth d (rcons q x) i x) = if i < size q then set_nth d q i x else q.
  have sz : size (set_nth d (rcons q x) i x) = (size q).+1.
    by rewrite size_set_nth size_rcons; apply/maxn_idPr; case/orP: il => [/eqP -> //|/ltnW].
  apply: (@eq_from_nth _ d) => [|l]; rewrite size_takel ?sz //.
    by case: ifP => // lt; rewrite size_set_nth; apply/esym/maxn_idPr.
  move=> lq; rewrite nth_take // nth_set_nth /= nth_rcons lq; case: (ltnP i (size q)) => lt; first by rewrite nth_set_nth.
  by case: eqP => // li; move: lq; rewrite li ltnNge lt.
rewrite /others; case/orP: il => [/eqP -> | lt].
  by rewrite ltnn -cats1 take_size_cat // drop_oversize ?size_cat ?addn1 // cats0.
rewrite lt -!cats1 takel_cat ?(ltnW lt) // drop_cat.
have p := replaced_perm x lt; rewrite (permPl p) /others.
case: ltnP => [_ | le]; first by rewrite catA -cat1s perm_catC.
have e : i.+1 = size q by apply/eqP; rewrite eqn_leq lt.
by rewrite e subnn drop_oversize // cats0 drop0 -cat1s perm_catC.
Qed.

Lemma begin_one js o j : clean -> j \in js -> foldr begin o js j = one.
Proof.
move=> c; elim: js => [|l js IH] //=; rewrite inE {1}/begin c /put.
by case: eqP => //= _ /IH.
Qed.

Lemma started o : kept (start o).
Proof.
rewrite /kept /=; set b := minn n room.
have -> : map fst [seq (j, k.-1) | j <- iota 0 b] = iota 0 b by rewrite -map_comp; apply: map_id.
split=> [||||j jb]; rewrite ?geq_minl ?iota_uniq //; last by rewrite mem_iota jb.
  rewrite /b; case: (leqP n room) => [|lt]; first by [].
  by rewrite -(prednK room0).
move=> j r /mapP[l]; rewrite mem_iota /= add0n => lb [-> ->]; rewrite subnn prednK //; split=> // c.
by rewrite begin_one // mem_iota.
Qed.

Lemma turned s i : i < size (slots s) -> kept s -> kept (turn i s).
Proof.
move=> lt [bn uq emp held done].
rewrite /turn; case E : (nth d (slots s) i) => [j r].
have p := others_perm lt; rewrite E in p.
have jr : (j, r) \in slots s by rewrite (perm_mem p) mem_head.
have [jb rk open run] := held j r jr.
set w := test j (k.-1 - r); set a := if clean then _ else _.
have next : (k.-1 - r).+1 = k - r by rewrite -subSn ?prednK // -ltnS prednK.
have aE : a = answer j (k - r).
  rewrite -next answer_next /a -/w; case: ifP run => [_ -> // | /negbT /unclean c _].
  by rewrite (c _ open) one_meet.
have := uq; rewrite (perm_uniq (perm_map fst p)) /= => /andP[jo uo].
have ino l t : (l, t) \in others (slots s) i -> (l, t) \in slots s /\ l != j.
  move=> h; rewrite (perm_mem p) inE h orbT; split=> //.
  by apply: contra jo => /eqP <-; apply/mapP; exists (l, t).
have key l : l \in map fst (slots s) = (l == j) || (l \in map fst (others (slots s) i)).
  by rewrite (perm_mem (perm_map fst p)) inE.
have over (rest : bool) : final a || (r == 0) -> a = answer j k.
  rewrite aE => /orP[f | /eqP ->]; last by rewrite subn0.
  by rewrite (answer_final f) // leq_subr.
case: ifP => [/andP[f r0] | no].
- have q := replaced_perm (j, r.-1) lt; split=> //=.
  + by rewrite (perm_uniq (perm_map fst q)) /= jo.
  + by move=> e; move: (perm_size q); rewrite e.
  + move=> l t; rewrite (perm_mem q) inE => /orP[/eqP[-> ->] | /ino[h lj]].
      have -> : k.-1 - r.-1 = k - r by case: (r) r0 => // ? _; rewrite /= -subn1 -subnDA add1n.
      by split=> //; [exact: leq_ltn_trans (leq_pred _) rk | rewrite -aE | rewrite /put eqxx].
    by have [? ? ? h'] := held _ _ h; split=> // c; rewrite /put (negbTE lj) h'.
  + move=> l lb; rewrite (perm_mem (perm_map fst q)) inE negb_or => /andP[lj lo].
    by rewrite /put (negbTE lj) done // key (negbTE lj).
have fin : a = answer j k.
  by apply: over => //; move: no; case: (final a) => //=; rewrite lt0n; case: eqP.
case: ifP => [bn' | full].
- have q := replaced_perm (begun s, k.-1) lt.
  have fresh : begun s \notin map fst (slots s).
    by apply/mapP=> -[[l t] /held[lb _ _ _] e]; rewrite /= in e; rewrite e ltnn in lb.
  have apart l : l < begun s -> l == begun s = false by move=> lb; apply: ltn_eqF.
  split=> //=.
  + by rewrite (perm_uniq (perm_map fst q)) /= uo andbT; move: fresh; rewrite key negb_or => /andP[].
  + by move=> e; move: (perm_size q); rewrite e.
  + move=> l t; rewrite (perm_mem q) inE => /orP[/eqP[-> ->] | /ino[h lj]].
      by rewrite subnn prednK //; split=> // c; rewrite /begin c /put eqxx.
    have [lb ? ? h'] := held _ _ h; split=> // [|c]; first exact: ltnW.
    by rewrite /begin c /put apart // (negbTE lj) h'.
  + move=> l lb; rewrite (perm_mem (perm_map fst q)) inE /= negb_or => /andP[lj lo].
    have lb' : l < begun s by rewrite ltn_neqAle lj -ltnS.
    have -> : begin (begun s) (put (out s) j a) l = put (out s) j a l.
      by rewrite /begin; case: ifP => // _; rewrite {1}/put (negbTE lj).
    rewrite /put; case: eqP => [-> //|/eqP/negbTE nj].
    by rewrite done // key nj.
have q := closed_perm lt; split=> //=.
- by rewrite (perm_uniq (perm_map fst q)).
- by move=> _; apply/eqP; rewrite eqn_leq bn leqNgt full.
- move=> l t; rewrite (perm_mem q) => /ino[h lj].
  by have [? ? ? h'] := held _ _ h; split=> // c; rewrite /put (negbTE lj) h'.
move=> l lb; rewrite (perm_mem (perm_map fst q)) => lo; rewrite /put.
by case: eqP => [-> //|/eqP/negbTE nj]; rewrite done // key nj.
Qed.

Lemma fewer s i : i < size (slots s) -> kept s -> left_over (turn i s) < left_over s.
Proof.
move=> lt _; rewrite /turn /left_over (perm_big _ (others_perm lt)) big_cons.
case: (nth d (slots s) i) => j r /=; case: ifP => [/andP[_ r0] | _].
  by rewrite (perm_big _ (replaced_perm (j, r.-1) lt)) big_cons /= prednK // ltn_add2r ltn_add2r.
case: ifP => [bn | _] /=.
  rewrite (perm_big _ (replaced_perm (begun s, k.-1) lt)) big_cons /= prednK //.
  have -> : n - begun s = (n - (begun s).+1).+1 by rewrite -subSn // subSS.
  rewrite mulSn; set x := \sum_(q <- _) _; set y := _ * k.
  by rewrite addnA -(addnA r.+1) (addnC x) -(addnA r.+1) addSn ltnS leq_addl.
by rewrite (perm_big _ (closed_perm lt)) /= ltn_add2r ltnS leq_addl.
Qed.

Lemma ended choose t s : (forall u s', slots s' != [::] -> choose u s' < size (slots s')) -> kept s -> left_over s <= t ->
  slots (turns choose t s) = [::] /\ kept (turns choose t s).
Proof.
move=> ok; elim: t s => [|t IH] s K le /=.
  split=> //; move: le; rewrite leqn0 addn_eq0 => /andP[/eqP e _].
  by case: (slots s) e => // p q; rewrite big_cons.
case E : (slots s) => [|p q] //; have lt : choose t s < size (slots s) by apply: ok; rewrite E.
by apply: IH; [exact: turned | rewrite -ltnS (leq_trans (fewer lt K))].
Qed.

(* A ring of keys in flight ends after at most n k turns, whichever slot each turn tests. Then each key has the meet of
   its k tests. *)
Theorem ring_answers choose o : (forall t s, slots s != [::] -> choose t s < size (slots s)) ->
  let s := turns choose (n * k) (start o) in slots s = [::] /\ forall j, j < n -> out s j = answer j k.
Proof.
move=> ok /=; have le : left_over (start o) <= n * k.
  rewrite /left_over /= big_map (eq_bigr (fun=> k)) => [|? _]; last by rewrite prednK.
  rewrite big_const_seq count_predT size_iota iter_addn_0 mulnC -mulnDl subnKC //; exact: geq_minl.
have [e [_ _ all _ done]] := ended ok (started o) le; split=> // j jn.
by apply: done; rewrite ?e // all.
Qed.
End Ring.

(* Look-ups in one array by a ring: the answer of a key says whether all of its bits are set. *)
Theorem ring_of_look_ups (test : nat -> nat -> bool) n k room choose o : 0 < k -> 0 < room ->
  (forall t (s : ring bool), slots s != [::] -> choose t s < size (slots s)) ->
  let s := turns true andb negb test false n k choose (n * k) (start true false n k room o) in
  slots s = [::] /\ forall j, j < n -> out s j = all (test j) (iota 0 k).
Proof.
move=> k0 room0 ok.
have [//|[]//|//|_ []//|e all] := ring_answers (one := true) (meet := andb) (final := negb) (clean := false) test _ _ _ _ n k0 room0 o ok.
split=> // j /all ->; rewrite /answer.
have : forall b l, foldl andb b [seq test j i | i <- l] = b && seq.all (test j) l.
  by move=> b l; elim: l b => [|i l IH] b /=; rewrite ?andbT // IH andbA.
by move=> ->.
Qed.

(* Look-ups in a pair of arrays by a ring: for each array, the answer of a key says whether all of its bits are set. *)
Theorem ring_of_pair_look_ups (first second : nat -> nat -> bool) n k room choose o : 0 < k -> 0 < room ->
  (forall t (s : ring (bool * bool)), slots s != [::] -> choose t s < size (slots s)) ->
  let meet a b := (a.1 && b.1, a.2 && b.2) in
  let s := turns (true, true) meet (fun a => ~~ (a.1 || a.2)) (fun j i => (first j i, second j i)) true n k choose (n * k)
    (start (true, true) true n k room o) in
  slots s = [::] /\ forall j, j < n -> out s j = (all (first j) (iota 0 k), all (second j) (iota 0 k)).
Proof.
move=> k0 room0 ok meet.
have [[] //|[[] []] //|//|//|e all] := ring_answers (one := (true, true)) (meet := meet) (final := fun a => ~~ (a.1 || a.2))
  (clean := true) (fun j i => (first j i, second j i)) _ _ _ _ n k0 room0 o ok.
split=> // j /all ->; rewrite /answer.
have : forall b l, foldl meet b [seq (first j i, second j i) | i <- l] = (b.1 && seq.all (first j) l, b.2 && seq.all (second j) l).
  by move=> b l; elim: l b => [|i l IH] [b c] /=; rewrite ?andbT // IH /= !andbA.
by move=> ->.
Qed.
