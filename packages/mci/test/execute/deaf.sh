# Ignores every request to end, writes down who it is, and starts $1 - 1 more of its kind (by way of $2, if given).
trap "" TERM INT HUP
echo $$ >> pids
if [ "$1" -gt 1 ]; then $2 sh "$0" $(($1 - 1)) "$2" & fi
while :; do sleep 1; done
