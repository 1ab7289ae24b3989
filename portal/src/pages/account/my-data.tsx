import { useMutation, useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { rich, text } from '../../messages/index.ts';
import { acting } from '../../session/acting.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { Empty, Skeleton } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { OnlyThePerson } from './only-the-person.tsx';
import { inBackground } from '../../session/in-background.ts';

type Export = components['schemas']['ListedExportResponse'];

const PATH = '/api/v1/iam/me/export';
const KEY = ['my-data'];
const POLL_MS = 2_000;

/**
 * Asks for what is kept about the user, and saves it once it is ready. Not for an operator who acts
 * as the person.
 */
export const MyData = () =>
  acting === null ? (
    <OwnData />
  ) : (
    <Page title={text('nav.my-data')}>
      <OnlyThePerson />
    </Page>
  );

function OwnData() {
  const say = useToast();
  const exports = useQuery({
    queryKey: KEY,
    queryFn: async () => (await gatehouse.get(PATH)).data.items,
    refetchInterval: ({ state }) => state.data?.some(({ ready }) => !ready) === true && POLL_MS,
  });
  const ask = useMutation({
    mutationFn: () => gatehouse.post(PATH),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: KEY });
      say(text('my-data.asked'));
    },
  });
  const { data, error, isPending } = exports;
  return (
    <Page
      title={text('nav.my-data')}
      lead={text('my-data.lead')}
      action={
        <Button look="primary" isPending={ask.isPending} onPress={() => ask.mutate()}>
          {text('my-data.ask')}
        </Button>
      }
    >
      {ask.error && <ErrorNotice error={ask.error} />}
      {error && <ErrorNotice error={error} onRetry={() => inBackground(exports.refetch())} />}
      {isPending && <Skeleton label={text('nav.my-data')} />}
      {data?.length === 0 && <Empty title={text('my-data.empty')} lead={text('my-data.empty.text')} />}
      {data && data.length > 0 && (
        <ul className="list" aria-label={text('nav.my-data')}>
          {data.map((one) => (
            <li key={one.id}>
              <ExportItem made={one} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function ExportItem({ made }: { readonly made: Export }) {
  const { id, createdAt, expiresAt, ready } = made;
  const name = `my-data-${createdAt.slice(0, 10)}`;
  const save = useMutation({
    mutationFn: async () => {
      const { data } = await gatehouse.get(`${PATH}/{id}`, { params: { path: { id } } });
      download(`${name}.json`, 'application/json', JSON.stringify(data, null, 2));
    },
  });
  const savePage = useMutation({
    mutationFn: async () => {
      const params = { path: { id } };
      const { data } = await gatehouse.get(`${PATH}/{id}/page`, { params, parseAs: 'text' });
      download(`${name}.html`, 'text/html', data);
    },
  });
  return (
    <div className="item plain">
      <div className="what">
        <div className="row">
          <strong>
            <Time value={createdAt} exact />
          </strong>
          <Badge kind={ready ? 'good' : ''}>{text(ready ? 'my-data.ready' : 'my-data.waiting')}</Badge>
        </div>
        <span className="soft small">
          {rich('my-data.until', { time: () => <Time value={expiresAt} /> })}
        </span>
        {save.error && <ErrorNotice error={save.error} onRetry={() => save.mutate()} />}
        {savePage.error && <ErrorNotice error={savePage.error} onRetry={() => savePage.mutate()} />}
      </div>
      <div className="end wraps">
        {ready && (
          <>
            <Button small isPending={savePage.isPending} onPress={() => savePage.mutate()}>
              {text('my-data.page')}
            </Button>
            <Button small isPending={save.isPending} onPress={() => save.mutate()}>
              {text('my-data.download')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
