import { html, type Html } from './html.ts';
import { setting } from './setting.ts';

export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string | string[]>;
  readonly page?: Html;
}

/** 303: whatever the method was, the next page is fetched with GET, and this address does not stay in the history. */
export function redirect(location: string, ...cookies: string[]): Reply {
  return { status: 303, headers: { location, 'set-cookie': cookies } };
}

/** @param more beside status and headers, what stands in the corner opposite the name */
export function page(content: Html, { corner, ...more }: Partial<Reply> & { corner?: Html } = {}): Reply {
  const name = setting('SITE_NAME');
  return {
    status: 200,
    ...more,
    page: html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${name}</title>
          <link rel="stylesheet" href="/style.css" />
        </head>
        <body>
          <header><a class="name" href="/">${name}</a>${corner ?? ''}</header>
          <main>${content}</main>
        </body>
      </html>`,
  };
}

/** 503 is not 401: who was signed in still is. */
export const away = (): Reply =>
  page(
    html`<h1>One moment, please</h1>
      <p>We cannot ask who you are just now. Nobody has been signed out: try again in a few seconds.</p>
      <p><a class="button" href="/">Try again</a></p>`,
    { status: 503, headers: { 'retry-after': '5' } },
  );

export const broken = (): Reply =>
  page(
    html`<h1>Something went wrong on our side</h1>
      <p>It is noted, and it was not you.</p>
      <p><a class="button" href="/">Back to the start</a></p>`,
    { status: 500 },
  );

export const notHere = (): Reply =>
  page(
    html`<h1>There is no such page</h1>
      <p><a class="button" href="/">Back to the start</a></p>`,
    { status: 404 },
  );

export const notOurForm = (): Reply =>
  page(
    html`<h1>This form is not one of ours</h1>
      <p><a class="button" href="/">Back to the start</a></p>`,
    { status: 403 },
  );
