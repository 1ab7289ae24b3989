import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { rich, text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { invitation } from '../session/mailed-token.ts';
import { PAGE_PATHS, pathIn, signInTo } from '../session/paths.ts';
import { queryClient, useMe } from '../session/queries.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { useSignOut } from '../session/sign-out.ts';
import { Button } from '../ui/button.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { Notice, ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { useToast } from '../ui/toast.tsx';
import { isSpent } from './verify-email.tsx';

/**
 * Accepts a mailed invitation. Users without an account, or who are not signed in, do that first.
 */
export function AcceptInvitation() {
  const { sessionId } = useSignIn();
  const [token] = useState(invitation.token);
  if (token === null) return <Spent />;
  return sessionId === null ? <Newcomer token={token} /> : <Decision token={token} />;
}

function Newcomer({ token }: { readonly token: string }) {
  const keep = () => invitation.keep(token);
  return (
    <SignInFrame>
      <Sheet title={text('accept.title')} lead={text('accept.newcomer')}>
        <Link href={signInTo(PAGE_PATHS.acceptInvitation)} className="button primary" onClick={keep}>
          {text('sign-in')}
        </Link>
        <Notice>
          <p>
            {rich('accept.no-account', {
              link: (inside) => <Link href={PAGE_PATHS.register}>{inside}</Link>,
            })}
          </p>
        </Notice>
      </Sheet>
    </SignInFrame>
  );
}

function Decision({ token }: { readonly token: string }) {
  const [, navigate] = useLocation();
  const say = useToast();
  const { data: me } = useMe();
  const signOut = useSignOut();
  const accept = useMutation({
    mutationFn: async () =>
      (await gatehouse.post('/api/v1/iam/auth/accept-invitation', { body: { token } })).data,
    onSuccess: async ({ tenantId }) => {
      invitation.drop();
      await queryClient.invalidateQueries({ queryKey: ['tenants'] });
      say(text('accept.welcome'));
      navigate(pathIn(PAGE_PATHS.members, tenantId), { replace: true });
    },
  });
  if (isSpent(accept.error)) return <Spent />;
  const who = me?.email ?? me?.firstName ?? text('accept.this-account');
  return (
    <SignInFrame>
      <Sheet title={text('accept.title')} lead={me ? text('accept.as', { who }) : text('signed-in.waiting')}>
        {accept.error && (
          <ErrorNotice
            error={accept.error}
            titles={{ forbidden: 'error.wrong-account.title' }}
            onRetry={() => accept.mutate()}
          />
        )}
        <Button look="primary" isPending={accept.isPending} onPress={() => accept.mutate()}>
          {text('accept')}
        </Button>
        <p className="soft">
          {rich('accept.not-you', {
            other: (inside) => (
              <Button
                look="link"
                onPress={() => {
                  invitation.keep(token);
                  signOut.mutate('session');
                }}
              >
                {inside}
              </Button>
            ),
          })}
        </p>
      </Sheet>
    </SignInFrame>
  );
}

const Spent = () => (
  <SignInFrame>
    <Sheet title={text('accept.expired.title')} lead={text('accept.expired.lead')}>
      <Link href={PAGE_PATHS.home} className="button primary">
        {text('go-home')}
      </Link>
    </Sheet>
  </SignInFrame>
);
