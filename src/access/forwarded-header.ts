const PAIR =
  /[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z:[\]-]+)|"((?:[^"\\]|\\.)*)")[ \t]*/y;

/**
 * The `for` of each element of a `Forwarded` header (RFC 7239), leftmost first; undefined where an element names none.
 * A header that is malformed anywhere is ignored as a whole: otherwise a caller could open a quote on the left that
 * swallows what our own proxy added on the right.
 */
export function forwardedHops(header: string): readonly (string | undefined)[] | undefined {
  const hops: (string | undefined)[] = [];
  let hop: string | undefined;
  let at = 0;
  while (true) {
    PAIR.lastIndex = at;
    const pair = PAIR.exec(header);
    if (!pair) return undefined;
    const [whole, name = '', token, quoted] = pair;
    if (name.toLowerCase() === 'for') {
      // Two of them in one element: it is unclear which one counts.
      if (hop !== undefined) return undefined;
      hop = token ?? quoted?.replace(/\\(.)/g, '$1');
    }
    at += whole.length;
    const next = header[at];
    at += 1;
    if (next === ';') continue;
    hops.push(hop);
    hop = undefined;
    if (next === undefined) return hops;
    if (next !== ',') return undefined;
  }
}
