import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { rich, text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { neededSignInOf, signedInHere, type HostedRequest } from '../session/hosted-request.ts';
import { useHere, usePageQuery } from '../session/page-query.ts';
import { useMe } from '../session/queries.ts';
import type { RunSignIn } from '../session/second-factor.ts';
import { weakPassword } from '../session/weak-password.ts';
import { replacing, useReplaced, useSignIn } from '../session/sign-in-state.ts';
import { Button } from '../ui/button.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { leaving } from './external-kinds.tsx';
import { RequestRefused } from './request-refused.tsx';
import { SignInSheet } from './sign-in.tsx';
import { inBackground } from '../session/in-background.ts';

interface Props {
  readonly request: HostedRequest;
}

/** Signs a user in for an app without its own pages, and returns to it with a code. */
export function HostedSignIn({ request }: Props) {
  const { sessionId } = useSignIn();
  const replaced = useReplaced();
  const here = useHere();
  const { data, error, refetch } = useQuery({
    queryKey: ['hosted-request', request],
    queryFn: async () =>
      (await gatehouse.get('/api/v1/iam/auth/hosted/request', { params: { query: request } })).data,
    staleTime: Infinity,
  });
  if (error) return <RequestRefused error={error} onRetry={() => inBackground(refetch())} />;
  if (!data) return <SignInFrame>{null}</SignInFrame>;
  const { host } = data;
  if (sessionId === null || sessionId === replaced)
    return (
      <SignInSheet
        next={here}
        lead={text('authorize.sign-in', { app: host })}
        run={signInHere}
        onWeakPassword={weakPassword.note}
      />
    );
  return <Continue key={sessionId} request={request} host={host} sessionId={sessionId} />;
}

interface ContinueProps extends Props {
  readonly host: string;
  readonly sessionId: string;
}

function Continue({ request, host, sessionId }: ContinueProps) {
  const here = useHere();
  const need = neededSignInOf(usePageQuery());
  const { data: me } = useMe();
  // The app has no page that could say it: a user with a weak password reads it here first.
  const [unasked] = useState(() => signedInHere.isNoted() && !weakPassword.isNoted());
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const { data } = await gatehouse.post('/api/v1/iam/auth/hosted/code', {
        body: { ...request, ...need },
      });
      location.assign(data.location);
      await leaving();
    },
  });
  useEffect(() => {
    if (!signedInHere.isNoted()) return;
    signedInHere.note(false);
    if (unasked) mutate();
  }, [mutate, unasked]);
  const who = me?.email ?? me?.name ?? text('accept.this-account');
  const title = text('hosted.title', { app: host });
  if (unasked && !error)
    return (
      <SignInFrame>
        <Sheet title={title}>
          <p role="status">{text('signed-in.completing')}</p>
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet title={title} lead={text('hosted.lead', { app: host })}>
        {error && <ErrorNotice error={error} onRetry={() => mutate()} />}
        {weakPassword.isNoted() && <Notice kind="care">{text('sign-in.should-change')}</Notice>}
        <Button look="primary" isPending={isPending} isDisabled={!me} onPress={() => mutate()}>
          {text('hosted.continue', { who })}
        </Button>
        <p className="soft">
          {rich('accept.not-you', {
            other: (inside) => (
              <Link href={here} state={replacing(sessionId)}>
                {inside}
              </Link>
            ),
          })}
        </p>
      </Sheet>
    </SignInFrame>
  );
}

/** Signs in by a press on this page, which names the app. */
const signInHere: RunSignIn = async (signIn) => {
  signedInHere.note(true);
  await signIn().catch((error: unknown) => {
    signedInHere.note(false);
    throw error;
  });
};
