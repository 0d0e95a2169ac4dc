/**
 * A name for a variable that an import makes. A document chooses its title and the names in it, so it could choose a
 * variable that programs obey by themselves (`LD_PRELOAD`, `NODE_OPTIONS`, `HTTPS_PROXY`): its value would be sent to the
 * document's host, or come from the document into an env file that other programs read as well.
 */
export function ownVariable(name: string): string {
  return OBEYED.test(name) ? `API_${name}` : name;
}

const OBEYED = new RegExp(
  `^(?:${[
    "PATH|PATHEXT|HOME|USERPROFILE|SHELL|COMSPEC|ENV|IFS|PS4|PROMPT_COMMAND|BROWSER|EDITOR|VISUAL|PAGER|TMP|TEMP|TMPDIR",
    "(?:[A-Z]+_)?PROXY|_?JAVA_(?:TOOL_)?OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|DOCKER_HOST",
    "(?:LD|DYLD|NODE|NPM_CONFIG|BASH|PERL|GIT|SSL|OPENSSL|CURL|COMPOSE|MCI)_.*|PYTHON.*|PERL5.*|RUBY(?:OPT|LIB).*",
  ].join("|")})$`,
  "i",
);
