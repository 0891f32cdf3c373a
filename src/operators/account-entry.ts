import { Type } from 'typebox';
import type { RateWindow } from './account/request-budget.ts';

/** The member of an entry for an account whose contract with the vendor differs from the usual. */
export const RateLimits = Type.Array(
  Type.Object(
    {
      requests: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many requests.' }),
      seconds: Type.Integer({ minimum: 1, maximum: 86_400, description: 'In any time of this length.' }),
    },
    { additionalProperties: false },
  ),
  {
    minItems: 1,
    maxItems: 5,
    description:
      'What the vendor lets this account send, where its contract differs from what the vendor states. All brands with the account share it; the first of them counts.',
  },
);

export function rateWindows(
  limits: readonly { readonly requests: number; readonly seconds: number }[],
): readonly RateWindow[] {
  return limits.map(({ requests, seconds }) => ({ requests, perMs: seconds * 1000 }));
}
