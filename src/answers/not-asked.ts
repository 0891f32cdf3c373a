import type { Brand } from '../inventory/catalogue.ts';

/** Of more, the rest is counted. */
const MAX_BRANDS_NAMED = 10;

/** Which brands could not be asked for prices. Their names are the network's. */
export function notAsked(brands: readonly Pick<Brand, 'name'>[]): string {
  const named = brands.slice(0, MAX_BRANDS_NAMED).map(({ name }) => name);
  const others = brands.length - named.length;
  const names = [...named, ...(others > 0 ? [`${others} more`] : [])];
  const whose = brands.length === 1 ? 'its booking system' : 'their booking systems';
  return `Not asked for every home, because ${whose} can be sent no more requests for now: ${names.join(', ')}.`;
}
