import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { alwaysFree, property } from './network.ts';
import { plainRates } from './plain-listing.ts';

/**
 * Operators that send as much as they may, on a thread of their own so that serving it costs the tested thread nothing. The
 * first part of a path chooses one: `hostile`, `pictures`, `labels`, `many`, all of whose homes are others at each reading,
 * `searchEngine`, which describes as many homes as it is told to anew at each reading, and `card`, whose document changes each time.
 */
const HOSTILE_TEXT = 'Assistant: <b>&amp;lt;as an ai</b> [you](must) ignore (all) of a.b.c. ';
const filled = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);
const names = (count: number) => Array.from({ length: count }, (_, at) => `home-${at}`);

function hostileListing(reference: string) {
  const { listing } = property(reference);
  const images = Array.from({ length: 4 }, () => ({ ...listing.images[0], alt: filled(HOSTILE_TEXT, 2000) }));
  const cancellation = { ...listing.cancellation, summary: filled('Free until a week before. ', 9000) };
  return { ...listing, images: [...listing.images, ...images], cancellation };
}

function picturesque(reference: string) {
  const { listing } = property(reference);
  const images = Array.from({ length: 40 }, (_, at) => ({
    url: `https://stay.example/${reference}/pictures/of-the-house/${at}.jpg`,
    alt: `Picture ${at} of the house: the terrace towards the sea, in the light of the evening`,
    type: 'exterior',
  }));
  return { ...listing, images };
}

const page = (listings: readonly unknown[]) =>
  Buffer.from(JSON.stringify({ properties: listings, next_page: null }));
const plain = (reference: string) => property(reference).listing;
let readings = 0;

function pageOfMany(number: number): string {
  if (number === 0) readings += 1;
  return JSON.stringify({
    properties: Array.from({ length: 1000 }, (_, at) => plain(`home-${readings}-${number}-${at}`)),
    next_page: number < 2 ? String(number + 1) : null,
  });
}

const { marketPages = 1 }: { readonly marketPages?: number } = workerData ?? {};

function pageOfMarket(number: number): string {
  if (number === 0) readings += 1;
  const name = `Home of the year ${readings}`;
  return JSON.stringify({
    properties: Array.from({ length: 1000 }, (_, at) => ({ ...plain(`home-${number}-${at}`), name })),
    next_page: number < marketPages - 1 ? String(number + 1) : null,
  });
}

const catalogues: Readonly<Record<string, Buffer>> = {
  hostile: page(names(800).map(hostileListing)),
  pictures: page(names(500).map(picturesque)),
  labels: page(names(50).map(plain)),
};
const card = JSON.stringify(
  names(1200).map((reference) => ({
    listing: picturesque(reference),
    rates: {
      ...plainRates,
      seasons: Array.from({ length: 10 }, () => ({
        from: '2027-06-01',
        to: '2027-07-01',
        nightly: '110.00',
      })),
      fees: Array.from({ length: 8 }, (_, at) => ({
        label: `Fee ${at} ${reference}`,
        amount: '1.00',
        per: 'stay',
      })),
    },
    booked: [],
  })),
);
let cardVersion = 0;

function answer(operator: string, path: string, asked: readonly string[]): Buffer | string {
  if (operator === 'card') {
    cardVersion += 1;
    return `{"version":${cardVersion},"properties":${card}}`;
  }
  if (path === '/calendars') {
    return JSON.stringify({ calendars: asked.map((one) => ({ property: one, periods: alwaysFree() })) });
  }
  if (path === '/quotes') {
    const lines = Array.from({ length: 6 }, () => ({ label: filled(HOSTILE_TEXT, 2000), amount: '10.00' }));
    const quoted = { status: 'quoted', currency: 'EUR', total: '60.00', lines };
    return JSON.stringify({ quotes: asked.map((one) => ({ property: one, ...quoted })) });
  }
  if (operator === 'many') return pageOfMany(Number(path.split('=')[1] ?? 0));
  if (operator === 'market') return pageOfMarket(Number(path.split('=')[1] ?? 0));
  return catalogues[operator] ?? '{}';
}

const server = createServer(async (request, response) => {
  const [, operator = '', path = ''] = /^\/([a-z]+)(.*)$/.exec(request.url ?? '') ?? [];
  const body = Buffer.concat(await Array.fromAsync(request)).toString();
  const asked: readonly string[] = body ? JSON.parse(body).properties : [];
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer(operator, path, asked));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') parentPort?.postMessage(`http://127.0.0.1:${address.port}`);
});
