/** @service separate */
import { Module } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport, { Strategy } from 'passport';
import { CarrierPortalModule } from '../../../examples/carrier-portal/carrier-portal.module.js';
import {
  CARRIER_PORTAL,
  CarrierPortalStrategy,
} from '../../../examples/carrier-portal/carrier-portal.strategy.js';
import {
  ExternalProvider,
  FlowStrategy,
  SignInError,
  Unregistered,
  type FlowStep,
  type ProvenProfile,
  type SignInStrategy,
} from '../../../src/external-identity/index.js';
import { ExternalLab, KINDS } from '../../support/external-lab.js';
import { CarrierPortalStandIn } from '../../support/external-portal.js';
import { ExternalVisitor, type Landing } from '../../support/external.js';
import { TestApp } from '../../support/test-app.js';

const CARRIER = 'carrier_portal';
/** Concurrent flows of a kind. The OpenID Connect stand-in knows one person at a time. */
const flowsOf = (kind: string): number => (kind === 'oidc' ? 1 : 3);

/** An application with providers of its own. */
class Site {
  private constructor(
    readonly name: string,
    readonly app: TestApp,
    readonly lab: ExternalLab,
    readonly portal: CarrierPortalStandIn,
  ) {}

  static async start(name: string): Promise<Site> {
    const lab = await ExternalLab.start();
    const portal = await new CarrierPortalStandIn().listen();
    const { url, clientId, clientSecret } = portal;
    const module = CarrierPortalModule.for({ url, clientId, clientSecret });
    return new Site(name, await TestApp.start(lab.settings, false, [module]), lab, portal);
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await this.lab.close();
    await this.portal.close();
  }

  /** Starts a flow. @returns its end: the callback, and who has signed in by it */
  async begin(kind: string, subject: string): Promise<() => Promise<string[]>> {
    const visitor = new ExternalVisitor(this.app, kind);
    const url = String((await visitor.start()).body['authorizationUrl']);
    const answer = this.answer(kind, url, subject);
    return async () => this.identityAfter(await visitor.bring(answer));
  }

  private answer(kind: string, url: string, subject: string): URL | Record<string, string> {
    if (kind !== CARRIER) return this.lab.answer(kind as (typeof KINDS)[number], url, subject);
    this.portal.person = { id: subject };
    const callback = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
    callback.search = new URLSearchParams(this.portal.consent(url)).toString();
    return callback;
  }

  private async identityAfter({ status, fragment }: Landing): Promise<string[]> {
    if (fragment['access_token'] === undefined) return [String(status), fragment['error'] ?? ''];
    const { body } = await this.app.get('/api/v1/iam/me', fragment['access_token']);
    const sql = 'SELECT kind, subject FROM external_identities WHERE account_id = $1';
    const identities = await this.app.sql<{ kind: string; subject: string }>(sql, [body['id']]);
    return identities.flatMap(({ kind, subject }) => [kind, subject]);
  }
}

describe('Two applications in one process, with other providers each', () => {
  let sites: Site[];
  beforeAll(async () => {
    sites = [await Site.start('first'), await Site.start('second')];
  });
  afterAll(() => Promise.all(sites.map((site) => site.stop())));

  it.each([...KINDS, CARRIER])(
    'sign each of concurrent callbacks of %s in as the person of its own flow',
    async (kind) => {
      const flows = sites.flatMap((site) =>
        Array.from({ length: flowsOf(kind) }, (_, n) => ({ site, subject: `${site.name}-${n}` })),
      );
      const ends = await Promise.all(flows.map(({ site, subject }) => site.begin(kind, subject)));
      const identities = await Promise.all(ends.map((end) => end()));
      expect(identities).toEqual(flows.map(({ subject }) => [kind, subject]));
    },
  );

  it('register no strategy with passport, which the process shares', () => {
    const { _strategies: registered } = passport as unknown as { _strategies: object };
    expect(Object.keys(registered)).toEqual(['session']);
  });
});

const PERSON: ProvenProfile = {
  issuer: 'https://tickets.example',
  subject: 'ada',
  email: null,
  emailProof: 'none',
  firstName: null,
};

/** A strategy as a library has it: it knows nothing of flows. */
class TicketLibrary extends Strategy {
  constructor(private readonly verify: (ticket: unknown, done: (...result: unknown[]) => void) => void) {
    super();
  }

