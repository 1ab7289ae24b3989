import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { Calls } from './calls.tsx';
import { DirectoryForm } from './directory-form.tsx';
import { People } from './people.tsx';
import {
  pathOf,
  refreshDirectories,
  subjectOfDirectory,
  useDirectory,
  useDirectoryUsers,
  type Directory as Shown,
} from './directory-queries.ts';
import { Rules } from './rules.tsx';
import { SetUp } from './set-up.tsx';
import { inBackground } from '../../../session/in-background.ts';

const ONE = '/api/v1/iam/tenants/{id}/directories/{directoryId}';

type Doing = 'change' | 'disable' | 'delete';

/** One directory: how it is set up, its people, its rules and its calls. */
export function Directory({ id, ...props }: OrganizationProps & { readonly id: string }) {
  const { data, error, refetch } = useDirectory(props.tenantId, id);
  const people = useDirectoryUsers(props.tenantId, id, {});
  const back = <Link href={pathIn(PAGE_PATHS.directories, props.tenantId)}>{text('directories.back')}</Link>;
  if (data && !people.isPending)
    return <Details directory={data} hasPeople={people.data?.length !== 0} back={back} {...props} />;
  return (
    <Page title={text('nav.directories')} lead={back}>
      {error ? (
        <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />
      ) : (
        <Skeleton label={text('nav.directories')} />
      )}
    </Page>
  );
}

interface DetailsProps extends OrganizationProps {
  readonly directory: Shown;
  /** Whether it has sent people: it is set up then. */
  readonly hasPeople: boolean;
  readonly back: ReactNode;
}

function Details({ tenantId, allowed, directory, hasPeople, back }: DetailsProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const isActive = directory.status === 'active';
  const enable = useStatus(tenantId, directory, 'active');
  const close = () => setDoing(null);
  const menu = (
    <ActionMenu
      label={text('directories.actions')}
      subject={subjectOfDirectory(directory.id)}
      actions={[
        {
          label: text('directories.change'),
          scope: 'iam:directory:update',
          run: () => setDoing('change'),
        },
        {
          label: text(isActive ? 'directories.disable' : 'directories.enable'),
          scope: 'iam:directory:update',
          run: () => (isActive ? setDoing('disable') : enable.mutate()),
        },
        {
          label: text('directories.delete'),
          scope: 'iam:directory:delete',
          danger: true,
          run: () => setDoing('delete'),
        },
      ]}
    />
  );
  const props = { tenantId, directory };
  return (
    <Page title={directory.name} lead={back} action={menu}>
      {enable.error && <ErrorNotice error={enable.error} onRetry={() => enable.mutate()} />}
      {!isActive && (
        <Notice kind="care" title={text('directories.disabled')}>
          <p>{text('directories.disabled.text')}</p>
        </Notice>
      )}
      <SetUp {...props} isFolded={hasPeople} mayCreate={allowed['iam:directory-token:create']} />
      <Rules {...props} mayChange={allowed['iam:directory:update']} />
      <People {...props} mayRetry={allowed['iam:directory:update']} />
      <Calls {...props} />
      {doing === 'change' && <DirectoryForm {...props} onClose={close} />}
      {doing === 'disable' && <Disable {...props} onClose={close} />}
      {doing === 'delete' && <Delete {...props} onClose={close} />}
    </Page>
  );
}

interface CommandProps {
  readonly tenantId: string;
  readonly directory: Shown;
  readonly onClose: () => void;
}

function Disable({ tenantId, directory, onClose }: CommandProps) {
  const disable = useStatus(tenantId, directory, 'disabled', onClose);
  return (
    <ConfirmDialog
      title={text('directories.disable.title', { name: directory.name })}
      confirm={text('directories.disable')}
      action={disable}
      isOpen
      onClose={onClose}
    >
      <p>{text('directories.disable.text')}</p>
    </ConfirmDialog>
  );
}

/** Deletes the directory, and leads back to the list. */
function Delete({ tenantId, directory: { id, name }, onClose }: CommandProps) {
  const say = useToast();
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () => gatehouse.delete(ONE, { params: pathOf(tenantId, id) }),
    onSuccess: async () => {
      navigate(pathIn(PAGE_PATHS.directories, tenantId));
      say(text('directories.deleted', { name }));
      await refreshDirectories(tenantId);
    },
  });
  return (
    <ConfirmDialog
      title={text('directories.delete.title', { name })}
      confirm={text('directories.delete')}
      action={remove}
      isOpen
      onClose={onClose}
    >
      <p>{text('directories.delete.text')}</p>
    </ConfirmDialog>
  );
}

function useStatus(
  tenantId: string,
  { id, name }: Shown,
  status: Shown['status'],
  onDone: () => void = () => undefined,
) {
  const say = useToast();
  return useMutation({
    mutationFn: () => gatehouse.patch(ONE, { params: pathOf(tenantId, id), body: { status } }),
    onSuccess: async () => {
      await refreshDirectories(tenantId);
      onDone();
      say(text(status === 'active' ? 'directories.enabled' : 'directories.was-disabled', { name }));
    },
  });
}
