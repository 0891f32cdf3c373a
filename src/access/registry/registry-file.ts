import { type Static, Type } from 'typebox';
import type { AssistantId } from '../../sessions/session.ts';

/** The limit of the document, and of each list of ranges beside it. A thousand assistants with their history need less. */
export const MAX_REGISTRY_BYTES = 16 * 1024 * 1024;

/** The patterns of texts, with words for the fault of a text that does not match. */
const FORMS = {
  id: { pattern: '^[a-z0-9-]{1,64}$', words: 'must be made of a-z, 0-9 and -, of at most 64 characters' },
  userAgent: {
    pattern: '^[A-Za-z0-9._-]{2,64}$',
    words: 'must be one product token of letters, digits, ".", "_" and "-", such as Claude-User',
  },
  origin: {
    pattern: '^https://[^/?#@\\s]+$',
    words: 'must begin with https:// and end with the host, such as https://chatgpt.com',
  },
  documentAddress: {
    pattern: '^https://[^/?#@\\s]+/[^#\\s]*$',
    words: 'must begin with https:// and lead to a document, such as https://assistant.example/list.json',
  },
  domain: {
    pattern: '^\\.?([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])$',
    words: 'must be a domain of at least two labels, such as crawl.example.com',
  },
  moment: {
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$',
    words: 'must be a time in UTC, such as 2026-11-17T04:30:00Z',
  },
} as const;

/** Keyed by the pattern, which is all that a schema fault contains. */
export const WORDS_OF_FORMS: ReadonlyMap<string, string> = new Map(
  Object.values(FORMS).map(({ pattern, words }) => [pattern, words]),
);

/** The document in which a network's owner approves assistants. */
const Cidrs = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: 10_000,
  description: 'Addresses or networks: 203.0.113.0/24, 2001:db8::/32.',
});
const UserAgent = Type.String({
  pattern: FORMS.userAgent.pattern,
  description: 'The product token in the User-Agent header, whatever its case: Claude-User.',
});

/** The kinds of ways, keyed by the member that only this kind has. */
export const RECOGNITIONS = {
  network: Type.Object(
    { network: Cidrs },
    { additionalProperties: false, description: 'Every caller in these networks.' },
  ),
  ranges: Type.Object(
    { user_agent: UserAgent, ranges: Cidrs },
    { additionalProperties: false, description: 'The User-Agent token, from these networks.' },
  ),
  ranges_file: Type.Object(
    {
      user_agent: UserAgent,
      ranges_file: Type.String({
        minLength: 1,
        description:
          'Path of a JSON file as assistants publish it: {"prefixes": [{"ipv4Prefix": "…"}, {"ipv6Prefix": "…"}]}, or a list of strings.',
      }),
    },
    {
      additionalProperties: false,
      description: 'The User-Agent token, from the networks in a published list.',
    },
  ),
  ranges_url: Type.Object(
    {
      user_agent: UserAgent,
      ranges_url: Type.String({
        pattern: FORMS.documentAddress.pattern,
        maxLength: 2000,
        description: 'Where the assistant publishes its list: https://openai.com/chatgpt-user.json.',
      }),
    },
    {
      additionalProperties: false,
      description: 'The User-Agent token, from the networks in a list that is fetched every hour.',
    },
  ),
  reverse_dns: Type.Object(
    {
      user_agent: UserAgent,
      reverse_dns: Type.Array(
        Type.String({
          pattern: FORMS.domain.pattern,
          maxLength: 253,
          description: 'A domain of at least two labels: crawl.example.com.',
        }),
        { minItems: 1, maxItems: 100 },
      ),
    },
    {
      additionalProperties: false,
      description:
        'The User-Agent token, from an address whose name lies under a domain and leads back to it.',
    },
  ),
  signature_agent: Type.Object(
    {
      signature_agent: Type.String({
        pattern: FORMS.origin.pattern,
        maxLength: 300,
        description: 'The origin that publishes the keys of its request signatures: https://chatgpt.com.',
      }),
    },
    { additionalProperties: false, description: 'A valid Web Bot Auth signature.' },
  ),
  jwks_uri: Type.Object(
    {
      jwks_uri: Type.String({
        pattern: FORMS.documentAddress.pattern,
        maxLength: 2000,
        description:
          'The document with the keys of its request signatures, where it is no directory of an origin.',
      }),
    },
    { additionalProperties: false, description: 'A valid Web Bot Auth signature by a key of this document.' },
  ),
} as const;

/** A way of recognition as written in the document. */
export type WayInDocument = Static<(typeof RECOGNITIONS)[keyof typeof RECOGNITIONS]>;

export const MAX_HISTORY = 100;
export const MAX_WAYS = 100;

const RegistryChange = Type.Object(
  {
    at: Type.String({
      pattern: FORMS.moment.pattern,
      description: 'When, in UTC: 2026-11-17T04:30:00Z.',
    }),
    change: Type.Enum(['added', 'approved', 'suspended', 'changed']),
    note: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  },
  { additionalProperties: false },
);
export type RegistryChange = Static<typeof RegistryChange>;

export const AssistantEntry = Type.Object(
  {
    id: Type.String({ pattern: FORMS.id.pattern }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
    status: Type.Enum(['approved', 'suspended']),
    recognised_by: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_WAYS })),
    limits: Type.Optional(
      Type.Object(
        {
          requests: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 10_000_000,
              description: 'Requests in a window of the rate limit, over all of its sessions and addresses.',
            }),
          ),
          sessions: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Open sessions at a time.' }),
          ),
          megabytes: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'What they keep in the store.' }),
          ),
          searches: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100_000,
              description: 'Searches at a time that ask operators.',
            }),
          ),
        },
        { additionalProperties: false, description: 'In place of those in the settings.' },
      ),
    ),
    history: Type.Optional(
      Type.Array(RegistryChange, { maxItems: MAX_HISTORY, description: 'The newest last.' }),
    ),
  },
  { additionalProperties: false },
);
export type AssistantEntry = Static<typeof AssistantEntry>;
/** Limits of an assistant as written in the document. */
export type LimitsInDocument = NonNullable<AssistantEntry['limits']>;

export const RegistryFile = Type.Object(
  { assistants: Type.Array(Type.Unknown(), { maxItems: 1000 }) },
  { additionalProperties: false },
);

/** An assistant in this release's catalogue. It may call only once the owner has approved it by its id. */
export type WellKnownAssistant = {
  readonly id: AssistantId;
  readonly name: string;
  /** Describes it for an owner who decides whom to approve. docs/known-assistants.md has the sources. */
  readonly about: string;
  readonly recognisedBy: readonly WayInDocument[];
};
