#!/bin/sh
# install.sh installs the programs that adapters and examples are tested against
# with `make e2e`. Those of the npm registry come at the versions of
# package-lock.json into .parts beside this file, whose dot keeps the go command out
# of what they bring along; none of their scripts is run. Chromium and PostgreSQL
# come from the packages of Debian, where there is none. Needs Node 20.15 or later. A second run
# without a change does nothing, and one beside it waits. `install.sh postgres` installs
# PostgreSQL alone. `install.sh office` installs a display and LibreOffice from the packages of Debian,
# and `install.sh desktop` other programs with windows, too; without an argument they are left out.
set -eu
cd "$(dirname "$0")"
parts=.parts

fail() {
	echo "internal/lab/realparts: $1" >&2
	exit 1
}

if command -v flock >/dev/null 2>&1; then
	exec 9>.lock
	flock 9
fi

# What adapters/linuxdesktop is tested with. One package more is enough to lose another: libreoffice-calc-nogui
# takes the place of libreoffice-calc, whose windows then lack what they are made of.
desktop() {
	packages="xvfb openbox dbus at-spi2-core fonts-dejavu fonts-liberation libreoffice-writer libreoffice-calc libreoffice-gtk3 $*"
	if ! command -v dpkg-query >/dev/null 2>&1; then
		for name in Xvfb openbox dbus-daemon soffice; do
			command -v "$name" >/dev/null 2>&1 || fail "there is no $name: install what the packages of Debian have that are called $packages"
		done
		return 0
	fi
	lacks=
	for name in $packages; do
		case $(dpkg-query -W -f='${db:Status-Abbrev}' "$name" 2>/dev/null) in
		?i | ?i\ ) ;;
		*) lacks="$lacks $name" ;;
		esac
	done
	windows() { dpkg-query -L libreoffice-calc 2>/dev/null | grep '/modules/scalc/ui/inputbar\.ui$' | xargs -r ls >/dev/null 2>&1; }
	again=
	case $lacks in *" libreoffice-calc"*) ;; *) windows || again="--reinstall libreoffice-calc" ;; esac
	[ -n "$lacks$again" ] || return 0
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		fail "packages are missing: apt-get install$lacks${again:+ $again}"
	fi
	apt-get -o DPkg::Lock::Timeout=300 update -qq
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends $lacks $again >/dev/null
}
case ${1:-} in
office) desktop ;;
desktop) desktop mousepad featherpad xfce4-terminal galculator thunar poppler-utils chromium chromium-sandbox ;;
esac
case ${1:-} in office | desktop) exit 0 ;; esac

# One that is named is the only one: tests would run it, too.
browser() {
	if [ -n "${AGENTFSM_CHROMIUM:-}" ]; then
		command -v "$AGENTFSM_CHROMIUM" >/dev/null 2>&1 || fail "AGENTFSM_CHROMIUM names $AGENTFSM_CHROMIUM, which is not there"
		return 0
	fi
	for name in chromium chromium-browser google-chrome; do
		if command -v "$name" >/dev/null 2>&1; then return 0; fi
	done
	return 1
}
if [ "${1:-}" != postgres ] && ! browser; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		fail "there is no Chromium: install it, or name one in AGENTFSM_CHROMIUM"
	fi
	apt-get -o DPkg::Lock::Timeout=300 update -qq
	DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends \
		chromium chromium-sandbox fonts-dejavu >/dev/null
fi

# As tests look for it: internal/lab/realparts/postgres.
server() {
	if [ -n "${AGENTFSM_POSTGRES:-}" ]; then
		[ -x "$AGENTFSM_POSTGRES/postgres" ] && [ -x "$AGENTFSM_POSTGRES/initdb" ] ||
			fail "AGENTFSM_POSTGRES names $AGENTFSM_POSTGRES, which has not both initdb and postgres"
		return 0
	fi
	for bin in /usr/lib/postgresql/*/bin; do
		if [ -x "$bin/postgres" ] && [ -x "$bin/initdb" ]; then return 0; fi
	done
	command -v postgres >/dev/null 2>&1 && command -v initdb >/dev/null 2>&1
}
if ! server; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		fail "there is no PostgreSQL: install its server, or name the folder of its programs in AGENTFSM_POSTGRES"
	fi
	quietly() { DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$@" >/dev/null; }
	apt-get -o DPkg::Lock::Timeout=300 update -qq && quietly postgresql-common || fail "apt-get cannot install postgresql-common, which PostgreSQL needs"
	# The package would make a cluster and start it, which nobody has asked for.
	conf=/etc/postgresql-common/createcluster.conf
	cp -p "$conf" "$conf.agentfsm"
	trap 'mv -f "$conf.agentfsm" "$conf"' EXIT
	echo "create_main_cluster = false" >>"$conf"
	quietly postgresql || fail "apt-get cannot install postgresql"
	mv -f "$conf.agentfsm" "$conf"
	trap - EXIT
	server || fail "PostgreSQL was installed, and has no programs in /usr/lib/postgresql"
fi

if [ "${1:-}" = postgres ] || [ -n "${AGENTFSM_REALPARTS:-}" ]; then
	exit 0 # they are somewhere else
fi
command -v npm >/dev/null 2>&1 || fail "there is no npm: install Node 20.15 or later"
node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 15) ? 0 : 1)' ||
	fail "Node is missing or too old: install 20.15 or later"
mkdir -p "$parts"
if [ -d "$parts/node_modules" ] && cmp -s package.json "$parts/package.json" && cmp -s package-lock.json "$parts/installed-lock.json"; then
	exit 0
fi
rm -f "$parts/installed-lock.json"
cp package.json package-lock.json "$parts/"
(cd "$parts" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
cp package-lock.json "$parts/installed-lock.json" # only now: what was interrupted is done again