  override authenticate(request: Request, _options?: object): void {
    const { ticket } = request.query;
    if (ticket === undefined) return this.redirect('https://tickets.example/sign-in');
    this.verify(ticket, (error, person) => {
      if (error !== null) this.error(error);
      else if (person === null) this.fail('not a ticket');
      else this.success(person as Express.User);
    });
  }
}

@ExternalProvider('ticket', 'a ticket')
class TicketStrategy
  extends PassportStrategy(Unregistered(TicketLibrary), 'ticket')
  implements SignInStrategy
{
  readonly configured = true;

  override authenticate(request: Request, { flow, callback }: FlowStep): void {
    if (callback) return super.authenticate(request);
    const { redirect } = this;
    this.redirect = (url) => redirect(`${url}?state=${flow.state}`);
    super.authenticate(request);
  }

  validate(ticket: string): ProvenProfile | null {
    return ticket === 'valid' ? PERSON : null;
  }
}

@ExternalProvider('protocol', 'a protocol of our own')
class ProtocolStrategy extends PassportStrategy(FlowStrategy, 'protocol') implements SignInStrategy {
  readonly configured = true;

  async authorizationUrl({ state }: FlowStep['flow']): Promise<URL> {
    return new URL(`https://protocol.example/sign-in?state=${state}`);
  }

  async validate(_: unknown, { answer }: Record<string, string>): Promise<ProvenProfile | URL | null> {
    if (answer === 'fault') throw new TypeError('A fault in the strategy.');
    if (answer === 'refusal') throw new SignInError('access_denied');
    if (answer === 'once more') return new URL('https://protocol.example/once-more');
    return null;
  }
}

@ExternalProvider('faulty_portal', 'a portal')
class FaultyPortalStrategy extends CarrierPortalStrategy {
  override validate(): never {
    throw new TypeError('A fault in the strategy.');
  }
}

describe('A strategy of another module', () => {
  let portal: CarrierPortalStandIn;
  let app: TestApp;
  beforeAll(async () => {
    portal = await new CarrierPortalStandIn().listen();
    const { url, clientId, clientSecret } = portal;
    @Module({
      providers: [
        { provide: CARRIER_PORTAL, useValue: { url, clientId, clientSecret } },
        FaultyPortalStrategy,
        ProtocolStrategy,
        TicketStrategy,
      ],
    })
    class StrategiesModule {}
    app = await TestApp.start({}, false, [StrategiesModule]);
  });
  afterAll(async () => {
    await app.stop();
    await portal.close();
  });

  /** Starts a flow and comes back with these parameters. */
  const comeBack = async (kind: string, parameters: Record<string, string>): Promise<Landing> => {
    const visitor = new ExternalVisitor(app, kind);
    const { body } = await visitor.start();
    const { searchParams } = new URL(String(body['authorizationUrl']));
    const query = new URLSearchParams({ state: searchParams.get('state') ?? '', ...parameters });
    return visitor.open(`/api/iam/auth/external/${kind}/callback?${query.toString()}`);
  };

  it('is any strategy of passport, kept out of its registry', async () => {
    expect((await comeBack('ticket', { ticket: 'valid' })).fragment).toHaveProperty('access_token');
    expect((await comeBack('ticket', { ticket: 'forged' })).fragment).toMatchObject({
      error: 'invalid_response',
    });
  });

  it.each([
    ['an internal error for an exception', 'fault', 'server_error'],
    ['the reason of a SignInError', 'refusal', 'access_denied'],
    ['an invalid response for no profile', 'nothing', 'invalid_response'],
  ])('returns with %s', async (_, answer, error) => {
    const landing = await comeBack('protocol', { answer });
    expect(landing).toMatchObject({ returnUri: 'http://gatehouse.test', fragment: { error } });
  });

  it('sends the person to the provider once more', async () => {
    const landing = await comeBack('protocol', { answer: 'once more' });
    expect(landing).toMatchObject({ status: 303, returnUri: 'https://protocol.example/once-more' });
  });

  it('of the OAuth family returns with an internal error for an exception of validate', async () => {
    const visitor = new ExternalVisitor(app, 'faulty_portal');
    const back = portal.consent(String((await visitor.start()).body['authorizationUrl']));
    const query = new URLSearchParams(back).toString();
    const landing = await visitor.open(`/api/iam/auth/external/faulty_portal/callback?${query}`);
    expect(landing.fragment).toMatchObject({ error: 'server_error' });
  });
});
