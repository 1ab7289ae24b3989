/**
 * An agent by the public SDK: it knows the address of an MCP server, and the address at which it
 * publishes what it is. For each line of standard input it calls the tool, and prints the answer,
 * or the address that the person opens first.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { SERVER = '', CLIENT_ID = '', REDIRECT_URI = 'http://127.0.0.1:8765/callback' } = process.env;

type Kept<K extends 'saveTokens' | 'saveClientInformation' | 'saveDiscoveryState'> = Parameters<
  NonNullable<OAuthClientProvider[K]>
>[0];

/** What the agent keeps: here in memory. */
class Agent implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadataUrl = CLIENT_ID;
  readonly clientMetadata = { redirect_uris: [REDIRECT_URI] };
  opened: URL | undefined;
  private information: Kept<'saveClientInformation'> | undefined;
  private kept: Kept<'saveTokens'> | undefined;
  private verifier = '';
  private server: Kept<'saveDiscoveryState'> | undefined;
  private expectedState: string | undefined;

  clientInformation() {
    return this.information;
  }
  saveClientInformation(information: Kept<'saveClientInformation'>) {
    this.information = information;
  }
  tokens() {
    return this.kept;
  }
  saveTokens(tokens: Kept<'saveTokens'>) {
    this.kept = tokens;
  }
  saveDiscoveryState(server: Kept<'saveDiscoveryState'>) {
    this.server = server;
  }
  state() {
    this.expectedState = randomUUID();
    return this.expectedState;
  }
  redirectToAuthorization(url: URL) {
    this.opened = url;
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  invalidateCredentials(what: string) {
    if (what === 'all' || what === 'tokens') this.kept = undefined;
  }

  /**
   * Returns whether a response is of this request, and of the server that was asked (RFC 9207): the
   * SDK does not check it, and sends the code of another one to the token endpoint.
   */
  accepts(response: URLSearchParams): boolean {
    const { issuer } = this.server?.authorizationServerMetadata ?? {};
    const isOurs = response.get('state') === this.expectedState;
    return isOurs && issuer !== undefined && response.get('iss') === issuer;
  }
}

const agent = new Agent();
const newTransport = () => new StreamableHTTPClientTransport(new URL(SERVER), { authProvider: agent });
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function call(): Promise<void> {
  const client = new Client({ name: 'example-agent', version: '1.0.0' });
  try {
    await client.connect(newTransport());
    say({ result: await client.callTool({ name: 'list-orders' }) });
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    say({ open: agent.opened?.href });
  } finally {
    await client.close();
  }
}

// Where the browser of the person returns to.
const { hostname, port } = new URL(REDIRECT_URI);
createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', REDIRECT_URI);
  const code = searchParams.get('code');
  if (code === null || !agent.accepts(searchParams)) return void response.writeHead(400).end();
  newTransport()
    .finishAuth(code)
    .then(
      () => response.end('The agent is connected.'),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
}).listen(Number(port), hostname, () => say({ ready: true }));

createInterface({ input: process.stdin }).on('line', () => {
  call().catch((error: unknown) => say({ error: String(error) }));
});
