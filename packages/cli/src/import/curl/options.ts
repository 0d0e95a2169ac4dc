import { CliError } from "../../cli-error.ts";
import { isHarmless } from "../credentials.ts";
import type { ShellLine } from "./words.ts";

/** What a curl command says about its request. */
export interface CurlRequest {
  url: string;
  method?: string;
  /** -G: the data are the query. */
  isGet: boolean;
  readonly headers: [string, string][];
  readonly data: CurlData[];
  readonly form: string[];
  user?: string;
  /** The token of --oauth2-bearer. */
  bearer?: string;
  cookie?: string;
  /** The file of -T. */
  upload?: string;
  /** The values of --url-query, encoded. */
  readonly query: string[];
  /** Headers that browsers and tools add by themselves. */
  readonly noise: string[];
  /** -g: brackets and braces of the address are text. */
  isLiteral: boolean;
  readonly warnings: string[];
}

interface CurlData {
  /** The text, or the name of the file that holds it. */
  readonly text: string;
  readonly isFile: boolean;
}

/** Reads the options of a command. Those that say nothing about the request are left out, with a warning where that matters. */
export function readCommand({ words, expansions, operator }: ShellLine): CurlRequest {
  const [program = "", ...rest] = words[0] === "$" ? words.slice(1) : words;
  if (!/^(?:.*[/\\])?curl(?:\.exe)?$/i.test(program)) {
    throw new CliError("That is not a curl command.", {
      exitCode: 2,
      hint: "Quote it whole: mci import curl 'curl https://…'",
    });
  }
  const request: CurlRequest = {
    url: "",
    isGet: false,
    headers: [],
    data: [],
    form: [],
    query: [],
    noise: [],
    isLiteral: false,
    warnings: [],
  };
  if (operator !== undefined)
    request.warnings.push(`What follows ${operator} in the command line is left out.`);
  if (expansions.length > 0)
    request.warnings.push(
      `A shell would have replaced ${expansions.join(", ")}; here they are text. Write the values into the command, or change the tool.`,
    );
  const queue = rest.flatMap(splitOption);
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === "--next" || word === "-:") {
      request.warnings.push(`What follows ${word} is another request and is left out.`);
      break;
    }
    const read = Object.hasOwn(READERS, word) ? READERS[word]! : undefined;
    if (read !== undefined) read(request, queue.shift() ?? "");
    else if (Object.hasOwn(SWITCHES, word)) SWITCHES[word]!(request);
    else if (LEFT_OUT.has(word)) {
      const value = queue.shift() ?? "";
      // What follows a colon may be a password: `--proxy-user me:pw`, `--cert client.pem:pw`.
      const isShown = isHarmless(word, value) && !value.includes(":");
      request.warnings.push(`The option ${word}${isShown ? ` ${value}` : ""} is left out.`);
    } else if (!word.startsWith("-")) addUrl(request, word);
    else if (!IGNORED_OPTIONS.has(word))
      request.warnings.push(`The option ${word} is not known and is left out.`);
  }
  if (
    !request.isLiteral &&
    /\[[^[\]-]{1,100}-[^[\]]{1,100}\]|\{[^{},]{0,100},[^{}]{0,100}\}/.test(
      request.url.replace(/^\w+:\/\/\[[^\]]*\]/, ""),
    )
  )
    request.warnings.push(
      "curl would send a request for each address that [ ] or { } stand for; here they are text.",
    );
  if (request.url !== "" && !/^[a-z]+:\/\//i.test(request.url)) request.url = `http://${request.url}`;
  if (!/^https?:\/\//i.test(request.url) || !URL.canParse(request.url)) {
    throw new CliError("The curl command has no http:// or https:// address.", { exitCode: 2 });
  }
  return request;
}

type Reader = (request: CurlRequest, value: string) => void;

const header: Reader = (request, value) => {
  const [, name = "", text = ""] = /^([^:;]+)[:;]\s*([\s\S]*)$/.exec(value) ?? [];
  if (name !== "") request.headers.push([name.trim(), text]);
  else
    request.warnings.push(
      value.startsWith("@")
        ? `The headers of the file${ifHarmless(value.slice(1))} are left out.`
        : "A header without a value is left out.",
    );
};
const data: Reader = (request, value) =>
  void request.data.push(value.startsWith("@") ? { text: value.slice(1), isFile: true } : asText(value));
const rawData: Reader = (request, value) => void request.data.push(asText(value));
const form: Reader = (request, value) => void request.form.push(value);

/** Options with a value. */
const READERS: Readonly<Record<string, Reader>> = {
  ...both("-X", "--request", (request, value) => {
    request.method = value.toUpperCase();
  }),
  ...both("-H", "--header", header),
  ...both("-d", "--data", data),
  "--data-ascii": data,
  "--data-binary": data,
  "--data-raw": rawData,
  "--data-urlencode": (request, value) => void request.data.push(urlencoded(value, request)),
  "--json": (request, value) => {
    data(request, value);
    const isSet = (name: string) => request.headers.some(([key]) => key.toLowerCase() === name);
    if (!isSet("content-type")) request.headers.push(["Content-Type", "application/json"]);
    if (!isSet("accept")) request.headers.push(["Accept", "application/json"]);
  },
  ...both("-F", "--form", form),
  "--form-string": form,
  ...both("-u", "--user", (request, value) => {
    request.user = value;
  }),
  "--oauth2-bearer": (request, value) => {
    request.bearer = value;
  },
  ...both("-b", "--cookie", (request, value) => {
    // Several are one header.
    if (value.includes("=")) request.cookie = [request.cookie ?? [], value].flat().join("; ");
    else request.warnings.push(`The cookies of the file${ifHarmless(value)} are left out.`);
  }),
  ...both("-T", "--upload-file", (request, value) => {
    request.upload = value;
  }),
  ...both("-A", "--user-agent", (request) => void request.noise.push("User-Agent")),
  ...both("-e", "--referer", (request) => void request.noise.push("Referer")),
  "--url-query": (request, value) => void request.query.push(urlencoded(value, request).text),
  "--url": (request, value) => addUrl(request, value),
};

