/** @service separate */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, createServer, type Http2ServerRequest } from 'node:http2';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import { Controller, Get, Logger, Module, type INestApplication, type Type } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import {
  Caller,
  Confirmed,
  GatehouseModule,
  Public,
  RequireScopes,
  RequireSignIn,
} from '@gatehouse/client/nestjs';
import { Verifier, type AccessToken } from '@gatehouse/client/verifier';
import { ShipmentsModule } from '../../examples/shipments/src/shipments/shipments.module.js';
import { signedAs } from '../../test/support/factors.js';
import { Genuine } from '../../test/support/forged-tokens.js';
import { Organization, Person, type Member } from '../../test/support/organization.js';
import { isPrintable, otherSpellings } from '../../test/support/spellings.js';
import { TestApp } from '../../test/support/test-app.js';
import { labels } from '../examples/labels.js';
import { GatehouseGuard } from '../src/nestjs/gatehouse.guard.js';
import { toHttpException } from '../src/nestjs/refusal.js';

/**
 * The client of Node.js sends such a header twice only with this option, which its types do not
 * declare yet.
 */
const SENDS_TWICE: object = { strictSingleValueFields: false };
const AUDIENCE = 'https://api.example.com';

@Controller('prices')
@Public('but for one')
class PriceController {
  @Get()
  read(): string {
    return 'Two.';
  }

  @Get('secret')
  @RequireScopes()
  secret(@Caller() { userId }: AccessToken): string {
    return userId;
  }

  @Get('confirmed')
  @Confirmed()
  confirmed(@Caller() { userId }: AccessToken): string {
    return userId;
  }
}

@Controller('costs')
@RequireScopes('logistics:shipment:dispatch')
@Confirmed()
class CostController {
  @Get()
  @Confirmed()
  read(): string {
    return 'One.';
  }

  @Get('kinds')
  @Public('contains no personal data')
  kinds(): string {
    return 'Freight.';
  }
}

@Controller('refunds')
@RequireSignIn({ acr: 'aal2', maxAge: 300 })
@Public('but for what asks for a sign-in')
class RefundController {
  @Get()
  @RequireScopes('logistics:shipment:dispatch')
  read(): string {
    return 'Three.';
  }

  @Get('mine')
  mine(): string {
    return 'Four.';
  }

  @Get('recent')
  @RequireSignIn({ maxAge: 60 })
  recent(): string {
    return 'Five.';
  }
}

