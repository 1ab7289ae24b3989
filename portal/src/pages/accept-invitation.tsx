import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { gatehouse } from '../session/gatehouse.ts';
import { invitation } from '../session/mailed-token.ts';
import { PAGE_PATHS, pathIn, signInTo } from '../session/paths.ts';
import { queryClient, useMe } from '../session/queries.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { useSignOut } from '../session/sign-out.ts';
import { Button } from '../ui/button.tsx';
import { SignInFrame } from '../ui/frames.tsx';
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
      <Sheet
        title="You have been invited"
        lead="Sign in with the address that the invitation was sent to, and accept it."
      >
        <Link href={signInTo(PAGE_PATHS.acceptInvitation)} className="button primary" onClick={keep}>
          Sign in
        </Link>
        <Notice>
          <p>
            No account yet? <Link href={PAGE_PATHS.register}>Create one</Link> for the same address, verify
            it, then open the link of the invitation once more.
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
      say('Welcome. You are a member now.');
      navigate(pathIn(PAGE_PATHS.members, tenantId), { replace: true });
    },
  });
  if (isSpent(accept.error)) return <Spent />;
  const who = me?.email ?? me?.firstName ?? 'this account';
  return (
    <SignInFrame>
      <Sheet title="You have been invited" lead={me ? <>You are signed in as {who}.</> : 'One moment.'}>
        {accept.error && <ErrorNotice error={accept.error} onRetry={() => accept.mutate()} />}
        <Button look="primary" isPending={accept.isPending} onPress={() => accept.mutate()}>
          Accept the invitation
        </Button>
        <p className="soft">
          Not you?{' '}
          <Button
            look="link"
            onPress={() => {
              invitation.keep(token);
              signOut.mutate('session');
            }}
          >
            Use another account
          </Button>
        </p>
      </Sheet>
    </SignInFrame>
  );
}

const Spent = () => (
  <SignInFrame>
    <Sheet
      title="This invitation is not valid any more"
      lead="It has been accepted or revoked, or has expired. Ask the sender for a new one."
    >
      <Link href={PAGE_PATHS.home} className="button primary">
        Go to the start
      </Link>
    </Sheet>
  </SignInFrame>
);
