import { hash } from 'node:crypto';
import { html, type Markup } from '../../../platform/api/index.js';
import { type Locale, textIn } from '../../../platform/messages/index.js';
import { PALETTE } from '../../../platform/web/index.js';
import { utcOf } from '../account-mails.js';
import '../account.messages.js';
import type { ExportDocument } from './export-maker.js';

/** Style of the page. It is in the page, which people save as a file. */
const STYLE = `${PALETTE}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:2rem 1rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
h1,h2,p{overflow-wrap:anywhere}h1{font-size:1.6rem}h2{margin:0 0 .25rem;font-size:1.1rem}
section{margin:1.5rem 0;padding:1.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--sheet)}
.soft{color:var(--soft)}.rows{overflow-x:auto}.rows:focus-visible{outline:3px solid var(--sea)}
table{border-collapse:collapse;font-size:.9rem}
th,td{padding:.4rem .75rem;border-top:1px solid var(--line);text-align:start;vertical-align:top}
th{color:var(--soft);font-weight:600}td{min-width:7rem;overflow-wrap:anywhere}
code{font:.9em/1.5 ui-monospace,monospace}`;

const STYLE_HASH = hash('sha256', STYLE, 'base64');

/** Holds in a saved file too: the page runs no script and loads nothing, whatever a value is. */
const POLICY_OF_FILE = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** Content security policy of the response. */
export const EXPORT_PAGE_POLICY = `${POLICY_OF_FILE}; frame-ancestors 'none'; sandbox`;

/** Shown for a field without a value. */
const NONE = '–';
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

type Part = ExportDocument['parts'][number];
type Item = Readonly<Record<string, unknown>>;

/**
 * Writes an export as a page to read, which needs no other file. Escapes each value. What parts and
 * fields are is in English, as in the document.
 */
export class ExportPage {
  private readonly text: ReturnType<typeof textIn>;

  constructor(private readonly locale: Locale) {
    this.text = textIn(locale);
  }

  write({ createdAt, parts }: ExportDocument): string {
    const title = this.text('export.page.title');
    const lead = this.text('export.page.lead', { time: utcOf(new Date(createdAt)) });
    const page = html`<html lang="${this.locale}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY_OF_FILE}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
      </head>
    </html> `;
    const body = html`<body><main><h1>${title}</h1><p class="soft">${lead}</p>
${parts.map((part) => this.part(part))}</main></body></html>
`;
    // The hash of the policy is that of the style as it is: escaped, it would be another.
    return `<!doctype html>\n${page.source}<style>${STYLE}</style></head>\n${body.source}`;
  }

  private part({ name, description, fields, items }: Part): Markup {
    const id = `part-${name}`;
    return html`<section aria-labelledby="${id}">
      <h2 id="${id}" lang="en">${description}</h2>
      <p class="soft">${this.text('export.page.entries', { count: items.length })}</p>
      ${items.length > 0 && html`<div class="rows" tabindex="0" role="group" aria-labelledby="${id}">${this.table(fields, items)}</div>`}
    </section> `;
  }

  /** One item as lines of field and value, several as rows. */
  private table(fields: Part['fields'], items: readonly object[]): Markup {
    const columns = Object.entries(fields);
    const [only] = items as readonly Item[];
    if (items.length === 1)
      return html`<table>
        ${columns.map(
          ([field, what]) =>
            html`<tr>
              <th scope="row" lang="en">${what}</th>
              <td>${this.value(only?.[field])}</td>
            </tr>`,
        )}
      </table>`;
    return html`<table>
      <thead>
        <tr>
          ${columns.map(([, what]) => html`<th scope="col" lang="en">${what}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${(items as readonly Item[]).map(
          (item) =>
            html`<tr>
              ${columns.map(([field]) => html`<td>${this.value(item[field])}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>`;
  }

  private value(value: unknown): Markup {
    if (value === null || value === undefined || value === '') return html`${NONE}`;
    if (typeof value === 'boolean') return html`${this.text(value ? 'export.page.yes' : 'export.page.no')}`;
    if (typeof value === 'string' && TIME.test(value))
      return html`<time datetime="${value}">${utcOf(new Date(value))}</time>`;
    if (typeof value === 'string' || typeof value === 'number') return html`${value}`;
    if (!Array.isArray(value)) return html`<code>${JSON.stringify(value)}</code>`;
    if (value.length === 0) return html`${NONE}`;
    return html`${value.map((one, n) => html`${n > 0 && ', '}${this.value(one)}`)}`;
  }
}
