import { browserStorage, Gatehouse } from '@gatehouse/client';
import {
  GatehouseProvider,
  Protected,
  useCan,
  useGatehouse,
  useSession,
  useSignIn,
  useSignOut,
} from '@gatehouse/react';
import { Fragment, useEffect, useState, type FormEvent } from 'react';

const gatehouse = new Gatehouse({ url: import.meta.env.VITE_GATEHOUSE_URL, storage: browserStorage() });

export function App() {
  return (
    <GatehouseProvider client={gatehouse}>
      <Protected fallback={<SignIn />} loading={<p>One moment …</p>}>
        <Organizations />
      </Protected>
    </GatehouseProvider>
  );
}

function SignIn() {
  const { signIn, signInWithPasskey, secondFactor, submitSecondFactor, isPending, error } = useSignIn();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const { email = '', password = '', code = '' } = Object.fromEntries(form) as Record<string, string>;
    void (secondFactor ? submitSecondFactor({ method: 'totp', code }) : signIn({ email, password }));
  };
  const fields = secondFactor ? (
    <label key="code">
      Code <input name="code" inputMode="numeric" autoComplete="one-time-code" required />
    </label>
  ) : (
    <Fragment key="password">
      <label>
        Email <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button type="button" onClick={() => void signInWithPasskey()}>
        Use a passkey
      </button>
    </Fragment>
  );
  return (
    <form onSubmit={submit}>
      <h1>{secondFactor ? 'Second factor' : 'Sign in'}</h1>
      {fields}
      <button disabled={isPending}>{secondFactor ? 'Confirm' : 'Sign in'}</button>
      <p role="alert">{error instanceof Error && error.message}</p>
    </form>
  );
}

function Organizations() {
  const client = useGatehouse();
  const { tenantId } = useSession();
  const { signOut } = useSignOut();
  const [organizations, setOrganizations] = useState<readonly { id: string; name: string }[]>([]);
  useEffect(() => {
    const page = new AbortController();
    client
      .get('/api/v1/iam/me/tenants', { signal: page.signal })
      .then(({ data }) => setOrganizations(data.items))
      .catch((error: unknown) => page.signal.aborted || console.error(error));
    return () => page.abort();
  }, [client]);
  return (
    <>
      <h1>Your organizations</h1>
      {organizations.map(({ id, name }) => (
        <button key={id} aria-pressed={id === tenantId} onClick={() => void client.selectTenant(id)}>
          {name}
        </button>
      ))}
      {tenantId !== null && <Invite />}
      <button onClick={() => void signOut()}>Sign out</button>
    </>
  );
}

function Invite() {
  const { allowed } = useCan('iam:invitation:create');
  return <button disabled={!allowed}>Invite people</button>;
}
