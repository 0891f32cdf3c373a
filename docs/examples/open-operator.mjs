// A complete booking system for the open operator protocol, version 1: one property, no dependencies.
//
//   OPERATOR_TOKEN=some-long-secret PORT=4100 node open-operator.mjs
//
// Replace `listing`, `booked`, `sold` and the rules by what your own system knows; the answers stay the same.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const TOKEN = process.env.OPERATOR_TOKEN ?? '';
const WEBSITE = process.env.WEBSITE ?? 'https://casas.example';

const listing = {
  reference: 'casa-1',
  name: 'Casa da Graça',
  place: 'lisbon-pt',
  location: 'Graça, Lisbon',
  max_guests: 4,
  summary: '2 bedrooms · 1 bathroom · 70 m²',
  bedrooms: 2,
  bathrooms: 1,
  amenities: { wifi: 'Wi-Fi', sea_view: 'Sea view' },
  rating: { score: 4.7, scale: 5, review_count: 31 },
  cancellation: {
    summary: 'Free until 14 days before arrival. After that we keep half of the total.',
    free_until: { days_before: 14, time: '18:00' },
    refundable: true,
  },
  check_in_time: '15:00',
  check_out_time: '11:00',
  images: [{ url: `${WEBSITE}/casa-1/street.jpg`, alt: 'The house from the street', type: 'exterior' }],
  url: `${WEBSITE}/casa-1`,
  currency: 'EUR',
  booking_mode: 'instant',
};
const NIGHTLY_CENTS = 11000;
const CLEANING_CENTS = 6000;
const CITY_TAX_CENTS = 400; // for each guest and night, seven nights at most
const MINIMUM_STAY = 2;
const booked = [{ from: '2027-08-10', to: '2027-08-17' }];

// Bookings that came with source=staywire, with the quote if the link carried one. The last call tells them; it is optional.
const sold = [
  {
    reference: 'B-2027-18',
    quote: null,
    status: 'booked',
    booked_at: '2027-05-20T09:30:00Z',
    changed_at: '2027-05-20T09:30:00Z',
    cents: 91800,
  },
];

// Days are counted as numbers: nights and comparisons become arithmetic.
const number = (day) => Date.parse(`${day}T00:00:00Z`) / 86_400_000;
const date = (day) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const euros = (cents) => (cents / 100).toFixed(2);

function catalogue() {
  return { properties: [listing], next_page: null };
}

/** Periods of nights that share their rules. Nights in no period are not available. */
function calendars({ properties, from, nights }) {
  const end = number(from) + nights;
  const periods = [];
  let free = number(from);
  for (const taken of [...booked, { from: date(end), to: date(end) }]) {
    const until = Math.min(number(taken.from), end);
    if (free < until) {
      periods.push({
        from: date(free),
        to: date(until),
        available: true,
        minimum_stay: MINIMUM_STAY,
        price: euros(NIGHTLY_CENTS),
      });
    }
    free = Math.max(free, number(taken.to));
  }
  const known = properties.filter((property) => property === listing.reference);
  return { calendars: known.map((property) => ({ property, periods })) };
}

/** The price that a guest would pay on the website at this moment, or the reason why there is none. */
function quote(property, { check_in, check_out, guests }) {
  const refuse = (reason) => ({ property, status: 'unavailable', reason });
  const nights = number(check_out) - number(check_in);
  if (property !== listing.reference) return refuse('unknown_property');
  if (guests > listing.max_guests) return refuse('too_many_guests');
  if (booked.some(({ from, to }) => from < check_out && check_in < to)) return refuse('booked');
  if (nights < MINIMUM_STAY) return refuse('minimum_stay');
  const lines = [
    { label: `${nights} nights`, cents: nights * NIGHTLY_CENTS },
    { label: 'Cleaning', cents: CLEANING_CENTS },
    { label: 'City tax', cents: Math.min(nights, 7) * guests * CITY_TAX_CENTS },
  ];
  return {
    property,
    status: 'quoted',
    currency: listing.currency,
    total: euros(lines.reduce((sum, { cents }) => sum + cents, 0)),
    lines: lines.map(({ label, cents }) => ({ label, amount: euros(cents) })),
    held_until: null,
    deposit: { amount: '200.00', refundable: true },
    due_on_site: '0.00',
  };
}

/** What was booked or cancelled since then. Nothing about guests. */
function bookings(since) {
  const changed = sold.filter(({ changed_at }) => Date.parse(changed_at) >= Date.parse(since));
  return {
    bookings: changed.map(({ reference, quote, status, booked_at, cents }) => {
      return { reference, quote, status, booked_at, amount: euros(cents), currency: listing.currency };
    }),
    next_page: null,
  };
}

const routes = {
  'GET /catalogue': catalogue,
  'POST /calendars': calendars,
  'POST /quotes': (body) => ({ quotes: body.properties.map((property) => quote(property, body)) }),
  'GET /bookings': (_, query) => bookings(query.get('since')),
};

const server = createServer(async (request, response) => {
  const send = (status, value, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
  if (TOKEN && request.headers.authorization !== `Bearer ${TOKEN}`)
    return send(401, { error: 'unauthorized' });
  const [path, query = ''] = request.url.split('?');
  const route = routes[`${request.method} ${path}`];
  if (!route) return send(404, { error: 'not_found' });
  try {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const answer = route(text === '' ? {} : JSON.parse(text), new URLSearchParams(query));
    // With an ETag, a catalogue that has not changed is not sent again.
    const etag = `"${createHash('sha256').update(JSON.stringify(answer)).digest('hex').slice(0, 16)}"`;
    if (request.method === 'GET' && request.headers['if-none-match'] === etag) {
      return response.writeHead(304, { etag }).end();
    }
    return send(200, answer, request.method === 'GET' ? { etag } : {});
  } catch {
    return send(400, { error: 'invalid_request' });
  }
});

server.listen(Number(process.env.PORT ?? 4100), '127.0.0.1', () => {
  console.log(`open operator on http://127.0.0.1:${server.address().port}`);
});
process.on('SIGTERM', () => server.close());
