/** Text that is safe in a page. Only `html` makes it, and escapes every value. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type Part = string | number | Markup | null | undefined | false | readonly Part[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = strings.map((string, index) => string + (index < parts.length ? asText(parts[index]) : ''));
  return new Markup(text.join(''));
}

function asText(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Markup) return part.toString();
  if (typeof part === 'object') return part.map(asText).join('');
  return escaped(String(part));
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
