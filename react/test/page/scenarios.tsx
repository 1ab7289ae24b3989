import type { Scope } from '@gatehouse/client';
import {
  OrganizationSwitch,
  Protected,
  ProtectedPage,
  SignInButton,
  useCan,
  useCompleteSignIn,
  useGatehouse,
  useOrganizations,
  UserMenu,
  useRefreshPermissions,
  useSession,
  useSignIn,
  useSignOut,
  useUser,
} from '@gatehouse/react';
import { useState, type FormEvent, type ReactNode } from 'react';

const text = (value: unknown) =>
  value === null ? '' : value instanceof Error ? value.message : String(value);

function SessionState() {
  return <output id="session">{JSON.stringify(useSession())}</output>;
}

/** @param failed error of an external sign-in to continue */
function SignInForm({ failed = null }: { readonly failed?: unknown }) {
  const {
    signIn,
    signInWith,
    signInWithPasskey,
    secondFactor,
    submitSecondFactor,
    startOver,
    deviceToken,
    isPending,
    error,
  } = useSignIn(failed);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void signIn({ email: String(form.get('email')), password: String(form.get('password')) });
  };
  return (
    <form onSubmit={submit}>
      <input name="email" aria-label="Email" />
      <input name="password" aria-label="Password" />
      <button disabled={isPending}>Sign in</button>
      <button type="button" onClick={() => void signInWith('oidc', { returnUri: location.href })}>
        Provider
      </button>
      <p id="error">{text(error)}</p>
      <output id="factor">{[secondFactor?.methods.join(' ') ?? '', deviceToken ?? ''].join('|')}</output>
      <input name="code" aria-label="Code" />
      <button
        type="button"
        onClick={({ currentTarget: { form } }) =>
          void submitSecondFactor({ method: 'totp', code: String(new FormData(form!).get('code')) })
        }
      >
        Confirm
      </button>
      <button type="button" onClick={() => void signInWithPasskey()}>
        Passkey
      </button>
      <button
        type="button"
        onClick={() => void submitSecondFactor({ method: 'passkey', rememberDevice: true })}
      >
        Passkey too
      </button>
      <button type="button" onClick={startOver}>
        Start over
      </button>
    </form>
  );
}

function SignOutButton() {
  const { signOut, error } = useSignOut();
  return <button onClick={() => void signOut()}>Sign out{text(error)}</button>;
}

/** State that must not survive a change of the user. */
function Draft() {
  return <input aria-label="Draft" />;
}

const SCOPES: readonly Scope[] = ['iam:tenant:archive', 'iam:tenant:restore', 'iam:invitation:create'];

/** A button of its own scope and subject, as pages have many. */
function Action({ scope, subject }: { readonly scope: Scope; readonly subject: string | null }) {
  const { status, allowed, code, reason, error } = useCan(scope, subject);
  return (
    <button className="action" data-scope={scope} disabled={!allowed} title={reason ?? ''}>
      {[scope, status, allowed, code ?? '', text(error)].join(' ')}
    </button>
  );
}

/** Thirty buttons about two subjects. */
function Actions() {
  const { tenantId } = useSession();
  const [isShown, setShown] = useState(true);
  const refresh = useRefreshPermissions();
  const own = tenantId === null ? null : `gatehouse:///iam/tenants/${tenantId}`;
  const buttons = Array.from({ length: 30 }, (_, n) => (
    <Action key={n} scope={SCOPES[n % 3]!} subject={n % 3 === 2 ? null : own} />
  ));
  return (
    <>
      <button onClick={() => setShown(!isShown)}>Toggle</button>
      <button onClick={refresh}>Refresh</button>
      {isShown && buttons}
    </>
  );
}

/** Changes the tree with the session, so that the page is mounted again after the sign-in. */
function ReturnPage() {
  const { status } = useSession();
  return status === 'signed-in' ? (
    <section>
      <Completed />
    </section>
  ) : (
    <div>
      <Completed />
    </div>
  );
}

function Completed() {
  const { status, result, error } = useCompleteSignIn();
  return (
    <>
      <output id="completion">{[status, JSON.stringify(result), text(error)].join(' ')}</output>
      {error !== null && <SignInForm failed={error} />}
    </>
  );
}

function Name() {
  return <p id="address">{useGatehouse().sessionId}</p>;
}

/** The user, and what their organizations are called, read by two components each. */
function Profile() {
  const { status, data: user, refresh } = useUser();
  const { data: organizations, selected } = useOrganizations();
  return (
    <>
      <output id="profile">{[status, user?.email, organizations?.length, selected?.name].join(' ')}</output>
      <button onClick={refresh}>Read again</button>
    </>
  );
}

function Home() {
  return (
    <>
      <h1>Inside</h1>
      <UserMenu>
        <a href="/settings">Settings</a>
      </UserMenu>
      <OrganizationSwitch />
      <Profile />
    </>
  );
}

export type Scenario =
  'page' | 'button' | 'profile' | 'session' | 'protected' | 'form' | 'permitted' | 'actions' | 'return';

export const SCENARIOS: Record<Scenario, ReactNode> = {
  page: (
    <ProtectedPage loading="One moment">
      <Home />
    </ProtectedPage>
  ),
  button: (
    <>
      <SessionState />
      <SignInButton options={{ acr: 'aal2', maxAge: 300 }} />
    </>
  ),
  profile: <Profile />,
  session: <SessionState />,
  form: (
    <>
      <SessionState />
      <SignInForm />
    </>
  ),
  protected: (
    <>
      <SessionState />
      <Protected fallback={<SignInForm />} loading={<p id="loading">One moment</p>}>
        <h1>Inside</h1>
        <Name />
        <Draft />
        <SignOutButton />
      </Protected>
    </>
  ),
  permitted: (
    <>
      <Protected
        scope="iam:invitation:create"
        loading="loading"
        denied={({ code }) => <p id="denied">{code}</p>}
      >
        <h1>Invite</h1>
      </Protected>
      <Protected scope="no:such:thing" denied={<p id="never">never</p>} />
    </>
  ),
  actions: (
    <>
      <SessionState />
      <Actions />
    </>
  ),
  return: <ReturnPage />,
};
