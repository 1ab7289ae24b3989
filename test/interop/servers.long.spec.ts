import { createPublicKey, type webcrypto } from 'node:crypto';
import { freePort } from '../support/built-service.js';
import { Person } from '../support/organization.js';
import { Program } from '../support/program.js';
import { RelyingParty } from '../support/relying-party.js';
import { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const APACHE_MODULE = '/usr/lib/apache2/modules/mod_oauth2.so';

interface Started {
  readonly port: number;
  readonly issuer: string;
  /** Address of the service, which is the issuer here. */
  readonly url: string;
  /** Public key of access tokens in PEM. */
  readonly key: string;
}
interface Server {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly files: (to: Started) => Readonly<Record<string, string>>;
}

const SERVERS: readonly Server[] = [
  {
    name: 'HAProxy with jwt_verify',
    command: 'haproxy',
    args: ['-db', '-f', 'haproxy.cfg'],
    files: ({ port, issuer, key }) => ({
      'key.pem': key,
      'haproxy.cfg': `
defaults
  mode http
  timeout client 5s
  timeout connect 5s
  timeout server 5s
frontend api
  bind 127.0.0.1:${port}
  http-request set-var(txn.token) http_auth_bearer
  http-request set-var(txn.alg) var(txn.token),jwt_header_query('$.alg')
  http-request set-var(txn.exp) var(txn.token),jwt_payload_query('$.exp','int')
  http-request set-var(txn.now) date()
  http-request deny deny_status 401 unless { var(txn.alg) -m str ES256 }
  http-request deny deny_status 401 unless { var(txn.token),jwt_header_query('$.typ') -m str at+jwt }
  http-request deny deny_status 401 unless { var(txn.token),jwt_payload_query('$.iss') -m str ${issuer} }
  http-request deny deny_status 401 unless { var(txn.token),jwt_payload_query('$.aud') -m str ${issuer} }
  http-request deny deny_status 401 unless { var(txn.token),jwt_verify(txn.alg,"key.pem") -m int 1 }
  http-request deny deny_status 401 if { var(txn.exp),sub(txn.now) -m int lt 0 }
  http-request return status 200 content-type text/plain string "orders"
`,
    }),
  },
  {
    name: 'nginx with auth_request',
    command: 'nginx',
    args: ['-e', 'stderr', '-p', '.', '-c', 'nginx.conf'],
    files: ({ port, url }) => ({
      'orders.txt': 'orders',
      'nginx.conf': `
daemon off;
user root;
pid nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  server {
    listen 127.0.0.1:${port};
    root .;
    location / {
      auth_request /token;
      try_files /orders.txt =404;
    }
    location = /token {
      internal;
      proxy_pass ${url}/oauth2/userinfo;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_set_header Authorization $http_authorization;
    }
  }
}
`,
    }),
  },
  {
    name: 'Apache with mod_oauth2',
    command: 'apache2',
    args: ['-X', '-d', '.', '-f', 'apache.conf'],
    files: ({ port, url, issuer }) => ({
      'orders.txt': 'orders',
      'apache.conf': `
Listen 127.0.0.1:${port}
ServerName 127.0.0.1
PidFile httpd.pid
ErrorLog error.log
User www-data
Group www-data
${['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'oauth2']
  .map((module) => `LoadModule ${module}_module /usr/lib/apache2/modules/mod_${module}.so`)
  .join('\n')}
DocumentRoot "."
FallbackResource /orders.txt
OAuth2TokenVerify jwks_uri ${url}/.well-known/jwks.json
<Location />
  AuthType oauth2
  Require oauth2_claim aud:${issuer}
</Location>
`,
    }),
  },
];

describeWith(['haproxy', 'nginx', 'apache2', APACHE_MODULE], 'Servers that verify access tokens', () => {
  let app: TestApp;
  let issuer: string;
  let ada: Person;
  let party: RelyingParty;
  let key: string;
  beforeAll(async () => {
    const port = await freePort();
    issuer = `http://127.0.0.1:${port}`;
    app = await TestApp.start({ PORT: String(port), PUBLIC_URL: issuer, PORTAL: 'off' });
    ada = await Person.signUp(app);
    party = await RelyingParty.register(app);
    const { body } = await app.get('/.well-known/jwks.json');
    const [jwk] = (body['keys'] as unknown as (webcrypto.JsonWebKey & { alg: string })[]).filter(
      ({ alg }) => alg === 'ES256',
    );
    key = String(createPublicKey({ key: jwk!, format: 'jwk' }).export({ type: 'spki', format: 'pem' }));
  });
  afterAll(() => app?.stop());

  it.each(SERVERS)(
    '$name lets a token of this service in, and no other',
    async ({ command, args, files }) => {
      const port = await freePort();
      const started = { port, issuer, url: app.url, key };
      const server = await Program.start(command, { port, args, files: files(started) });
      const open = async (token: string | null) => {
        const response = await fetch(`http://127.0.0.1:${port}/`, {
          headers: { ...(token !== null && { authorization: `Bearer ${token}` }) },
        });
        return [response.status, response.ok ? (await response.text()).trim() : ''];
      };
      try {
        const { access_token: token, id_token: idToken = '' } = await party.signIn(ada.token);
        expect(await open(token)).toEqual([200, 'orders']);
        const [header, claims, signature = ''] = token.split('.');
        const changed = `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
        for (const refused of [null, changed, idToken, 'x'])
          expect([await open(refused)]).toEqual([[401, '']]);
      } finally {
        await server.stop();
      }
    },
  );
});
