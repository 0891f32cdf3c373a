import { html } from './html.ts';
import type { ConsolePage } from './layout.ts';

/** A page with one message and a link to go on. */
export function messagePage({
  title,
  text,
  link = { href: '/today', label: 'To the first page' },
}: {
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly label: string };
}): ConsolePage {
  return {
    title,
    body: html`<div class="card message"><p>${text}</p><p><a class="button" href="${link.href}">${link.label}</a></p></div>`,
  };
}
