#!/usr/bin/env bash
# Twenty subshells of bash, for `make ratios`.
for i in {1..20}; do
	(echo "$((i * i))")
done
