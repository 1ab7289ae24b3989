import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { Secret } from './secret.tsx';
import {
  matches,
  nameOf,
  refreshWebhooks,
  type EventType,
  type Subscription,
  type WebhookOwner,
} from './webhook-queries.ts';

interface Props {
  readonly owner: WebhookOwner;
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

/** Sends an example of a type to this subscription alone. */
export function SendTest({ owner, subscription, types, onClose }: Props & { types: readonly EventType[] }) {
  const say = useToast();
  const matching = types.find(({ type }) => subscription.types.some((filter) => matches(filter, type)));
  const [type, setType] = useState(matching?.type ?? types[0]?.type ?? '');
  const send = useMutation({
    mutationFn: () =>
      gatehouse.post(`${owner.api}/subscriptions/{id}/test`, {
        params: { path: { id: subscription.id } },
        body: { type },
      }),
    onSuccess: async () => {
      await refreshWebhooks(owner);
      onClose();
      say(text('webhooks.test.sent'));
    },
  });
  return (
    <Dialog title={text('webhooks.test')} isOpen onClose={onClose}>
      <Form error={send.error} onSubmit={() => send.mutate()}>
        <p>{text('webhooks.test.text')}</p>
        <SelectField
          label={text('webhooks.type')}
          name="type"
          options={types.map((one) => [one.type, one.type])}
          value={type}
          onChange={setType}
        />
        <FormButtons submit={text('webhooks.test.send')} isPending={send.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Replaces the secret, and shows the new one. */
export function RotateSecret({ owner, subscription, onClose }: Props) {
  const rotate = useMutation({
    mutationFn: async () =>
      (
        await gatehouse.post(`${owner.api}/subscriptions/{id}/rotate-secret`, {
          params: { path: { id: subscription.id } },
        })
      ).data,
    onSuccess: () => refreshWebhooks(owner),
  });
  if (rotate.data)
    return (
      <Secret
        title={text('secret.rotate.done')}
        secret={rotate.data.secret}
        previousUntil={rotate.data.previousSignsUntil}
        onClose={onClose}
      />
    );
  return (
    <ConfirmDialog
      title={text('secret.rotate.title')}
      confirm={text('secret.rotate')}
      action={rotate}
      isOpen
      onClose={onClose}
    >
      <p>{text('webhooks.rotate.text')}</p>
    </ConfirmDialog>
  );
}

/** Deletes the subscription, and leads back to the list. */
export function DeleteSubscription({ owner, subscription, onClose }: Props) {
  const say = useToast();
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () =>
      gatehouse.delete(`${owner.api}/subscriptions/{id}`, { params: { path: { id: subscription.id } } }),
    onSuccess: async () => {
      navigate(owner.path);
      say(text('webhooks.deleted'));
      await refreshWebhooks(owner);
    },
  });
  return (
    <ConfirmDialog
      title={text('webhooks.delete.title', { name: nameOf(subscription) })}
      confirm={text('webhooks.delete')}
      action={remove}
      isOpen
      onClose={onClose}
    >
      <p>{text('webhooks.delete.text')}</p>
    </ConfirmDialog>
  );
}
