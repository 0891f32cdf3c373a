/** Text that is safe in a page. Only `html` makes it, and escapes whatever is inserted. */
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
