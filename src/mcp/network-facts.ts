import type { Brand } from '../catalogue/catalogue.ts';
import type { NetworkFacts } from './interface-calls.ts';

/** What the tools say of the network in whose service they run. */
export function networkFacts(name: string, brands: Iterable<Brand>): NetworkFacts {
  const all = [...brands];
  return {
    name,
    sources: all.map((brand) => ({
      source: brand.id,
      name: brand.name,
      single_location: brand.singleLocation !== null,
    })),
    pictureHosts: [...new Set(all.flatMap(({ website }) => website.hosts))].sort(),
  };
}
