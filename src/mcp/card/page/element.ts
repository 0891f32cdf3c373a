type Attributes = Readonly<Record<string, string | boolean | null>>;
type Child = Node | string | null;

/** Texts become text nodes, so that operators' words are never parsed as markup. Null children are left out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** True sets an attribute without a value; false and null remove it. */
export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) target.removeAttribute(name);
    else target.setAttribute(name, value === true ? '' : value);
  }
}

/** Operators' words may be in a script of another direction than the page. */
export function operatorText<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string,
  attributes: Attributes = {},
): HTMLElementTagNameMap[Tag] {
  return element(tag, { dir: 'auto', ...attributes }, text);
}

const SVG = 'http://www.w3.org/2000/svg';

/** An icon of one path on a grid of 24, hidden from screen readers. */
export function icon(path: string): SVGSVGElement {
  const drawing = document.createElementNS(SVG, 'svg');
  setAttributes(drawing, { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' });
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  drawing.append(line);
  return drawing;
}
