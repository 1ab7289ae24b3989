import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { Away } from './gatehouse.ts';
import { away, broken, notHere, notOurForm, type Reply } from './page.ts';

export interface Question {
  readonly url: URL;
  readonly cookies: ReadonlyMap<string, string>;
  readonly form: URLSearchParams;
}

/** Handlers by "GET /path". */
type Routes = Record<string, (question: Question) => Reply | Promise<Reply>>;

/**
 * Serves pages at an address.
 * @param formsLeadTo other origins to which a form may redirect: Chromium applies `form-action` to
 * redirects too
 */
export function serve(own: URL, routes: Routes, formsLeadTo = ''): void {
  const style = readFileSync(new URL('style.css', import.meta.url));
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'self'; form-action 'self' ${formsLeadTo}; frame-ancestors 'none'; base-uri 'none'`,
    'referrer-policy': 'same-origin', // addresses can contain a code
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  const server = createServer(async (request, response) => {
    if (request.url === '/style.css')
      return void response.writeHead(200, { 'content-type': 'text/css' }).end(style);
    const reply = await answer(own, routes, request).catch(explain);
    response.writeHead(reply.status, { ...headers, ...reply.headers }).end(reply.page?.text);
  });
  server.listen(Number(process.env['PORT'] ?? own.port), '127.0.0.1');
}

async function answer(own: URL, routes: Routes, request: IncomingMessage): Promise<Reply> {
  const url = new URL(own.origin + request.url);
  const route = routes[`${request.method} ${url.pathname}`];
  if (!route) return notHere();
  // Prevents CSRF. SameSite does not cover other ports of this host, nor login CSRF.
  if (request.method === 'POST' && request.headers.origin !== own.origin) return notOurForm();
  const cookies = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
  return route({
    url,
    cookies: new Map(cookies.map(([name = '', value = '']) => [name, value])),
    form: new URLSearchParams(await textOf(request)),
  });
}

function explain(error: unknown): Reply {
  if (error instanceof Away) return away();
  console.error(error);
  return broken();
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > 10_000) throw new Error('The form is too long.');
  }
  return text;
}
