import type { SilentBrand } from '../search/complete-search.ts';
import { brandNames } from './brand-names.ts';

const WORDS = {
  timeout: 'no answer in time',
  unreachable: 'cannot be reached',
  rejected: 'does not accept our requests',
  rate_limited: 'rate limited',
  server_error: 'server error',
  garbled: 'unreadable answer',
  too_large: 'answer too large',
  wrong_currency: 'price in another currency',
  hold_too_short: 'price held too briefly',
  circuit_open: 'left alone after failures',
  overloaded: 'too many requests waiting',
} as const satisfies Record<SilentBrand['kind'], string>;

/** Who gave no usable answer, and of which kind the failure was. */
export function silentBrands(silent: readonly SilentBrand[]): string {
  const names = brandNames(
    silent.map(({ brand }) => brand),
    (position) => {
      const kind = silent[position]?.kind;
      return kind === undefined ? '' : ` (${WORDS[kind]})`;
    },
  );
  return `No booking system gave a usable answer: ${names}. It does not mean that nothing is free.`;
}
