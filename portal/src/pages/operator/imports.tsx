import { useQuery } from '@tanstack/react-query';
import type { Scope } from '@gatehouse/client';
import { Link } from 'wouter';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { useMe } from '../../session/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkboxes.tsx';
import { toCsv } from '../../ui/csv.ts';
import { download } from '../../ui/download.ts';
import { FileField } from '../../ui/file-field.tsx';
import { Form } from '../../ui/form.tsx';
import { Empty, Skeleton } from '../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { beginImport, continueImport, type ImportRun, stopImport, useImportRuns } from './import-runs.ts';
import { inBackground } from '../../session/in-background.ts';

const CREATE = 'platform:import:create' satisfies Scope;
/** Maximum number of refused lines on the page; the saved file has more. */
const MAX_SHOWN = 100;
/** A line of the file; the others of it are in docs/moving-in.md. */
const EXAMPLE =
  '{"externalId": "u-4711", "email": "ada@example.com", "emailVerified": true, "firstName": "Ada", "passwordHash": "$2y$10$…"}';

/** Imports people of another system from a file, which is sent in parts. */
export function Imports() {
  const runs = useImportRuns();
  const { data: me } = useMe();
  const may = useQuery({
    queryKey: ['operator', 'may-import'],
    queryFn: async () => (await gatehouse.can(null, [CREATE]))[CREATE],
  });
  const isRunning = runs.some(({ state }) => state === 'running');
  const own = new URLSearchParams({ actorId: me?.id ?? '', action: 'operator.people-imported' });
  return (
    <Page title={text('operator.imports')} lead={text('operator.imports.lead')}>
      {may.error && <ErrorNotice error={may.error} onRetry={() => inBackground(may.refetch())} />}
      {may.isPending && <Skeleton label={text('operator.imports.new')} rows={1} />}
      {may.data && <NewImport denial={denialOf(may.data)} isRunning={isRunning} />}
      <section className="stack" aria-labelledby="imports-here">
        <h2 id="imports-here">{text('operator.imports.here')}</h2>
        <p className="soft small">
          {rich('operator.imports.here.lead', {
            link: (inside) => <Link href={`${PAGE_PATHS.operatorTrail}?${own}`}>{inside}</Link>,
          })}
        </p>
        {runs.length === 0 ? (
          <Empty title={text('operator.imports.none')} />
        ) : (
          <ul className="list" aria-label={text('operator.imports.here')}>
            {runs.map((run) => (
              <li key={run.id}>
                <Run run={run} mayContinue={!isRunning} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </Page>
  );
}

/** A sign-in that is too old is no obstacle: the import asks to confirm it. */
const denialOf = (verdict: { allowed: boolean; reason?: string; code?: string }): string | null =>
  verdict.allowed || verdict.code === 'authentication_insufficient'
    ? null
    : (verdict.reason ?? text('error.not-allowed'));

interface NewImportProps {
  /** Why the operator may not import; null if they may. */
  readonly denial: string | null;
  readonly isRunning: boolean;
}

function NewImport({ denial, isRunning }: NewImportProps) {
  const begin = (values: FormData, form: HTMLFormElement) => {
    const file = values.get('file');
    if (!(file instanceof File) || isRunning) return;
    beginImport(file, values.has('dryRun'));
    form.reset();
  };
  const isDisabled = denial !== null;
  return (
    <section className="sheet section" aria-labelledby="new-import">
      <h2 id="new-import">{text('operator.imports.new')}</h2>
      <p>{rich('operator.imports.about', { code: (inside) => <code>{inside}</code> })}</p>
      <pre className="code" role="group" aria-label={text('operator.imports.example')}>
        {EXAMPLE}
      </pre>
      <p>
        {rich('operator.imports.docs', {
          code: (inside) => <code>{inside}</code>,
          link: (inside) => <a href="/api/docs/operations/importPeople">{inside}</a>,
        })}
      </p>
      {denial !== null && (
        <Notice title={text('operator.imports.denied')}>
          <p>{denial}</p>
        </Notice>
      )}
      <Form error={null} onSubmit={begin}>
        <FileField
          label={text('operator.imports.file')}
          name="file"
          accept=".ndjson,.jsonl,.json,.txt,application/x-ndjson"
          hint={text('operator.imports.file.hint')}
          isDisabled={isDisabled}
          isRequired
        />
        <Checkbox name="dryRun" value="yes" isDisabled={isDisabled}>
          {text('operator.imports.dry-run')}
        </Checkbox>
        {isRunning && <p className="hint">{text('operator.imports.one')}</p>}
        <Button type="submit" isDisabled={isDisabled || isRunning}>
          {text('operator.imports.begin')}
        </Button>
      </Form>
    </section>
  );
}

interface RunProps {
  readonly run: ImportRun;
}

const KINDS = { running: '', stopped: 'care', done: 'good', failed: 'bad' } as const;

function Run({ run, mayContinue }: RunProps & { readonly mayContinue: boolean }) {
  const { id, file, state, isDryRun, isStopping, position, refused, error } = run;
  const { name } = file;
  const isRunning = state === 'running';
  return (
    <>
      <div className="item plain">
        <div className="stack tight">
          <div className="what">
            <div className="row">
              <strong>{name}</strong>
              <Badge kind={KINDS[state]}>{text(`operator.imports.state.${state}`)}</Badge>
              {isDryRun && <Badge>{text('operator.imports.dry')}</Badge>}
            </div>
            {isRunning && (
              <>
                <progress
                  className="progress"
                  max={file.size}
                  value={position}
                  aria-label={text('operator.imports.progress', { name })}
                />
                <span className="soft small">{countsOf(run)}</span>
              </>
            )}
            <span className="soft small" role="status">
              {isRunning ? text('operator.imports.stay') : countsOf(run)}
            </span>
          </div>
          {error !== null && <Failure error={error} />}
          {(state !== 'done' || refused.length > 0) && (
            <div className="row">
              {isRunning && (
                <Button
                  small
                  aria-label={text('operator.imports.stop-of', { name })}
                  isPending={isStopping}
                  onPress={() => stopImport(id)}
                >
                  {text('operator.imports.stop')}
                </Button>
              )}
              {(state === 'stopped' || state === 'failed') && (
                <Button
                  small
                  aria-label={text('operator.imports.continue-of', { name })}
                  isDisabled={!mayContinue}
                  onPress={() => continueImport(id)}
                >
                  {text('operator.imports.continue')}
                </Button>
              )}
              {refused.length > 0 && (
                <Button
                  small
                  aria-label={text('operator.imports.save-of', { name })}
                  onPress={() => saveRefused(run)}
                >
                  {text('operator.imports.save')}
                </Button>
              )}
            </div>
          )}
        </div>
      </div>
      {refused.length > 0 && <Refused run={run} />}
    </>
  );
}

const countsOf = ({ isDryRun, imported, unchanged, failed }: ImportRun): string =>
  text(isDryRun ? 'operator.imports.would' : 'operator.imports.counts', { imported, unchanged, failed });

/** Why an import has failed. What it has imported stays. */
const Failure = ({ error }: { readonly error: unknown }) =>
  error instanceof DOMException ? (
    <Notice kind="bad" title={text('operator.imports.unreadable')}>
      <p>{text('operator.imports.unreadable.text')}</p>
    </Notice>
  ) : (
    <ErrorNotice error={error}>
      <p>{text('operator.imports.resume')}</p>
    </ErrorNotice>
  );

/** The refused lines, with their reasons. */
function Refused({ run: { failed, refused } }: RunProps) {
  const shown = refused.slice(0, MAX_SHOWN);
  return (
    <details className="disclosure" open>
      <summary>{text('operator.imports.refused', { count: failed })}</summary>
      <dl className="facts">
        {shown.map(({ line, reason }) => (
          <RefusedLine key={line} line={line} reason={reason} />
        ))}
      </dl>
      {failed > shown.length && (
        <p className="soft small">
          {text('operator.imports.shown', { shown: shown.length, kept: refused.length })}
        </p>
      )}
    </details>
  );
}

const RefusedLine = ({ line, reason }: { readonly line: number; readonly reason: string }) => (
  <>
    <dt>{text('operator.imports.line', { line })}</dt>
    <dd>{reason}</dd>
  </>
);

function saveRefused({ file, refused }: ImportRun): void {
  const rows = refused.map(({ line, reason }) => [String(line), reason]);
  download(`${file.name}-refused.csv`, 'text/csv', toCsv([['line', 'reason'], ...rows]));
}
