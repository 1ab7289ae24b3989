import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { html, type Markup } from './markup.js';
import type { Markdown } from './markdown.js';

type Schema = SchemaObject | ReferenceObject;
export type Schemas = Readonly<Record<string, Schema>>;

const MAX_DEPTH = 4;

/** Renders schemas as lists of fields. */
export class SchemaView {
  constructor(
    private readonly schemas: Schemas,
    private readonly markdown: Markdown,
  ) {}

  /** Renders the fields of an object, with those of nested objects folded; null without fields. */
  fields(schema: Schema | undefined, depth = 0): Markup | null {
    const object = schema && this.objectOf(schema);
    if (!object?.properties || depth > MAX_DEPTH) return null;
    const required = new Set(object.required);
    return html`<ul class="fields">
      ${Object.entries(object.properties).map(
        ([name, property]) =>
          html`<li>${this.line(name, property, required.has(name))}${this.nested(property, depth)}</li>`,
      )}
    </ul>`;
  }

  /** Renders name, type, description and limits of a field, parameter or header. */
  line(name: string, reference: Schema, required: boolean, description?: string, example?: unknown): Markup {
    const schema = this.resolve(reference);
    const text = description ?? ('$ref' in reference ? undefined : schema.description);
    const [own] = [schema.examples ?? []].flat() as unknown[];
    const facts = this.factsOf(schema, example ?? own);
    return html`<p class="field">
        <code class="name">${name}</code> <span class="soft small">${this.typeOf(reference)}</span>
        ${required && html`<span class="required">required</span>`}
      </p>
      ${text !== undefined && html`<p class="small">${this.markdown.inline(text)}</p>`}
      ${facts.length > 0 && html`<p class="facts small soft">${facts}</p>`}`;
  }

  private nested(property: Schema, depth: number): Markup | null {
    const fields = this.fields(property, depth + 1);
    return (
      fields &&
      html`<details>
        <summary class="small">Fields</summary>
        ${fields}
      </details>`
    );
  }

  /** @returns the object that a schema is, or is a list or a map of */
  private objectOf(reference: Schema): SchemaObject | null {
    const schema = this.resolve(reference);
    if (schema.properties) return schema;
    const inner = schema.items ?? schema.allOf?.[0] ?? schema.anyOf?.[0] ?? schema.oneOf?.[0];
    if (inner) return this.objectOf(inner);
    return typeof schema.additionalProperties === 'object'
      ? this.objectOf(schema.additionalProperties)
      : null;
  }

  private typeOf(reference: Schema): string {
    const schema = this.resolve(reference);
    const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (alternatives) return alternatives.map((one) => this.typeOf(one)).join(' or ');
    if (schema.items) return `list of ${this.typeOf(schema.items)}s`;
    const types = [schema.type ?? 'any'].flat();
    return types.map((type) => (type === 'string' ? (schema.format ?? type) : type)).join(' or ');
  }

  private factsOf(schema: SchemaObject, example: unknown): Markup[] {
    const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
    const range = (min: number | undefined, max: number | undefined, unit: string) =>
      max !== undefined &&
      html`<span
        >${min === max ? max : min === undefined ? `up to ${max}` : `${min} to ${max}`}${unit}</span
      >`;
    const facts = [
      schema.enum &&
        html`<span>one of ${schema.enum.map((word) => html`<code>${String(word)}</code> `)}</span>`,
      !schema.enum && range(minLength, maxLength, ' characters'),
      range(minimum, maximum, ''),
      range(minItems, maxItems, ' items'),
      schema.default !== undefined &&
        html`<span>default <code>${JSON.stringify(schema.default)}</code></span>`,
      example !== undefined &&
        !schema.enum &&
        html`<span
          >example <code>${typeof example === 'string' ? example : JSON.stringify(example)}</code></span
        >`,
    ];
    return facts.filter((fact) => fact instanceof Object);
  }

  private resolve(schema: Schema): SchemaObject {
    return '$ref' in schema ? this.resolve(this.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
  }
}
