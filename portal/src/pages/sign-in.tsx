import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Link, Redirect } from 'wouter';
import { ProblemError } from '@gatehouse/client';
import { rich, text } from '../messages/index.ts';
import { configuration } from '../session/configuration.ts';
import { passwordSignIn } from '../session/dismissals.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { loaded, loadPagesOf } from '../session/loaded-pages.ts';
import { invitation } from '../session/mailed-token.ts';
import { usePageQuery } from '../session/page-query.ts';
import { signInByPassword, type Credentials } from '../session/password-sign-in.ts';
import { appRequest, PAGE_PATHS, safeNext } from '../session/paths.ts';
import { useInvitation } from '../session/queries.ts';
import { secondFactorOf, type RunSignIn } from '../session/second-factor.ts';
import { useExpected, useReplaced, useSignIn } from '../session/sign-in-state.ts';
import { typedEmail } from '../session/typed-email.ts';
import { whenIdle } from '../session/when-idle.ts';
import { AppLogo } from '../ui/app-logo.tsx';
import { Button } from '../ui/button.tsx';
import { PasswordField, TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { useToast } from '../ui/toast.tsx';
import { useAppOf } from './authorize-request.ts';
import { ConnectionSignIn, useSignInOptions } from './connection-sign-in.tsx';
import { ConnectionStart, ExternalKinds } from './external-kinds.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { Resend } from './resend.tsx';
import { inBackground } from '../session/in-background.ts';

/** Signs in, and continues with the page that required it. */
export function SignIn() {
  const { sessionId } = useSignIn();
  const replaced = useReplaced();
  const wanted = safeNext(usePageQuery().get('next'));
  // The request of an app has its own page, which names the app before the user signs in.
  const next = wanted.startsWith(`${PAGE_PATHS.signIn}?`) ? PAGE_PATHS.home : wanted;
  const after = next === PAGE_PATHS.home ? PAGE_PATHS.organizations : next;
  const app = useAppOf(next);
  useEffect(() => whenIdle(() => inBackground(loadPagesOf(after))), [after]);
  const run: RunSignIn = async (signIn) => {
    await loadPagesOf(after); // so that it can be shown at once
    await signIn();
  };
  if (sessionId !== null && sessionId !== replaced) return <Redirect to={next} replace />;
  return <SignInSheet next={next} lead={app && <AppAbove {...app} />} run={run} />;
}

interface AppProps {
  readonly name: string;
  readonly logoUrl: string | null;
}

/** Names the app for which the user signs in. */
const AppAbove = ({ name, logoUrl }: AppProps) => (
  <span className="row">
    <AppLogo url={logoUrl} />
    {text('authorize.sign-in', { app: name })}
  </span>
);

interface SheetProps {
  /** Page after an external sign-in. */
  readonly next: string;
  /** For what the user signs in. */
  readonly lead?: ReactNode;
  /** Accompanies each sign-in. */
  readonly run?: RunSignIn;
  /** Told of a password that attackers try first; by default a message says it. */
  readonly onWeakPassword?: () => void;
}

const runAlone: RunSignIn = (signIn) => signIn();

/**
 * Signs in by address and password, by passkey, or by an external identity provider. Fills in the
 * address of an invited person, or of the one whom an app expects.
 */
export function SignInSheet({ next, lead, run = runAlone, onWeakPassword }: SheetProps) {
  const { left } = useSignIn();
  const query = usePageQuery();
  const [kind, connectionId] = [query.get('kind'), query.get('connection')];
  const invited = next === PAGE_PATHS.acceptInvitation ? invitation.kept() : null;
  const shown = useInvitation(invited);
  const expected = useExpected();
  const say = useToast();
  const tellWeakPassword = onWeakPassword ?? (() => say(text('sign-in.should-change')));
  const signIn = useMutation({
    mutationFn: (credentials: Credentials) =>
      run(async () => {
        const { passwordShouldChange } = await signInByPassword(credentials);
        passwordSignIn.note(gatehouse.sessionId);
        if (passwordShouldChange) tellWeakPassword();
      }),
  });
  const needed = secondFactorOf(signIn.error);
  const [entered, setEntered] = useState('');
  const email = shown.data?.email ?? expected;
  const address = entered === '' ? (email ?? '') : entered;
  const ofAddress = useSignInOptions({ email: address }).data?.connection;
  const organization = query.get('organization') ?? undefined;
  const named = useSignInOptions(organization === undefined ? {} : { organization });
  const connection = ofAddress ?? named.data?.connection;
  const look = shown.data?.branding ?? named.data?.look;
  // Waits for the look: the form would lose what was entered when the frame changes.
  if (shown.isLoading || named.isLoading) return <SignInFrame>{null}</SignInFrame>;
  const register = invited === null ? registerFor(next) : PAGE_PATHS.acceptInvitation;
  if (needed && !loaded.entrance) return <NotLoaded />;
  if (needed && loaded.entrance)
    return (
      <SignInFrame look={look}>
        <loaded.entrance.SecondFactor
          needed={needed}
          {...(signIn.variables && { trustName: signIn.variables.email })}
          onWeakPassword={tellWeakPassword}
          run={run}
          onRestart={() => signIn.reset()}
        />
      </SignInFrame>
    );
  return (
    <SignInFrame look={look}>
      <Sheet title={text('sign-in')} lead={lead} focusTitle={false}>
        {left === 'ended' && (
          <Notice kind="care" title={text('sign-in.ended.title')}>
            {text('sign-in.ended.text')}
          </Notice>
        )}
        {left === 'logout' && <Notice kind="good">{text('sign-in.left')}</Notice>}
        <Form
          error={signIn.error}
          onSubmit={(values) =>
            signIn.mutate({ email: String(values.get('email')), password: String(values.get('password')) })
          }
          trouble={troubleOf(signIn.error, signIn.variables?.email ?? '', invited)}
        >
          <TextField
            label={text('email')}
            name="email"
            type="email"
            autoComplete="username webauthn"
            defaultValue={email ?? ''}
            isRequired
            autoFocus={email === undefined}
            onChange={typedEmail.note}
            onBlur={({ target }) => setEntered((target as HTMLInputElement).value.trim())}
          />
          {connection && (
            <ConnectionSignIn
              key={connection.id}
              next={next}
              connection={connection}
              {...(address !== '' && { email: address })}
            />
          )}
          <div className="stack tight">
            <PasswordField
              label={text('password')}
              name="password"
              autoComplete="current-password"
              autoFocus={email !== undefined}
            />
            <p>
              <Link href={PAGE_PATHS.forgottenPassword}>{text('forgot-password')}</Link>
            </p>
          </div>
          <Button type="submit" look={connection ? 'plain' : undefined} isPending={signIn.isPending}>
            {text('sign-in')}
          </Button>
        </Form>
        {configuration.emailSignIn && (
          <p>
            <Link href={`${PAGE_PATHS.emailCode}?next=${encodeURIComponent(next)}`}>
              {text('email-code')}
            </Link>
          </p>
        )}
        <PasskeySignIn run={run} />
        {kind !== null && connectionId !== null && (
          <ConnectionStart next={next} kind={kind} connectionId={connectionId} />
        )}
        <ExternalKinds next={next} />
        <p className="soft">
          {rich('sign-in.new-here', { link: (inside) => <Link href={register}>{inside}</Link> })}
        </p>
      </Sheet>
    </SignInFrame>
  );
}

/** Path of the page for the registration, with the request of an app to continue with. */
function registerFor(next: string): string {
  const request = appRequest(next);
  return request === null
    ? PAGE_PATHS.register
    : `${PAGE_PATHS.register}?next=${encodeURIComponent(request)}`;
}

/** Explains the two refusals that the user can resolve. */
function troubleOf(error: unknown, email: string, invitationToken: string | null) {
  if (!(error instanceof ProblemError)) return undefined;
  if (error.code === 'email-not-verified')
    return (
      <Notice kind="care" title={text('sign-in.not-verified.title')}>
        <p>{text('sign-in.not-verified.text', { email })}</p>
        <Resend email={email} invitationToken={invitationToken} />
      </Notice>
    );
  if (error.code === 'invalid-credentials')
    return (
      <Notice kind="bad" title={text('sign-in.wrong.title')}>
        {text('sign-in.wrong.text')}
      </Notice>
    );
  return undefined;
}
