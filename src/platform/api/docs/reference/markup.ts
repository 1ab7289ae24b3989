import { escapeHtml } from '../../../messages/index.js';

/** HTML that is safe to include in a page. */
export class Markup {
  constructor(readonly source: string) {}
}

type Part = Markup | string | number | false | null | undefined | readonly Part[];

/** Template of HTML: escapes each value that is not {@link Markup}, and omits false and null. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((text, n) => text + render(parts[n])).join(''));
}

function render(part: Part): string {
  if (part instanceof Markup) return part.source;
  if (part === false || part === null || part === undefined) return '';
  return typeof part === 'object' ? part.map(render).join('') : escapeHtml(String(part));
}
