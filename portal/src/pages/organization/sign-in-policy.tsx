import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { components } from '@gatehouse/client';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkboxes.tsx';
import { Form } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { keys, subjectOf } from './organization-queries.ts';
import { SupportAccess } from './support-access.tsx';
import { inBackground } from '../../session/in-background.ts';

type Policy = Omit<components['schemas']['SignInPolicyResponse'], 'sso'>;
type Factor = Policy['secondFactor'];

const UPDATE = 'iam:sign-in-policy:update';
const HOUR_SECONDS = 3_600;
const FACTORS = ['optional', 'required', 'phishing_resistant'] as const satisfies readonly Factor[];
const SUPPORT = ['never', 'on_request', 'always'] as const satisfies readonly Policy['supportAccess'][];
const STATIONS = ['off', 'workers', 'members'] as const satisfies readonly Policy['stations'][];
const PIN_RESETS = ['second-factor', 'two-people'] as const satisfies readonly Policy['pinReset'][];
const GRACE_DAYS = [0, 3, 7, 14, 30];
/** Proposed when a second factor is first required. */
const USUAL_GRACE_DAYS = 14;
const AUTH_AGE_HOURS = [1, 8, 12, 24, 168, 336];
const SESSION_HOURS = [8, 12, 24, 168, 336, 720];
const DAY_HOURS = 24;
/** Value of a choice for null. */
const ANY = 'any';

const policyKey = (tenantId: string) => [...keys.tenant(tenantId), 'sign-in-policy'] as const;

/** Shows and changes what the organization asks of the sign-ins of its members. */
export function SignInPolicy({ tenantId }: { readonly tenantId: string }) {
  const policy = useQuery({
    queryKey: policyKey(tenantId),
    queryFn: async () => {
      const params = { path: { id: tenantId } };
      const { sso: _sso, ...current } = (
        await gatehouse.get('/api/v1/iam/tenants/{id}/sign-in-policy', { params })
      ).data;
      const subject = subjectOf('sign-in-policies', tenantId);
      const verdict = (await gatehouse.can(subject, [UPDATE]))[UPDATE];
      // A sign-in that is too old is no obstacle: the command asks to confirm it.
      const isDenied = !verdict.allowed && verdict.code !== 'authentication_insufficient';
      return { current, denial: isDenied ? (verdict.reason ?? null) : null };
    },
  });
  const { data } = policy;
  return (
    <Page title={text('nav.sign-in-policy')} lead={text('sign-in-policy.lead')}>
      {policy.error && <ErrorNotice error={policy.error} onRetry={() => inBackground(policy.refetch())} />}
      {data && <PolicyForm key={JSON.stringify(data.current)} tenantId={tenantId} {...data} />}
      {data?.current.supportAccess === 'on_request' && <SupportAccess tenantId={tenantId} />}
      {policy.isPending && <Skeleton label={text('sign-in-policy.loading')} />}
    </Page>
  );
}

interface FormProps {
  readonly tenantId: string;
  readonly current: Policy;
  /** Why the user cannot change the policy; null if they can. */
  readonly denial: string | null;
}

function PolicyForm({ tenantId, current, denial }: FormProps) {
  const [policy, setPolicy] = useState(current);
  const say = useToast();
  const set = useMutation({
    mutationFn: () =>
      gatehouse.put('/api/v1/iam/tenants/{id}/sign-in-policy', {
        params: { path: { id: tenantId } },
        body: policy,
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: policyKey(tenantId) });
      say(text('sign-in-policy.saved'));
    },
  });
  const change = (changes: Partial<Policy>) => setPolicy({ ...policy, ...changes });
  const { secondFactor, graceDays, maxAuthAgeSeconds, sessionMaxHours } = policy;
  const isChanged = JSON.stringify(policy) !== JSON.stringify(current);
  return (
    <section className="sheet section">
      <Form error={set.error} onSubmit={() => set.mutate()}>
        {denial !== null && (
          <Notice>
            <p>{denial}</p>
          </Notice>
        )}
        <SelectField
          label={text('sign-in-policy.second-factor')}
          options={FACTORS.map((factor) => [factor, text(`sign-in-policy.second-factor.${factor}`)])}
          value={secondFactor}
          onChange={(factor) =>
            change({
              secondFactor: factor as Factor,
              ...(current.secondFactor === 'optional' && { graceDays: USUAL_GRACE_DAYS }),
            })
          }
        />
        {secondFactor !== 'optional' && (
          <>
            <SelectField
              label={text('sign-in-policy.grace')}
              hint={text('sign-in-policy.grace.hint')}
              options={withCurrent(GRACE_DAYS, current.graceDays).map((days) => [
                String(days),
                text('sign-in-policy.days', { days }),
              ])}
              value={String(graceDays)}
              onChange={(days) => change({ graceDays: Number(days) })}
            />
          </>
        )}
        {isChanged && <Impact tenantId={tenantId} policy={policy} />}
        <Checkbox
          isSelected={policy.trustedDevices}
          onChange={(trustedDevices) => change({ trustedDevices })}
        >
          {text('sign-in-policy.trusted-devices')}
        </Checkbox>
        <Checkbox
          isSelected={policy.otherConnections}
          onChange={(otherConnections) => change({ otherConnections })}
        >
          {text('sign-in-policy.other-connections')}
          <span className="small soft line">{text('sign-in-policy.other-connections.hint')}</span>
        </Checkbox>
        <Hours
          label={text('sign-in-policy.auth-age')}
          hint={text('sign-in-policy.auth-age.hint')}
          choices={AUTH_AGE_HOURS}
          hours={maxAuthAgeSeconds === null ? null : maxAuthAgeSeconds / HOUR_SECONDS}
          onChange={(hours) =>
            change({ maxAuthAgeSeconds: hours === null ? null : Math.round(hours * HOUR_SECONDS) })
          }
        />
        <Hours
          label={text('sign-in-policy.session')}
          hint={text('sign-in-policy.session.hint')}
          choices={SESSION_HOURS}
          hours={sessionMaxHours}
          onChange={(hours) => change({ sessionMaxHours: hours })}
        />
        <SelectField
          label={text('sign-in-policy.support')}
          hint={text('sign-in-policy.support.hint')}
          options={SUPPORT.map((access) => [access, text(`sign-in-policy.support.${access}`)])}
          value={policy.supportAccess}
          onChange={(access) => change({ supportAccess: access as Policy['supportAccess'] })}
        />
        <SelectField
          label={text('sign-in-policy.stations')}
          hint={text('sign-in-policy.stations.hint')}
          options={STATIONS.map((who) => [who, text(`sign-in-policy.stations.${who}`)])}
          value={policy.stations}
          onChange={(who) => change({ stations: who as Policy['stations'] })}
        />
        {policy.stations !== 'off' && (
          <SelectField
            label={text('sign-in-policy.pin-reset')}
            options={PIN_RESETS.map((how) => [how, text(`sign-in-policy.pin-reset.${how}`)])}
            value={policy.pinReset}
            onChange={(how) => change({ pinReset: how as Policy['pinReset'] })}
          />
        )}
        <Button type="submit" isPending={set.isPending} isDisabled={denial !== null}>
          {text('sign-in-policy.save')}
        </Button>
      </Form>
    </section>
  );
}

