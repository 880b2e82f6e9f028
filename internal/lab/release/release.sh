#!/usr/bin/env bash
# release.sh works on the repository that it is called in. CONTRIBUTING.md describes a release.
#
#	release.sh prepare VERSION   writes the version into every go.mod that requires a module of ours
#	release.sh list [VERSION]    lists the tags, the core first, each after those that it requires
#	release.sh check             fetches, builds and runs what HEAD would release
#
# check tags a clone of HEAD. The go command fetches the tags by git into a module proxy, which is a folder.
# A user with an empty module cache gets each module from there, builds its packages, and runs programs.
set -euo pipefail
# A hook of git names its repository by these.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR GIT_NAMESPACE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
export GOWORK=off GOFLAGS=

fail() { printf 'release: %s\n' "$*" >&2; exit 1; }
run() { "$@" >"$work/log" 2>"$work/problem" || { cat "$work/log" "$work/problem" >&2; fail "$* failed"; }; }
user() { mkdir "$work/$1"; cd "$work/$1"; run go mod init example.com/user; } # in a new module
url() { printf 'file://%s' "$1" | sed 's/%/%25/g; s/ /%20/g; s/,/%2C/g'; }
released() { [[ $1 == . || $1 =~ ^adapters/[^/]+$ ]]; }
tags() { for dir in $order; do printf '%s\n' "$dir/$version" | sed 's|^\./||'; done; }
valid() { [[ $1 =~ ^v[01](\.(0|[1-9][0-9]*)){2}(-[0-9A-Za-z.-]+)?$ ]] || fail "\"$1\" is no version of $core such as v0.2.0 or v0.2.0-rc.1"; }

# folders lists those of our modules. Fixtures are none.
folders() {
	git ls-files -co --exclude-standard -- go.mod '*/go.mod' | grep -Ev '(^|/)(testdata|node_modules|[._][^/]*)/' |
		sed 's|/*go\.mod$||; s|^$|.|' | sort
}

# requires FOLDER prints what its go.mod requires of ours: FOLDER PATH VERSION.
requires() {
	go mod edit -json "$1/go.mod" | awk -F '"' -v dir="$1" -v core="$core" '
		/^\t"/ { part = $2 }
		/"Path":/ { path = $4 }
		/"Version":/ && part == "Require" && index(path "/", core "/") == 1 { print dir, path, $4 }'
}

