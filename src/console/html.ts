/** Text that is safe in a page. Only `html` makes it, and it escapes whatever is put in. */
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
    strings.map((text, index) => text + (index < parts.length ? textOf(parts[index]) : '')).join(''),
  );
}

function textOf(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof SafeHtml) return part.toString();
  if (typeof part === 'object') return part.map(textOf).join('');
  return String(part).replaceAll(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
