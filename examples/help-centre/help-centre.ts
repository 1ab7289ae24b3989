import { settings } from './help-settings.ts'; // first: reports what is missing
import { createHash, randomBytes } from 'node:crypto';
import { CodeRefused, Gatehouse, SignedOut, type Session } from './gatehouse.ts';
import { codeRefused, declined, notFromHere, stranger, welcome } from './help-pages.ts';
import { redirect, type Reply } from './page.ts';
import { serve, type Question } from './site.ts';
import { Visits } from './visits.ts';

const own = new URL(settings.OWN_URL);
const client = { clientId: settings.CLIENT_ID, clientSecret: settings.CLIENT_SECRET };
const gatehouse = new Gatehouse(settings.GATEHOUSE_URL, client);
const redirectUri = `${own.origin}/callback`; // exactly as registered

interface PendingSignIn {
  readonly state: string;
  readonly codeVerifier: string;
}
/**
 * Visitors who have pressed "Sign in" and not returned. Ten minutes: they may have to sign in at
 * the app first.
 */
const pendingSignIns = new Visits<PendingSignIn>(own, 'sign-in', 600);
/**
 * Signed-in visitors. After a day they press "Sign in" again, which succeeds at once while the
 * app's session lasts.
 */
const sessions = new Visits<Session>(own, 'session', 86_400);

async function home(question: Question): Promise<Reply> {
  try {
    const me = await sessions.find(question)?.me();
    return me ? welcome(me.firstName) : stranger();
  } catch (error) {
    if (!(error instanceof SignedOut)) throw error;
    return stranger(sessions.end(question));
  }
}

/** Keeps state and verifier here, so that the code works only in the browser that started. */
function signIn(question: Question): Reply {
  const [state, codeVerifier] = [random(), random()];
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const query = new URLSearchParams({ clientId: client.clientId, redirectUri, codeChallenge, state });
  return redirect(
    `${settings.APP_URL}/authorize?${query}`,
    pendingSignIns.start(question, { state, codeVerifier }),
  );
}

/**
 * Removes the pending sign-in before the exchange: a code that is presented twice would end the
 * visitor's session.
 */
async function callback(question: Question): Promise<Reply> {
  const { searchParams } = question.url;
  const pending = pendingSignIns.find(question);
  if (!pending || pending.state !== searchParams.get('state')) return notFromHere();
  const removal = pendingSignIns.end(question);
  if (searchParams.has('error')) return declined(removal);
  try {
    const session = await gatehouse.exchange(searchParams.get('code') ?? '', pending.codeVerifier);
    return redirect('/', removal, sessions.start(question, session));
  } catch (error) {
    if (!(error instanceof CodeRefused)) throw error;
    return codeRefused();
  }
}

/** Ends the whole session, also at the app. */
async function signOut(question: Question): Promise<Reply> {
  try {
    await sessions.find(question)?.logout();
  } catch (error) {
    if (!(error instanceof SignedOut)) throw error; // otherwise it had already ended
  }
  return redirect('/', sessions.end(question));
}

const random = (): string => randomBytes(32).toString('base64url');

serve(own, {
  'GET /': home,
  'GET /sign-in': signIn,
  'GET /callback': callback,
  'POST /sign-out': signOut,
});
