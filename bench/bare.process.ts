import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent, processorTime } from './parent-line.ts';

/**
 * The server that the service is compared with. It uses `node:http` to parse the request, build a body of the same shape and
 * size, serialise it and send it with as many headers. It looks up, checks and stores nothing.
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

let build: () => unknown = () => ({});
let served = 0;

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (parts.length > 0) JSON.parse(Buffer.concat(parts).toString());
    served += 1;
    const body = JSON.stringify(build());
    response.writeHead(200, {
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
    });
    response.end(body);
  });
});

server.listen(0, '127.0.0.1', () => {
  answerParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    processorTime,
    /** Sets the answer of the service to send from now on. */
    imitate(body) {
      const sample: Step | Result = JSON.parse(String(body));
      build = 'results' in sample ? resultBuilder(sample as Result) : stepBuilder(sample as Step);
    },
  });
});

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
