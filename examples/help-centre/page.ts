import { html, type Html } from './html.ts';
import { readSettings } from './settings.ts';

const { SITE_NAME: name } = readSettings({ SITE_NAME: 'name of the site, on each page' });

export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string | string[]>;
  readonly page?: Html;
}

/**
 * Redirects by 303: the browser requests the next page by GET, and this address is not in its
 * history.
 */
export function redirect(location: string, ...cookies: string[]): Reply {
  return { status: 303, headers: { location, 'set-cookie': cookies } };
}

/** @param corner content of the corner opposite the name */
export function page(content: Html, { corner, ...more }: Partial<Reply> & { corner?: Html } = {}): Reply {
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

/** 503 and not 401: visitors stay signed in. */
export const away = (): Reply =>
  page(
    html`<h1>Temporarily unavailable</h1>
      <p>We cannot check your sign-in right now. You stay signed in: try again in a few seconds.</p>
      <p><a class="button" href="/">Try again</a></p>`,
    { status: 503, headers: { 'retry-after': '5' } },
  );

export const broken = (): Reply =>
  page(
    html`<h1>Something went wrong on our side</h1>
      <p>The error has been logged. Please try again later.</p>
      <p><a class="button" href="/">Back to the start</a></p>`,
    { status: 500 },
  );

export const notHere = (): Reply =>
  page(
    html`<h1>Page not found</h1>
      <p><a class="button" href="/">Back to the start</a></p>`,
    { status: 404 },
  );

export const notOurForm = (): Reply =>
  page(
    html`<h1>This form was sent by another site</h1>
      <p><a class="button" href="/">Back to the start</a></p>`,
    { status: 403 },
  );
