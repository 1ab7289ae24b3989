import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { inBackground } from '../../session/in-background.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Empty, Skeleton } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { type Column, TableOf } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type PermissionModule, refreshAll, subjectOf, useDenial } from './operator-queries.ts';
import { holderOf, RegisterDialog } from './register-permissions.tsx';

type Doing =
  | { readonly what: 'register'; readonly module: PermissionModule | null }
  | { readonly what: 'remove'; readonly module: PermissionModule };

/** Permissions that services in other processes check, by module. */
export function RegisteredPermissions() {
  const [doing, setDoing] = useState<Doing | null>(null);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['operator', 'registered-permissions'],
    queryFn: async () => (await gatehouse.get('/api/v1/iam/permissions')).data.items,
  });
  const { data: denial } = useDenial('platform:permission:register');
  const close = () => setDoing(null);
  return (
    <Page
      title={text('operator.permissions')}
      lead={text('operator.permissions.lead')}
      action={
        denial === null && (
          <Button look="primary" onPress={() => setDoing({ what: 'register', module: null })}>
            {text('operator.permissions.register')}
          </Button>
        )
      }
    >
      {error && <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />}
      {isPending && <Skeleton label={text('operator.permissions')} />}
      {data?.length === 0 && (
        <Empty title={text('operator.permissions.none')} lead={text('operator.permissions.none.text')} />
      )}
      {data?.map((module) => (
        <Module
          key={module.id}
          module={module}
          onChange={() => setDoing({ what: 'register', module })}
          onRemove={() => setDoing({ what: 'remove', module })}
        />
      ))}
      {doing?.what === 'register' && <RegisterDialog module={doing.module} onClose={close} />}
      {doing?.what === 'remove' && <Remove module={doing.module} onClose={close} />}
    </Page>
  );
}

interface ModuleProps {
  readonly module: PermissionModule;
  readonly onChange: () => void;
  readonly onRemove: () => void;
}

/** The permissions of a service. */
function Module({ module: { id, module, title, permissions, updatedAt }, onChange, onRemove }: ModuleProps) {
  return (
    <section className="stack" aria-labelledby={id}>
      <div className="row">
        <h2 id={id}>{title}</h2>
        <span className="soft small">
          {rich('operator.permissions.registered', { time: () => <Time value={updatedAt} /> })}
        </span>
        <ActionMenu
          label={text('operator.permissions.actions', { name: title })}
          subject={subjectOf('permissions', id)}
          actions={[
            {
              label: text('operator.permissions.change'),
              scope: 'platform:permission:register',
              run: onChange,
            },
            {
              label: text('operator.permissions.remove'),
              scope: 'platform:permission:remove',
              danger: true,
              run: onRemove,
            },
          ]}
        />
      </div>
      {permissions.length === 0 ? (
        <p className="soft">{text('operator.nothing')}</p>
      ) : (
        <TableOf
          items={permissions}
          label={text('roles.permissions.title', { name: title })}
          keyOf={({ scope }) => scope}
          columns={columnsOfPermissions(module)}
        />
      )}
    </section>
  );
}

type Permission = PermissionModule['permissions'][number];

const columnsOfPermissions = (module: string): readonly Column<Permission>[] => [
  {
    key: 'name',
    label: text('operator.permissions.what'),
    cell: ({ title, scope, roles, description }) => (
      <>
        <span className="name clamped" title={description ?? title}>
          {title}
        </span>
        <span className="under">{scope}</span>
        <span className="under">{text(`operator.permissions.holders.${holderOf(roles)}`)}</span>
      </>
    ),
  },
  {
    key: 'scope',
    label: text('operator.permissions.scope-of', { module }),
    isWide: true,
    cell: ({ scope }) => <code>{scope}</code>,
  },
  {
    key: 'holders',
    label: text('operator.permissions.holders'),
    isWide: true,
    cell: ({ roles }) => text(`operator.permissions.holders.${holderOf(roles)}`),
  },
  {
    key: 'archived',
    label: text('operator.permissions.when-archived'),
    isWide: true,
    cell: ({ allowedWhenArchived }) => text(allowedWhenArchived ? 'yes' : 'no'),
  },
];

interface RemoveProps {
  readonly module: PermissionModule;
  readonly onClose: () => void;
}

function Remove({ module: { module, title }, onClose }: RemoveProps) {
  const say = useToast();
  const remove = useMutation({
    mutationFn: () => gatehouse.delete('/api/v1/iam/permissions/{module}', { params: { path: { module } } }),
    onSuccess: async () => {
      await refreshAll();
      onClose();
      say(text('operator.permissions.removed', { name: title }));
    },
  });
  return (
    <ConfirmDialog
      title={text('operator.permissions.remove-title', { name: title })}
      confirm={text('operator.permissions.remove')}
      action={remove}
      isOpen
      onClose={onClose}
    >
      <p>{text('operator.permissions.remove-text')}</p>
    </ConfirmDialog>
  );
}
