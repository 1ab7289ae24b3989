import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Redirect } from 'wouter';
import { text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { mailedCode } from '../session/mailed-token.ts';
import { usePageQuery } from '../session/page-query.ts';
import { PAGE_PATHS, safeNext } from '../session/paths.ts';
import { pendingCode } from '../session/pending-code.ts';
import { secondFactorOf, type RunSignIn } from '../session/second-factor.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { deviceTokens } from '../session/trusted-device.ts';
import { typedEmail } from '../session/typed-email.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { Sheet } from '../ui/page.tsx';
import { MailedCodeForm } from './mailed-code-form.tsx';
import { MailboxHint } from './resend.tsx';
import { SecondFactor } from './second-factor.tsx';

/**
 * Signs in by a mailed code. The mailed link fills the code in, in the browser that asked for it,
 * and still requires a button press.
 */
export function EmailCode() {
  const { sessionId } = useSignIn();
  const query = usePageQuery();
  const [linked] = useState(mailedCode);
  const [pending, setPending] = useState(pendingCode.read);
  const next = safeNext(query.get('next') ?? pending?.next ?? null);
  if (sessionId !== null) return <Redirect to={next} replace />;
  if (linked !== null && pending === null) return <OtherBrowser />;
  return (
    <SignInFrame>
      {pending === null ? (
        <Ask onAsked={(email) => setPending(pendingCode.note(email, next))} />
      ) : (
        <Enter email={pending.email} linked={linked} onRestart={() => setPending(null)} />
      )}
    </SignInFrame>
  );
}

function OtherBrowser() {
  return (
    <SignInFrame>
      <Sheet title={text('email-code.other.title')} lead={text('email-code.other.lead')}>
        <Link href={PAGE_PATHS.signIn} className="button primary">
          {text('sign-in')}
        </Link>
      </Sheet>
    </SignInFrame>
  );
}

function Ask({ onAsked }: { readonly onAsked: (email: string) => void }) {
  const ask = useMutation({
    mutationFn: (email: string) => gatehouse.post('/api/v1/iam/auth/email-code', { body: { email } }),
    onSuccess: (_, email) => onAsked(email),
  });
  return (
    <Sheet title={text('email-code.title')} lead={text('email-code.lead')} focusTitle={false}>
      <Form error={ask.error} onSubmit={(values) => ask.mutate(String(values.get('email')))}>
        <TextField
          label={text('email')}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={typedEmail.read()}
          isRequired
          autoFocus
        />
        <Button type="submit" isPending={ask.isPending}>
          {text('email-code.send')}
        </Button>
      </Form>
      <BackToSignIn />
    </Sheet>
  );
}

interface EnterProps {
  readonly email: string;
  /** Code of the mailed link; null if the person enters it. */
  readonly linked: string | null;
  readonly onRestart: () => void;
}

function Enter({ email, linked, onRestart }: EnterProps) {
  const run: RunSignIn = async (signIn) => {
    await signIn();
    pendingCode.drop();
  };
  const signIn = useMutation({
    mutationFn: (code: string) =>
      run(async () => {
        const deviceToken = await deviceTokens.read(email);
        await gatehouse.signInWithEmailCode({ email, code, deviceToken }).catch(async (error: unknown) => {
          if (secondFactorOf(error)) await deviceTokens.remove(email); // it is no longer trusted
          throw error;
        });
      }),
  });
  const needed = secondFactorOf(signIn.error);
  if (needed) return <SecondFactor needed={needed} trustName={email} run={run} onRestart={onRestart} />;
  return (
    <Sheet title={text('check-your-mail')} lead={text('email-code.sent', { email })} focusTitle={false}>
      <MailedCodeForm error={signIn.error} code={linked} onSubmit={signIn.mutate}>
        <Button type="submit" isPending={signIn.isPending}>
          {text('sign-in')}
        </Button>
      </MailedCodeForm>
      <MailboxHint />
      <Button look="link" onPress={onRestart}>
        {text('email-code.again')}
      </Button>
      <BackToSignIn />
    </Sheet>
  );
}

const BackToSignIn = () => (
  <p>
    <Link href={PAGE_PATHS.signIn}>{text('back-to-sign-in')}</Link>
  </p>
);
