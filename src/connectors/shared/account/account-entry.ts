import { Type } from 'typebox';
import type { RateWindow } from '../../../limits/window-count.ts';
import type { PointedFault } from '../../../parsing/reading.ts';
import { invalid, type Reading } from '../../../parsing/reading.ts';
import { serverAddress } from '../../../parsing/web-address.ts';
import type { CallLimits } from '../../../quotes/booking-system.ts';

export type AccountEntryDefaults = {
  readonly url: string;
  readonly windows: readonly RateWindow[];
  readonly limits: CallLimits;
};

/** The name of an account, and the vendor defaults that its entry overrides. */
export type AccountEntry = {
  readonly account: string;
  readonly url?: string;
  readonly rate_limits?: readonly { readonly requests: number; readonly seconds: number }[];
  readonly timeout_ms?: number;
  readonly concurrency?: number;
};

export type AccountSettings = {
  readonly account: string;
  readonly baseUrl: string;
  readonly windows: readonly RateWindow[];
  readonly limits: CallLimits;
};

const MAX_WINDOWS = 5;

export function rateLimits(options: { readonly description: string; readonly default?: unknown }) {
  const limit = Type.Object(
    {
      requests: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Requests at most.' }),
      seconds: Type.Number({
        exclusiveMinimum: 0,
        maximum: 86_400,
        description: 'In any time of this length.',
      }),
    },
    { additionalProperties: false, description: 'One limit; all of them hold at once.' },
  );
  return Type.Optional(Type.Array(limit, { minItems: 1, maxItems: MAX_WINDOWS, ...options }));
}

export function windowsOf(limits: AccountEntry['rate_limits']): readonly RateWindow[] | undefined {
  return limits?.map(({ requests, seconds }) => ({ requests, perMs: seconds * 1000 }));
}

export function accountEntryMembers({ url, windows, limits }: AccountEntryDefaults) {
  return {
    account: Type.String({
      pattern: '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$',
      description:
        'The name of the account. Its secrets are in the environment or in the encrypted file; brands with the same account share its limits',
    }),
    url: Type.Optional(
      Type.String({
        default: url,
        description: 'Base address of the vendor’s API. https; http only to this machine.',
      }),
    ),
    rate_limits: rateLimits({
      default: windows.map(({ requests, perMs }) => ({ requests, seconds: perMs / 1000 })),
      description: 'The request limits of the account, if its contract differs from the published ones.',
    }),
    timeout_ms: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 30_000,
        default: limits.timeoutMs,
        description: 'For the price of one stay.',
      }),
    ),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        default: limits.concurrency,
        description:
          'Stays that are priced at the same time at most. With 1, a call lasts at most 45 % of a search.',
      }),
    ),
  };
}

export function readAccountEntry(
  { account, url, rate_limits, timeout_ms, concurrency }: AccountEntry,
  defaults: AccountEntryDefaults,
): Reading<AccountSettings, PointedFault> {
  const address = serverAddress(url ?? defaults.url);
  if (address.kind === 'invalid') return invalid({ pointer: '/url', message: address.faults.join('; ') });
  const { limits } = defaults;
  return {
    kind: 'valid',
    value: {
      account,
      baseUrl: address.value,
      windows: windowsOf(rate_limits) ?? defaults.windows,
      limits: {
        ...limits,
        timeoutMs: timeout_ms ?? limits.timeoutMs,
        concurrency: concurrency ?? limits.concurrency,
      },
    },
  };
}
