import { codeOf, stepAt } from '../../src/authenticator/totp/totp-code.js';
import {
  AccessTokenService,
  type AccessTokenSubject,
} from '../../src/session/tokens/access-token.service.js';
import { claimsOf } from './aged.js';
import type { Person } from './organization.js';
import { type Ceremony, type Forgery, SoftAuthenticator } from './soft-authenticator.js';
import type { Answer, ServiceClient, TestApp } from './test-app.js';

const AUTHENTICATORS = '/api/v1/iam/me/authenticators';

/** An authenticator app of a person, which shows each code once. */
export class TestTotp {
  private lastStep = 0;

  private constructor(
    readonly id: string,
    readonly secret: string,
    readonly recoveryCodes: readonly string[],
  ) {}

  /** Adds an app to the account of a person who has just signed in. */
  static async enrol(service: ServiceClient, token: string): Promise<TestTotp> {
    const begun = await service.call('POST', `${AUTHENTICATORS}/totp`, undefined, { token });
    if (begun.status !== 201) throw new Error(`The enrolment answered ${begun.status}.`);
    const { id, secret } = begun.body as unknown as { id: string; secret: string };
    for (;;) {
      const now = stepAt(Date.now());
      const step = now - 1; // the next two codes can then be used at once
      const { status, body } = await service.call(
        'POST',
        `${AUTHENTICATORS}/totp/${id}/confirm`,
        { code: codeOf(secret, step) },
        { token },
      );
      if (status === 200) {
        const totp = new TestTotp(id, secret, (body['recoveryCodes'] ?? []) as string[]);
        totp.lastStep = step;
        return totp;
      }
      // Otherwise the step has passed while the request was answered.
      if (stepAt(Date.now()) === now) throw new Error(`The confirmation answered ${status}.`);
    }
  }

  /** An app that has scanned this secret, and shows three codes at once. */
  static scanned(secret: string): TestTotp {
    return new TestTotp('', secret, []);
  }

  /** Returns a code that has not been shown and is accepted now. @throws if both have been shown */
  next(): string {
    // A code of the step before could expire before it is compared: of an app that was enrolled,
    // only codes of this step and the next are shown.
    const isScanned = this.lastStep === 0;
    this.lastStep = Math.max(this.lastStep, stepAt(Date.now()) - (isScanned ? 2 : 1)) + 1;
    if (this.lastStep > stepAt(Date.now()) + 1) throw new Error('All codes of this minute have been shown.');
    return codeOf(this.secret, this.lastStep);
  }
}

/** A passkey of a person, in an authenticator in software. */
export class TestPasskey {
  private constructor(
    readonly id: string,
    readonly authenticator: SoftAuthenticator,
    readonly recoveryCodes: readonly string[],
  ) {}

  /** Adds a passkey to the account of a person who has just signed in. */
  static async enrol(
    service: ServiceClient,
    token: string,
    flags: Forgery = {},
    origin = 'http://gatehouse.test',
  ): Promise<TestPasskey> {
    const authenticator = new SoftAuthenticator(origin, flags);
    const path = `${AUTHENTICATORS}/passkeys`;
    const begun = await service.call('POST', `${path}/options`, undefined, { token });
    const answer = authenticator.register(ceremonyOf(begun));
    const { status, body } = await service.call('POST', path, answer, { token });
    if (status !== 201) throw new Error(`The enrolment answered ${status}: ${JSON.stringify(body)}.`);
    const { id } = body['authenticator'] as unknown as { id: string };
    return new TestPasskey(id, authenticator, (body['recoveryCodes'] ?? []) as string[]);
  }

  /** Answers new options: to sign in, or with the challenge of a login, as its second factor. */
  async answer(service: ServiceClient, challenge?: unknown) {
    const options = await service.post('passkeys/options', challenge === undefined ? {} : { challenge });
    return this.authenticator.assert(ceremonyOf(options));
  }

  async signIn(service: ServiceClient): Promise<Answer> {
    return service.post('passkeys/login', await this.answer(service));
  }
}

/** Returns the options of a ceremony that a response holds. */
export const ceremonyOf = ({ body }: Answer): Ceremony => body as unknown as Ceremony;

/** Signs in by password. */
export const login = (service: ServiceClient, { email, password }: Person): Promise<Answer> =>
  service.post('login', { email, password });

/** Signs in by password and a second factor. */
export async function loginWith(service: ServiceClient, person: Person, answer: object): Promise<Answer> {
  const { body } = await login(service, person);
  return service.post('second-factor', { challenge: body['challenge'], ...answer });
}

/** The same token, but of a sign-in by two factors just now. */
export function byTwoFactors(service: TestApp, token: string): string {
  const now = new Date();
  return signedAs(service, token, { authTime: now, aal2Time: now, phrTime: null });
}

/** The same token, but of a sign-in at these times. */
export function signedAs(
  { app }: TestApp,
  token: string,
  times: Pick<AccessTokenSubject, 'authTime' | 'aal2Time' | 'phrTime'>,
): string {
  const { sub, sid, gid, tid = null, client_id: clientId, amr, scope = '' } = claimsOf(token);
  return app.get(AccessTokenService, { strict: false }).sign({
    userId: sub,
    sessionId: sid,
    grantId: gid,
    tenantId: tid,
    clientId,
    amr,
    ...times,
    trustedDevice: false,
    scopes: String(scope).split(' '),
  } as AccessTokenSubject);
}
