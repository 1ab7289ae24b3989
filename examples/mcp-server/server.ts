/**
 * An MCP server whose tools are protected by Gatehouse. It knows no client: one without a token is
 * led to the service, where the person consents.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ProtectedResource } from '@gatehouse/client/verifier';

const { RESOURCE = 'http://127.0.0.1:8080/mcp', ISSUER = '', API_ID = '', API_SECRET = '' } = process.env;
const SCOPE = 'orders:read';

const resource = new ProtectedResource({
  resource: RESOURCE,
  issuer: ISSUER,
  scopes: [SCOPE],
  name: 'Orders',
});

/** What introspection says of a token (RFC 7662 section 2.2). */
interface TokenState {
  readonly active: boolean;
  readonly sub?: string;
  readonly scope?: string;
  /** Organization of the person. */
  readonly tid?: string;
  /** The agent that acts for them. */
  readonly act?: { readonly sub: string };
}

/** Asks whether a token counts at this moment: a withdrawn consent ends it within a second. */
async function introspect(token: string): Promise<TokenState> {
  const response = await fetch(`${ISSUER}/oauth2/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${API_ID}:${API_SECRET}`).toString('base64')}` },
    body: new URLSearchParams({ token }),
  });
  if (!response.ok) throw new Error(`The introspection answered ${response.status}.`);
  return (await response.json()) as TokenState;
}

/** The tools, as one person and agent see them. */
function toolsFor({ sub, tid, act }: TokenState): McpServer {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  server.registerTool('list-orders', { description: 'Lists the orders of the organization' }, () => ({
    content: [
      { type: 'text', text: JSON.stringify({ orders: [`order of ${tid}`], person: sub, agent: act?.sub }) },
    ],
  }));
  return server;
}

function refuse(
  response: ServerResponse,
  status: number,
  refusal: Parameters<ProtectedResource['challenge']>[0],
) {
  response.writeHead(status, { 'www-authenticate': resource.challenge(refusal) }).end();
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === resource.metadataPath) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(resource.metadata));
    return;
  }
  if (request.url !== new URL(RESOURCE).pathname) return void response.writeHead(404).end();
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined) return refuse(response, 401, { scopes: [SCOPE] });
  const state = await introspect(token);
  if (!state.active) return refuse(response, 401, { error: 'invalid_token', scopes: [SCOPE] });
  if (!state.scope?.split(' ').includes(SCOPE))
    return refuse(response, 403, { error: 'insufficient_scope', scopes: [SCOPE] });
  // Without sessions: each request is decided by its token.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await toolsFor(state).connect(transport);
  await transport.handleRequest(request, response);
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(503, { 'retry-after': '1' }).end());
});
const { hostname, port } = new URL(RESOURCE);
server.listen(Number(port), hostname, () => process.stdout.write(`${RESOURCE}\n`));
