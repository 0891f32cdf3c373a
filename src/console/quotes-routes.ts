import type { IssuedQuote } from '../sessions/session-store.ts';
import type { ConsoleDeps } from './console-deps.ts';
import type { ConsoleRoute, Pages } from './console-routes.ts';
import {
  type FoundQuote,
  MAX_BOOKINGS_SHOWN,
  MAX_FOUND,
  quotesPage,
  readQuotesQuery,
} from './quotes-page.ts';

/** A page must not take every connection of the store. */
const MAX_LOOKUPS_AT_A_TIME = 8;

/** Quotes of the ledger, each with what came of it. */
export function quotesRoutes(
  { brands, ledger, outcomes, placeName }: Pick<ConsoleDeps, 'brands' | 'ledger' | 'outcomes' | 'placeName'>,
  { show }: Pick<Pages, 'show'>,
): readonly ConsoleRoute[] {
  const withOutcomes = async (quote: IssuedQuote): Promise<FoundQuote> => ({
    quote,
    placeName: placeName(quote.place ?? '') ?? null,
    outcomes: await outcomes.ofQuote(quote, MAX_BOOKINGS_SHOWN + 1),
  });
  return [
    {
      method: 'GET',
      path: '/quotes',
      async serve(request) {
        const asked = readQuotesQuery(request.query);
        const quotes = asked.question ? await ledger.findQuotes(asked.question, MAX_FOUND) : [];
        const found: FoundQuote[] = [];
        for (let at = 0; at < quotes.length; at += MAX_LOOKUPS_AT_A_TIME) {
          const some = quotes.slice(at, at + MAX_LOOKUPS_AT_A_TIME);
          found.push(...(await Promise.all(some.map(withOutcomes))));
        }
        return show(quotesPage(asked, found, { brands }), request);
      },
    },
  ];
}
