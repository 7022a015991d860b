#!/bin/sh
# instructions.sh TEST DIR: instructions and cache misses of a monitored 64 B packet, by valgrind's
# cachegrind. TEST is the tests of this directory, built with -tags valgrind. What a packet costs is the
# difference of two lengths of a benchmark, so that building the cluster does not count. The last level is
# a core's 1 MB.
set -e
test=$1 dir=$2

count() { # benchmark, platform's case of it, packets: instructions, misses of the first and of the last level
	out=$dir/cachegrind.$1.$2.$3
	GOGC=off valgrind --tool=cachegrind --cache-sim=yes --LL=1048576,16,64 --cachegrind-out-file="$out" \
		"$test" -test.run '^$' -test.bench "^Benchmark$1\$/^$2\$" -test.benchtime "$3x" -test.cpu 1 >"$out.txt" 2>&1
	sed -n 's/^summary: //p' "$out" | awk '{ print $1, $5 + $8, $6 + $9 }'
}

per_packet() { # name, benchmark, case, packets of the short run and of the long one
	echo "$4 $(count "$2" "$3" "$4") $5 $(count "$2" "$3" "$5")" | awk -v name="$1" '{
		n = $5 - $1
		printf "%-24s %6.0f instructions, %5.1f misses of the first level and %4.1f of the last\n", name, ($6-$2)/n, ($7-$3)/n, ($8-$4)/n
	}'
}

for of in full verbs; do
	per_packet "stream of 2 nodes, $of" Stream $of 4000 16000
	per_packet "all-to-all of 64, $of" AllToAll $of 4032 28224
done
