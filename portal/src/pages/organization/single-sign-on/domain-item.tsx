import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { rich, text } from '../../../messages/index.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { Domain } from './connection-queries.ts';

const KINDS = { pending: 'care', verified: 'good', lapsed: 'bad' } as const satisfies Record<
  Domain['status'],
  string
>;

interface ItemProps {
  readonly domain: Domain;
  /** Checks the record; left out for who may not. */
  readonly verify?: () => Promise<unknown>;
  /** Reads the domains again. */
  readonly readAgain: () => Promise<void>;
  /** Further commands. */
  readonly children?: ReactNode;
}

/** Shows a domain with the record to publish, and checks it. */
export function DomainItem({ domain, verify, readAgain, children }: ItemProps) {
  const { name, status, checkedAt } = domain;
  const say = useToast();
  const check = useMutation({
    mutationFn: async () => verify?.(),
    onSuccess: async () => {
      await readAgain();
      say(text('connections.domains.verified-now', { name }));
    },
  });
  return (
    <div className="item plain">
      <div className="what">
        <span className="row">
          <strong>{name}</strong>
          <Badge kind={KINDS[status]}>{text(`connections.domains.${status}`)}</Badge>
        </span>
        {checkedAt !== null && (
          <span className="soft small">
            {rich('connections.domains.checked-at', { time: () => <Time key="time" value={checkedAt} /> })}
          </span>
        )}
      </div>
      {children}
      {status !== 'verified' && (
        <div className="stack below">
          <p className="small">{text(`connections.domains.${status}.text`)}</p>
          <Copyable label={text('connections.domains.record-name')} value={domain.record.name} />
          <Copyable label={text('connections.domains.record-value')} value={domain.record.value} />
          {check.error && (
            <ErrorNotice
              error={check.error}
              titles={{ conflict: 'connections.domains.not-verified' }}
              onRetry={() => check.mutate()}
            />
          )}
          {verify && (
            <div>
              <Button
                small
                isPending={check.isPending}
                aria-label={text('connections.domains.verify-of', { name })}
                onPress={() => check.mutate()}
              >
                {text('connections.domains.verify')}
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

interface NewProps {
  readonly add: (name: string) => Promise<Domain>;
  readonly readAgain: () => Promise<void>;
  readonly onClose: () => void;
}

/** Adds a domain, to be verified. */
export function NewDomain({ add: call, readAgain, onClose }: NewProps) {
  const say = useToast();
  const add = useMutation({
    mutationFn: call,
    onSuccess: async ({ name }) => {
      await readAgain();
      onClose();
      say(text('connections.domains.added', { name }));
    },
  });
  return (
    <Dialog title={text('connections.domains.new')} isOpen onClose={onClose}>
      <Form error={add.error} onSubmit={(values) => add.mutate(String(values.get('name')).trim())}>
        <TextField
          label={text('connections.domains.name')}
          name="name"
          hint={text('connections.domains.name.hint')}
          maxLength={253}
          inputMode="url"
          isRequired
          autoFocus
          verbatim
        />
        <FormButtons submit={text('connections.domains.add')} isPending={add.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
