import { useSearchParams } from 'wouter';
import { text } from '../messages/index.ts';

/** Which of two charts is shown; in the address, for reloads and Back. */
export function usePeriod(): 'hours' | 'days' {
  const [search] = useSearchParams();
  return search.get('period') === 'days' ? 'days' : 'hours';
}

/** Switches between the last 24 hours and the last 30 days. */
export function PeriodSwitch() {
  const shown = usePeriod();
  const [, setSearch] = useSearchParams();
  return (
    <div className="segments" role="group" aria-label={text('overview.period')}>
      {(['hours', 'days'] as const).map((period) => (
        <button
          key={period}
          type="button"
          aria-pressed={period === shown}
          data-selected={period === shown || undefined}
          onClick={() => setSearch(period === 'hours' ? {} : { period }, { replace: true })}
        >
          {text(`overview.${period}`)}
        </button>
      ))}
    </div>
  );
}
