import { type InnerList, serializeInnerList, serializeItem } from 'structured-headers';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import type { ComponentValues } from './component-values.ts';

export type SignatureBaseFault = 'component_unknown' | 'component_repeated' | 'base_too_long';

/** More than the fields of a request that Node accepts, and little enough to hash at any time. */
const MAX_BASE_LENGTH = 32 * 1024;

/** The text that is signed (RFC 9421, 2.5): ASCII, a line for each component, the parameters last. */
export function signatureBase(
  input: InnerList,
  valueFor: ComponentValues,
): Reading<string, SignatureBaseFault> {
  const seen = new Set<string>();
  let base = '';
  for (const component of input[0]) {
    const value = valueFor(component);
    if (value === null) return invalid('component_unknown');
    const identifier = serializeItem(component);
    if (seen.has(identifier)) return invalid('component_repeated');
    seen.add(identifier);
    base += `${identifier}: ${value}\n`;
    if (base.length > MAX_BASE_LENGTH) return invalid('base_too_long');
  }
  return valid(`${base}"@signature-params": ${serializeInnerList(input)}`);
}
