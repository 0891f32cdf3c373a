import { type Static, Type } from 'typebox';
import { CLOSED, DateText, Text, Timestamp } from './scalars.ts';

export const Quote = Type.Object(
  {
    nxq: Text('Quote identifier.'),
    amount: Type.Number({
      description:
        'Final price for the entire stay and all requested guests, in the set currency, including all taxes and fees.',
    }),
    nightly_average: Type.Number({
      description:
        'Derived per-night average: the amount divided by the nights, rounded to the currency’s decimals.',
    }),
    currency: Text('Currency code.'),
    check_in: DateText('First day of the stay priced.'),
    check_out: DateText('Day of departure of the stay priced.'),
    guests: Type.Integer({ description: 'Guests priced.' }),
    nights: Type.Integer({ description: 'Nights priced.' }),
    line_items: Type.Array(
      Type.Object(
        {
          label: Text('The operator’s words.'),
          amount: Type.Number({ description: 'In the set currency.' }),
        },
        CLOSED,
      ),
      {
        description: 'The operator’s own breakdown, where it adds up to the amount to the minor unit.',
      },
    ),
    line_items_available: Type.Boolean({
      description: 'False when the operator reconciled no breakdown at source.',
    }),
    price_valid_until: Timestamp('How long the quote holds.'),
    retrieved_at: Timestamp('When the quote was fetched from the operator’s booking system.'),
    signature: Type.Null({ description: 'Always null: quotes are not signed.' }),
    verify_url: Type.Null({ description: 'Always null: there is no offline verification.' }),
  },
  { ...CLOSED, description: 'The live quote of the operator’s booking system.' },
);
export type Quote = Static<typeof Quote>;
