import type { PlacedFault } from '../../../connectors/shared/listings/first-fault.ts';
import { ownText } from '../../../parsing/owned-memory.ts';
import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import { type MinorUnits, parseAmount } from '../../../stay/money.ts';

const PRICE = /^([^\d\s.,+-]{0,3})\s?(\d{1,3}(?:,\d{3})+|\d{1,9})(\.\d{1,6})?$/;
/** Longer than any amount that is taken, with its sign and commas. */
export const MAX_PRICE_LENGTH = 40;
/** Most nights of a city share some hundred prices. */
const MAX_REMEMBERED = 10_000;

/** The published files write a dollar for every currency, so a sign only suggests one. */
const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ['$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
]);

type PriceFault = Pick<PlacedFault, 'rule' | 'reason'>;
export type PriceReader = (text: string) => Reading<MinorUnits, PriceFault>;

/** Undefined when the text is no price, has no sign, or has one that several currencies share. */
export function currencyOfPrice(text: string): string | undefined {
  return CURRENCIES.get(PRICE.exec(text)?.[1] ?? '');
}

/** Reads `$1,234.00`. The first sign that comes along is the one that all prices have to have. */
export function createPriceReader(currency: string): PriceReader {
  const known = new Map<string, Reading<MinorUnits, PriceFault>>();
  let expectedSign = '';

  function read(text: string): Reading<MinorUnits, PriceFault> {
    const match = text.length > MAX_PRICE_LENGTH ? null : PRICE.exec(text);
    if (!match) return invalid({ rule: 'wrong_format', reason: 'must be a price such as $1,234.00' });
    const [, sign = '', whole = '', fraction = ''] = match;
    expectedSign ||= sign;
    if (sign !== '' && sign !== expectedSign) {
      return invalid({
        rule: 'other_currency',
        reason: `has another sign than ${expectedSign}, which came first`,
      });
    }
    const amount = parseAmount(whole.replaceAll(',', '') + fraction, currency);
    if (amount !== undefined) return valid(amount);
    return invalid({ rule: 'price_too_fine', reason: `is finer than ${currency} or too large` });
  }

  return (text) => {
    const remembered = known.get(text);
    if (remembered) return remembered;
    const reading = read(text);
    if (known.size < MAX_REMEMBERED && text.length <= MAX_PRICE_LENGTH) known.set(ownText(text), reading);
    return reading;
  };
}
