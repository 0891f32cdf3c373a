import type { SilentBrand } from '../comparison.ts';
import { earliestAgain } from './ask-again.ts';
import { brandNames } from './brand-names.ts';

const WORDS = {
  timeout: 'no answer in time',
  unreachable: 'cannot be reached',
  rejected: 'does not accept our requests',
  stay_rejected: 'does not accept this stay',
  rate_limited: 'rate limited',
  server_error: 'server error',
  garbled: 'unreadable answer',
  too_large: 'answer too large',
  wrong_currency: 'price in another currency',
  hold_too_short: 'price held too briefly',
  circuit_open: 'left alone after failures',
  overloaded: 'too many requests waiting',
} as const satisfies Record<SilentBrand['kind'], string>;

/** Of an answer without prices: who gave no usable answer, and of which kind the failure was. */
export function silentBrands(silent: readonly SilentBrand[]): string {
  const names = namesOf(silent, ({ kind }) => WORDS[kind]);
  return `No booking system gave a usable answer: ${names}. It does not mean that nothing is free.`;
}

/** Of a set that is not whole: also until when each of them has to be left alone, where that is known. */
export function silentInSet(silent: readonly SilentBrand[], sessionEnd: number): string {
  return namesOf(silent, ({ kind, askableAt }) => {
    if (askableAt === null) return WORDS[kind];
    const until = askableAt < sessionEnd ? earliestAgain(askableAt) : 'after the end of this session';
    return `${WORDS[kind]}, until ${until}`;
  });
}

function namesOf(silent: readonly SilentBrand[], remark: (one: SilentBrand) => string): string {
  return brandNames(
    silent.map(({ brand }) => brand),
    (position) => {
      const one = silent[position];
      return one === undefined ? '' : ` (${remark(one)})`;
    },
  );
}
