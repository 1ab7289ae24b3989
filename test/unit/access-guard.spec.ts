import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { AbilityService, AuthenticationCheck, SignInCheck } from '../../src/ability/index.js';
import { RequireScopes, SelectedTenantMark } from '../../src/ability/index.js';
import { AccessGuard } from '../../src/access/access.guard.js';
import { BySetupLink, type SetupLinks } from '../../src/connection/index.js';
import type { RouteQuestions } from '../../src/access/route-questions.js';
import { FIRST_PARTY_CLIENT, type Principal } from '../../src/kernel/index.js';
import { Bearer, OpenTo } from '../../src/platform/api/index.js';
import type { AppError } from '../../src/platform/errors/index.js';
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
}

const PERSON = { kind: 'person', clientId: FIRST_PARTY_CLIENT, tenantId: 'tenant' } as Principal;
const MACHINE = { kind: 'machine', clientId: 'export', tenantId: 'tenant' } as Principal;

/** What the guard has asked of the sign-in and the scopes. */
let asked: string[];
const ask = (what: string) => () => Promise.resolve(void asked.push(what));
const guard = new AccessGuard(
  { require: ask('scopes') } as unknown as AbilityService,
  { require: ask('sign-in'), requireOwnProof: ask('own proof') } as unknown as AuthenticationCheck,
  { require: ask('policy') } as unknown as SignInCheck,
  { of: () => [] } as unknown as RouteQuestions,
  { authenticate: ask('set-up link') } as unknown as SetupLinks,
);

/** @returns what was asked, or the sentence of the refusal */
async function enter(route: keyof Routes, principal: Principal): Promise<string> {
  asked = [];
  const request = { headers: {}, rawHeaders: [] } as unknown as Request;
  setAuthentication(request, { principal });
  const context = {
    getHandler: () => Routes.prototype[route],
    getClass: () => Routes,
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
  try {
    await guard.canActivate(context);
    return asked.join();
  } catch (error) {
    return (error as AppError).detail;
  }
}

describe('A route', () => {
  it.each<[keyof Routes, Principal, unknown]>([
    ['people', PERSON, ''],
    ['people', MACHINE, expect.stringContaining('This is for people.')],
    ['both', PERSON, 'own proof,policy,sign-in'],
    ['both', MACHINE, ''],
    ['machines', PERSON, expect.stringContaining('This is for service accounts.')],
    ['machines', MACHINE, ''],
    ['scoped', PERSON, 'scopes'],
    ['scoped', MACHINE, 'scopes'],
    ['scopedForBoth', PERSON, 'scopes'],
    ['scopedForBoth', MACHINE, 'scopes'],
    ['link', PERSON, 'set-up link'],
  ])('for %s is open to those whom it names', async (route, principal, outcome) => {
    expect(await enter(route, principal)).toEqual(outcome);
  });
});
