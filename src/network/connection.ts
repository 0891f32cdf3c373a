import type { BrandId, PlaceId } from '../inventory/catalogue.ts';

/** How one brand's booking system is reached. */
export type Connection = ConnectionByKind[keyof ConnectionByKind];

export type ConnectionByKind = {
  readonly open: OpenConnection;
  readonly 'rate-card': RateCardConnection;
};

type EveryConnection = {
  readonly brand: BrandId;
  /** What the operator calls a city → its identifier on the network. */
  readonly placeAliases: ReadonlyMap<string, PlaceId>;
};

type OpenConnection = EveryConnection & {
  readonly kind: 'open';
  readonly baseUrl: string;
  readonly token: string | null;
  readonly quoteTimeoutMs: number;
  readonly concurrency: number;
  readonly quoteBatchSize: number;
};

type RateCardConnection = EveryConnection & {
  readonly kind: 'rate-card';
  readonly source: { readonly file: string } | { readonly url: string };
};
