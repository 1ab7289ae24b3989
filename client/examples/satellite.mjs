// A satellite's server in plain JavaScript: Node 20 or later, and @gatehouse/client.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import {
  Gatehouse,
  ProblemError,
  SignedOutError,
  SignInDeclinedError,
  startSatelliteSignIn,
  StateMismatchError,
  UnreachableError,
} from '@gatehouse/client';

const NAMES = ['GATEHOUSE_URL', 'APP_URL', 'OWN_URL', 'CLIENT_ID', 'CLIENT_SECRET'];
const missing = NAMES.filter((name) => !process.env[name]);
if (missing.length > 0) throw new Error(`Set these environment variables: ${missing.join(', ')}`);
const [url, appUrl, ownUrl, clientId, clientSecret] = NAMES.map((name) => String(process.env[name]));
const own = new URL(ownUrl);
const redirectUri = `${own.origin}/callback`; // exactly as registered
const cookie = `Path=/; HttpOnly; SameSite=Lax${own.protocol === 'https:' ? '; Secure' : ''}`;

/**
 * What the server knows of each browser, by the random id in its cookie: a pending sign-in, then
 * the client of the visitor. In memory for this example; several servers need a shared store.
 */
const visits = new Map();
const idOf = (request) => /(?:^|; )visit=([\w-]{43})/.exec(request.headers.cookie ?? '')?.[1] ?? '';

/** Takes a new id for each visit, so that an id planted in the browser is useless. */
function startVisit(request, seconds, visit) {
  const id = randomBytes(32).toString('base64url');
  visits.delete(idOf(request));
  for (const [old, { until }] of visits) if (until < Date.now()) visits.delete(old);
  visits.set(id, { until: Date.now() + seconds * 1000, ...visit });
  return `visit=${id}; ${cookie}`;
}

const page = (html, status = 200) => ({ status, html });
const redirect = (location, ...cookies) => ({ status: 303, headers: { location, 'set-cookie': cookies } });
const escape = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const signInLink = '<a href="/sign-in">Sign in</a>';
const stranger = page(`<h1>You are not signed in</h1>${signInLink}`);
const signOutForm = '<form method="post" action="/sign-out"><button>Sign out</button></form>';

const routes = {
  async 'GET /'(request, { gatehouse }) {
    if (!gatehouse) return stranger;
    const { data: me } = await gatehouse.get('/api/v1/iam/me'); // notices a logout at the app
    return page(`<h1>Hello ${escape(me.firstName)}</h1>${signOutForm}`);
  },
  async 'GET /sign-in'(request) {
    const start = await startSatelliteSignIn(`${appUrl}/authorize`, { clientId, redirectUri });
    return redirect(start.url, startVisit(request, 600, { pending: start.pending }));
  },
  async 'GET /callback'(request, { pending }) {
    if (!pending) throw new StateMismatchError();
    visits.delete(idOf(request)); // first: a code that is presented twice ends the session
    const gatehouse = new Gatehouse({ url, satellite: { clientId, clientSecret } });
    await gatehouse.completeSatelliteSignIn(new URL(request.url, own), pending);
    return redirect('/', startVisit(request, 86_400, { gatehouse }));
  },
  async 'POST /sign-out'(request, { gatehouse }) {
    if (request.headers.origin !== own.origin) return page('<h1>Sent by another site</h1>', 403);
    await gatehouse?.logout();
    visits.delete(idOf(request));
    return redirect('/', `visit=; Max-Age=0; ${cookie}`);
  },
};

createServer(async (request, response) => {
  const route = routes[`${request.method} ${request.url.split('?')[0]}`];
  const visit = visits.get(idOf(request));
  const current = visit && visit.until > Date.now() ? visit : {};
  const { status, html, headers } = route
    ? await route(request, current).catch((error) => explain(error, request))
    : page('<h1>Page not found</h1>', 404);
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    })
    .end(html);
}).listen(Number(process.env.PORT ?? own.port), '127.0.0.1');

function explain(error, request) {
  if (error instanceof SignedOutError) {
    visits.delete(idOf(request));
    return stranger;
  }
  if (error instanceof SignInDeclinedError) return page(`<h1>${error.message}</h1>${signInLink}`);
  const isRefused = error instanceof StateMismatchError || error.status === 400;
  if (isRefused) return page(`<h1>This sign-in has expired</h1>${signInLink}`, 400);
  const isAway = error instanceof UnreachableError || (error instanceof ProblemError && error.status > 428);
  if (!isAway) console.error(error);
  return page('<h1>Try again later. You stay signed in</h1>', isAway ? 503 : 500);
}
