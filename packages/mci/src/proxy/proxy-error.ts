/** Code of the errors below. */
export const PROXY_FAILED = "ERR_PROXY";

/** The proxy itself failed or refused. The request did not reach the server it was meant for. */
export class ProxyError extends Error {
  readonly code = PROXY_FAILED;
  /** Another attempt ends the same way. */
  readonly isPermanent: boolean;

  constructor(message: string, { isPermanent = false, cause }: { isPermanent?: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isPermanent = isPermanent;
  }
}

/** No connection to the proxy. */
export function unreachable(proxy: string, error: Error & { code?: unknown }): ProxyError {
  const code = String(error.code ?? error.name);
  const isPermanent = /CERT|ERR_TLS|ERR_SSL|UNABLE_TO|SELF_SIGNED/.test(code);
  const why = isPermanent ? "its certificate is not trusted" : "it could not be reached";
  return new ProxyError(`the proxy ${proxy} failed: ${why} (${code}). Check its address`, { isPermanent });
}

/** What undici throws where a proxy does not do as asked; any other error as it is. */
export function explainProxyError(proxy: string, error: Error & { code?: unknown }): Error {
  if (error instanceof ProxyError) return error;
  const status = STATUS.exec(error.message)?.slice(1).find(Boolean);
  if (status !== undefined) return refused(proxy, Number(status));
  const explanation = EXPLANATIONS[String(error.code)];
  return explanation === undefined ? error : new ProxyError(`the proxy ${proxy} ${explanation}`, {});
}

/** The texts of undici's errors: they are all that tells the status. */
const STATUS =
  /^Proxy response \((\d{3})\) !== 200 when HTTP Tunneling$|^Proxy Authentication Required \((407)\)$/;

const EXPLANATIONS: Readonly<Record<string, string>> = {
  UND_ERR_PRX_CONN: "closed the connection",
  UND_ERR_PRX_TLS: "failed: its certificate is for another host",
};

function refused(proxy: string, status: number): ProxyError {
  const hint =
    status === 407
      ? "asks for a user and a password, or does not accept those it got (407). Write them into its address"
      : `refused to connect (status ${status}). Check whether it allows this address`;
  return new ProxyError(`the proxy ${proxy} ${hint}`, { isPermanent: status < 500 });
}
