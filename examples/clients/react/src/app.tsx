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
import { useEffect, useState, type FormEvent } from 'react';

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
    void signIn({ email: String(form.get('email')), password: String(form.get('password')) });
  };
  const confirm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code'));
    void submitSecondFactor({ method: 'totp', code });
  };
  const problem = <p role="alert">{error instanceof Error && error.message}</p>;
  if (secondFactor)
    return (
      <form onSubmit={confirm}>
        <h1>Second factor</h1>
        <label>
          Code <input name="code" inputMode="numeric" autoComplete="one-time-code" required />
        </label>
        <button disabled={isPending}>Confirm</button>
        {problem}
      </form>
    );
  return (
    <form onSubmit={submit}>
      <h1>Sign in</h1>
      <label>
        Email <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button disabled={isPending}>Sign in</button>
      <button type="button" onClick={() => void signInWithPasskey()}>
        Sign in with a passkey
      </button>
      {problem}
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
    const { signal } = page;
    client
      .get('/api/v1/iam/me/tenants', { signal })
      .then(({ data }) => setOrganizations(data.items))
      .catch((error: unknown) => signal.aborted || console.error(error));
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
  const { allowed, reason } = useCan('iam:invitation:create');
  return (
    <button disabled={!allowed} title={reason ?? ''}>
      Invite people
    </button>
  );
}
