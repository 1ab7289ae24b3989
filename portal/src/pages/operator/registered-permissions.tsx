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
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type PermissionModule, refreshAll, subjectOf, useDenial } from './operator-queries.ts';
import { RegisterDialog } from './register-permissions.tsx';

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
      {data && data.length > 0 && (
        <ul className="list" aria-label={text('operator.permissions')}>
          {data.map((module) => (
            <li key={module.id}>
              <ModuleItem
                module={module}
                onChange={() => setDoing({ what: 'register', module })}
                onRemove={() => setDoing({ what: 'remove', module })}
              />
            </li>
          ))}
        </ul>
      )}
      {doing?.what === 'register' && <RegisterDialog module={doing.module} onClose={close} />}
      {doing?.what === 'remove' && <Remove module={doing.module} onClose={close} />}
    </Page>
  );
}

interface ItemProps {
  readonly module: PermissionModule;
  readonly onChange: () => void;
  readonly onRemove: () => void;
}

function ModuleItem({
  module: { id, module, title, permissions, updatedAt },
  onChange,
  onRemove,
}: ItemProps) {
  return (
    <div className="item plain">
      <div className="what">
        <div className="row">
          <strong>{title}</strong>
          <code className="soft">{module}</code>
        </div>
        <span className="soft small">
          {rich('operator.permissions.registered', { time: () => <Time value={updatedAt} /> })}
        </span>
        <details className="small">
          <summary className="soft">{text('roles.permissions', { count: permissions.length })}</summary>
          <ul className="bullets">
            {permissions.map((permission) => (
              <li key={permission.scope}>
                {permission.title} <code className="soft">{permission.scope}</code>
              </li>
            ))}
          </ul>
        </details>
      </div>
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
  );
}

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