/** examples/labels.ts, which knows only the address of Gatehouse. */
describe('A NestJS service in another process', () => {
  let app: TestApp;
  let service: INestApplication;
  let url: string;
  let organization: Organization;
  let member: Member;
  beforeAll(async () => {
    app = await TestApp.start({ TOKEN_AUDIENCE: AUDIENCE }, false, [ShipmentsModule]);
    service = await listen(labels({ issuer: 'http://gatehouse.test', audience: AUDIENCE, url: app.url }));
    url = await service.getUrl();
    organization = await Organization.found(app);
    member = await organization.join('member');
  });
  afterAll(async () => {
    await service.close();
    await app.stop();
  });

  const listen = async (module: Type): Promise<INestApplication> => {
    const nest = await NestFactory.create(module, { logger: false });
    await nest.listen(0, '127.0.0.1');
    return nest;
  };
  const ask = async (path: string, token?: string, method = 'GET', base = url) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(`${base}${path}`, { method, headers });
    const text = await answer.text();
    const json = answer.headers.get('content-type')?.includes('json') === true;
    return {
      status: answer.status,
      headers: answer.headers,
      body: (json ? JSON.parse(text) : text) as unknown,
    };
  };
  const remove = (token: string) => ask('/labels/7', token, 'DELETE');

  it('provides the caller and the tenant', async () => {
    expect(await ask('/labels', organization.owner.token)).toMatchObject({
      status: 200,
      body: { labelsOf: organization.id },
    });
    expect(await ask('/labels/mine', member.person.token)).toMatchObject({
      status: 200,
      body: { printedBy: member.person.id },
    });
  });

  it('requires a token, except at public routes', async () => {
    const { status, headers, body } = await ask('/labels/mine');
    expect([status, headers.get('content-type')]).toEqual([
      401,
      expect.stringContaining('application/problem+json'),
    ]);
    // Without a token no error is named (RFC 6750 section 3.1).
    expect(headers.get('www-authenticate')).toBe('Bearer realm="gatehouse"');
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
      detail: expect.any(String),
    });
    expect((await ask('/labels/formats')).body).toEqual(['A6', 'A5']);
  });

  it('says which check failed to the log, and not to the caller', async () => {
    const log = jest.spyOn(Logger.prototype, 'debug').mockReturnValue();
    try {
      const genuine = await Genuine.of(app);
      const expired = genuine.signed({}, { iat: 1_700_000_000, exp: 1_700_000_600 });
      for (const [token, reason] of [
        [expired, '"exp" claim timestamp check failed'],
        [
          genuine.signed({}, { client_id: 'dock' }),
          'issued to the client dock, which is not one of `clients`',
        ],
        [genuine.signed({}, { amr: undefined }), 'claim amr missing or of the wrong type'],
      ] as const) {
        const { status, headers, body } = await ask('/labels/mine', token);
        expect([status, headers.get('www-authenticate')]).toEqual([
          401,
          'Bearer realm="gatehouse", error="invalid_token"',
        ]);
        expect(JSON.stringify(body)).not.toContain('claim');
        expect(log).toHaveBeenLastCalledWith(`Refused an access token: ${reason}.`);
      }
    } finally {
      log.mockRestore();
    }
  });

  it('lets a service account in by token or key, but not where a sign-in is required', async () => {
    const account = { name: 'Carrier', roles: ['admin'] };
    const { id } = (await organization.call('POST', '/service-accounts', account)).body;
    const path = `/service-accounts/${String(id)}/keys`;
    const key = String((await organization.call('POST', path, { name: 'Nightly' })).body['key']);
    expect((await ask('/labels/mine', key)).status).toBe(401);
    const options = { issuer: 'http://gatehouse.test', audience: AUDIENCE, url: app.url, serviceKeys: true };
    @Module({
      imports: [GatehouseModule.forRoot(options)],
      controllers: [CostController, RefundController],
    })
    class Costs {}
    const nest = await listen(Costs);
    try {
      const base = await nest.getUrl();
      expect((await ask('/costs', key, 'GET', base)).body).toBe('One.');
      for (const refund of ['/refunds', '/refunds/mine', '/refunds/recent'])
        expect(await ask(refund, key, 'GET', base)).toMatchObject({
          status: 403,
          body: { detail: 'This is for people. A service account cannot do it.' },
        });
    } finally {
      await nest.close();
    }
  });

  it('refuses a forged token, and two headers of which one is valid', async () => {
    const genuine = await Genuine.of(app);
    expect((await ask('/labels/mine', genuine.signed({ alg: 'none' }))).status).toBe(401);
    const twice = await new Promise<number | undefined>((resolve, reject) => {
      const authorization = [`Bearer ${genuine.accessToken}`, 'Bearer x'];
      request(`${url}/labels/mine`, { headers: { authorization: authorization as never } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(twice).toBe(401);
  });

  it('refuses all other spellings of a token, and other header parameters', async () => {
    const { accessToken } = await Genuine.of(app);
    const status = async (authorization: string): Promise<number> => {
      const socket = connectTcp(Number(new URL(url).port), new URL(url).hostname);
      socket.write(
        `GET /labels/mine HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\n\r\n`,
      );
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      return Number(answer.split(' ')[1]);
    };
    // Whitespace around the value of a header is not part of it (RFC 9110 section 5.5); a line
    // break ends the value.
    const texts = otherSpellings(accessToken).filter(
      (text) => text.trim() !== accessToken && isPrintable(text),
    );
    for (const text of [...texts, `\ufeff${accessToken}`, `"${accessToken}"`, `<${accessToken}>`])
      expect({ text: text.slice(-60), status: await status(`Bearer ${text}`) }).toMatchObject({
        status: 401,
      });
    for (const scheme of [
      '',
      'Bearer',
      'Bearer\t',
      'Bearer:',
      'Bearer,',
      'Bearer  Bearer ',
      '\ufeffBearer ',
      'Basic ',
    ])
      expect({ scheme, status: await status(scheme + accessToken) }).toMatchObject({ status: 401 });
    for (const scheme of ['Bearer ', 'bearer ', 'BEARER  '])
      expect(await status(scheme + accessToken)).toBe(200);
  });

  it('refuses them over HTTP/2 as well', async () => {
    const { accessToken } = await Genuine.of(app);
    const guard = new GatehouseGuard(
      new Verifier({ issuer: 'http://gatehouse.test', audience: AUDIENCE, url: app.url }),
      new Reflector(),
    );
    class Anything {}
    // Express does not support HTTP/2; adapters that do pass the request of Node.js.
    const contextOf = (asked: Http2ServerRequest) =>
      new ExecutionContextHost([asked, { header: () => undefined }], Anything, () => undefined);
    const server = createServer((asked, reply) => {
      guard.canActivate(contextOf(asked)).then(
        () => reply.writeHead(200).end(),
        (refusal: { getStatus(): number }) => reply.writeHead(refusal.getStatus()).end(),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect(`http://127.0.0.1:${port}`, SENDS_TWICE);
    const status = async (...authorization: string[]) => {
      const [headers] = await once(
        client.request(authorization.flatMap((value) => ['Authorization', value])),
        'response',
      );
      return headers[':status'];
    };
    try {
      expect(await status()).toBe(401);
      expect(await status(`Bearer ${accessToken}`)).toBe(200);
      expect(await status(`Bearer ${accessToken}`, 'Bearer x')).toBe(401);
    } finally {
      client.close();
      server.close();
    }
  });

  it('denies scopes that are not held, and those that require a tenant, and names them', async () => {
    const scope = 'logistics:shipment:dispatch';
    const challenge = `Bearer realm="gatehouse", error="insufficient_scope", scope="${scope}"`;
    const denied = await remove(member.token);
    expect(denied).toMatchObject({
      status: 403,
      body: { code: 'scope_not_held', detail: `You do not hold the permission ${scope}.` },
    });
    expect(denied.headers.get('www-authenticate')).toBe(challenge);
    const outside = await ask('/labels', organization.owner.person.token);
    expect(outside).toMatchObject({ status: 403, body: { code: 'tenant_required' } });
    expect(outside.headers.get('www-authenticate')).toBe(challenge);
    expect(await remove(organization.owner.token)).toMatchObject({ status: 200, body: { removed: '7' } });
  });

  it('uses the permission check if the scopes do not fit into the token', async () => {
    const genuine = await Genuine.of(app);
    const without = (token: string) => {
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
      return genuine.signedAsIs({ ...claims, scope: undefined });
    };
    expect((await ask('/labels', without(organization.owner.token))).status).toBe(200);
    expect((await ask('/labels', without(member.token))).status).toBe(403);
  });

  it('notices a logout at once at confirmed routes, and at expiry of the token at others', async () => {
    const person = await Person.again(organization.owner.person);
    const token = await person.select(organization.id);
    await app.post('logout', undefined, { token });
    expect((await remove(token)).status).toBe(401);
    expect((await ask('/labels', token)).status).toBe(200);
  });

  it('answers 503 if Gatehouse cannot be reached', async () => {
    const away = await listen(labels({ issuer: 'http://127.0.0.1:1', audience: AUDIENCE }));
    try {
      const { status, headers } = await ask('/labels', member.token, 'GET', await away.getUrl());
      expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    } finally {
      await away.close();
    }
  });

  it('leaves an error that is no refusal as it is, for the filters of the service', () => {
    const error = new Error('A fault of the service.');
    const header = jest.fn();
    expect(toHttpException(error, { header })).toBe(error);
    expect(header).not.toHaveBeenCalled();
  });

  describe('lets the metadata of a handler override its controller:', () => {
    let nest: INestApplication;
    let base: string;
    beforeAll(async () => {
      const options = { issuer: 'http://gatehouse.test', audience: AUDIENCE, url: app.url };
      const controllers = [PriceController, CostController, RefundController];
      @Module({ imports: [GatehouseModule.forRoot(options)], controllers })
      class Prices {}
      nest = await listen(Prices);
      base = await nest.getUrl();
    });
    afterAll(() => nest.close());

    it.each(['secret', 'confirmed'])('requires a token at %s in a public controller', async (path) => {
      expect((await ask('/prices', undefined, 'GET', base)).body).toBe('Two.');
      expect((await ask(`/prices/${path}`, undefined, 'GET', base)).status).toBe(401);
      expect((await ask(`/prices/${path}`, member.token, 'GET', base)).body).toBe(member.person.id);
    });

    const aged = (token: string, seconds: number, isStrong: boolean) => {
      const at = new Date(Date.now() - seconds * 1_000);
      return signedAs(app, token, { authTime: at, aal2Time: isStrong ? at : null, phrTime: null });
    };

    it('requires a sign-in of the declared strength and age', async () => {
      const { token } = organization.owner;
      for (const path of ['/refunds', '/refunds/mine']) {
        expect((await ask(path, undefined, 'GET', base)).status).toBe(401);
        for (const weak of [aged(token, 0, false), aged(token, 330, true)]) {
          const { status, headers, body } = await ask(path, weak, 'GET', base);
          expect([status, headers.get('www-authenticate')]).toEqual([
            401,
            'Bearer realm="gatehouse", error="insufficient_user_authentication", acr_values="aal2", max_age="300"',
          ]);
          expect(body).toMatchObject({ code: 'authentication_insufficient', acr: 'aal2', maxAge: 300 });
        }
        expect((await ask(path, aged(token, 270, true), 'GET', base)).status).toBe(200);
      }
      expect((await ask('/refunds/recent', aged(token, 30, false), 'GET', base)).body).toBe('Five.');
      const old = await ask('/refunds/recent', aged(token, 90, true), 'GET', base);
      expect(old).toMatchObject({ status: 401, body: { acr: 'aal1', maxAge: 60 } });
      expect(old.headers.get('www-authenticate')).not.toContain('acr_values');
    });

    it('does not ask the person to confirm what is refused anyway', async () => {
      expect((await ask('/refunds', aged(member.token, 0, false), 'GET', base)).status).toBe(403);
    });

    it('requires none at a public handler of a protected controller', async () => {
      expect((await ask('/costs/kinds', undefined, 'GET', base)).body).toBe('Freight.');
    });

    it('requires the scopes of the controller at a confirmed handler', async () => {
      expect((await ask('/costs', member.token, 'GET', base)).status).toBe(403);
      expect((await ask('/costs', organization.owner.token, 'GET', base)).body).toBe('One.');
    });
  });
});
