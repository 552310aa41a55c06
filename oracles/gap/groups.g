# Facts about small groups, for tests/unit/group/group_fixture_test.cpp.
#
#   gap -q -A oracles/gap/groups.g        (from the top of the repository; writes tests/data/groups.json)
#
# All non-abelian groups of order <= 60, some abelian ones, and at most 4 groups of each order up to 127.
# A group is given by permutations in cycle notation. "classes" is the sorted list of [size, element order];
# "normal" the number of normal subgroups; "subgroups" [number of classes of subgroups, number of subgroups]

LoadPackage("smallgrp");;
LoadPackage("transgrp");;

Compact := list -> ReplacedString(String(list), " ", "");;

GroupLine := function(order, number)
  local G, P, classes, generators, subgroups, line;
  G := SmallGroup(order, number);
  P := Image(SmallerDegreePermutationRepresentation(Image(IsomorphismPermGroup(G))));
  P := Group(SmallGeneratingSet(P));
  classes := SortedList(List(ConjugacyClasses(P), c -> [Size(c), Order(Representative(c))]));
  generators := JoinStringsWithSeparator(
    List(GeneratorsOfGroup(P), g -> ReplacedString(String(g), " ", "")), ";");
  line := Concatenation("{\"id\":", Compact([order, number]), ",\"generators\":\"", generators,
    "\",\"exponent\":", String(Exponent(P)), ",\"center\":", String(Size(Centre(P))),
    ",\"derived\":", String(Size(DerivedSubgroup(P))), ",\"normal\":",
    String(Length(NormalSubgroups(G))), ",\"classes\":", Compact(classes));
  if order <= 60 then
    subgroups := ConjugacyClassesSubgroups(G);
    line := Concatenation(line, ",\"subgroups\":",
      Compact([Length(subgroups), Sum(List(subgroups, Size))]));
  fi;
  return Concatenation(line, "}");
end;;

Ids := function()
  local ids, order, number, taken;
  ids := [];
  for order in [2..127] do
    taken := 0;
    for number in [1..NumberSmallGroups(order)] do
      if order <= 60 then
        if not IsAbelian(SmallGroup(order, number)) or taken < 1 then
          Add(ids, [order, number]);
          if IsAbelian(SmallGroup(order, number)) then taken := taken + 1; fi;
        fi;
      elif taken < 4 then
        Add(ids, [order, number]);
        taken := taken + 1;
      fi;
    od;
  od;
  return ids;
end;;

file := "tests/data/groups.json";;
ids := Ids();;
lines := List(ids, id -> GroupLine(id[1], id[2]));;
PrintTo(file, "");;
stream := OutputTextFile(file, false);;
SetPrintFormattingStatus(stream, false);;
PrintTo(stream, "{\"script\":\"oracles/gap/groups.g\",\"groups\":[\n",
        JoinStringsWithSeparator(lines, ",\n"), "\n]}\n");;
CloseStream(stream);;
QUIT;
