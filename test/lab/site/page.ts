import { html, type Html } from '../../../examples/help-centre/html.ts';
import type { Reply } from './server.ts';

/** Renders a page in the style of the lab. */
export function page(title: string, content: Html): Reply {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
  return { body: text };
}
