/**
 * A user's whole journey: registration, an organization, its members, sessions, and the end.
 * @param tour see Tour
 */
export async function journey(tour) {
  const { call, step, mailedToken } = tour;
  const person = { email: 'ada@example.com', password: 'quiet-harbour-42' };
  step('Registers');
  await call(202, 'POST', '/api/v1/iam/auth/register', {
    ...person,
    firstName: 'Ada',
    company: 'Lovelace Logistics',
  });
  await call(403, 'POST', '/api/v1/iam/auth/login', person);
  const own = await mailedToken(person.email);
  await call(400, 'POST', '/api/v1/iam/auth/register', { email: 'not an address', password: 'short' });

  step('Registers the same address a second time');
  const stranger = { email: person.email, password: 'chosen-by-a-stranger-1', firstName: 'Eve' };
  await call(202, 'POST', '/api/v1/iam/auth/register', stranger);
  const theirs = await mailedToken(person.email);
  const guess = { token: own, password: 'not-the-password' };
  await call(400, 'POST', '/api/v1/iam/auth/verify-email', guess);
  await call(204, 'POST', '/api/v1/iam/auth/refuse-registration', { token: theirs });
  await call(204, 'POST', '/api/v1/iam/auth/verify-email', { token: own, password: person.password });

  step('Signs in and reads the profile');
  const first = await call(200, 'POST', '/api/v1/iam/auth/login', person);
  await call(200, 'GET', '/api/v1/iam/me', undefined, first.accessToken);
  await call(200, 'PATCH', '/api/v1/iam/me', { marketingOptIn: true }, first.accessToken);
  await call(200, 'GET', '/api/v1/iam/me/sessions', undefined, first.accessToken);
  await call(401, 'GET', '/api/v1/iam/me');

  step('Creates an organization and works in it');
  await call(403, 'GET', '/api/v1/iam/tenants/01ARZ3NDEKTSV4RRFFQ69G5FAV', undefined, first.accessToken);
  const tenant = await call(201, 'POST', '/api/v1/iam/tenants', {}, first.accessToken);
  const owner = await call(
    200,
    'POST',
    '/api/v1/iam/auth/select-tenant',
    { tenantId: tenant.id },
    first.accessToken,
  );
  const here = `/api/v1/iam/tenants/${tenant.id}`;
  const clerk = { key: 'clerk', name: 'Clerk', scopes: ['iam:tenant:read', 'iam:member:read'] };
  await call(201, 'POST', `${here}/roles`, clerk, owner.accessToken);

  step('Invites a colleague, who registers and accepts');
  const grace = { email: 'grace@example.com', password: 'a-steady-anchor-5' };
  await call(201, 'POST', `${here}/invitations`, { email: grace.email, roles: ['clerk'] }, owner.accessToken);
  const invitation = await mailedToken(grace.email);
  await call(202, 'POST', '/api/v1/iam/auth/register', { ...grace, firstName: 'Grace' });
  await call(204, 'POST', '/api/v1/iam/auth/verify-email', { token: await mailedToken(grace.email) });
  const guest = await call(200, 'POST', '/api/v1/iam/auth/login', grace);
  await call(200, 'POST', '/api/v1/iam/auth/accept-invitation', { token: invitation }, guest.accessToken);
  const member = await call(
    200,
    'POST',
    '/api/v1/iam/auth/select-tenant',
    { tenantId: tenant.id },
    guest.accessToken,
  );

  step('Checks a permission; the command decides the same');
  const question = { scopes: ['iam:tenant:read', 'iam:tenant:archive', 'iam:member:remove'] };
  await call(200, 'POST', '/api/auth/can', question, member.accessToken);
  await call(403, 'POST', `${here}/archive`, undefined, member.accessToken);
  const { id: me } = await call(200, 'GET', '/api/v1/iam/me', undefined, first.accessToken);
  const about = { subject: `gatehouse:///iam/members/${me}`, scopes: ['iam:member:remove'] };
  await call(200, 'POST', '/api/auth/can', about, owner.accessToken);
  await call(403, 'DELETE', `${here}/members/${me}`, undefined, owner.accessToken);

  step('Is removed; the next request with the organization token is refused');
  const { id: graceId } = await call(200, 'GET', '/api/v1/iam/me', undefined, guest.accessToken);
  await call(204, 'DELETE', `${here}/members/${graceId}`, undefined, owner.accessToken);
  await call(401, 'GET', here, undefined, member.accessToken);
  await call(200, 'GET', `${here}/audit-events?limit=3`, undefined, owner.accessToken);

  step('Refreshes; retries after a lost answer; a reused old token ends the session');
  const second = await call(200, 'POST', '/api/v1/iam/auth/refresh', { refreshToken: first.refreshToken });
  await call(200, 'POST', '/api/v1/iam/auth/refresh', { refreshToken: first.refreshToken });
  await call(200, 'POST', '/api/v1/iam/auth/refresh', { refreshToken: second.refreshToken });
  await call(401, 'POST', '/api/v1/iam/auth/refresh', { refreshToken: first.refreshToken });
  await call(401, 'GET', '/api/v1/iam/me', undefined, second.accessToken);

  step('Resets the password');
  await call(202, 'POST', '/api/v1/iam/auth/request-password-reset', { email: person.email });
  person.password = 'a-new-harbour-7';
  await call(204, 'POST', '/api/v1/iam/auth/reset-password', {
    token: await mailedToken(person.email),
    newPassword: person.password,
  });

  step('Signs out everywhere');
  const phone = await call(200, 'POST', '/api/v1/iam/auth/login', person);
  const laptop = await call(200, 'POST', '/api/v1/iam/auth/login', person);
  await call(204, 'POST', '/api/v1/iam/auth/logout-others', undefined, laptop.accessToken);
  await call(401, 'GET', '/api/v1/iam/me', undefined, phone.accessToken);
  await call(204, 'POST', '/api/v1/iam/auth/logout', undefined, laptop.accessToken);

  step('Erases the account');
  const last = await call(200, 'POST', '/api/v1/iam/auth/login', person);
  await call(200, 'POST', '/api/v1/iam/auth/step-up/options', undefined, last.accessToken);
  const confirmed = await call(
    200,
    'POST',
    '/api/v1/iam/auth/step-up',
    { method: 'password', password: person.password },
    last.accessToken,
  );
  await call(204, 'DELETE', '/api/v1/iam/auth/account', undefined, confirmed.accessToken);
  await call(401, 'POST', '/api/v1/iam/auth/login', person);
}
