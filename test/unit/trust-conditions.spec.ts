import {
  type Conditions,
  findConditionsFault,
  findFulfilled,
  matchesGlob,
} from '../../src/machine/trust/conditions.js';

describe('A glob', () => {
  it.each([
    ['repo:octo/app:ref:refs/heads/main', 'repo:octo/app:ref:refs/heads/main', true],
    ['repo:octo/app:ref:refs/heads/main', 'repo:octo/*:ref:refs/heads/main', true],
    ['repo:octo/app/evil:ref:refs/heads/main', 'repo:octo/*:ref:refs/heads/main', false],
    ['repo:octo/app:pull_request', 'repo:octo/app:ref:refs/heads/main', false],
    ['repo:octo/app:pull_request', 'repo:octo/app:*', true],
    ['repo:octo/app:ref:refs/heads/main', 'repo:octo/app:*', false],
    ['repo:octo/app:ref:refs/heads/main', 'repo:octo/app:**', true],
    // GitLab, Kubernetes and SPIFFE
    ['project_path:ops/app:ref_type:branch:ref:main', 'project_path:ops/*:ref_type:branch:ref:main', true],
    ['project_path:ops/a/b:ref_type:branch:ref:main', 'project_path:ops/*:ref_type:branch:ref:main', false],
    ['project_path:ops/app:ref_type:tag:ref:main', 'project_path:ops/app:ref_type:branch:ref:*', false],
    ['system:serviceaccount:prod:export', 'system:serviceaccount:prod:*', true],
    ['system:serviceaccount:prod-evil:export', 'system:serviceaccount:prod:*', false],
    ['system:serviceaccount:prod:export', 'system:serviceaccount:*', false],
    ['spiffe://example.org/ns/prod/sa/export', 'spiffe://example.org/ns/prod/sa/*', true],
    ['spiffe://example.org.evil/ns/prod/sa/export', 'spiffe://example.org/**', false],
    ['octo', 'OCTO', false],
    ['octopus', 'octo', false],
    ['anoctopus', '*octo', false],
    ['a.b', 'a?b', false],
    ['', '*', true],
  ])('%s by %s: %s', (value, glob, matches) => {
    expect(matchesGlob(value, glob)).toBe(matches);
  });

  it('is compared in time that does not explode', () => {
    expect(matchesGlob('a'.repeat(16_000), `${'a**'.repeat(160)}b`)).toBe(false);
    expect(matchesGlob('a'.repeat(16_000), `${'**a'.repeat(160)}`)).toBe(true);
  });
});

describe('Conditions', () => {
  it.each([
    [{}, false],
    [{ iss: 'https://token.example' }, false],
    [{ aud: 'gatehouse' }, false],
    [{ sub: '*' }, false],
    [{ sub: '**', ref: '*a*' }, false],
    [{ sub: 7 }, false],
    [{ sub: '' }, false],
    [{ __proto__x: 'value', 'bad claim': 'value' }, false],
    [{ sub: `repo:octo/${'*a'.repeat(9)}` }, false],
    [{ sub: `repo:octo/${'**a'.repeat(8)}` }, true],
    [{ sub: 'repo:octo/*:*' }, true],
    [{ repository: 'octo/app', ref: 'refs/heads/main' }, true],
  ])('%j are accepted: %s', (conditions, accepted) => {
    expect(findConditionsFault('https://ci.example', conditions) === null).toBe(accepted);
  });

  const GITHUB = 'https://token.actions.githubusercontent.com';
  const GITLAB = 'https://gitlab.com';
  it.each([
    [GITHUB, { sub: 'repo:**' }, false],
    [GITHUB, { sub: 'repo:*/app:**' }, false],
    [GITHUB, { sub: 'repo:octo*/app:**' }, false],
    [GITHUB, { sub: 'repo:octo' }, false],
    [GITHUB, { sub: 'environment:production' }, false],
    [GITHUB, { sub: '**:ref:refs/heads/main' }, false],
    [GITHUB, { ref: 'refs/heads/main' }, false],
    [GITHUB, { actor: 'octocat', environment: 'production' }, false],
    [GITHUB, { repository: '*/app' }, false],
    [GITHUB, { repository_owner: 'octo*' }, false],
    [GITHUB, { job_workflow_ref: 'octo/app/.github/workflows/ci.yml@refs/heads/main' }, false],
    [GITHUB, { sub: 'repo:octo/*:**' }, true],
    [GITHUB, { sub: 'repo:octo@7/app@8:ref:refs/heads/main' }, true],
    [GITHUB, { sub: 'repository_owner_id:7:**' }, true],
    [GITHUB, { repository: 'octo/*' }, true],
    [GITHUB, { repository_owner: 'octo' }, true],
    [GITHUB, { ref: 'refs/heads/main', repository_id: '1234' }, true],
    [GITLAB, { sub: 'project_path:**' }, false],
    [GITLAB, { ref: 'main' }, false],
    [GITLAB, { project_path: 'ops/*' }, true],
    [GITLAB, { sub: 'project_path:ops/app:ref_type:branch:ref:main' }, true],
    [GITLAB, { namespace_path: 'ops' }, true],
    [GITLAB, { namespace_path: 'ops*' }, false],
  ])('for %s, %j: accepted: %s, as they name whose workload it is', (issuer, conditions, accepted) => {
    expect(findConditionsFault(issuer, conditions) === null).toBe(accepted);
  });

  it('must all be fulfilled, by own claims that are texts, numbers or true', () => {
    const claims = { repository: 'octo/app', ref: 'refs/heads/main', run: 7, list: ['octo/app'] };
    expect(fulfils(claims, { repository: 'octo/*', ref: 'refs/heads/main', run: '7' })).toBe(true);
    expect(fulfils(claims, { repository: 'octo/app', ref: 'refs/heads/next' })).toBe(false);
    expect(fulfils(claims, { actor: '*' })).toBe(false);
    expect(fulfils(claims, { list: 'octo/app' })).toBe(false);
    expect(fulfils(claims, { toString: '*' })).toBe(false);
  });

  it('F5: are compared at a bounded number of positions', () => {
    const sub = 'a'.repeat(600);
    expect(fulfils({ sub }, { sub: 'a**'.repeat(20) })).toBe(true);
    const conditions = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`c${n}`, 'a**'.repeat(160)]));
    const claims = Object.fromEntries(Object.keys(conditions).map((claim) => [claim, sub]));
    expect(fulfils(claims, conditions)).toBe(false);
    expect(fulfils({ sub: 'a'.repeat(16_000) }, { sub: 'a'.repeat(500) })).toBe(false);
  });

  it('F5: of all rules of an account are compared at a bounded number of positions together', () => {
    const claims = { sub: `${'a'.repeat(10_000)}b` };
    const rules = (count: number) => [
      ...Array.from({ length: count }, () => ({ conditions: { sub: '**c' } })),
      { conditions: { sub: '**b' } },
    ];
    expect(findFulfilled(claims, rules(2))).toEqual({ conditions: { sub: '**b' } });
    expect(findFulfilled(claims, rules(19))).toBeUndefined();
  });
});

const fulfils = (claims: Readonly<Record<string, unknown>>, conditions: Conditions): boolean =>
  findFulfilled(claims, [{ conditions }]) !== undefined;