interface HoursProps {
  readonly label: string;
  readonly hint: string;
  readonly choices: readonly number[];
  /** Null for no maximum. */
  readonly hours: number | null;
  readonly onChange: (hours: number | null) => void;
}

/** Chooses a maximum age, or none. */
function Hours({ choices, hours, onChange, ...texts }: HoursProps) {
  const [initial] = useState(hours);
  const options = withCurrent(choices, initial).map(
    (each) =>
      [
        String(each),
        each % DAY_HOURS === 0
          ? text('sign-in-policy.days', { days: each / DAY_HOURS })
          : text('sign-in-policy.hours', { hours: each }),
      ] as const,
  );
  return (
    <SelectField
      {...texts}
      options={[[ANY, text('sign-in-policy.any-age')], ...options]}
      value={hours === null ? ANY : String(hours)}
      onChange={(value) => onChange(value === ANY ? null : Number(value))}
    />
  );
}

function withCurrent(choices: readonly number[], current: number | null): number[] {
  const all = current === null ? choices : [...choices, current];
  return [...new Set(all)].toSorted((a, b) => a - b);
}

interface ImpactProps {
  readonly tenantId: string;
  readonly policy: Policy;
}

/** Shows who could not enter, and whether the user could, before the policy is set. */
function Impact({ tenantId, policy }: ImpactProps) {
  const { secondFactor, graceDays } = policy;
  const impact = useQuery({
    queryKey: [...policyKey(tenantId), 'impact', policy],
    queryFn: async () =>
      (
        await gatehouse.post('/api/v1/iam/tenants/{id}/sign-in-policy/impact', {
          params: { path: { id: tenantId } },
          body: policy,
        })
      ).data,
    placeholderData: keepPreviousData, // while another field is changed
  });
  if (impact.error)
    return <ErrorNotice error={impact.error} onRetry={() => inBackground(impact.refetch())} />;
  if (!impact.data) return <Skeleton label={text('sign-in-policy.impact.loading')} rows={1} />;
  const { members, couldNotEnter, owners, callerSatisfies } = impact.data;
  if (!callerSatisfies)
    return (
      <Notice kind="bad" title={text('sign-in-policy.own')}>
        <p>
          {rich('sign-in-policy.own.text', {
            link: (inside) => <Link href={PAGE_PATHS.security}>{inside}</Link>,
          })}
        </p>
        {couldNotEnter > 0 && <p>{text('sign-in-policy.impact.title', { count: couldNotEnter, members })}</p>}
      </Notice>
    );
  if (secondFactor === 'optional') return null;
  if (couldNotEnter === 0)
    return (
      <Notice>
        <p>{text('sign-in-policy.impact.none')}</p>
      </Notice>
    );
  const names = owners.map(({ name, email, userId }) => name ?? email ?? userId);
  return (
    <Notice kind="care" title={text('sign-in-policy.impact.title', { count: couldNotEnter, members })}>
      <p>{text('sign-in-policy.impact.text', { days: graceDays })}</p>
      {names.length > 0 && <p>{text('sign-in-policy.impact.owners', { names: names.join(', ') })}</p>}
    </Notice>
  );
}
