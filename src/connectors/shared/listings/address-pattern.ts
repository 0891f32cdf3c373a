import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import { userFacingAddress } from '../../../parsing/web-address.ts';

/**
 * How a brand's addresses are built: `https://casas.example/homes/{reference}/{page}`. `{reference}` stands for the property's own
 * reference, any other name in braces for one part of at most 80 plain characters.
 */
const PLACEHOLDER = /\{([a-z_]{1,30})\}/g;
const PLAIN_PART = /^[A-Za-z0-9._~-]{1,80}$/;

/** A pattern of the network file, or its fault. */
export function readAddressPattern(text: string, hosts: readonly string[]): Reading<string> {
  const example = text.replace(PLACEHOLDER, 'x');
  if (/[{}]/.test(example)) return invalid('has braces that do not hold a name');
  const address = userFacingAddress(example, hosts);
  if (address.kind === 'invalid') return address;
  return address.value === example ? valid(text) : invalid(`must be written as ${address.value}`);
}

export function followsPattern(address: string, pattern: string, reference: string): boolean {
  let rest = address;
  let from = 0;
  for (const { 0: placeholder, 1: name, index } of pattern.matchAll(PLACEHOLDER)) {
    const literal = pattern.slice(from, index);
    if (!rest.startsWith(literal)) return false;
    rest = rest.slice(literal.length);
    from = index + placeholder.length;
    const end = partEnd(rest);
    const part = name === 'reference' ? reference : rest.slice(0, partLength(rest, end, pattern.slice(from)));
    if (!rest.startsWith(part) || !PLAIN_PART.test(part)) return false;
    rest = rest.slice(part.length);
  }
  return rest === pattern.slice(from);
}

/** A part ends where the next sign of an address begins. */
function partEnd(rest: string): number {
  const end = rest.search(/[/?&=#]/);
  return end < 0 ? rest.length : end;
}

/** A literal that follows within the same part, such as `.jpg`, is not of the part. */
function partLength(rest: string, end: number, following: string): number {
  const literal = following.split(/[{/?&=]/, 1)[0] ?? '';
  return literal !== '' && rest.slice(0, end).endsWith(literal) ? end - literal.length : end;
}
