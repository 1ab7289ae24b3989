import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { text } from '../../../messages/index.ts';
import { inBackground } from '../../../session/in-background.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form, textOf } from '../../../ui/form.tsx';
import { Empty, List, Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { readRole, RoleOnThing } from '../access/role-on-thing.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { AccessRequestCard } from './access-request-card.tsx';
import {
  type AccessRequest,
  ALL,
  readRequestsAgain,
  useAccessRequest,
  useAccessRequests,
  useMaxHours,
} from './access-request-queries.ts';

const ANY = 'any';
const STATUSES = ['pending', 'approved', 'denied', 'withdrawn', 'expired'] as const;
const DEFAULT_HOURS = 8;

/** Lists requests for access: the user's, or all for those who decide. */
export function AccessRequests({ tenantId, allowed }: OrganizationProps) {
  const [status, setStatus] = useState<AccessRequest['status'] | typeof ANY>('pending');
  const [isAsking, setAsking] = useState(false);
  const requests = useAccessRequests(tenantId, status === ANY ? undefined : status);
  const { data: maxHours = 0 } = useMaxHours(tenantId);
  return (
    <Page
      title={text('nav.access-requests')}
      lead={text('access-requests.lead')}
      action={
        maxHours > 0 && (
          <Button look="primary" onPress={() => setAsking(true)}>
            {text('access-requests.new')}
          </Button>
        )
      }
    >
      <div className="filters" role="search">
        <SelectField
          label={text('access-requests.status')}
          options={[
            ...STATUSES.map((one): [string, string] => [one, text(`access-requests.status.${one}`)]),
            [ANY, text('access-requests.any-status')],
          ]}
          value={status}
          onChange={(value) => setStatus(value as typeof status)}
        />
      </div>
      <List
        query={requests}
        label={text('nav.access-requests')}
        keyOf={({ id }) => id}
        empty={<Empty title={text('access-requests.empty')} lead={text('access-requests.empty.text')} />}
      >
        {(request) => (
          <AccessRequestCard
            tenantId={tenantId}
            request={request}
            mayDecide={allowed['iam:access-request:decide']}
          />
        )}
      </List>
      {isAsking && (
        <Ask
          tenantId={tenantId}
          maxHours={maxHours}
          maySearch={allowed['access:thing:read']}
          onClose={() => setAsking(false)}
        />
      )}
    </Page>
  );
}

/** One request: the page of the link in a mail. Opening it decides nothing. */
export function OneAccessRequest({ tenantId, allowed, id }: OrganizationProps & { readonly id: string }) {
  const { data: request, error, refetch } = useAccessRequest(tenantId, id);
  const back = <Link href={pathIn(PAGE_PATHS.accessRequests, tenantId)}>{text('access-requests.back')}</Link>;
  return (
    <Page title={text('access-requests.one')} lead={back}>
      {request ? (
        <AccessRequestCard
          tenantId={tenantId}
          request={request}
          mayDecide={allowed['iam:access-request:decide']}
        />
      ) : error ? (
        <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />
      ) : (
        <Skeleton label={text('access-requests.one')} />
      )}
    </Page>
  );
}

interface AskProps {
  readonly tenantId: string;
  readonly maxHours: number;
  /** Whether the user may read the registered things. */
  readonly maySearch: boolean;
  readonly onClose: () => void;
}

function Ask({ tenantId, maxHours, maySearch, onClose }: AskProps) {
  const ask = useMutation({
    mutationFn: async (values: FormData) => {
      const hours = Number(textOf(values, 'hours'));
      const body = { ...readRole(values), hours, reason: textOf(values, 'reason') ?? '' };
      await gatehouse.post(ALL, { params: { path: { id: tenantId } }, body });
    },
    onSuccess: async () => {
      await readRequestsAgain(tenantId);
      onClose();
    },
  });
  return (
    <Dialog title={text('access-requests.new')} isOpen onClose={onClose}>
      <Form error={ask.error} onSubmit={(values) => ask.mutate(values)}>
        <RoleOnThing tenantId={tenantId} maySearch={maySearch} />
        <TextField
          label={text('access-requests.hours')}
          name="hours"
          hint={text('access-requests.hours.hint', { max: maxHours })}
          inputMode="decimal"
          defaultValue={String(Math.min(DEFAULT_HOURS, maxHours))}
          isRequired
        />
        <TextField label={text('access-requests.reason')} name="reason" maxLength={300} isRequired />
        <FormButtons submit={text('access-requests.ask')} isPending={ask.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
