/**
 * Requires that an authorization request that a client of other authors made has what protects it:
 * `state` against a forged return, PKCE by `S256` and `nonce` against an injected code (RFC 9700
 * section 2.1).
 * @param hasNonce whether the client sends one
 */
export function expectGuarded(authorize: string, { hasNonce } = { hasNonce: true }): void {
  const { searchParams } = new URL(authorize);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    state: expect.stringMatching(/^.{8,}$/),
    ...(hasNonce && { nonce: expect.stringMatching(/^.{8,}$/) }),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
}
