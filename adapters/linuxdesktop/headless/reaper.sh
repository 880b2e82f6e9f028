# The reaper of a session: $1 is the variable that its programs have, $2 its folder. It reads the
# process numbers of the parts of the session, until nobody can write into its input any more,
# which is when the process that called Start has ended or closes the session. Then it ends the
# programs, the parts behind the others, and removes the folder.
trap '' HUP INT QUIT TERM PIPE
parts=' '
while read -r pid; do
	parts="$parts$pid "
done
told=' '
left=
round=0 # 50 for programs to end by themselves, 20 for parts, 430 until it gives up
quiet=0 # rounds without a program; one that starts another may slip through a single one
while [ $quiet -lt 3 ] && [ $round -lt 500 ]; do
	quiet=$((quiet + 1))
	left=
	for file in $(grep -lsF -e "$1" /proc/[0-9]*/environ); do
		pid=${file#/proc/}
		pid=${pid%/environ}
		if [ $round -lt 50 ]; then
			case $parts in *" $pid "*) continue ;; esac
		fi
		quiet=0
		left="$left $pid"
		if [ $round -ge 70 ]; then
			kill -s KILL "$pid" 2>/dev/null
			continue
		fi
		case $told in *" $pid "*) continue ;; esac
		told="$told$pid "
		kill -s TERM "$pid" 2>/dev/null
	done
	round=$((round + 1))
	if [ $quiet -eq 3 ] && [ $round -lt 50 ]; then
		round=50
		quiet=0
	fi
	sleep 0.02
done
for pid in $left; do
	echo "$(cat "/proc/$pid/comm") ($pid) does not end"
done
for _ in 1 2 3; do
	rm -rf "$2" && [ -z "$left" ] && exit 0
	sleep 0.2
done
exit 1
