/** A piece of HTML. Only {@link html} makes one, so nothing gets into a page unescaped. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
export type { Html };

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function html(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  const escaped = values.map((value) =>
    value instanceof Html ? value.text : value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? ''),
  );
  return new Html(String.raw({ raw: parts }, ...escaped));
}
