import type { Network } from '../../catalogue/catalogue.ts';
import { OK } from '../../contract/errors.ts';
import { API_VERSION } from '../../contract/versions.ts';
import type { ExampleStay } from '../../contract/whole-stay.ts';
import type { PublicPage } from '../public-pages.ts';
import { chooseFormat } from './accepted-format.ts';
import { renderEntry } from './entry.ts';
import { type EntrySource, requestedBrand } from './entry-facts.ts';

/** The page at `/`, which tells assistants and people how to start. */
export function createEntryPage({
  network,
  brands,
  places,
  publicUrl,
  exampleStay,
}: {
  readonly network: string;
  readonly brands: Network['brands'];
  readonly places: Network['places'];
  readonly publicUrl: string | null;
  readonly exampleStay: () => ExampleStay;
}): PublicPage {
  const all = [...brands.values()];
  const sources: readonly EntrySource[] = all.map(({ id, name, singleLocation }) => ({
    source: id,
    name,
    single_location: singleLocation !== null,
  }));
  const locations = new Map(
    all.flatMap(({ id, singleLocation }) => {
      const place = singleLocation === null ? undefined : places.get(singleLocation);
      return place ? [[id, { destination: place.id, name: place.name }] as const] : [];
    }),
  );
  const pictureHosts = [...new Set(all.flatMap(({ website }) => website.hosts))].sort();
  return {
    path: '/',
    render({ accept, query }) {
      const asked = (query as { readonly source?: unknown }).source;
      const facts = {
        network,
        sources,
        pictureHosts,
        requestedBrand: requestedBrand(asked, sources, locations),
        publicUrl,
        version: API_VERSION,
        exampleStay: exampleStay(),
      };
      return { status: OK, ...renderEntry(chooseFormat(accept), facts) };
    },
  };
}
