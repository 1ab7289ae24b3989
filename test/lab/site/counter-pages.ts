import { html, type Html } from '../../../examples/help-centre/html.ts';
import type { Counter, WayBack } from '../counters/counter.ts';
import { page } from './page.ts';
import type { Reply, Routes } from './server.ts';

/**
 * Pages at which a browser signs in at a stand-in: choice of account and fault, and the answer that
 * it carries back.
 */
export function counterPages(counters: readonly Counter[]): Routes {
  return Object.fromEntries(
    counters.flatMap((counter) => {
      const path = pathOf(counter);
      return [
        [`GET ${path}`, ({ url }) => signInPage(counter, url.href)],
        [`POST ${path}`, ({ form }) => decide(counter, form)],
      ] satisfies [string, Routes[string]][];
    }),
  );
}

export function pathOf({ kind }: Counter): string {
  return `/at/${kind}`;
}

function decide(counter: Counter, form: URLSearchParams): Reply {
  const asked = form.get('asked') ?? '';
  const person = jsonObject(form.get('person') ?? '');
  if (!person) return signInPage(counter, asked, html`<p role="alert">The person must be a JSON object.</p>`);
  return wayBackPage(counter.title, counter.send(asked, person, form.get('mishap') ?? ''));
}

function signInPage(counter: Counter, asked: string, problem = html``): Reply {
  const mishaps = counter.mishaps.map((mishap) => html`<option>${mishap}</option>`);
  return page(
    `The lab’s ${counter.title}`,
    html`${problem}
      <form method="post" action="${pathOf(counter)}">
        <input type="hidden" name="asked" value="${asked}" />
        <label>
          Who are you?
          <textarea name="person" rows="6">${JSON.stringify(counter.person, null, 2)}</textarea>
        </label>
        <label>
          What goes wrong?
          <select name="mishap">
            <option value="">nothing</option>
            ${all(mishaps)}
          </select>
        </label>
        <button>Sign in</button>
      </form>`,
  );
}

/** Shows what the browser carries back, for changes. */
function wayBackPage(title: string, { method, action, fields }: WayBack): Reply {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<label>${name} <input name="${name}" value="${value}" /></label>`,
  );
  return page(
    `Back from ${title}`,
    html`<p>Your browser carries this to <code>${action}</code>. You may change it first.</p>
      <form method="${method}" action="${action}">
        ${all(inputs)}
        <button>Go back</button>
      </form>`,
  );
}

function all(parts: readonly Html[]): Html {
  return parts.reduce((before, part) => html`${before}${part}`, html``);
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
