import type { Brand } from '../../catalogue/catalogue.ts';

/** Of more, the rest is counted. */
const MAX_BRANDS_NAMED = 10;

/** The names are the network's own, so an answer may repeat them. */
export function brandNames(
  brands: readonly Pick<Brand, 'name'>[],
  remark: (position: number) => string = () => '',
): string {
  const named = brands.slice(0, MAX_BRANDS_NAMED).map(({ name }, position) => name + remark(position));
  const others = brands.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}
