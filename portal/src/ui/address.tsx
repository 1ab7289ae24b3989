/** An email address, which a narrow line breaks after the @. */
export function Address({ value }: { readonly value: string }) {
  const domain = value.lastIndexOf('@') + 1;
  return (
    <span className="address">
      {value.slice(0, domain)}
      <wbr />
      {value.slice(domain)}
    </span>
  );
}
