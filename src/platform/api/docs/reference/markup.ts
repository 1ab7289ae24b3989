/** HTML that is safe to include in a page. */
export class Markup {
  constructor(readonly source: string) {}
}

type Part = Markup | string | number | false | null | undefined | readonly Part[];

/** Template of HTML: escapes each value that is not {@link Markup}, and omits false and null. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((text, n) => text + render(parts[n])).join(''));
}

/** Escapes a text for the content and the attributes of HTML. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

function render(part: Part): string {
  if (part instanceof Markup) return part.source;
  if (part === false || part === null || part === undefined) return '';
  return typeof part === 'object' ? part.map(render).join('') : escapeHtml(String(part));
}
