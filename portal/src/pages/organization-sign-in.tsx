import { useEffect } from 'react';
import { Link, Redirect } from 'wouter';
import { text } from '../messages/index.ts';
import { useMyTenants } from '../session/my-tenants.ts';
import { PAGE_PATHS, pathIn, signInOf, signInTo } from '../session/paths.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { Skeleton } from '../ui/list.tsx';
import { Sheet } from '../ui/page.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { ConnectionSignIn, useSignInOptions } from './connection-sign-in.tsx';
import { inBackground } from '../session/in-background.ts';

const isId = (organization: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(organization);

interface Props {
  /** Slug of the organization, or its id. */
  readonly organization: string;
}

/** Signs in to one organization, by its own connection if it has one. */
export function OrganizationSignIn({ organization: named }: Props) {
  const { sessionId } = useSignIn();
  const organization = isId(named) ? named : named.toLowerCase();
  return sessionId === null ? (
    <NamedSignIn organization={organization} />
  ) : (
    <Entry organization={organization} />
  );
}

function NamedSignIn({ organization }: Props) {
  const { data: options, isLoading } = useSignInOptions({ organization });
  const connection = options?.connection;
  const next = isId(organization) ? pathIn(PAGE_PATHS.organization, organization) : signInOf(organization);
  const anotherWay = signInTo(next, options?.look && organization);
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

/**
 * Leads a signed-in user to the organization. Members alone find it by its slug: any other user
 * gets to the list of their own organizations.
 */
function Entry({ organization }: Props) {
  const { data, error, hasNextPage, isFetching, isPending, fetchNextPage } = useMyTenants();
  const found = data?.find(({ slug }) => slug === organization)?.id;
  const isMore = !found && hasNextPage;
  useEffect(() => {
    if (isMore && !isFetching) inBackground(fetchNextPage());
  }, [isMore, isFetching, fetchNextPage]);
  const known = isId(organization) ? organization : found;
  if (known !== undefined) return <Redirect to={pathIn(PAGE_PATHS.organization, known)} replace />;
  if (error || (!isPending && !isMore)) return <Redirect to={PAGE_PATHS.organizations} replace />;
  return (
    <SignInFrame>
      <Skeleton label={text('sign-in')} rows={1} />
    </SignInFrame>
  );
}
