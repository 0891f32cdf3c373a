/**
 * The answer of the service as a server without a service builds it: a body of the same shape and size, made and serialised
 * for each request, with as many headers.
 */
type Json = Readonly<Record<string, unknown>>;
type Step = Json & { readonly available_requests: readonly Offer[] };
type Offer = { readonly field: string; readonly value: string; readonly url: string };
type Result = Json & { readonly results: readonly Option[] };
type Option = Json & {
  readonly capacity: Json;
  readonly rating: Json;
  readonly images: Images;
  readonly quote: Json;
};
type Images = { readonly primary: Json; readonly gallery: readonly Json[] };

/** Builds the body anew at each call. */
export function imitate(sample: string): () => unknown {
  const body: Step | Result = JSON.parse(sample);
  return 'results' in body ? resultBuilder(body as Result) : stepBuilder(body as Step);
}

export function imitatedHeaders(body: string, served: number): Record<string, string | number> {
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-api-version': '2026-11-01',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-request-id': `req_${served}`,
    'x-ratelimit-limit': '600',
    'x-ratelimit-remaining': '599',
    'x-ratelimit-reset': '1900000000',
    'idempotency-key': 'key',
  };
}

function stepBuilder(sample: Step): () => unknown {
  const offers = sample.available_requests.map(({ field, value, url }) => ({
    field,
    value,
    stem: url.slice(0, url.lastIndexOf('.')),
  }));
  return () => ({
    ...sample,
    available_requests: offers.map(({ field, value, stem }, ordinal) => ({
      field,
      value,
      url: `${stem}.${ordinal}`,
    })),
  });
}

function resultBuilder(sample: Result): () => unknown {
  return () => ({
    ...sample,
    results: sample.results.map((option, position) => ({
      ...option,
      rank: position + 1,
      capacity: { ...option.capacity },
      rating: { ...option.rating },
      images: {
        primary: { ...option.images.primary },
        gallery: option.images.gallery.map((image) => ({ ...image })),
      },
      quote: { ...option.quote },
    })),
  });
}
