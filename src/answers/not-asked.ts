import type { Brand } from '../inventory/catalogue.ts';
import { brandNames } from './brand-names.ts';

/** Which brands could not be asked for prices. */
export function notAsked(brands: readonly Pick<Brand, 'name'>[]): string {
  const whose = brands.length === 1 ? 'its booking system' : 'their booking systems';
  return `Not asked for every home, because ${whose} can be sent no more requests for now: ${brandNames(brands)}.`;
}
