/**
 * Stands in for the app: signs visitors in, issues codes for the help centre, and logs them out.
 */
import { settings } from './shop-settings.ts'; // first: reports what is missing
import { Gatehouse, Session, SignedOut, type Tokens } from './gatehouse.ts';
import { redirect, type Reply } from './page.ts';
import { signInForm, unknownSatellite, welcome } from './shop-pages.ts';
import { serve, type Question } from './site.ts';
import { Visits } from './visits.ts';

const own = new URL(settings.OWN_URL);
const gatehouse = new Gatehouse(settings.GATEHOUSE_URL);
const helpCentre = {
  clientId: settings.HELP_CENTRE_CLIENT_ID,
  redirectUri: `${settings.HELP_CENTRE_URL}/callback`,
};
const sessions = new Visits<Session>(own, 'shop-session', 86_400);

async function home(question: Question): Promise<Reply> {
  return forSignedIn(question, async (session) => welcome((await session.me()).firstName));
}

async function signIn(question: Question): Promise<Reply> {
  const { form, url } = question;
  const credentials = { email: form.get('email'), password: form.get('password') };
  const { status, body } = await gatehouse.ask('POST', '/auth/login', credentials);
  if (status !== 200)
    return signInForm({
      query: url.search,
      problem:
        status === 403
          ? 'Please verify your email address first: we have sent you an email.'
          : 'The email address or the password is wrong.',
    });
  const cookie = sessions.start(question, new Session(gatehouse, body as Tokens));
  return redirect(url.search === '' ? '/' : `/authorize${url.search}`, cookie);
}

/**
 * Asks for no consent, because the help centre is ours. Therefore it issues codes for no other
 * client.
 */
async function authorize(question: Question): Promise<Reply> {
  const asked = question.url.searchParams;
  const { clientId, redirectUri } = helpCentre;
  if (asked.get('clientId') !== clientId || asked.get('redirectUri') !== redirectUri)
    return unknownSatellite();
  return forSignedIn(question, async (session) => {
    const codeChallenge = asked.get('codeChallenge');
    const { status, body } = await session.ask('POST', '/auth/satellite/code', {
      clientId,
      redirectUri,
      codeChallenge,
    });
    if (status !== 201) return unknownSatellite();
    const { code, redirectUri: registered } = body as { code: string; redirectUri: string };
    return redirect(`${registered}?${new URLSearchParams({ code, state: asked.get('state') ?? '' })}`);
  });
}

async function logOut(question: Question): Promise<Reply> {
  return forSignedIn(question, async (session) => {
    await session.logout();
    return redirect('/', sessions.end(question));
  });
}

/** Shows the sign-in form to visitors who are not signed in, and continues after it. */
async function forSignedIn(question: Question, answer: (session: Session) => Promise<Reply>): Promise<Reply> {
  const query = question.url.search;
  const session = sessions.find(question);
  if (!session) return signInForm({ query });
  try {
    return await answer(session);
  } catch (error) {
    if (!(error instanceof SignedOut)) throw error;
    return signInForm({ query, cookie: sessions.end(question) });
  }
}

const routes = {
  'GET /': home,
  'POST /sign-in': signIn,
  'GET /authorize': authorize,
  'POST /log-out': logOut,
};
serve(own, routes, settings.HELP_CENTRE_URL);
