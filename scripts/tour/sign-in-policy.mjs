const AUTH = '/api/v1/iam/auth';

/**
 * An organization that requires two factors of its members.
 * @param person who has a second factor, with the token of a trusted device
 * @param passkey of the person
 */
export async function requireFactors({ call, step, says }, { deviceToken, ...person }, passkey) {
  step('Creates an organization that requires a second factor, and trusts no devices');
  const options = await call(200, 'POST', `${AUTH}/passkeys/options`, {});
  const strong = await call(200, 'POST', `${AUTH}/passkeys/login`, passkey.assert(options));
  const company = { name: 'Lovelace Logistics' };
  const tenant = await call(201, 'POST', '/api/v1/iam/tenants', company, strong.accessToken);
  const select = (expected, token) =>
    call(expected, 'POST', `${AUTH}/select-tenant`, { tenantId: tenant.id }, token);
  const { accessToken } = await select(200, strong.accessToken);
  const policy = `/api/v1/iam/tenants/${tenant.id}/sign-in-policy`;
  await call(200, 'GET', `${policy}/impact?secondFactor=required`, undefined, accessToken);
  const required = { secondFactor: 'required', trustedDevices: false };
  await call(200, 'PUT', policy, required, accessToken);

  step('Refuses a sign-in by the trusted device, and accepts it after a step-up');
  const weak = await call(200, 'POST', `${AUTH}/login`, { ...person, deviceToken });
  const refused = await select(401, weak.accessToken);
  says('It asks for two factors.', refused.acr === 'aal2');
  const begun = await call(200, 'POST', `${AUTH}/step-up/options`, undefined, weak.accessToken);
  const answer = { method: 'passkey', ...passkey.assert(begun) };
  await call(200, 'POST', `${AUTH}/step-up`, answer, weak.accessToken);
  await select(200, weak.accessToken);
  await call(200, 'PUT', policy, { secondFactor: 'optional' }, accessToken);
}