# plan [VERSION] sets the version, and order to the folders of the release.
plan() {
	local all pairs='' dir path asked to
	all=$(for dir in $(folders); do requires "$dir" || exit 1; done)
	version=${1:-$(awk '{ print $3 }' <<<"$all" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')}
	valid "$version"
	for dir in $(folders); do ! released "$dir" || pairs=". $dir"$'\n'$pairs; done
	while read -r dir path asked; do
		to=${path#"$core"} to=${to#/} to=${to:-.}
		if [ "$asked" != "$version" ] || [ ! -f "$to/go.mod" ] || { released "$dir" && ! released "$to"; }; then
			fail "$dir/go.mod requires $path@$asked, which is not tagged: the release is $version"
		fi
		! released "$dir" || pairs+="$to $dir"$'\n'
	done <<<"$all"
	order=$(tsort <<<"$pairs" 2>&1) || fail "modules require each other: $order"
}

# example FILE prints the name of its first Example with an output, and the output. The file must be a program by itself.
example() {
	awk '
		/^func Example[A-Za-z0-9_]*\(\) \{/ { name = $2; sub(/\(.*/, "", name) }
		name == "" { next }
		/^}/ { if (found) { print name text; exit } name = "" }
		{ sub(/^[\t ]*\/\/ ?/, "") }
		/^Output:/ { found = 1; text = ""; sub(/^Output: */, ""); if ($0 == "") next }
		found { text = text "\n" $0 }' "$1"
}

# programs FOLDER FETCHED writes what a user would write into folders, beside what each program prints.
programs() {
	local n=0 folder files file name text
	[ "$1" != . ] || sed -n "s|^<!-- program: \([^ ]*\) .*|$2 \1|p" "$2/README.md" >"$work/log"
	while read -r folder files; do
		case ${folder#"$work"}/ in */internal/*) continue ;; esac
		for file in $files; do
			text=$(example "$folder/$file") name=${text%%$'\n'*}
			[ -n "$text" ] || continue
			mkdir "$((++n))"
			printf '%s\n' "$file $text" >"$n/prints"
			if [ "$1" = . ]; then
				sed -n '/^<!-- program: /,/^<!-- \/program/p' "$2/README.md" | grep -Ev '^(<!--|```)'
			else
				sed "s/^package .*/package main/; s/^func $name()/func main()/" "$folder/$file"
			fi >"$n/main.go"
			break
		done
	done <"$work/log"
	[ "$n" -gt 0 ] || fail "$1 has no program: no Example with an output, or none that README.md shows"
}

check() {
	local commit n=${GIT_CONFIG_COUNT:-0} dir path from prints began tag
	commit=$(git rev-parse HEAD)
	git clone --quiet --no-tags -- "$PWD" "$work/repository"
	cd "$work/repository"
	plan
	echo "$version of $commit"
	for tag in $(tags); do git -c tag.gpgSign=false tag "$tag" "$commit"; done
	GONOSUMDB=$core,$(go env GONOSUMDB)
	GOPROXY=$(url "$work/proxy/cache/download"),$(url "$(go env GOMODCACHE)/cache/download"),$(go env GOPROXY)
	# With -trimpath the build cache is of use although the module cache has another name each time.
	export GOFLAGS='-trimpath -modcacherw -buildvcs=false' GOMODCACHE=$work/modules GOPROXY GONOSUMDB GONOPROXY=none GOPRIVATE='' TMPDIR=$work
	for dir in $order; do
		began=$SECONDS path=$core/$dir path=${path%/.}
		cd "$work"
		run env GOMODCACHE="$work/proxy" GOPROXY=direct GOVCS="$core:git" GIT_CONFIG_COUNT=$((n + 2)) \
			"GIT_CONFIG_KEY_$n=url.$(url "$work/repository").insteadOf" "GIT_CONFIG_VALUE_$n=https://$core" \
			"GIT_CONFIG_KEY_$((n + 1))=gc.auto" "GIT_CONFIG_VALUE_$((n + 1))=0" go mod download -json "$path@$version"
		grep -q "\"Hash\": \"$commit\"" "$work/log" || fail "$path@$version is not of commit $commit"
		from=$(sed -n 's/^.*"Dir": "\(.*\)",*$/\1/p' "$work/log")
		[ -f "$from/LICENSE" ] || fail "$path@$version has no LICENSE"
		user "user-${dir//\//-}"
		run go get "$path"
		grep -Eq "$path $version( |\$)" go.mod || fail "go get $path took another version than $version: $(cat go.mod)"
		user "all-${dir//\//-}"
		run go get "$path/..."
		run go build "$path/..."
		run go list -f '{{if ne .Name "main"}}{{.Dir}}{{range .XTestGoFiles}} {{.}}{{end}}{{end}}' "$path/..."
		cd "$work/user-${dir//\//-}"
		programs "$dir" "$from"
		run go mod tidy
		for prints in */prints; do
			run go build -o program "./${prints%/prints}"
			run ./program
			tail -n +2 "$prints" | diff - "$work/log" >&2 || fail "$path: $(head -n 1 "$prints") prints something else"
		done
		echo "$path@$version: $(find "$from" -type f | wc -l) files, all packages, $(awk 'FNR == 1' */prints | paste -sd , -): $((SECONDS - began)) s"
	done
}

cd "$(git rev-parse --show-toplevel)"
core=$(awk '$1 == "module" { print $2 }' go.mod)
case ${1:-}/$# in
prepare/2)
	valid "$2"
	for dir in $(folders); do
		edits=$(requires "$dir" | awk -v v="$2" '$3 != v { print "-require=" $2 "@" v }')
		[ -z "$edits" ] || { go mod edit $edits "$dir/go.mod"; echo "$dir/go.mod"; }
	done
	plan "$2"
	;;
list/[12]) plan "${2:-}"; tags ;;
check/1)
	git status --porcelain | sed 's/^/not committed, so not checked: /'
	group='' work=$(mktemp -d)
	trap '{ kill -KILL -- "-$group" || true; wait; } 2>/dev/null; rm -rf "$work"' EXIT
	trap 'exit 143' INT TERM HUP
	set -m # a process group of its own, so that all that it starts ends with it
	{ { sleep 1800; echo "release: not done in 30 minutes"; kill -TERM $$; } >&2 & check; } </dev/null &
	group=$!
	wait "$group"
	;;
*) fail "want prepare VERSION, list [VERSION] or check" ;;
esac
