import { html } from './html.ts';
import { type ConsolePage, type PagePath, tokenField } from './layout.ts';

/** Asks before something is changed; a whole page, so that it works without a script. */
export function confirmPage({
  title,
  consequences,
  action,
  button,
  path,
  isGrave = false,
  formToken,
}: {
  readonly title: string;
  readonly consequences: readonly string[];
  /** Where the form is sent. */
  readonly action: string;
  readonly button: string;
  readonly path: PagePath;
  /** It takes something away from travellers. */
  readonly isGrave?: boolean;
  readonly formToken: string;
}): ConsolePage {
  return {
    title,
    path,
    body: html`<form method="post" action="${action}" class="card confirm">
<ul>${consequences.map((one) => html`<li>${one}</li>`)}</ul>
${tokenField(formToken)}
<p class="choices"><button${isGrave && html` class="grave"`}>${button}</button> <a class="button quiet" href="${path}">Leave it as it is</a></p>
</form>`,
  };
}
