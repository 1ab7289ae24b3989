import { Link, Redirect } from 'wouter';
import { text } from '../messages/index.ts';
import { PAGE_PATHS, pathIn, signInTo } from '../session/paths.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { Skeleton } from '../ui/list.tsx';
import { Sheet } from '../ui/page.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { ConnectionSignIn, useSignInOptions } from './connection-sign-in.tsx';

/** Signs in to one organization, by its own connection if it has one. */
export function OrganizationSignIn({ tenantId }: { readonly tenantId: string }) {
  const { sessionId } = useSignIn();
  const { data: options, isLoading } = useSignInOptions({ organization: tenantId });
  const connection = options?.connection;
  const next = pathIn(PAGE_PATHS.organization, tenantId);
  if (sessionId !== null) return <Redirect to={next} replace />;
  const anotherWay = signInTo(next, options?.look && tenantId);
  if (!connection && !isLoading) return <Redirect to={anotherWay} replace />;
  return (
    <SignInFrame look={options?.look}>
      <Sheet title={text('sign-in')}>
        {connection ? (
          <ConnectionSignIn next={next} connection={connection} />
        ) : (
          <Skeleton label={text('sign-in')} rows={1} />
        )}
        <p className="soft">
          <Link href={anotherWay}>{text('sign-in.another-way')}</Link>
        </p>
      </Sheet>
    </SignInFrame>
  );
}
