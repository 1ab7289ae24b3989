import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { Badge } from '../../../ui/badge.tsx';
import { DeniableButton } from '../../../ui/deniable-button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../../ui/notice.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { keys, subjectOf } from '../organization-queries.ts';
import { inBackground } from '../../../session/in-background.ts';

const POLICY = '/api/v1/iam/tenants/{id}/sign-in-policy';
const UPDATE = 'iam:sign-in-policy:update';

/** Shows and changes whether members have to sign in by a connection. */
export function Requirement({ tenantId }: { readonly tenantId: string }) {
  const params = { path: { id: tenantId } };
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const policy = useQuery({
    queryKey: [...keys.tenant(tenantId), 'single-sign-on'],
    queryFn: async () => {
      const { sso } = (await gatehouse.get(POLICY, { params })).data;
      const verdict = (await gatehouse.can(subjectOf('sign-in-policies', tenantId), [UPDATE]))[UPDATE];
      // A sign-in that is too old is no obstacle: the command asks to confirm it.
      const isDenied = !verdict.allowed && verdict.code !== 'authentication_insufficient';
      return { isRequired: sso === 'required', denial: isDenied ? verdict.reason : null };
    },
  });
  const isRequired = policy.data?.isRequired === true;
  const set = useMutation({
    mutationFn: () => gatehouse.put(POLICY, { params, body: { sso: isRequired ? 'optional' : 'required' } }),
    onSuccess: async () => {
      setAsking(false);
      say(text(isRequired ? 'connections.required.off' : 'connections.required.on'));
      await queryClient.invalidateQueries({ queryKey: keys.tenant(tenantId) });
    },
  });
  const command = text(isRequired ? 'connections.required.relax' : 'connections.required.require');
  return (
    <section className="sheet section stack" aria-labelledby="requirement">
      <div className="row">
        <h2 id="requirement">{text('connections.required')}</h2>
        {isRequired && <Badge kind="good">{text('connections.required.yes')}</Badge>}
      </div>
      <p className="soft small">{text('connections.required.text')}</p>
      {policy.error && <ErrorNotice error={policy.error} onRetry={() => inBackground(policy.refetch())} />}
      {policy.isPending && <Skeleton label={text('connections.required')} rows={1} />}
      {policy.data && (
        <DeniableButton denial={policy.data.denial} onPress={() => setAsking(true)}>
          {command}
        </DeniableButton>
      )}
      <ConfirmDialog
        title={text(isRequired ? 'connections.required.relax.title' : 'connections.required.require.title')}
        confirm={command}
        action={set}
        isOpen={isAsking}
        onClose={() => {
          setAsking(false);
          set.reset();
        }}
      >
        <p>{text(isRequired ? 'connections.required.relax.text' : 'connections.required.require.text')}</p>
        {!isRequired && isAsking && <Impact tenantId={tenantId} />}
      </ConfirmDialog>
    </section>
  );
}

/** Shows who could not enter yet, before single sign-on is required. */
function Impact({ tenantId }: { readonly tenantId: string }) {
  const impact = useQuery({
    queryKey: [...keys.tenant(tenantId), 'single-sign-on', 'impact'],
    queryFn: async () => {
      const params = { path: { id: tenantId } };
      return (await gatehouse.post(`${POLICY}/impact`, { params, body: { sso: 'required' } })).data;
    },
  });
  if (impact.error)
    return <ErrorNotice error={impact.error} onRetry={() => inBackground(impact.refetch())} />;
  if (!impact.data) return <Skeleton label={text('sign-in-policy.impact.loading')} rows={1} />;
  const { members, couldNotEnter, owners } = impact.data;
  if (couldNotEnter === 0) return <p className="small">{text('connections.required.impact.none')}</p>;
  const names = owners.map(({ name, email, userId }) => name ?? email ?? userId);
  const title = text('connections.required.impact.title', { count: couldNotEnter, members });
  return (
    <Notice kind="care" title={title}>
      <p>{text('connections.required.impact.text')}</p>
      {names.length > 0 && <p>{text('sign-in-policy.impact.owners', { names: names.join(', ') })}</p>}
    </Notice>
  );
}
