/**
 * Script of the API reference: the filter of the operations, the chosen kind of sample, and the
 * theme. Without it, the pages are complete but for these. It writes no HTML.
 */
export const REFERENCE_SCRIPT = `const search = document.querySelector('input[type=search]');
const groups = [...document.querySelectorAll('nav section')];
const none = document.querySelector('nav [role=status]');
search.closest('div').hidden = false;

function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let found = 0;
  for (const group of groups) {
    let shown = 0;
    for (const item of group.querySelectorAll('li')) {
      item.hidden = !words.every((word) => item.dataset.words.includes(word));
      if (!item.hidden) shown += 1;
    }
    group.hidden = shown === 0;
    found += shown;
  }
  none.textContent = found === 0 ? 'No operation has these words.' : '';
}

search.addEventListener('input', filter);
search.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') document.querySelector('nav li:not([hidden]) a')?.click();
  if (event.key !== 'Escape') return;
  search.value = '';
  filter();
});
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input')) return;
  event.preventDefault();
  search.focus();
});
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'center' });

function stored(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch {
    // A browser without storage forgets the choice.
  }
  return null;
}

const kinds = [...document.querySelectorAll('.tabs input')];
for (const kind of kinds) {
  if (kind.value === stored('gatehouse-sample')) kind.checked = true;
  kind.addEventListener('change', () => stored('gatehouse-sample', kind.value));
}

const theme = document.querySelector('#theme');
theme?.removeAttribute('hidden');
theme?.addEventListener('click', () => {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = dark ? 'light' : 'dark';
  stored('gatehouse-theme', dataset.theme);
});
`;
