import { useMutation } from '@tanstack/react-query';
import { Link, Redirect, useSearchParams } from 'wouter';
import { ProblemError } from '@gatehouse/client';
import { rich, text } from '../messages/index.ts';
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
      <Sheet title={text('sign-in')} focusTitle={false}>
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
          trouble={troubleOf(signIn.error, signIn.variables?.email ?? '')}
        >
          <TextField
            label={text('email')}
            name="email"
            type="email"
            autoComplete="username"
            isRequired
            autoFocus
          />
          <div className="stack tight">
            <PasswordField label={text('password')} name="password" autoComplete="current-password" />
            <p>
              <Link href={PAGE_PATHS.forgottenPassword}>{text('forgot-password')}</Link>
            </p>
          </div>
          <Button type="submit" look="primary" isPending={signIn.isPending}>
            {text('sign-in')}
          </Button>
        </Form>
        <ExternalKinds next={next} />
        <p className="soft">
          {rich('sign-in.new-here', { link: (inside) => <Link href={PAGE_PATHS.register}>{inside}</Link> })}
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
      <Notice kind="care" title={text('sign-in.not-verified.title')}>
        <p>{text('sign-in.not-verified.text', { email })}</p>
        <Resend email={email} />
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
