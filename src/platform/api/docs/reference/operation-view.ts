import type {
  HeaderObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from '@nestjs/swagger';
import type { CodeSample } from '../samples/code-samples.js';
import { valueOf } from '../samples/sampled.js';
import { successOf } from '../samples/success-of.js';
import type { Markdown } from './markdown.js';
import { html, type Markup } from './markup.js';
import type { SchemaView } from './schema-view.js';

/** Operation with its place in the document. */
export interface ListedOperation {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly operation: OperationObject;
}

/** What operations refer to. */
export interface Components {
  readonly headers: Readonly<Record<string, HeaderObject>>;
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

const PLACES = [
  ['path', 'Path'],
  ['query', 'Query'],
] as const;

const json = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** Renders the screen of one operation. */
export class OperationView {
  constructor(
    private readonly components: Components,
    private readonly schemas: SchemaView,
    private readonly markdown: Markdown,
  ) {}

  render({ method, path, id, operation }: ListedOperation): Markup {
    return html`<article class="operation">
      <div class="words">
        <p class="small soft">${operation.tags?.[0]}</p>
        <h1>${operation.summary}</h1>
        <p class="route">
          ${methodBadge(method)}
          <code>${path.split('/').flatMap((part, n) => (n === 0 ? [part] : [html`/<wbr />`, part]))}</code>
        </p>
        ${operation.deprecated === true && html`<p class="care">Deprecated. It keeps working until the date in its <code>Sunset</code> header.</p>`}
        <div class="prose">${this.markdown.block(operation.description ?? '')}</div>
        ${PLACES.map(([place, title]) => section(title, this.parameters(operation, place)))}
        ${section('Body', this.body(operation))} ${this.headersOf(operation)}
        ${section('Responses', this.responses(operation))}
        <p class="small soft">Operation id: <code>${id}</code></p>
      </div>
      <div class="samples">${this.samples(operation)} ${this.example(operation)}</div>
    </article>`;
  }

  private parameters({ parameters = [] }: OperationObject, place: ParameterObject['in']): Markup | null {
    const listed = (parameters as ParameterObject[]).filter((each) => each.in === place);
    if (listed.length === 0) return null;
    return html`<ul class="fields">
      ${listed.map(
        ({ name, schema = {}, required = false, description, example }) =>
          html`<li>${this.schemas.line(name, schema, required, description, example)}</li>`,
      )}
    </ul>`;
  }

  /** Renders the headers of the request, folded: none is required. */
  private headersOf(operation: OperationObject): Markup | null {
    const headers = this.parameters(operation, 'header');
    return (
      headers &&
      html`<details class="response">
        <summary>Optional headers</summary>
        ${headers}
      </details>`
    );
  }

  private body({ requestBody }: OperationObject): Markup | null {
    if (!requestBody || '$ref' in requestBody) return null;
    const [type = '', media] = Object.entries(requestBody.content)[0] ?? [];
    return html`<p class="small soft"><code>${type}</code></p>
      ${this.schemas.fields(media?.schema)}`;
  }

  private responses(operation: OperationObject): Markup {
    const [, success] = successOf(operation) ?? [];
    const usual = new Set(Object.keys(success?.headers ?? {}));
    const all = Object.entries(operation.responses).map(([status, response]) => {
      const { description, headers, content = {} } = this.resolve(response as ResponseObject);
      const failed = status >= '400';
      const problems = Object.values(content).flatMap(({ examples }) =>
        failed ? Object.values((examples ?? {}) as Record<string, Example>) : [],
      );
      const [media] = Object.values(content);
      return html`<details class="response" ${!failed && html`open`}>
        <summary>
          <code class="${failed ? 'status failed' : 'status'}">${status}</code>
          ${failed ? titlesOf(problems) : this.markdown.inline(description)}
        </summary>
        ${problems.length > 0 ? problemList(problems) : this.schemas.fields(media?.schema)}
        ${this.headers(headers, failed ? usual : new Set())}
      </details>`;
    });
    return html`${all}`;
  }

  /**
   * Renders the headers of a response, folded.
   * @param usual names of headers that successes have as well, which are left out
   */
  private headers(headers: ResponseObject['headers'], usual: ReadonlySet<string>): Markup | null {
    const named = Object.entries(headers ?? {})
      .filter(([name]) => !usual.has(name))
      .map(([name, header]) => [name, this.headerOf(header)] as const);
    if (named.length === 0) return null;
    return html`<details>
      <summary class="small soft">Headers</summary>
      <ul class="fields">
        ${named.map(
          ([name, { schema, required = false, description, example }]) =>
            html`<li>${this.schemas.line(name, schema ?? {}, required, description, example)}</li>`,
        )}
      </ul>
    </details>`;
  }

  private samples(operation: OperationObject): Markup {
    const samples = (operation as { 'x-codeSamples'?: CodeSample[] })['x-codeSamples'] ?? [];
    return html`<fieldset class="tabs">
      <legend class="hidden">Request</legend>
      ${samples.map(
        ({ label }, n) =>
          html`<label
            ><input type="radio" name="sample" value="${label}" ${n === 0 && html`checked`} /><span
              >${label}</span
            ></label
          >`,
      )}
      ${samples.map(({ source, label }) => codeBlock(source, `Request by ${label}`))}
    </fieldset>`;
  }

  private example(operation: OperationObject): Markup | null {
    const [status, success] = successOf(operation) ?? [];
    const [media] = Object.values(success?.content ?? {});
    const example = media && valueOf(media);
    if (example === undefined) return null;
    return html`<h2>Response <code>${status}</code></h2>
      ${codeBlock(json(example), `Response ${status}`)}`;
  }

  private headerOf(header: HeaderObject | ReferenceObject): HeaderObject & { schema?: SchemaObject } {
    const found = '$ref' in header ? this.components.headers[header.$ref.split('/').at(-1) ?? ''] : header;
    return (found ?? {}) as HeaderObject & { schema?: SchemaObject };
  }

  private resolve(response: ResponseObject | ReferenceObject): ResponseObject {
    if (!('$ref' in response)) return response;
    return this.components.responses[response.$ref.split('/').at(-1) ?? ''] ?? { description: '' };
  }
}

/** Renders the method of an operation. */
export const methodBadge = (method: string): Markup =>
  html`<span class="method ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</span>`;

interface Example {
  readonly value: { readonly type: string; readonly title: string; readonly detail: string };
}

const titlesOf = (problems: readonly Example[]): string =>
  [...new Set(problems.map(({ value }) => value.title))].join(', ');

function problemList(problems: readonly Example[]): Markup {
  const byType = new Map(problems.map(({ value }) => [value.type, value]));
  return html`<ul class="fields">
    ${[...byType.values()].map(
      ({ type, detail }) =>
        html`<li>
          <p class="small">
            <a href="${type}"><code>${type.replace('/errors/', '')}</code></a> ${detail}
          </p>
        </li>`,
    )}
  </ul>`;
}

const section = (title: string, content: Markup | null): Markup =>
  html`${
    content &&
    html`<section>
      <h2>${title}</h2>
      ${content}
    </section>`
  }`;

const codeBlock = (source: string, label: string): Markup =>
  html`<pre tabindex="0" aria-label="${label}"><code>${source.trimEnd()}</code></pre>`;
