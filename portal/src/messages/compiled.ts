/**
 * A compiled text (vite.config.ts): plain, or of parts. Smaller than the elements of the parser of
 * ICU messages, and formatted without its library, which had a tenth of the first file.
 */
export type Message = string | readonly Part[];

type Options = Readonly<Record<string, readonly Part[]>>;

/** A literal text, the number of the plural around it (`#`), a value, or what a value chooses. */
export type Part =
  | string
  | 0
  | readonly [kind: 'value' | 'number', name: string]
  | readonly [kind: 'tag', name: string, children: readonly Part[]]
  | readonly [kind: 'select' | 'plural', name: string, options: Options];

export type Values = Readonly<Record<string, unknown>>;

/** Formats of one language: `Intl` takes milliseconds to create one on a slow phone. */
export class Formats {
  private readonly locale: string;
  private numberFormat: Intl.NumberFormat | undefined;
  private pluralRules: Intl.PluralRules | undefined;

  constructor(locale: string) {
    this.locale = locale;
  }

  /**
   * Fills values into a text.
   * @returns what stands in order; neighbouring texts are one
   */
  fill(parts: readonly Part[], values: Values, count = 0): unknown[] {
    const filled: unknown[] = [];
    for (const part of parts)
      for (const piece of this.fillPart(part, values, count))
        if (typeof piece === 'string' && typeof filled.at(-1) === 'string')
          filled.push(`${filled.pop()}${piece}`);
        else filled.push(piece);
    return filled;
  }

  private fillPart(part: Part, values: Values, count: number): unknown[] {
    if (typeof part === 'string') return [part];
    if (part === 0) return [this.number(count)];
    const value = values[part[1]];
    switch (part[0]) {
      case 'value':
        return [typeof value === 'number' ? String(value) : (value ?? '')];
      case 'number':
        return [this.number(Number(value))];
      case 'tag':
        return [(value as (content: unknown[]) => unknown)(this.fill(part[2], values, count))].flat();
      case 'select':
        return this.fill(part[2][String(value)] ?? part[2]['other'] ?? [], values, count);
      case 'plural': {
        const [, , options] = part;
        this.pluralRules ??= new Intl.PluralRules(this.locale);
        const chosen = options[`=${String(value)}`] ?? options[this.pluralRules.select(Number(value))];
        return this.fill(chosen ?? options['other'] ?? [], values, Number(value));
      }
    }
  }

  private number(value: number): string {
    this.numberFormat ??= new Intl.NumberFormat(this.locale);
    return this.numberFormat.format(value);
  }
}
