/**
 * Renders into the page that the server has written (src/portal/first-page.ts). Preact takes over
 * its elements; what was typed into them before, and the focus, stay.
 */
export async function takeOverFirstPage(root: HTMLElement, render: () => void): Promise<void> {
  const fields = () => [...root.querySelectorAll('input')];
  const typed = fields().map(({ value }) => value);
  const focused = fields().findIndex((field) => field === document.activeElement);
  delete document.documentElement.dataset['otherLanguage'];
  render();
  fields().forEach((field, index) => {
    const value = typed[index] ?? '';
    if (value !== '' && field.value !== value) type(field, value);
  });
  await new Promise((resolve) => setTimeout(resolve)); // after its effects: one sets the focus
  if (focused >= 0) fields()[focused]?.focus();
  delete document.documentElement.dataset['first'];
}

/** Enters a value as a user does, so that the component of the field has it as well. */
function type(field: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
