import { spawn } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { exitOf, freePort } from '../support/built-service.js';
import { Program } from '../support/program.js';
import { RelyingParty } from '../support/relying-party.js';
import { signUpOperator } from '../support/satellite.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { describeWith } from '../support/tools.js';
import { Provider } from './harness.js';

const BIN = '/usr/lib/rabbitmq/bin';
const IDENTIFIER = 'https://messages.example';

describeWith([BIN], 'RabbitMQ', () => {
  let provider: Provider;
  let server: Program;
  let port: number;
  let epmdPort: string;
  beforeAll(async () => {
    provider = await Provider.start();
    const folder = temporaryFolder('rabbitmq');
    await chmod(folder, 0o700);
    port = await freePort();
    epmdPort = String(await freePort());
    server = await Program.start('sh', {
      port,
      args: [`${BIN}/rabbitmq-server`],
      files: {
        'rabbitmq.conf': configuration(provider, port, await freePort()),
        'advanced.config': ALIASES,
        enabled_plugins: '[rabbitmq_management,rabbitmq_auth_backend_oauth2].',
      },
      env: {
        HOME: folder,
        RABBITMQ_NODENAME: 'interop@localhost',
        RABBITMQ_CONF_ENV_FILE: '/dev/null',
        RABBITMQ_CONFIG_FILE: './rabbitmq.conf',
        RABBITMQ_ADVANCED_CONFIG_FILE: './advanced.config',
        RABBITMQ_ENABLED_PLUGINS_FILE: './enabled_plugins',
        RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
        RABBITMQ_LOGS: '-',
        RABBITMQ_DIST_PORT: String(await freePort()),
        ERL_EPMD_PORT: epmdPort,
      },
    });
  });
  afterAll(async () => {
    await server?.stop();
    await exitOf(spawn('epmd', ['-port', epmdPort, '-kill']));
    await provider?.stop();
  });

  it('gives a client the rights of its scopes, by a token for the API that it is here', async () => {
    const { app, ada } = provider;
    const { token } = await signUpOperator(app);
    const call = (method: string, path: string, body: object) =>
      app.call(method, `/api/v1/iam/${path}`, body, { token });
    const scopes = ['read', 'manage'].map((name) => ({ name, title: name }));
    const api = (await call('POST', 'apis', { identifier: IDENTIFIER, name: 'Messages', scopes })).body;
    const party = await RelyingParty.register(app);
    const reach = `satellites/${party.clientId}/apis/${String(api['id'])}`;
    expect((await call('PUT', reach, { scopes: ['read', 'manage'] })).status).toBe(200);
    const tokenOf = async (scope: string) =>
      (await party.signIn(ada.token, { resource: IDENTIFIER, scope: `openid ${scope}` })).access_token;
    const ask = async (method: string, path: string, bearer: string) => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
      const body = method === 'PUT' ? '{}' : null;
      const answer = await fetch(`http://127.0.0.1:${port}/api/${path}`, { method, headers, body });
      return [answer.status, await answer.text()];
    };
    const [managing, reading] = [await tokenOf('manage'), await tokenOf('read')];
    expect(await ask('GET', 'whoami', managing)).toEqual([200, expect.stringContaining(party.clientId)]);
    expect(await ask('PUT', 'queues/%2F/orders', managing)).toEqual([201, '']);
    expect((await ask('GET', 'queues/%2F/orders', reading))[0]).toBe(200);
    expect((await ask('PUT', 'queues/%2F/others', reading))[0]).toBe(401);
    const { access_token: forUs } = await party.signIn(ada.token);
    const [header, claims, signature = ''] = managing.split('.');
    const changed = `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    for (const refused of [forUs, changed]) expect((await ask('GET', 'whoami', refused))[0]).toBe(401);
  });
});

/** @param messages port of the messages themselves, next to the port of the API */
const configuration = ({ issuer, certificate }: Provider, port: number, messages: number) => `
auth_backends.1 = rabbit_auth_backend_oauth2
auth_oauth2.resource_server_id = ${IDENTIFIER}
auth_oauth2.jwks_url = ${issuer}/.well-known/jwks.json
auth_oauth2.https.peer_verification = verify_peer
auth_oauth2.https.cacertfile = ${certificate}
auth_oauth2.algorithms.1 = ES256
listeners.tcp.1 = 127.0.0.1:${messages}
management.tcp.ip = 127.0.0.1
management.tcp.port = ${port}
log.console = true
`;

/** What each scope of the API is in RabbitMQ's own words, after the identifier and a dot. */
const ALIASES = `[{rabbitmq_auth_backend_oauth2, [{scope_aliases, #{
  <<"read">> => [<<"${IDENTIFIER}.tag:management">>, <<"${IDENTIFIER}.read:*/*">>],
  <<"manage">> => [<<"${IDENTIFIER}.tag:administrator">>, <<"${IDENTIFIER}.read:*/*">>,
    <<"${IDENTIFIER}.write:*/*">>, <<"${IDENTIFIER}.configure:*/*">>]
}}]}].
`;
