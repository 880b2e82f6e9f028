#!/bin/sh
# install.sh installs the programs that the adapters are tested against with
# `go test -tags e2e`, at the versions of package-lock.json. They go into .parts
# beside this file, whose dot keeps the go command out of what they bring along.
# Needs Node 20.15 or later, and the npm registry. Nothing is run: no package's
# scripts, and no download of a browser. A second run without a change does nothing.
set -eu
cd "$(dirname "$0")"
parts=.parts

if ! command -v npm >/dev/null 2>&1; then
	echo "internal/realparts: there is no npm: install Node 20.15 or later" >&2
	exit 1
fi
mkdir -p "$parts"
if [ -d "$parts/node_modules" ] && cmp -s package.json "$parts/package.json" && cmp -s package-lock.json "$parts/installed-lock.json"; then
	exit 0
fi
rm -f "$parts/installed-lock.json"
cp package.json package-lock.json "$parts/"
(cd "$parts" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
cp package-lock.json "$parts/installed-lock.json" # only now: what was interrupted is done again
