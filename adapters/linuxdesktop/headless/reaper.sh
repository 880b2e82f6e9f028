# The reaper of a session: $1 is the variable that its programs have, $2 its folder. It waits until
# nobody can write into its input any more, which is when the process that called Start has
# ended or closes the session. Then it ends the programs and removes the folder.
trap '' HUP INT QUIT TERM PIPE
read -r _
round=0
quiet=0 # rounds without a program; one that starts another may slip through a single one
while [ $quiet -lt 3 ] && [ $round -lt 200 ]; do
	quiet=$((quiet + 1))
	for file in $(grep -lsF -e "$1" /proc/[0-9]*/environ); do
		quiet=0
		pid=${file#/proc/}
		pid=${pid%/environ}
		case $round in
		0) kill -s TERM "$pid" 2>/dev/null ;; # Xvfb removes its socket
		[1-9]) ;;
		*) kill -s KILL "$pid" 2>/dev/null ;;
		esac
	done
	round=$((round + 1))
	sleep 0.05
done
for _ in 1 2 3; do
	rm -rf "$2" && exit 0
	sleep 0.2
done
exit 1
