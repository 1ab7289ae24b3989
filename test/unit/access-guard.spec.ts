import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { AbilityService, AuthenticationCheck, SignInCheck } from '../../src/ability/index.js';
import { RequireScopes, SelectedTenantMark } from '../../src/ability/index.js';
import { AccessGuard } from '../../src/access/access.guard.js';
import { BySetupLink, type SetupLinks } from '../../src/connection/index.js';
import type { RouteQuestions } from '../../src/ability/scoped-access.js';
import type { DirectoryAccess } from '../../src/directory/index.js';
import { FIRST_PARTY_CLIENT, type Principal } from '../../src/kernel/index.js';
import { Bearer, OpenTo, Public } from '../../src/platform/api/index.js';
import { AppError } from '../../src/platform/errors/index.js';
import { setAuthentication } from '../../src/platform/web/index.js';

class Routes {
  @Bearer('app and satellites')
  people(): void {}
  @Bearer('app', { maxAge: 600 })
  @SelectedTenantMark(true)
  @OpenTo('people and machines')
  both(): void {}
  @Bearer('app')
  @OpenTo('machines')
  machines(): void {}
  @RequireScopes('iam:member:read')
  scoped(): void {}
  @RequireScopes('iam:member:read')
  @OpenTo('people and machines')
  scopedForBoth(): void {}
  @BySetupLink('sso')
  link(): void {}
  @Bearer('app')
  ofThePerson(): void {}
  @Bearer('app', { acr: 'aal2' })
  strong(): void {}
  @Bearer('app', { ownProof: 'by-handler' })
  judgedByHandler(): void {}
  @Bearer('app and satellites', { impersonation: true })
  support(): void {}
  @Bearer('openid clients')
  openid(): void {}
  @Public('Anyone may read it.')
  open(): void {}
  undeclared(): void {}
}

const PERSON = { kind: 'person', clientId: FIRST_PARTY_CLIENT, tenantId: 'tenant' } as Principal;
const OF_SATELLITE = { ...PERSON, clientId: 'shop' } as Principal;
const OF_OPENID = { ...OF_SATELLITE, grantedScopes: new Set(['openid']) } as unknown as Principal;
const ACTING = { ...PERSON, actorId: 'operator' } as Principal;
const MACHINE = { kind: 'machine', clientId: 'export', tenantId: 'tenant' } as Principal;

const UNAUTHENTICATED = new AppError('unauthenticated');
const APP_ONLY = expect.stringContaining('not for a satellite') as unknown;
const NO_SUPPORT = expect.stringContaining('Support cannot') as unknown;

/** What the guard has asked of the sign-in and the scopes. */
let asked: string[];
const ask = (what: string) => () => Promise.resolve(void asked.push(what));
const guard = new AccessGuard(
  { require: ask('scopes') } as unknown as AbilityService,
  { require: ask('sign-in'), requireOwnProof: ask('own proof') } as unknown as AuthenticationCheck,
  { require: ask('policy') } as unknown as SignInCheck,
  { of: () => [] } as unknown as RouteQuestions,
  { authenticate: ask('set-up link') } as unknown as SetupLinks,
  { authenticate: ask('directory') } as unknown as DirectoryAccess,
);

/** @returns what was asked, or the sentence of the refusal */
async function enter(route: keyof Routes, principal: Principal | null, method = 'GET'): Promise<string> {
  asked = [];
  const request = { headers: {}, rawHeaders: [], method } as unknown as Request;
  setAuthentication(request, principal ? { principal } : { principal, refusal: UNAUTHENTICATED });
  const context = {
    getHandler: () => Routes.prototype[route],
    getClass: () => Routes,
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
  try {
    return (await guard.canActivate(context)) ? asked.join() : 'denied';
  } catch (error) {
    return (error as AppError).detail;
  }
}

describe('A route', () => {
  it.each<[keyof Routes, Principal, unknown]>([
    ['people', PERSON, ''],
    ['people', MACHINE, expect.stringContaining('This is for people.')],
    ['both', PERSON, 'own proof,policy,sign-in'],
    ['both', { ...PERSON, tenantId: null } as Principal, 'own proof,sign-in'],
    ['both', MACHINE, ''],
    ['machines', PERSON, expect.stringContaining('This is for service accounts.')],
    ['machines', MACHINE, ''],
    ['scoped', PERSON, 'scopes'],
    ['scoped', MACHINE, 'scopes'],
    ['scopedForBoth', PERSON, 'scopes'],
    ['scopedForBoth', MACHINE, 'scopes'],
    ['link', PERSON, 'set-up link'],
    ['people', OF_SATELLITE, ''],
    ['people', OF_OPENID, expect.stringContaining('what its scopes name only')],
    ['ofThePerson', OF_SATELLITE, APP_ONLY],
    ['ofThePerson', OF_OPENID, APP_ONLY],
    ['openid', OF_OPENID, ''],
    ['openid', PERSON, expect.stringContaining('is not one of OpenID Connect')],
    ['undeclared', PERSON, new AppError('forbidden').detail],
    ['open', PERSON, ''],
  ])('for %s is open to those whom it names', async (route, principal, outcome) => {
    expect(await enter(route, principal)).toEqual(outcome);
  });

  it.each<[keyof Routes, string]>([
    ['open', ''],
    ['link', 'set-up link'],
    ['scoped', UNAUTHENTICATED.detail],
    ['people', UNAUTHENTICATED.detail],
    ['undeclared', UNAUTHENTICATED.detail],
  ])('for %s asks those without a token for one, unless it needs none', async (route, outcome) => {
    expect(await enter(route, null)).toBe(outcome);
  });

  it.each<[keyof Routes, string, string]>([
    ['ofThePerson', 'GET', ''],
    ['ofThePerson', 'HEAD', ''],
    ['ofThePerson', 'POST', 'own proof'],
    ['people', 'POST', ''],
    ['strong', 'GET', 'own proof,sign-in'],
    ['judgedByHandler', 'POST', ''],
  ])('for %s asks on %s for the proofs that it needs', async (route, method, outcome) => {
    expect(await enter(route, PERSON, method)).toBe(outcome);
  });

  it.each<[keyof Routes, string, unknown]>([
    ['ofThePerson', 'GET', ''],
    ['ofThePerson', 'POST', NO_SUPPORT],
    ['people', 'DELETE', NO_SUPPORT],
    ['strong', 'GET', NO_SUPPORT],
    ['both', 'GET', NO_SUPPORT],
    ['support', 'POST', ''],
  ])('for %s lets an operator who acts as the person read on %s', async (route, method, outcome) => {
    expect(await enter(route, ACTING, method)).toEqual(outcome);
  });
});
