import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Deposit } from '../../../quotes/booking-system.ts';
import { parseAmount } from '../../../stay/money.ts';

export const DepositTerms = Type.Object(
  {
    amount: Type.String({
      pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
      description: 'A decimal string with the decimals of the currency.',
    }),
    refundable: Type.Boolean({ description: 'Whether it is given back after the stay.' }),
  },
  { description: 'A deposit. A refundable one is not part of the total.' },
);

const depositTerms = Compile(DepositTerms);

/** Undefined when it cannot be understood; null when there is none. A price does not depend on it. */
export function readDeposit(published: unknown, currency: string): Deposit | null | undefined {
  if (published === undefined || published === null) return null;
  if (!depositTerms.Check(published)) return undefined;
  const amount = parseAmount(published.amount, currency);
  return amount === undefined ? undefined : { amount, refundable: published.refundable };
}
