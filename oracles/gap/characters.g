# Exact character tables of small groups, for tests/unit/rep/character_fixture_test.cpp.
#
#   gap -q -A oracles/gap/characters.g        (from the top of the repository; writes tests/data)
#
# characters_60.json    all non-abelian groups of order <= 60
# characters_127.json   further groups of order <= 127: non-abelian ones, at most 4 an order, and some abelian ones
#
# A group is given by permutations in cycle notation. Classes are [size, element order, word], the word of a
# representative over the generators (k = generator k, -k its inverse), written for products that apply the
# right factor first: the reverse of GAP's order. Values are [n, k, c, k, c, ...] = sum of c * E(n)^k; tables hold
# indices into them. powers.p is the p-th power map.

LoadPackage("smallgrp");;

WordOf := function(G, g)
  local w;
  w := Reversed(LetterRepAssocWord(UnderlyingElement(Factorization(G, g))));
  return w;
end;;

ValueOf := function(x)
  local n, coefficients, out, k;
  n := Conductor(x);
  coefficients := CoeffsCyc(x, n);
  out := [n];
  for k in [1..n] do
    if coefficients[k] <> 0 then Append(out, [k - 1, coefficients[k]]); fi;
  od;
  return out;
end;;

Compact := list -> ReplacedString(String(list), " ", "");;

GroupLine := function(order, number)
  local G, P, table, classes, values, rows, row, x, position, generators, p, powers, out;
  G := SmallGroup(order, number);
  P := Image(SmallerDegreePermutationRepresentation(Image(IsomorphismPermGroup(G))));
  P := Group(SmallGeneratingSet(P));
  table := CharacterTable(P);
  classes := List(ConjugacyClasses(table),
                  c -> [Size(c), Order(Representative(c)), WordOf(P, Representative(c))]);
  values := [];
  rows := [];
  for row in Irr(table) do
    Add(rows, []);
    for x in ValuesOfClassFunction(row) do
      position := Position(values, x);
      if position = fail then Add(values, x); position := Length(values); fi;
      Add(rows[Length(rows)], position - 1);
    od;
  od;
  generators := JoinStringsWithSeparator(List(GeneratorsOfGroup(P), g -> ReplacedString(String(g), " ", "")), ";");
  powers := List(PrimeDivisors(order), p -> Concatenation("\"", String(p), "\":", Compact(PowerMap(table, p) - 1)));
  return Concatenation("{\"id\":", Compact([order, number]), ",\"generators\":\"", generators,
                       "\",\"classes\":", Compact(classes), ",\"values\":", Compact(List(values, ValueOf)),
                       ",\"table\":", Compact(rows), ",\"indicators\":", Compact(Indicator(table, 2)),
                       ",\"powers\":{", JoinStringsWithSeparator(powers, ","), "}}");
end;;

WriteGroups := function(file, ids)
  local stream, i;
  stream := OutputTextFile(file, false);
  SetPrintFormattingStatus(stream, false);
  PrintTo(stream, "{\"script\":\"oracles/gap/characters.g\",\"groups\":[\n");
  for i in [1..Length(ids)] do
    AppendTo(stream, GroupLine(ids[i][1], ids[i][2]));
    if i < Length(ids) then AppendTo(stream, ","); fi;
    AppendTo(stream, "\n");
  od;
  AppendTo(stream, "]}\n");
  CloseStream(stream);
end;;

IsAbelianId := id -> IsAbelian(SmallGroup(id[1], id[2]));;
IdsOfOrder := order -> List([1..NumberSmallGroups(order)], number -> [order, number]);;
Spread := function(ids, count)  # evenly over the list, the last one among them
  if Length(ids) <= count then return ids; fi;
  return List([1..count], i -> ids[QuoInt(i * Length(ids), count)]);
end;;

small := Filtered(Concatenation(List([1..60], IdsOfOrder)), id -> not IsAbelianId(id));;
WriteGroups("tests/data/characters_60.json", small);
large := Concatenation(List([61..127],
           n -> Spread(Filtered(IdsOfOrder(n), id -> not IsAbelianId(id)), 4)));;
Append(large, [[2,1],[4,2],[6,2],[8,2],[8,5],[12,5],[16,2],[25,2],[27,2],[27,5],[30,4],[36,14],[60,13]]);
WriteGroups("tests/data/characters_127.json", large);
Print(Length(small), " + ", Length(large), " groups\n");
QUIT;
