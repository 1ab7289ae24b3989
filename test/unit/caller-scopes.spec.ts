import { type AbilityRegistry, CallerScopes, EVERY_SCOPE, type HeldScopes } from '../../src/ability/index.js';
import { FIRST_PARTY_CLIENT, type Principal } from '../../src/kernel/index.js';

const RECENT = 'iam:webhook:rotate';
const OPEN = 'iam:member:read';
const OF_THE_APP = 'iam:satellite:create';
const WHOLE_ADMIN = { role: 'admin', scopes: null };
const UNDECLARED = 'iam:member:explode';

/** The scopes of callers who hold everything and run the platform, by a client registered so. */
function callerScopes(registered: readonly string[] | null): CallerScopes {
  const registry = {
    find: (scope: string) =>
      scope === UNDECLARED
        ? undefined
        : {
            audience: 'tenant',
            firstParty: scope === OF_THE_APP,
            need: scope === RECENT ? { maxAge: 600 } : null,
          },
  } as unknown as AbilityRegistry;
  const held = {
    clients: { findScopes: () => Promise.resolve(registered && new Set(registered)) },
    members: {
      findRoles: () => Promise.resolve(() => 'role'),
      findOperatorRights: () => Promise.resolve(WHOLE_ADMIN),
    },
  } as unknown as HeldScopes;
  return new CallerScopes(registry, held);
}

describe('The scopes of a caller', () => {
  it.each<[string, string, readonly string[] | null, readonly string[]]>([
    ['our own app', FIRST_PARTY_CLIENT, null, [OPEN, OF_THE_APP, UNDECLARED]],
    ['an unknown client', 'gone', null, []],
    ['a satellite without scopes', 'forum', [], []],
    ['a satellite with every scope', 'shop', [EVERY_SCOPE], [OPEN]],
    ['a satellite with two scopes', 'forum', [OPEN, OF_THE_APP], [OPEN]],
    ['a satellite with an undeclared scope', 'forum', [UNDECLARED], []],
  ])('of %s are restricted to those that it may have', async (_, clientId, registered, held) => {
    const scopes = callerScopes(registered);
    const caller = { kind: 'person', userId: 'user', tenantId: 'tenant', clientId } as Principal;
    for (const holds of [
      await scopes.getUsableScopes(caller, false),
      await scopes.findCallerScopes(caller, false),
    ])
      expect([OPEN, OF_THE_APP, UNDECLARED].filter((scope) => holds?.(scope))).toEqual(held);
  });

  it.each<[string, readonly string[] | null, readonly string[]]>([
    ['all', null, [OPEN]],
    ['none', [], []],
    ['two', [OPEN, OF_THE_APP, RECENT, UNDECLARED], [OPEN]],
  ])('who is a machine with %s of its scopes are those without a sign-in', async (_, limits, held) => {
    const scopes = limits && new Set(limits);
    const caller = { kind: 'machine', userId: 'export', tenantId: 'tenant', scopes } as Principal;
    const holds = await callerScopes(null).findCallerScopes(caller, false);
    expect([OPEN, OF_THE_APP, RECENT, UNDECLARED].filter((scope) => holds?.(scope))).toEqual(held);
  });

  it('include those of operators in the first-party app only', async () => {
    const scopes = callerScopes([EVERY_SCOPE]);
    const caller = { userId: 'operator', tenantId: null } as Principal;
    const rights = (clientId: string) => scopes.findOperatorRights({ ...caller, clientId }, false);
    expect(await rights(FIRST_PARTY_CLIENT)).toBe(WHOLE_ADMIN);
    expect(await rights('shop')).toBeNull();
  });

  it('are told by true or false, also for a client that is gone', async () => {
    const holds = await callerScopes(null).getClientScopes('gone', false);
    expect([OPEN, UNDECLARED].map(holds)).toEqual([false, false]);
  });

  it('are none without a selected tenant', async () => {
    const caller = { userId: 'user', tenantId: null, clientId: FIRST_PARTY_CLIENT } as Principal;
    expect(await callerScopes(null).findCallerScopes(caller, false)).toBeNull();
  });
});
