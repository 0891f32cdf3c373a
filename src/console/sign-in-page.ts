import { html } from './html.ts';
import type { ConsolePage } from './layout.ts';

export function signInPage({
  fault,
  next,
}: {
  /** What went wrong with the last try. */
  readonly fault: string | null;
  /** Where to go afterwards. */
  readonly next: string;
}): ConsolePage {
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
