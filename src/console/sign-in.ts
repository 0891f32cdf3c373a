import { createHmac, hash } from 'node:crypto';
import type { PasswordRecord } from '../access/owner-settings.ts';
import type { Clock } from '../clock.ts';
import { isSameToken } from './guard.ts';
import { type ConsolePage, html } from './layout.ts';

/** `fault` is that of the last attempt, and `next` the page after signing in. */
export function signInPage(fault: string | null, next: string): ConsolePage {
  return {
    title: 'Sign in',
    body: html`<form method="post" action="/sign-in" class="card sign-in">
<p>This is the owner’s console. Whoever runs the service sets its password with <code>staywire console password</code>.</p>
${fault !== null && html`<p class="fault" role="alert" id="fault">${fault}</p>`}
<input type="hidden" name="next" value="${next}">
<input type="text" name="username" value="owner" autocomplete="username" hidden>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus${fault !== null && html` aria-invalid="true" aria-describedby="fault"`}>
<button>Sign in</button>
</form>`,
  };
}

export function noPasswordPage(): ConsolePage {
  return {
    title: 'No password yet',
    body: html`<div class="card sign-in">
<p>Nobody can sign in to this console until it has a password. On the machine that runs the service, with the same settings, run</p>
<pre tabindex="0" aria-label="The command"><code>staywire console password</code></pre>
<p>and open this page again. No restart is needed.</p>
<p><a class="button" href="/sign-in">Look again</a></p>
</div>`,
  };
}

/** Wrong passwords per minute, over all strangers: a limit for each address would not help, because addresses are cheap. */
const MAX_TRIES = 5;
const MINUTE_MS = 60_000;

type TryResult<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number };

/** Browsers that were signed in before have separate attempts, so that strangers cannot lock the owner out. */
type WhoTries = 'stranger' | 'known';

/** Limits password attempts: a few per minute, and one at a time, because each takes 128 MB. A right password does not count. */
export function createSignInTries(clock: Pick<Clock, 'elapsed'>) {
  const tries: Readonly<Record<WhoTries, number[]>> = { stranger: [], known: [] };
  let last: Promise<unknown> = Promise.resolve();

  return async function attempt(
    isRight: () => Promise<boolean>,
    who: WhoTries = 'stranger',
  ): Promise<TryResult<boolean>> {
    const triedAt = tries[who];
    const now = clock.elapsed();
    while (triedAt[0] !== undefined && now - triedAt[0] >= MINUTE_MS) triedAt.shift();
    const [first] = triedAt;
    if (first !== undefined && triedAt.length >= MAX_TRIES) {
      return { kind: 'too_many', retryAfterSeconds: Math.ceil((first + MINUTE_MS - now) / 1000) };
    }
    triedAt.push(now);
    const turn = last.then(isRight);
    last = turn.catch(() => undefined);
    const value = await turn;
    const counted = triedAt.indexOf(now);
    if (value && counted >= 0) triedAt.splice(counted, 1);
    return { kind: 'done', value };
  };
}

/** The length of the part that is the same for every account. */
const HALF = 21;

/**
 * The proof in a browser that it was signed in with this password, which opens nothing. It is the same for all browsers of an account of
 * the machine (null if unknown), because other accounts may obtain it. It outlives a restart, and is useless after a change of the
 * password. It does not reveal the record, whose salt cannot be guessed.
 */
export function knownBrowserProof(password: PasswordRecord, account: number | null): string {
  const digestOf = (who: string) =>
    createHmac('sha256', password).update(`${who} was signed in to the console`).digest('base64url');
  return digestOf('an account').slice(0, HALF) + digestOf(`account ${account}`).slice(HALF);
}

/** Whether a proof is of any account that was signed in. */
export function isOfKnownBrowser(proof: string, password: PasswordRecord): boolean {
  return isSameToken(proof.slice(0, HALF), knownBrowserProof(password, null).slice(0, HALF));
}

/** The store of the password, and of the hash of the one that the audit log has recorded. */
export type StoredPassword = {
  read(): Promise<PasswordRecord | null>;
  readNoticed(): Promise<string | null>;
  writeNoticed(hash: string): Promise<void>;
};

/**
 * Reads the password and calls `onChange` for a new one, because the command that sets it cannot write to the audit log of a running
 * service. Also notices a password set before the service started.
 */
export function createNoticedPassword(
  { read, readNoticed, writeNoticed }: StoredPassword,
  onChange: () => void,
): StoredPassword['read'] {
  let last: PasswordRecord | null = null;
  return async () => {
    const now = await read();
    if (now !== null && now !== last) {
      const noticed = hash('sha256', now);
      if ((await readNoticed()) !== noticed) {
        await writeNoticed(noticed);
        onChange();
      }
    }
    last = now;
    return now;
  };
}
