import type { OpenAPIObject } from '@nestjs/swagger';
import { MARK } from '../../../web/index.js';
import { loadMarkdown, type Markdown } from './markdown.js';
import { html, Markup } from './markup.js';
import { type Components, type ListedOperation, methodBadge, OperationView } from './operation-view.js';
import { SchemaView } from './schema-view.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Options {
  /** Address of the portal's first page; null without the portal. */
  readonly home: string | null;
  /** Part of the addresses of style and script that changes with them. */
  readonly version: string;
}

/** Pages of the API reference: an introduction, and one page for each operation. */
export class ReferencePages {
  private readonly operations: readonly ListedOperation[];
  private readonly view: OperationView;

  private constructor(
    private readonly document: OpenAPIObject,
    private readonly markdown: Markdown,
    private readonly options: Options,
  ) {
    const { schemas = {} } = document.components ?? {};
    const components = document.components as unknown as Components;
    this.view = new OperationView(components, new SchemaView(schemas, markdown), markdown);
    this.operations = operationsOf(document);
  }

  static async create(document: OpenAPIObject, options: Options): Promise<ReferencePages> {
    return new ReferencePages(document, await loadMarkdown(), options);
  }

  introduction(): string {
    const { description = '', summary } = this.document.info as { description?: string; summary?: string };
    return this.page(
      'API reference',
      html`<div class="prose">
        <h1>API reference</h1>
        <p class="soft">${summary}</p>
        ${this.markdown.block(description)}
      </div>`,
    );
  }

  /** @returns null for an operation that the document does not have */
  operation(id: string): string | null {
    const found = this.operations.find((each) => each.id === id);
    return found ? this.page(found.operation.summary ?? id, this.view.render(found), id) : null;
  }

  private page(title: string, content: Markup, current?: string): string {
    const { home, version } = this.options;
    const brand = html`${new Markup(MARK)}<span>Gatehouse</span>`;
    return html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title} · Gatehouse API</title>
          <meta name="color-scheme" content="light dark" />
          ${
            home !== null &&
            html`<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
              <script src="/theme.js"></script>`
          }
          <link rel="stylesheet" href="/api/docs/reference.css?v=${version}" />
          <script type="module" src="/api/docs/reference.js?v=${version}"></script>
        </head>
        <body>
          <a class="skip" href="#content">Skip to content</a>
          <header>
            ${home === null ? html`<span class="brand">${brand}</span>` : html`<a class="brand" href="${home}">${brand}</a>`}
            <a href="/api/docs">API reference</a>
            <div class="end">
              ${home !== null && html`<a href="${home}">Back to the portal</a>`}
              <a href="/api/docs/openapi.json">OpenAPI</a
              >${home !== null && html`<button type="button" id="theme" hidden>Light or dark</button>`}
            </div>
          </header>
          <div class="${current === undefined ? 'floor' : 'floor one'}">
            ${this.navigation(current)}
            <main id="content" tabindex="-1">${content}</main>
          </div>
        </body>
      </html> `.source;
  }

  private navigation(current: string | undefined): Markup {
    const groups = (this.document.tags ?? []).map(({ name }) => {
      const listed = this.operations.filter(({ operation }) => operation.tags?.includes(name));
      return html`<section>
        <h2>${name}</h2>
        <ul>
          ${listed.map((each) => navigationItem(each, each.id === current))}
        </ul>
      </section> `;
    });
    return html`<nav aria-label="Operations">
      <div class="search" hidden>
        <label
          >Search operations <span class="soft">( / )</span><input type="search" autocomplete="off"
        /></label>
        <p class="small soft" role="status"></p>
      </div>
      ${groups}
    </nav>`;
  }
}

function navigationItem({ id, method, path, operation }: ListedOperation, isCurrent: boolean): Markup {
  const words = [method, path, id, operation.summary, ...(operation.tags ?? [])].join(' ').toLowerCase();
  return html`<li data-words="${words}">
    <a href="/api/docs/operations/${id}" ${isCurrent && html`aria-current="page"`}
      >${methodBadge(method)}<span>${operation.summary}</span></a
    >
  </li> `;
}

function operationsOf(document: OpenAPIObject): ListedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      const id = operation?.operationId;
      return operation && id !== undefined ? [{ method: method.toUpperCase(), path, id, operation }] : [];
    }),
  );
}
