import { useMutation } from '@tanstack/react-query';
import { Link, Redirect, useSearchParams } from 'wouter';
import { ProblemError } from '@gatehouse/client';
import { gatehouse } from '../session/gatehouse.ts';
import { PAGE_PATHS, safeNext } from '../session/paths.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { Button } from '../ui/button.tsx';
import { PasswordField, TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { SignInFrame } from '../ui/frames.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { ExternalKinds } from './external-kinds.tsx';
import { Resend } from './resend.tsx';

/** Signs in by address and password, or by an external identity provider. */
export function SignIn() {
  const [search] = useSearchParams();
  const { sessionId, left } = useSignIn();
  const next = safeNext(search.get('next'));
  const signIn = useMutation({ mutationFn: (credentials: Credentials) => gatehouse.login(credentials) });
  if (sessionId !== null) return <Redirect to={next} replace />;
  return (
    <SignInFrame>
      <Sheet title="Sign in" focusTitle={false}>
        {left === 'ended' && (
          <Notice kind="care" title="Your session has ended">
            Sign in again, and you are back where you were.
          </Notice>
        )}
        {left === 'logout' && <Notice kind="good">You have signed out.</Notice>}
        <Form
          error={signIn.error}
          onSubmit={(values) =>
            signIn.mutate({ email: String(values.get('email')), password: String(values.get('password')) })
          }
          trouble={troubleOf(signIn.error, signIn.variables?.email ?? '')}
        >
          <TextField
            label="E-mail address"
            name="email"
            type="email"
            autoComplete="username"
            isRequired
            autoFocus
          />
          <div className="stack tight">
            <PasswordField label="Password" name="password" autoComplete="current-password" />
            <p>
              <Link href={PAGE_PATHS.forgottenPassword}>Forgotten your password?</Link>
            </p>
          </div>
          <Button type="submit" look="primary" isPending={signIn.isPending}>
            Sign in
          </Button>
        </Form>
        <ExternalKinds next={next} />
        <p className="soft">
          New here? <Link href={PAGE_PATHS.register}>Create an account</Link>
        </p>
      </Sheet>
    </SignInFrame>
  );
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Explains the two refusals that the user can resolve. */
function troubleOf(error: unknown, email: string) {
  if (!(error instanceof ProblemError)) return undefined;
  if (error.code === 'email-not-verified')
    return (
      <Notice kind="care" title="Your address is not verified yet">
        <p>Open the link in the mail that we have sent to {email}, then sign in again.</p>
        <Resend email={email} />
      </Notice>
    );
  if (error.code === 'invalid-credentials')
    return (
      <Notice kind="bad" title="The e-mail address or the password is wrong">
        Check both. After several failed attempts, wait half a minute before the next.
      </Notice>
    );
  return undefined;
}
