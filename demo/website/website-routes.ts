import type { Random } from '../../src/random.ts';
import type { Bookings } from '../bookings.ts';
import type { Answer, DemoRequest, Route } from '../http.ts';
import type { Operator } from '../operator.ts';
import { drawPicture } from '../pictures/draw-picture.ts';
import type { Property } from '../properties.ts';
import { answerBooking, answerConfirmation, createBook } from './booking.ts';
import { answerHome } from './home.ts';
import { html } from './html.ts';
import { page, pathOfSite } from './page.ts';
import { answerProperty } from './property-page.ts';
import { readRequestedStay } from './requested-stay.ts';
import { answerResults } from './results.ts';
import { styleOf } from './style.ts';
import { themeOf } from './theme.ts';

/** The website of one operator. */
export function websiteRoutes(dependencies: {
  readonly operator: Operator;
  readonly bookings: Bookings;
  readonly random: Random;
  readonly now: () => number;
}): readonly Route[] {
  const { operator, bookings } = dependencies;
  const { brand } = operator;
  const site = pathOfSite(brand);
  const book = createBook(dependencies);

  const withProperty = (request: DemoRequest, answer: (property: Property) => Answer | undefined): Answer => {
    const property = operator.property(request.parameters.reference ?? '');
    return (property && answer(property)) ?? missing(operator);
  };
  const get = (path: string, answer: (request: DemoRequest) => Answer): Route => ({
    method: 'GET',
    path: `${site}${path}`,
    answer: async (request) => answer(request),
  });

  return [
    get('', () => ({ status: 308, headers: { location: `${site}/` }, body: '' })),
    get('/', (request) => answerHome(operator, request)),
    get('/style.css', () => cached('text/css; charset=utf-8', styleOf(brand.source), 300)),
    get('/hero.svg', () => {
      const { reference, type } = themeOf(brand.source).hero;
      const property = operator.property(reference);
      return pictureAnswer(property && drawPicture(property, type)) ?? missing(operator);
    }),
    get('/pictures/:reference/:type.svg', (request) =>
      withProperty(request, (property) =>
        pictureAnswer(drawPicture(property, request.parameters.type ?? '')),
      ),
    ),
    get('/stays', (request) => answerResults(operator, request)),
    get('/stays/:reference', (request) =>
      withProperty(request, (property) =>
        answerProperty(operator, property, readRequestedStay(request.query)),
      ),
    ),
    {
      method: 'POST',
      path: `${site}/stays/:reference/book`,
      answer: async (request) =>
        withProperty(request, (property) => answerBooking(operator, book, property, request)),
    },
    {
      method: 'POST',
      path: `${site}/bookings/:code/cancel`,
      async answer({ parameters: { code = '' } }) {
        const at = new Date(dependencies.now()).toISOString();
        if (!bookings.cancel(brand.source, code, at)) return missing(operator);
        const location = `${site}/bookings/${code}`;
        return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
      },
    },
    get('/bookings/:code', (request) => {
      const booking = bookings.withCode(brand.source, request.parameters.code ?? '');
      return (booking && answerConfirmation(operator, booking)) ?? missing(operator);
    }),
  ];
}

function pictureAnswer(picture: string | undefined): Answer | undefined {
  return picture === undefined ? undefined : cached('image/svg+xml', picture, 7 * 86_400);
}

function cached(type: string, body: string, seconds: number): Answer {
  return {
    status: 200,
    headers: { 'content-type': type, 'cache-control': `public, max-age=${seconds}` },
    body,
  };
}

export function missing({ brand }: Operator): Answer {
  return page(
    brand,
    404,
    'Not found',
    html`<div class="wrap page"><h1>There is no such page</h1><p>It may have moved, or the address has a typing error.</p><p><a class="button" href="${pathOfSite(brand)}/stays">See all our homes</a></p></div>`,
  );
}
