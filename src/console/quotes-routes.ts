import type { ReportTable } from '../activity/reports/report.ts';
import { tableCsv } from '../activity/reports/table-csv.ts';
import { CONSOLE } from '../sessions/console-assistant.ts';
import type { IssuedQuote } from '../sessions/session-store.ts';
import { toDecimal } from '../stay/money.ts';
import type { ConsoleDeps } from './console-deps.ts';
import type { ConsoleRoute, Pages } from './console-routes.ts';
import {
  type FoundQuote,
  LINES_PATH,
  MAX_BOOKINGS_SHOWN,
  MAX_FOUND,
  quotesPage,
  readQuotesQuery,
} from './quotes-page.ts';

/** A page must not take every connection of the store. */
const MAX_LOOKUPS_AT_A_TIME = 8;

/** Quotes of the ledger, each with what came of it. */
export function quotesRoutes(
  {
    brands,
    ledger,
    outcomes,
    placeName,
    homeName,
    assistantName,
  }: Pick<ConsoleDeps, 'brands' | 'ledger' | 'outcomes' | 'placeName' | 'homeName' | 'assistantName'>,
  { show, notFound }: Pages,
): readonly ConsoleRoute[] {
  const namesIn = ({ property, brand, place, assistant }: IssuedQuote): FoundQuote['names'] => ({
    home: homeName(property),
    brand: brands.find(({ id }) => id === brand)?.name,
    place: placeName(place),
    assistant: assistant === CONSOLE ? 'your own trial' : assistantName(assistant),
  });
  const withOutcomes = async (quote: IssuedQuote): Promise<FoundQuote> => ({
    quote,
    names: namesIn(quote),
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
    {
      method: 'GET',
      path: LINES_PATH,
      async serve(request) {
        const { question } = readQuotesQuery(request.query);
        if (question === null) return notFound(request);
        const content = tableCsv(quoteLines(await ledger.findQuotes(question, MAX_FOUND)));
        return { kind: 'file', type: 'text/csv; charset=utf-8', name: 'quotes-lines.csv', content };
      },
    },
  ];
}

/** The lines of all these quotes as one table. Those whose lines are not known have none in it. */
function quoteLines(quotes: readonly IssuedQuote[]): Pick<ReportTable, 'columns' | 'rows'> {
  return {
    columns: [
      { id: 'nxq', label: 'Quote', unit: 'text' },
      { id: 'property', label: 'Property', unit: 'text' },
      { id: 'line', label: 'Line', unit: 'text' },
      { id: 'amount', label: 'Amount', unit: 'amount' },
      { id: 'currency', label: 'Currency', unit: 'text' },
    ],
    rows: quotes.flatMap(({ nxq, property, currency, details }) =>
      (details?.lines ?? []).map(({ label, amount }) => [
        nxq,
        property,
        label,
        toDecimal(amount, currency),
        currency,
      ]),
    ),
  };
}
