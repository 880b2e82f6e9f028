#!/bin/sh
# install.sh installs the programs that adapters and examples are tested against
# with `go test -tags e2e`. Those of the npm registry come at the versions of
# package-lock.json into .parts beside this file, whose dot keeps the go command out
# of what they bring along; none of their scripts is run. Chromium comes from the
# system's packages, where there is none. Needs Node 20.15 or later. A second run
# without a change does nothing.
set -eu
cd "$(dirname "$0")"
parts=.parts

browser() {
	for name in ${AGENTFSM_CHROMIUM:+"$AGENTFSM_CHROMIUM"} chromium chromium-browser google-chrome; do
		if command -v "$name" >/dev/null 2>&1; then return 0; fi
	done
	return 1
}
if ! browser; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		echo "internal/realparts: there is no Chromium: install it, or name one in AGENTFSM_CHROMIUM" >&2
		exit 1
	fi
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium chromium-sandbox fonts-dejavu >/dev/null
fi

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
