import { type Static, Type } from 'typebox';
import { CLOSED, DateText, Nullable, Text, Timestamp } from './scalars.ts';
import { VALUE_SETS } from './vocabulary.ts';

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
    price_guarantee: Type.Enum([...VALUE_SETS['quote.price_guarantee']], {
      description:
        'Beyond the base interface: held when the operator promised the price until price_valid_until; at_retrieval when it promised nothing, so that the price was true at retrieved_at and is confirmed on its website.',
    }),
    retrieved_at: Timestamp('When the quote was fetched from the operator’s booking system.'),
    deposit: Type.Optional(
      Nullable(
        Type.Object(
          {
            amount: Type.Number({ description: 'In the set currency.' }),
            refundable: Type.Boolean({ description: 'Whether it is given back after the stay.' }),
          },
          CLOSED,
        ),
        'Beyond the base interface: a deposit that the operator asks for. A refundable one is never part of amount. Null when unpublished.',
      ),
    ),
    due_on_site: Type.Optional(
      Nullable(
        Type.Number(),
        'Beyond the base interface: what is paid at the property besides amount, in the set currency. Null when unpublished.',
      ),
    ),
    signature: Type.Null({ description: 'Always null: quotes are not signed.' }),
    verify_url: Type.Null({ description: 'Always null: there is no offline verification.' }),
  },
  { ...CLOSED, description: 'The live quote of the operator’s booking system.' },
);
export type Quote = Static<typeof Quote>;
