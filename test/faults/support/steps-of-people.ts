import { ulid } from 'ulid';
import { pick, sessionOf, type Person, type Step, type World } from './person.js';
import { pkce } from '../../support/satellite.js';

const AUTH = '/api/v1/iam/auth';
const ME = '/api/v1/iam/me';
/** Bound for an access token of an ended session (API-5). */
const REVOCATION_BOUND_MS = 5_000;
/**
 * Time within which a change at one replica reaches the others (API-5); until then they may return
 * the old name.
 */
const HEARD_WITHIN_MS = 1_000;
/** Default of REFRESH_RETRY_WINDOW, which is less than the lifetime of an access token. */
const RETRY_WINDOW_MS = 30_000;
const ACCESS_USED_FOR_MS = 400_000;

/** A signed-in user without an unanswered request that must be settled first. */
export const settled = (person: Person): boolean =>
  person.stage === 'active' &&
  person.password.certain &&
  person.sessions.length > 0 &&
  person.sessions.every(
    ({ unansweredSince, accessAt }) => unansweredSince === null && Date.now() - accessAt < ACCESS_USED_FOR_MS,
  );

async function register(person: Person, { wire }: World): Promise<void> {
  const { email, password, firstName } = person;
  const body = { email, password: password.latest, firstName: firstName.latest };
  const reply = await wire.ask({ method: 'POST', path: `${AUTH}/register`, body, expect: [202] });
  // Unanswered: another user registers instead.
  person.stage = reply.outcome === 'answered' ? 'pending' : 'lost';
}

async function verify(person: Person, { wire, mailbox }: World): Promise<void> {
  const [token] = mailbox.of(person.email, 'verify-email');
  const expect = person.verifying ? [204, 400] : [204];
  const reply = await wire.ask({ method: 'POST', path: `${AUTH}/verify-email`, body: { token }, expect });
  if (reply.outcome === 'answered') person.stage = 'active';
  else person.verifying = true;
}

async function login(person: Person, { wire }: World): Promise<void> {
  const { email, password } = person;
  const attempt = password.latest;
  const reply = await wire.ask({
    method: 'POST',
    path: `${AUTH}/login`,
    body: { email, password: attempt },
    expect: password.certain ? [200] : [200, 401],
  });
  if (reply.outcome !== 'answered') return;
  if (reply.status === 401) return person.password.settle(password.all[0] ?? '');
  person.password.settle(attempt);
  person.sessions.push(sessionOf(reply.body));
  if (person.userId === '') await look(person, { wire });
}

async function look(person: Person, { wire }: Pick<World, 'wire'>): Promise<void> {
  const { access: token } = pick(person.sessions);
  const sent = Date.now();
  const reply = await wire.ask({ method: 'GET', path: ME, token, expect: [200] });
  if (reply.outcome !== 'answered') return;
  person.userId = String(reply.body['id']);
  const seen = String(reply.body['firstName']);
  if (seen === person.formerName.value && sent - person.formerName.at < HEARD_WITHIN_MS) return;
  if (!person.firstName.allows(seen))
    wire.fault(`${person.email} is called ${seen}, which no request has written.`);
  person.firstName.settle(seen);
}

async function rename(person: Person, { wire }: World): Promise<void> {
  const { access: token } = pick(person.sessions);
  const firstName = `Ada ${ulid()}`;
  const reply = await wire.ask({ method: 'PATCH', path: ME, body: { firstName }, token, expect: [200] });
  if (reply.outcome === 'answered') {
    person.formerName = { value: person.firstName.latest, at: Date.now() };
    person.firstName.settle(firstName);
  } else person.firstName.maybe(firstName);
}

async function refresh(person: Person, { wire }: World): Promise<void> {
  const session = person.sessions.toSorted(
    (a, b) =>
      Number(a.unansweredSince === null) - Number(b.unansweredSince === null) || a.accessAt - b.accessAt,
  )[0];
  if (!session) return;
  const sent = Date.now();
  const late = session.unansweredSince !== null && sent - session.unansweredSince > RETRY_WINDOW_MS - 1_000;
  const { refresh: refreshToken } = session;
  const expect = late ? [200, 401] : [200];
  const reply = await wire.ask({ method: 'POST', path: `${AUTH}/refresh`, body: { refreshToken }, expect });
  if (reply.outcome !== 'answered') {
    session.unansweredSince ??= sent;
    return;
  }
  if (reply.status === 401) {
    person.signedOut += 1;
    return person.end(session);
  }
  session.unansweredSince = null;
  session.refreshes += 1;
  session.refresh = String(reply.body['refreshToken']);
  session.access = String(reply.body['accessToken']);
  session.accessAt = Date.now();
  session.tenantToken = null;
}

