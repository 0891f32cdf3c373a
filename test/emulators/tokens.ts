/** The access tokens that an emulator has given out. */
export type EmulatedTokens = {
  issue(): string;
  /** Expired: given by this emulator, but too old or rejected since. Unknown: never given. */
  judge(token: string | undefined): 'valid' | 'expired' | 'unknown';
  expireAll(): void;
  issued(): number;
};

export function createTokens(options: {
  readonly prefix: string;
  readonly lifeMs: number;
  readonly now: () => number;
}): EmulatedTokens {
  const endsAt = new Map<string, number>();
  return {
    issue() {
      const token = `${options.prefix}-${endsAt.size + 1}`;
      endsAt.set(token, options.now() + options.lifeMs);
      return token;
    },
    judge(token) {
      const end = token === undefined ? undefined : endsAt.get(token);
      if (end === undefined) return 'unknown';
      return options.now() < end ? 'valid' : 'expired';
    },
    expireAll() {
      for (const token of endsAt.keys()) endsAt.set(token, Number.NEGATIVE_INFINITY);
    },
    issued: () => endsAt.size,
  };
}
