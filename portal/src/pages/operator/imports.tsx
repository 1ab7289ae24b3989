import { text } from '../../messages/index.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { toCsv } from '../../ui/csv.ts';
import { download } from '../../ui/download.ts';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ImportHistory } from './import-history.tsx';
import { NewImport } from './new-import.tsx';
import { useDenial } from './operator-queries.ts';
import { beginImport, continueImport, type ImportRun, stopImport, useImportRuns } from './import-runs.ts';
import { inBackground } from '../../session/in-background.ts';

/** Maximum number of refused lines of a reason on the page; the saved file has all. */
const MAX_LINES = 20;

/** Imports people of another system from a file, which is sent in parts. */
export function Imports() {
  const runs = useImportRuns();
  const may = useDenial('platform:import:create');
  const isRunning = runs.some(({ state }) => state === 'running');
  return (
    <Page title={text('operator.imports')} lead={text('operator.imports.lead')}>
      {may.error && <ErrorNotice error={may.error} onRetry={() => inBackground(may.refetch())} />}
      {may.isPending && <Skeleton label={text('operator.imports.new')} rows={1} />}
      {may.data !== undefined && <NewImport denial={may.data} isRunning={isRunning} />}
      {runs.length > 0 && (
        <section className="stack" aria-labelledby="imports-here">
          <h2 id="imports-here">{text('operator.imports.here')}</h2>
          <p className="soft small">{text('operator.imports.here.lead')}</p>
          <ul className="list" aria-label={text('operator.imports.here')}>
            {runs.map((run) => (
              <li key={run.id}>
                <Run
                  run={run}
                  mayContinue={!isRunning}
                  isImported={runs.some((one) => isImportOf(one, run))}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      {may.data === null && <ImportHistory />}
    </Page>
  );
}

/** Whether a run imports the file of a dry run. */
const isImportOf = (one: ImportRun, { file }: ImportRun): boolean => one.file === file && !one.isDryRun;

interface RunProps {
  readonly run: ImportRun;
}

const KINDS = { running: '', stopped: 'care', done: 'good', failed: 'bad' } as const;

interface RunActions {
  readonly mayContinue: boolean;
  /** Whether the import after this dry run has begun. */
  readonly isImported: boolean;
}

function Run({ run, mayContinue, isImported }: RunProps & RunActions) {
  const { id, file, state, isDryRun, invites, isStopping, position, refused, error } = run;
  const count = run.imported + run.invited;
  const canImport = isDryRun && state === 'done' && count > 0 && !isImported;
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
          {(state !== 'done' || refused.length > 0 || canImport) && (
            <div className="row">
              {canImport && (
                <Button
                  look="primary"
                  isDisabled={!mayContinue}
                  onPress={() => beginImport(file, false, invites)}
                >
                  {text('operator.imports.begin-count', { count })}
                </Button>
              )}
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

const countsOf = ({ isDryRun, imported, invited, unchanged, failed }: ImportRun): string =>
  text(isDryRun ? 'operator.imports.would' : 'operator.imports.counts', {
    imported,
    invited,
    hasInvited: invited > 0 ? 'yes' : 'no',
    unchanged,
    failed,
  });

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

/** The refused lines by their reasons, most frequent first. */
function Refused({ run: { failed, refused } }: RunProps) {
  const reasons = [...Map.groupBy(refused, ({ reason }) => reason)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return (
    <details className="disclosure" open>
      <summary>{text('operator.imports.refused', { count: failed })}</summary>
      <ul className="bullets">
        {reasons.map(([reason, lines]) => (
          <li key={reason}>
            <strong>{text('operator.imports.times', { count: lines.length })}</strong> {reason}{' '}
            <span className="soft small">{namesOfLines(lines.map(({ line }) => line))}</span>
          </li>
        ))}
      </ul>
      {failed > refused.length && (
        <p className="soft small">{text('operator.imports.kept', { kept: refused.length })}</p>
      )}
    </details>
  );
}

function namesOfLines(lines: readonly number[]): string {
  const shown = lines.slice(0, MAX_LINES).join(', ') + (lines.length > MAX_LINES ? ', …' : '');
  return text('operator.imports.lines', { count: lines.length, lines: shown });
}

function saveRefused({ file, refused }: ImportRun): void {
  const rows = refused.map(({ line, reason }) => [String(line), reason]);
  download(`${file.name}-refused.csv`, 'text/csv', toCsv([['line', 'reason'], ...rows]));
}
