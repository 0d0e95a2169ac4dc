# Servers that never speak MCP, by the first argument. A shell starts in a fraction of the time that Node.js takes.
# They write their process ids to the file LOG names.

echo "start $$" >>"${LOG:-/dev/null}"
case $1 in
silent) # Reads, never answers, and does not mind the end of its input.
  while read -r _; do :; done
  exec sleep 3600
  ;;
broken)
  echo "Cannot read ${TOKEN:-settings}" >&2
  exit 4
  ;;
esac
