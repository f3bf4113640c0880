# Sourced by the scripts of this folder, with the repository in $root: builds the benchmarks unless they are there, and
# sets $classpath.
# A core type exported for another program would slow down all that is compared.
unset OPENBLAS_CORETYPE OPENBLAS_NUM_THREADS
if [ ! -f "$root/benchmarks/target/classpath" ] || [ ! -d "$root/benchmarks/target/classes/org" ]; then
  (cd "$root" && mvn -B -q -P '!checks' -pl benchmarks -am package -DskipTests) >&2
fi
classpath=$root/benchmarks/target/classes:$(cat "$root/benchmarks/target/classpath")
