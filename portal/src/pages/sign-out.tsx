import { ProblemError } from '@gatehouse/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { usePageQuery } from '../session/page-query.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';

/**
 * Confirms a logout that an app has begun without a proof (RP-Initiated Logout section 6): a page
 * of any origin could have sent the browser here.
 */
export function SignOut() {
  const { sessionId } = useSignIn();
  const { data: request, error } = useLogoutRequest();
  const isRefused = error instanceof ProblemError && error.status === 400;
  const back = request?.redirectTo ?? null;
  const signOut = useMutation({
    mutationFn: async () => {
      await gatehouse.logout();
    },
  });
  useEffect(() => {
    if (sessionId === null && back !== null) location.assign(back);
  }, [sessionId, back]);
  if ((request === undefined && !error) || (sessionId === null && back !== null))
    return <SignInFrame>{null}</SignInFrame>;
  if (sessionId === null)
    return (
      <SignInFrame>
        <Sheet title={text('sign-out.done.title')}>
          <Link href={PAGE_PATHS.signIn} className="button primary">
            {text('sign-in')}
          </Link>
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet
        title={text(isRefused ? 'sign-out.refused.title' : 'sign-out.title')}
        lead={isRefused ? text('sign-out.refused.lead') : leadOf(request)}
      >
        {signOut.error && <ErrorNotice error={signOut.error} onRetry={() => signOut.mutate()} />}
        <div className="stack tight">
          <Button look="primary" wide isPending={signOut.isPending} onPress={() => signOut.mutate()}>
            {text('sign-out')}
          </Button>
          <Link href={PAGE_PATHS.home} className="button">
            {text('sign-out.stay')}
          </Link>
        </div>
      </Sheet>
    </SignInFrame>
  );
}

const leadOf = (request: { readonly name: string } | null | undefined): string =>
  request ? text('sign-out.lead.app', { app: request.name }) : text('sign-out.lead');

/** Reads the request of the address; null if no app is named. */
function useLogoutRequest() {
  const query = usePageQuery();
  const clientId = query.get('client_id');
  const postLogoutRedirectUri = query.get('post_logout_redirect_uri') ?? undefined;
  const state = query.get('state') ?? undefined;
  return useQuery({
    queryKey: ['logout-request', clientId, postLogoutRedirectUri, state],
    queryFn: async () => {
      if (clientId === null) return null;
      const params = { query: { clientId, postLogoutRedirectUri, state } };
      return (await gatehouse.get('/api/v1/iam/auth/logout-request', { params })).data;
    },
    staleTime: Infinity,
  });
}
