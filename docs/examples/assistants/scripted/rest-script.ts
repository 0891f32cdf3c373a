import { type Script, wishesIn } from './script.ts';

type Body = {
  readonly missing_fields?: readonly string[];
  readonly applied_filters?: { readonly amenities: readonly string[] };
  readonly results?: readonly {
    readonly name: string;
    readonly url: string;
    readonly quote: { readonly amount: number; readonly currency: string };
  }[];
};

/** The same conversation over the bodies of the REST interface, where every option is there in full. */
export const restScript: Script = (heard) => {
  const last = heard.at(-1);
  if (!last) throw new Error('Nothing was said.');
  if (last.from === 'traveller') return { call: 'search_stays', args: wishesIn(last.text) };
  const { missing_fields, applied_filters, results } = JSON.parse(last.text) as Body;
  if (missing_fields) return { say: `Please tell me: ${missing_fields.join(' and ')}.` };
  const best = results?.[0];
  if (!best) throw new Error(`The script knows no answer to: ${last.text}`);
  return applied_filters?.amenities.length
    ? { say: `${best.name}: ${best.quote.amount} ${best.quote.currency}. ${best.url}` }
    : { say: `${results.length} options, from ${best.quote.amount} ${best.quote.currency} on.` };
};
