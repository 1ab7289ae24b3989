import { Controller, Get, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Caller, GatehouseModule } from '@gatehouse/client/nestjs';
import {
  RevocationFeed,
  type AccessToken,
  type RevocationFeedOptions,
  type SecurityEvent,
} from '@gatehouse/client/verifier';
import { Person } from '../../test/support/organization.js';
import { RelyingParty } from '../../test/support/relying-party.js';
import { callSignals } from '../../test/support/signal-stream.js';
import { TcpProxy } from '../../test/support/tcp-proxy.js';
import { eventually, TestApp } from '../../test/support/test-app.js';

const ISSUER = 'http://gatehouse.test';
const LONG_MS = 20_000;

@Controller('orders')
class OrderController {
  @Get()
  list(@Caller() { userId }: AccessToken): string {
    return userId;
  }
}

describe('A service with a feed of revocations', () => {
  let app: TestApp;
  let network: TcpProxy;
  let client: RelyingParty;
  beforeAll(async () => {
    app = await TestApp.start();
    network = await TcpProxy.to(app.url);
    client = await RelyingParty.register(app);
  });
  afterAll(async () => {
    await network.close();
    await app.stop();
  });

  const credentials = () => ({ clientId: client.clientId, clientSecret: client.clientSecret });
  const origin = () => new URL(network.url).origin;
  const streams = () => app.sql('SELECT 1 FROM signal_streams');
  const startFeed = async (more: Partial<RevocationFeedOptions> = {}): Promise<RevocationFeed> => {
    const feed = new RevocationFeed({ issuer: ISSUER, url: origin(), ...credentials(), ...more });
    feed.start();
    expect(await feed.connected(LONG_MS)).toBe(true);
    return feed;
  };

  describe('on NestJS', () => {
    let service: INestApplication;
    beforeAll(async () => {
      const options = { issuer: ISSUER, audience: ISSUER, url: origin(), revocations: credentials() };
      @Module({ imports: [GatehouseModule.forRoot(options)], controllers: [OrderController] })
      class Orders {}
      service = await NestFactory.create(Orders, { logger: false });
      await service.listen(0, '127.0.0.1');
    });
    afterAll(async () => {
      await service.close();
      expect(await streams()).toEqual([]);
    });

    const status = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${await service.getUrl()}/orders`, { headers })).status;
    };

    it('refuses a session that has ended, and no other, without a request to Gatehouse for each', async () => {
      const person = await Person.signUp(app);
      const other = await Person.again(person);
      expect([await status(person.token), await status(other.token)]).toEqual([200, 200]);
      await app.post('logout', undefined, { token: person.token });
      await eventually('it is refused', async () => (await status(person.token)) === 401);
      expect(await status(other.token)).toBe(200);
    });

    it('refuses a session that has ended while it could not reach Gatehouse, once it can', async () => {
      const person = await Person.signUp(app);
      expect(await status(person.token)).toBe(200);
      await network.cut();
      await app.post('logout', undefined, { token: person.token });
      expect(await status(person.token)).toBe(200);
      await network.mend();
      await eventually('it is refused', async () => (await status(person.token)) === 401);
    });

    it('replaces its stream if that is gone, and misses nothing', async () => {
      const person = await Person.signUp(app);
      const { body } = await callSignals(client, 'GET', 'streams');
      for (const { stream_id: id } of body as unknown as { stream_id: string }[])
        await callSignals(client, 'DELETE', `streams?stream_id=${id}`);
      await app.post('logout', undefined, { token: person.token });
      await eventually('it is refused', async () => (await status(person.token)) === 401);
    });
  });

  it('knows the sessions that ended before it started, and forgets them with their tokens', async () => {
    const person = await Person.signUp(app);
    await app.post('logout', undefined, { token: person.token });
    const feed = await startFeed();
    expect([feed.hasEnded(person.sessionId), feed.hasEnded('another')]).toEqual([true, false]);
    await feed.stop();
    expect(feed.isConnected).toBe(false);
    const forgetful = await startFeed({ rememberSeconds: 0 });
    expect(forgetful.hasEnded(person.sessionId)).toBe(false);
    await forgetful.stop();
  });

  it('receives other events, each of them for its own stream', async () => {
    const events: SecurityEvent[] = [];
    const [feed, second] = [await startFeed({ onEvent: (event) => events.push(event) }), await startFeed()];
    const person = await Person.signUp(app);
    const body = { currentPassword: person.password, newPassword: 'another-harbour-43' };
    await app.call('PUT', '/api/v1/iam/me/password', body, { token: person.token });
    const isOfPerson = ({ subject, type }: SecurityEvent) =>
      subject['sub'] === person.id && type.endsWith('/credential-change');
    await eventually('the change is received', () => events.some(isOfPerson));
    await app.post('logout', undefined, { token: person.token });
    await eventually('both know', () => [feed, second].every((one) => one.hasEnded(person.sessionId)));
    await Promise.all([feed.stop(), second.stop()]);
  });

  it('is not connected with a wrong secret', async () => {
    const feed = new RevocationFeed({
      issuer: ISSUER,
      url: origin(),
      ...credentials(),
      clientSecret: 'wrong',
    });
    feed.start();
    expect(await feed.connected(50)).toBe(false);
    await feed.stop();
  });
});
