import { Type } from 'typebox';

/** The file in which a network's owner approves assistants. */
const Cidrs = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: 10_000,
  description: 'Addresses or networks: 203.0.113.0/24, 2001:db8::/32.',
});
const UserAgent = Type.String({
  pattern: '^[A-Za-z0-9._-]{2,64}$',
  description: 'The product token in the User-Agent header, whatever its case: Claude-User.',
});

/** By the member that only this kind of entry has. */
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
  reverse_dns: Type.Object(
    {
      user_agent: UserAgent,
      reverse_dns: Type.Array(
        Type.String({
          pattern: '^\\.?([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])$',
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
        pattern: '^https://[^/?#@\\s]+$',
        description: 'The origin that publishes the keys of its request signatures: https://chatgpt.com.',
      }),
    },
    { additionalProperties: false, description: 'A valid Web Bot Auth signature.' },
  ),
} as const;

export const AssistantEntry = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9-]{1,64}$' }),
    name: Type.String({ minLength: 1, maxLength: 120 }),
    status: Type.Enum(['approved', 'suspended']),
    recognised_by: Type.Array(Type.Unknown(), { minItems: 1, maxItems: 100 }),
    limits: Type.Optional(
      Type.Object(
        {
          sessions: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Open sessions at a time.' }),
          ),
          megabytes: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'What they keep in the store.' }),
          ),
        },
        {
          additionalProperties: false,
          description: 'In place of STAYWIRE_MAX_SESSIONS and STAYWIRE_MAX_STORED_MB.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);

export const RegistryFile = Type.Object(
  { assistants: Type.Array(Type.Unknown(), { maxItems: 1000 }) },
  { additionalProperties: false },
);

/** As published by OpenAI, Google and Perplexity; members that are not named here are ignored. */
export const PublishedRanges = Type.Union([
  Type.Object({
    prefixes: Type.Array(
      Type.Union([Type.Object({ ipv4Prefix: Type.String() }), Type.Object({ ipv6Prefix: Type.String() })]),
      { minItems: 1 },
    ),
  }),
  Type.Array(Type.String(), { minItems: 1 }),
]);