const SWITCHES: Readonly<Record<string, (request: CurlRequest) => void>> = {
  ...both("-g", "--globoff", (request: CurlRequest) => {
    request.isLiteral = true;
  }),
  ...both("-G", "--get", (request: CurlRequest) => {
    request.isGet = true;
  }),
  ...both("-I", "--head", (request: CurlRequest) => {
    request.method = "HEAD";
  }),
  ...both("-k", "--insecure", (request: CurlRequest) => {
    request.warnings.push("The option --insecure is left out: certificates are always checked.");
  }),
};

/** Further options that take a value. */
const LEFT_OUT = new Set(
  (
    "-o -w -m -x -E -K -C -D -Q -r -t -U -y -Y -z -c -P --output --write-out --max-time --connect-timeout --retry " +
    "--retry-delay --retry-max-time --proxy --proxy-user --proxy-header --noproxy --cacert --capath --cert --cert-type " +
    "--key --key-type --pass --resolve --connect-to --config --limit-rate --max-redirs --interface --tls-max --ciphers " +
    "--cookie-jar --dump-header --range --time-cond --unix-socket --dns-servers --doh-url --aws-sigv4 --proto " +
    "--max-filesize --rate --speed-limit --speed-time --stderr --trace --trace-ascii --variable --hsts --netrc-file " +
    "--abstract-unix-socket --alt-svc --create-file-mode --crlfile --curves --delegation --dns-interface --dns-ipv4-addr " +
    "--dns-ipv6-addr --ech --engine --etag-compare --etag-save --expect100-timeout --happy-eyeballs-timeout-ms " +
    "--haproxy-clientip --ip-tos --keepalive-time --keepalive-cnt --libcurl --local-port --login-options --output-dir " +
    "--parallel-max --pinnedpubkey --preproxy --proto-default --proto-redir --proxy-cacert --proxy-cert --proxy-key " +
    "--proxy-pass --proxy1.0 --request-target --sasl-authzid --service-name --socks4 --socks4a --socks5 --socks5-hostname " +
    "--tls13-ciphers --tlsauthtype --tlspassword --tlsuser --trace-config --vlan-priority --telnet-option --quote"
  ).split(" "),
);

/** Options that change what curl shows, or how it connects, and nothing about the request. */
const IGNORED_OPTIONS = new Set(
  (
    "-s -S -L -v -i -f -# -4 -6 -0 -1 -2 -3 -N -j -n -q -a -J -O -R -Z --silent --show-error --location --location-trusted " +
    "--verbose --include --show-headers --fail --fail-with-body --fail-early --progress-bar --no-progress-meter --ipv4 --ipv6 " +
    "--http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --no-buffer --junk-session-cookies --netrc " +
    "--netrc-optional --compressed --tr-encoding --tcp-nodelay --tcp-fastopen --no-keepalive --no-sessionid --tlsv1 --tlsv1.0 " +
    "--tlsv1.1 --tlsv1.2 --tlsv1.3 --ssl-reqd --ssl --remote-name --remote-header-name --remote-time --parallel " +
    "--basic --path-as-is --styled-output --no-styled-output --post301 --post302 --post303 --xattr"
  ).split(" "),
);

/** Short options with a value: what follows one in the same word is its value. */
const SHORT_WITH_VALUE = "XHdFubTAeowmxEKCDQrtUyYzcP";

/** `-XPOST`, `-sX POST`, `-sSL` and `--request=POST` are several words. */
function splitOption(word: string): string[] {
  if (/^-[^-]/.test(word)) {
    const options: string[] = [];
    for (const [index, letter] of [...word.slice(1)].entries()) {
      options.push(`-${letter}`);
      if (!SHORT_WITH_VALUE.includes(letter)) continue;
      const value = word.slice(index + 2);
      return value === "" ? options : [...options, value];
    }
    return options;
  }
  const [, option, value] = /^(--[a-z0-9-]+)=([\s\S]*)$/.exec(word) ?? [];
  return option === undefined ? [word] : [option, value!];
}

function addUrl(request: CurlRequest, word: string): void {
  if (request.url === "") request.url = word;
  else
    request.warnings.push(
      `A second address is left out${isHarmless("", word.split("?")[0]) ? `: ${word.split("?")[0]}` : ""}.`,
    );
}

/** `name=text`, `=text` and `text`; a file's content is asked for. */
function urlencoded(value: string, { warnings }: CurlRequest): CurlData {
  const [, name = "", kind = "", text = value] = /^([^=@]*)([=@])([\s\S]*)$/.exec(value) ?? [];
  if (kind === "@")
    warnings.push(`The content of the file${ifHarmless(text)} is left out; it has to be given.`);
  const encoded = encodeURIComponent(kind === "@" ? "" : text);
  return asText(name === "" ? encoded : `${name}=${encoded}`);
}

/** A name that may be shown. */
export function ifHarmless(name: string): string {
  return isHarmless("", name) ? ` ${name}` : "";
}

function asText(text: string): CurlData {
  return { text, isFile: false };
}

function both<T>(short: string, long: string, value: T): Record<string, T> {
  return { [short]: value, [long]: value };
}
