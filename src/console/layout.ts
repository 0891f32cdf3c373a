/** The pages of the console, in the order of the navigation. */
export const PAGES = {
  '/today': 'Today',
  '/demand': 'Demand',
  '/operators': 'Operators',
  '/assistants': 'Assistants',
  '/quotes': 'Quotes',
  '/outcomes': 'Outcomes',
  '/try': 'Try',
} as const;
export type PagePath = keyof typeof PAGES;
const PAGES_WITHOUT_DAYS: readonly string[] = ['/quotes', '/try'] satisfies readonly PagePath[];

export type ConsolePage = {
  readonly title: string;
  /** The question that the page answers, in one sentence. */
  readonly about?: string;
  /** Its place in the navigation, if any. */
  readonly path?: PagePath;
  readonly body: HtmlPart;
  /** Beside the title, such as a button to print. */
  readonly aside?: HtmlPart;
  /** The query for the same days on other pages; absent if no days were chosen. */
  readonly chosenDays?: string;
  /** Its figures are fetched again every few seconds. */
  readonly isLive?: boolean;
};

type Shell = {
  readonly network: string;
  /** Part of every form; null without a signed-in owner. */
  readonly formToken: string | null;
  readonly notice: string | null;
};

/** Embedded in the page, to avoid a request. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230b6b62'/%3E%3Cpath d='M8 21v-6M14 21v-10M20 21v-4M26 21v-8' transform='translate(-1)' stroke='%23fff' stroke-width='3' stroke-linecap='round'/%3E%3C/svg%3E";

export function layout(page: ConsolePage, shell: Shell): string {
  const { title, about, path, body, aside, chosenDays = '', isLive = false } = page;
  const { network, formToken, notice } = shell;
  const isSignedIn = formToken !== null;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${network}</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/assets/console.css">
${
  isSignedIn &&
  html`<link rel="stylesheet" href="/assets/uplot.css">
<script src="/assets/uplot.js" defer></script>
<script src="/assets/console.js" defer></script>`
}
</head>
<body${isLive && html` data-live="page"`}${!isSignedIn && html` class="alone"`}>
${isSignedIn && signedInHeader({ network, formToken, path, chosenDays })}
<main id="main" tabindex="-1">
${notice !== null && html`<p class="notice" role="status">${notice}</p>`}
<div class="head">
<div>
${!isSignedIn && html`<p class="kicker">${network}</p>`}<h1>${title}</h1>
${about !== undefined && html`<p class="about">${about}</p>`}
</div>
${aside !== undefined && html`<div class="head-aside">${aside}</div>`}
</div>
${body}
</main>
${isSignedIn && html`<footer><p>Days and times are in UTC. ${isLive && html`<span id="fresh">Figures are as of when this page was opened.</span>`}</p></footer>`}
</body>
</html>
`.toString();
}

function signedInHeader({
  network,
  formToken,
  path,
  chosenDays,
}: {
  readonly network: string;
  readonly formToken: string;
  readonly path: PagePath | undefined;
  readonly chosenDays: string;
}): SafeHtml {
  const links = Object.entries(PAGES).map(
    ([target, name]) =>
      html`<li><a href="${target}${!PAGES_WITHOUT_DAYS.includes(target) && chosenDays}"${target === path && html` aria-current="page"`}>${name}</a></li>`,
  );
  return html`<a class="skip" href="#main">Skip to the page</a>
<header class="bar">
<p class="brand"><span class="kicker">Console</span> <strong>${network}</strong></p>
<nav aria-label="Pages"><ul>${links}</ul></nav>
<form method="post" action="/sign-out" class="sign-out">${tokenField(formToken)}<button class="quiet">Sign out</button></form>
</header>`;
}

export function tokenField(formToken: string): SafeHtml {
  return html`<input type="hidden" name="form_token" value="${formToken}">`;
}

/** A page with one message and a link. */
export function messagePage(
  title: string,
  text: string,
  link = { href: '/today', label: 'To the first page' },
): ConsolePage {
  return {
    title,
    body: html`<div class="card message"><p>${text}</p><p><a class="button" href="${link.href}">${link.label}</a></p></div>`,
  };
}

/** Text that is safe in a page. Only `html` creates it, and escapes all inserted values. */
export class SafeHtml {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type HtmlPart = string | number | SafeHtml | null | undefined | false | readonly HtmlPart[];

export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): SafeHtml {
  return new SafeHtml(
    strings.map((text, index) => text + (index < parts.length ? partText(parts[index]) : '')).join(''),
  );
}

function partText(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof SafeHtml) return part.toString();
  if (typeof part === 'object') return part.map(partText).join('');
  return String(part).replaceAll(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
