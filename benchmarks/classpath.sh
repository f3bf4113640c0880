# Sourced by the scripts of this folder, with the repository in $root: builds the benchmarks unless they are there, and
# sets $classpath. The benchmarks lie among the tests of the module simulator.
# A core type exported for another program would slow down all that is compared.
unset OPENBLAS_CORETYPE OPENBLAS_NUM_THREADS
built=$root/simulator/target
if [ ! -f "$built/classpath" ] || [ ! -d "$built/test-classes/org/starlingqcd/benchmarks" ]; then
  (cd "$root" && mvn -B -q -P '!checks' -pl simulator -am package -DskipTests) >&2
fi
classpath=$built/test-classes:$built/classes:$(cat "$built/classpath")