async function logout(person: Person, { wire }: World): Promise<void> {
  const session = pick(person.sessions);
  const reply = await wire.ask({
    method: 'POST',
    path: `${AUTH}/logout`,
    token: session.access,
    expect: [204],
  });
  if (reply.outcome === 'answered') person.end(session);
  else person.forget(session);
}

async function logoutOthers(person: Person, { wire }: World): Promise<void> {
  const kept = pick(person.sessions);
  const reply = await wire.ask({
    method: 'POST',
    path: `${AUTH}/logout-others`,
    token: kept.access,
    expect: [204],
  });
  for (const session of person.sessions.filter((other) => other !== kept))
    if (reply.outcome === 'answered') person.end(session);
    else person.forget(session);
}

async function changePassword(person: Person, { wire }: World): Promise<void> {
  const kept = pick(person.sessions);
  const [currentPassword, newPassword] = [person.password.latest, `new-harbour-${ulid()}`];
  const body = { currentPassword, newPassword };
  const reply = await wire.ask({
    method: 'PUT',
    path: `${ME}/password`,
    body,
    token: kept.access,
    expect: [204],
  });
  for (const session of person.sessions.filter((other) => other !== kept))
    if (reply.outcome === 'answered') person.end(session);
    else person.forget(session);
  if (reply.outcome === 'answered') person.password.settle(newPassword);
  else person.password.maybe(newPassword);
}

async function erase(person: Person, { wire }: World): Promise<void> {
  const { access: token } = pick(person.sessions);
  const reply = await wire.ask({ method: 'DELETE', path: `${AUTH}/account`, token, expect: [204] });
  if (reply.outcome === 'answered') for (const session of person.sessions.slice()) person.end(session);
  person.stage = reply.outcome === 'answered' ? 'erased' : 'lost';
}

/** Presents a token whose end was acknowledged. */
async function haunt(person: Person, { wire }: World): Promise<void> {
  const { access: token, refresh: refreshToken, endedAt } = pick(person.ended);
  await wire.ask({ method: 'POST', path: `${AUTH}/refresh`, body: { refreshToken }, expect: [401] });
  const bound = Date.now() - endedAt > REVOCATION_BOUND_MS ? [401] : [200, 401];
  await wire.ask({ method: 'GET', path: ME, token, expect: bound });
}

async function visitSatellite(person: Person, { wire, satellite }: World): Promise<void> {
  const session = pick(person.sessions);
  const { codeVerifier, codeChallenge } = pkce();
  const { clientId, clientSecret, redirectUri } = satellite;
  const issued = await wire.ask({
    method: 'POST',
    path: `${AUTH}/satellite/code`,
    body: { clientId, redirectUri, codeChallenge },
    token: session.access,
    expect: [201],
  });
  if (issued.outcome !== 'answered') return;
  const body = { code: issued.body['code'], clientId, clientSecret, codeVerifier };
  const reply = await wire.ask({ method: 'POST', path: `${AUTH}/satellite/token`, body, expect: [200] });
  if (reply.outcome === 'answered') session.satellite.certain += 1;
  else session.satellite.maybe += 1; // not tried again: a code presented twice ends the session
}

const isMember = (person: Person, { people }: Pick<World, 'people'>): boolean =>
  people.some(({ tenant }) => tenant?.members.has(person) || tenant?.invited.has(person));

/** Steps of single users, in order of priority: unanswered requests are settled first. */
export const stepsOfPeople: readonly Step[] = [
  { weight: 1_000, can: ({ stage }) => stage === 'new', run: register },
  {
    weight: 1_000,
    can: ({ stage, email }, { mailbox }) =>
      stage === 'pending' && mailbox.of(email, 'verify-email').length > 0,
    run: verify,
  },
  {
    weight: 1_000,
    can: ({ stage, password, sessions }) =>
      stage === 'active' && (sessions.length === 0 || !password.certain),
    run: login,
  },
  {
    weight: 1_000,
    can: ({ stage, sessions, password }) =>
      stage === 'active' &&
      password.certain &&
      sessions.some(
        ({ unansweredSince, accessAt }) =>
          unansweredSince !== null || Date.now() - accessAt > ACCESS_USED_FOR_MS,
      ),
    run: refresh,
  },
  { weight: 30, can: settled, run: look },
  { weight: 20, can: settled, run: refresh },
  { weight: 6, can: settled, run: rename },
  { weight: 8, can: (person) => settled(person) && person.sessions.length < 4, run: login },
  { weight: 5, can: (person) => settled(person) && person.sessions.length > 1, run: logout },
  { weight: 1, can: (person) => settled(person) && person.sessions.length > 1, run: logoutOthers },
  { weight: 1, can: settled, run: changePassword },
  { weight: 6, can: settled, run: visitSatellite },
  { weight: 4, can: (person) => settled(person) && person.ended.length > 0, run: haunt },
  {
    weight: 1,
    can: (person, world) => settled(person) && person.tenant === null && !isMember(person, world),
    run: erase,
  },
];
