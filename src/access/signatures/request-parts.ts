/** What of a request can be signed. */
export type RequestParts = {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  /** Host and port, in lower case, without the scheme's own port. */
  readonly authority: string;
  /** As in the request line: path and query, or a whole address. */
  readonly target: string;
  /** Names in lower case. A list is a field that was sent several times. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** Of a request that is about to be sent to an address. */
export function partsOfRequestTo(
  url: URL,
  { method, headers }: Pick<RequestParts, 'method' | 'headers'>,
): RequestParts {
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  return { method, scheme, authority: url.host, target: `${url.pathname}${url.search}`, headers };
}

/** The target without scheme and authority: where it names them, they were compared with those that the request came for. */
export function originForm(target: string): string {
  const [whole, rest = ''] = /^https?:\/\/[^/?#]*(.*)$/is.exec(target) ?? [];
  if (whole === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

export function pathInTarget(target: string): string {
  const form = originForm(target);
  const end = form.indexOf('?');
  return (end === -1 ? form : form.slice(0, end)) || '/';
}

/** With its question mark, which stands alone where there is no query. */
export function queryInTarget(target: string): string {
  const form = originForm(target);
  const start = form.indexOf('?');
  return start === -1 ? '?' : form.slice(start);
}
