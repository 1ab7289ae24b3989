#!/usr/bin/env bash
# @cloudflare/workers-oauth-provider 1.2.3: a sign-in on a second device ends the one on the first.
#
# Behaviour: completeAuthorization() revokes what the person has granted to the same client before
# (revokeExistingGrants, on by default, named in the type definitions only): the older refresh token
# is invalid_grant, and the older access token 401 at once. A client id that all copies of an app have
# in common (registered once, or a metadata document with one redirect URI) is one client.
# Consequence: laptop and desktop sign each other out of an MCP server, each within minutes after the
# other one asked the person; a test with one device sees it never. Set revokeExistingGrants: false.
# Output: by default and with false, the access and refresh token of the first device after the second
# signed in, and the access token of the second
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @cloudflare/workers-oauth-provider@1.2.3 >/dev/null 2>&1
cat >workers.mjs <<'JS'
// Gives Node.js the one name that the package takes of the runtime of Workers.
export const resolve = (name, context, next) =>
  name === 'cloudflare:workers'
    ? { url: 'data:text/javascript,export class WorkerEntrypoint {}', shortCircuit: true }
    : next(name, context);
JS
cat >run.mjs <<'JS'
import { createHash } from 'node:crypto';
import { register } from 'node:module';

register('./workers.mjs', import.meta.url);
const { OAuthProvider } = await import('@cloudflare/workers-oauth-provider');
const origin = 'https://mcp.example.com';
const redirectUri = 'http://127.0.0.1/callback';
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** What KV of Workers does, without expiry. */
function store() {
  const data = new Map();
  const read = (key, options) => {
    const value = data.get(key) ?? null;
    return value !== null && (options?.type ?? options) === 'json' ? JSON.parse(value) : value;
  };
  const list = ({ prefix }) => [...data.keys()].filter((key) => key.startsWith(prefix)).map((name) => ({ name }));
  return {
    get: async (key, options) => read(key, options),
    put: async (key, value) => void data.set(key, value),
    delete: async (key) => void data.delete(key),
    list: async (options) => ({ keys: list(options), list_complete: true }),
  };
}
async function outcome(options) {
  const env = { OAUTH_KV: store() };
  async function consent(request) {
    const asked = await env.OAUTH_PROVIDER.parseAuthRequest(request);
    const grant = { request: asked, userId: 'ada', metadata: {}, scope: asked.scope, props: {}, ...options };
    return Response.redirect((await env.OAUTH_PROVIDER.completeAuthorization(grant)).redirectTo);
  }
  const provider = new OAuthProvider({
    apiRoute: '/api',
    apiHandler: { fetch: async () => new Response('hello') },
    defaultHandler: { fetch: consent },
    authorizeEndpoint: '/authorize',
    tokenEndpoint: '/token',
    clientRegistrationEndpoint: '/register',
    resourceMetadata: { resource: `${origin}/api` },
  });
  const ask = (path, init) => provider.fetch(new Request(origin + path, init), env, { waitUntil: () => undefined });
  const post = (path, body) => ask(path, { method: 'POST', body });
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' });
  const { client_id } = await (await ask('/register', { method: 'POST', headers, body })).json();
  const params = { client_id, redirect_uri: redirectUri };
  async function signIn() {
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    const query = new URLSearchParams({ ...params, ...pkce, response_type: 'code', state: 's' });
    const code = new URL((await ask(`/authorize?${query}`)).headers.get('location')).searchParams.get('code');
    const form = { ...params, grant_type: 'authorization_code', code, code_verifier: verifier };
    return (await post('/token', new URLSearchParams(form))).json();
  }
  const access = async ({ access_token }) =>
    (await ask('/api', { headers: { authorization: `Bearer ${access_token}` } })).status;
  async function refresh({ refresh_token }) {
    const answer = await post('/token', new URLSearchParams({ ...params, grant_type: 'refresh_token', refresh_token }));
    return answer.ok ? answer.status : `${answer.status} ${(await answer.json()).error}`;
  }
  const laptop = await signIn();
  const before = await access(laptop);
  const desktop = await signIn();
  return `${before}, then ${await access(laptop)} and ${await refresh(laptop)}, second ${await access(desktop)}`;
}
const lines = [`by default: ${await outcome({})}`, `false: ${await outcome({ revokeExistingGrants: false })}`];
console.log(lines.join('\n'));
const expected = [
  'by default: 200, then 401 and 400 invalid_grant, second 200',
  'false: 200, then 200 and 200, second 200',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs 2>/dev/null
